"""jieba's own code, without its cache in the shared temporary folder and without its messages."""

import warnings
from functools import cache

with warnings.catch_warnings():
    # jieba 0.42.1 asks for pkg_resources, which warns, and has invalid escapes in its source.
    warnings.simplefilter("ignore")
    import jieba
    from jieba import finalseg

__all__ = ["finalseg", "jieba_tokenizer"]


@cache
def _loaded():
    tokenizer = jieba_tokenizer(fresh=True)
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    return tokenizer


def jieba_tokenizer(fresh=False):
    """Return jieba's tokenizer with its dictionary, or a fresh one without."""
    if not fresh:
        return _loaded()
    tokenizer = jieba.Tokenizer()
    tokenizer.initialized = True
    return tokenizer
