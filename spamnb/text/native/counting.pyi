from spamnb.text.counted import CountedTokens
from spamnb.text.groups import TokenGroups
from spamnb.text.reading import Reading
from spamnb.text.tokenizers import Tokenizer

class NativeCounter:
    def count(
        self, reading: Reading, segment: Tokenizer, stop_words: frozenset[str], others: TokenGroups
    ) -> CountedTokens: ...
