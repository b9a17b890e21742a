"""The preset ``full``: tokens of everything in a mail.

A token's prefix is its group (`spamnb.text.groups`):

===========  ======================================================================================
(none)       words of the body, runs of punctuation, words that a reader recognizes in disguise
subject      words of the subject
pair         two adjacent words, in the body or in the subject
char         character 4-grams, inside the words of the subject and those at the beginning of a
             text
end          the last words of the body: how it closes, and who signs
shape        words that hold digits, each digit as 0: ``$000``, ``07000000000``
word         what is odd about words: ``mixed-script``
url          links; see `spamnb.text.links`
html         tags, and attributes that matter; ``hidden:N``, text that no reader sees, N the number
             of binary digits of its length
mime, meta   structure and shape, see `spamnb.text.structure`; the header style
from, header, name  header fields; see `spamnb.text.fields`
===========  ======================================================================================
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from spamnb.mail.message import Message
from spamnb.memo import Memo
from spamnb.patterns import lazy_pattern
from spamnb.text.fields import field_tokens, header_style_tokens
from spamnb.text.groups import BODY, TokenGroups
from spamnb.text.letters import disguised_words, folded_text, is_mixed_script, normalized
from spamnb.text.links import link_tokens
from spamnb.text.reading import Reading
from spamnb.text.structure import defect_tokens, mime_tokens, shape_tokens
from spamnb.text.tokenizers import Tokenizer
from spamnb.text.words import FullSplitter

_DIGIT = lazy_pattern(r"\d")
LONGEST_SHAPE = 20
"""A word of more characters has no shape."""
# Character n-grams help where there are few words: 5-fold cross-validation on the first half of the
# SMS collection, log loss .0267 without, .0248 with; SpamAssassin .0230 and .0223.  Those of a long
# text as a whole would gain little more (.0221) and make three tokens of each word.  With those of
# the subject, Enron-Spam goes from .0150 to .0139, SpamAssassin from .0209 to .0208 (2026-11).
N_CHARS = 4
"""The length of a character n-gram."""
CHARS_WITHIN = 300
"""How many characters at the beginning of a mail's text have n-grams."""
# 5-fold cross-validation on the first halves, log loss without, with the last 10, 25, 50 words:
# Enron-Spam .0158, .0151, .0150, .0149; SpamAssassin .0221, .0223, .0218, .0216.  The first words
# add nothing (.0161 and .0230 with the first 25; 2026-11).
N_LAST = 50
"""How many words make up the end of a mail."""
MIXED_SCRIPT = "word:mixed-script"
"""The token of a text that mixes two scripts within a word."""


def full_tokens(
    message: Message, reading: Reading, segment: Tokenizer, stop_words: frozenset[str]
) -> TokenGroups:
    """Return the tokens of a message.

    Parameters
    ----------
    message : Message
        The message.
    reading : Reading
        What there is to read in it.
    segment : Tokenizer
        Splits a run of Chinese characters.
    stop_words : frozenset of str
        Words to leave out.

    Returns
    -------
    dict of str to list of str
        The tokens of each group.
    """
    split = FullSplitter(segment, stop_words)
    return {**text_tokens(reading, split), **other_tokens(message, reading, split)}


def text_tokens(reading: Reading, split: FullSplitter) -> TokenGroups:
    """Return the tokens of what there is to read: most of the tokens of a mail.

    Returns
    -------
    dict of str to list of str
        The groups of words.
    """
    subject = split(reading.subject)
    body: list[str] = []
    pairs = _pairs(subject)
    chars = _chars(subject, CHARS_WITHIN)
    shapes: list[str] = []
    odd: list[str] = []
    to_read = CHARS_WITHIN
    last: list[str] = []
    for text in reading.texts:
        words = split(text)
        body += words
        body += _words_in_disguise(text, words, split)
        pairs += _pairs(words)
        shapes += _shapes(words)
        chars += _chars(words, to_read)
        to_read -= len(text)
        last = [*last, *words[-N_LAST:]][-N_LAST:]
        if not text.isascii() and any(is_mixed_script(w) for w in words if not w.isascii()):
            odd.append(MIXED_SCRIPT)
    subject += _words_in_disguise(reading.subject, subject, split)
    return {
        BODY: body,
        "subject": _prefixed("subject:", subject),
        "pair": pairs,
        "char": chars,
        "end": _prefixed("end:", last),
        "shape": shapes,
        "word": odd,
    }


def other_tokens(message: Message, reading: Reading, split: Tokenizer) -> TokenGroups:
    """Return the tokens of everything but the text: links, tags, structure, header fields.

    Parameters
    ----------
    message : Message
    reading : Reading
    split : Tokenizer
        Splits names into words.

    Returns
    -------
    dict of str to list of str
        The other groups.
    """
    visible = "\n".join((reading.subject, *reading.texts))
    return {
        "url": link_tokens(visible, reading.links, reading.sources),
        "html": _html_tokens(reading),
        "mime": list(mime_tokens(message)),
        "meta": [
            *defect_tokens(message),
            *shape_tokens(reading, visible),
            *header_style_tokens(message.headers),
        ],
        **field_tokens(message.headers, split),
    }


def _html_tokens(reading: Reading) -> list[str]:
    tokens = [f"html:{name}" for name, count in reading.tags.items() for _ in range(count)]
    n_hidden = reading.n_hidden
    if n_hidden:
        tokens.append(f"html:hidden:{n_hidden.bit_length()}")
    return tokens


def _prefixed(prefix: str, words: list[str]) -> list[str]:
    return [prefix + word for word in words]


def _pairs(words: list[str]) -> list[str]:
    return [f"pair:{left} {right}" for left, right in pairwise(words)]


def _words_in_disguise(text: str, words: list[str], split: FullSplitter) -> list[str]:
    """Return the words that only a reader recognizes in a text."""
    if text.isascii():
        return disguised_words(text)
    plain = normalized(text)
    found = disguised_words(plain)
    # ASCII never changes, so a text with a few non-ASCII quotation marks is not split twice.
    foreign = " ".join(chunk for chunk in text.split() if not chunk.isascii())
    if 2 * len(foreign) < len(text):
        text, words, plain = foreign, split(foreign), normalized(foreign)
    plain = folded_text(plain)
    if plain != text:
        found += (Counter(split(plain)) - Counter(words)).elements()
    return found


def _shapes(words: list[str]) -> list[str]:
    marked = [word for word in words if not word.isalpha()]
    return [shape for shape in map(SHAPES.__getitem__, marked) if shape]


def _shape(word: str) -> str:
    """Return the shape token of a word, its digits as 0; ``""`` for one without digits."""
    if len(word) > LONGEST_SHAPE or not _DIGIT.search(word):
        return ""
    return f"shape:{_DIGIT.sub('0', word)}"


def _chars(words: list[str], within: int) -> list[str]:
    found: list[str] = []
    for word in words:
        if within <= 0:
            break
        within -= len(word) + 1
        found += _RUNS[word]
    return found


def _runs(word: str) -> list[str]:
    """Return the character 4-grams of a longer word."""
    n_runs = len(word) - N_CHARS + 1
    return [f"char:{word[i : i + N_CHARS]}" for i in range(n_runs)] if n_runs > 1 else []


SHAPES = Memo(_shape, 1 << 14)
_RUNS = Memo(_runs, 1 << 14)
