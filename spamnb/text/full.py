"""The preset ``full``: every token that there is.

A token's prefix is its group (`spamnb.features.groups`):

===========  ======================================================================================
(none)       words of the body, runs of signs, words that only a reader sees in disguised ones
subject      words of the subject
pair         two words that stand side by side, in the body or in the subject
char         four letters in a row, inside the words of the subject and those with which a text
             begins
end          the last words of the body: how it closes, and who signs
shape        words that hold digits, each digit as 0: ``$000``, ``07000000000``
word         what is odd about words: ``mixed-script``
url          links; see `spamnb.text.links`
html         tags and telling attributes; ``hidden:N``, text that no reader sees, N the number of
             binary digits of its length
mime, meta   structure and shape; see `spamnb.text.structure`
from, header, name  header fields; see `spamnb.text.fields`
===========  ======================================================================================
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from spamnb.mail.message import Message
from spamnb.text.fields import field_tokens
from spamnb.text.letters import disguised_words, folded_text, is_mixed_script, normalised
from spamnb.text.links import link_tokens
from spamnb.text.reading import Reading
from spamnb.text.structure import shape_tokens, structure_tokens
from spamnb.text.words import FullSplitter

_DIGIT = re.compile(r"\d")
_LONGEST_SHAPE = 20
# Letters in a row tell much where there are few words: 5-fold cross-validation on the first half of
# the SMS collection, log loss .0267 without, .0248 with; SpamAssassin .0230 and .0223.  All of a
# long text would gain nothing more (.0221) and make three tokens of each word.  With those of the
# subject Enron-Spam goes from .0150 to .0139, SpamAssassin from .0209 to .0208 (2026-11).
_N_CHARS = 4
_CHARS_WITHIN = 300
# 5-fold cross-validation on the first halves, log loss without, with the last 10, 25, 50 words:
# Enron-Spam .0158, .0151, .0150, .0149; SpamAssassin .0221, .0223, .0218, .0216.  The first words
# tell nothing of their own (.0161 and .0230 with the first 25; 2026-11).
_N_LAST = 50


def full_tokens(message: Message, reading: Reading, split: FullSplitter) -> list[str]:
    """Return the tokens of a message.

    Parameters
    ----------
    message : Message
        The message.
    reading : Reading
        What there is to read in it.
    split : FullSplitter
        Splits text into words.
    """
    subject = split(reading.subject)
    tokens = _prefixed("subject:", subject + _words_in_disguise(reading.subject, subject, split))
    tokens += _pairs(subject)
    tokens += _chars(subject, _CHARS_WITHIN)
    to_read = _CHARS_WITHIN
    last: list[str] = []
    for text in reading.texts:
        words = split(text)
        tokens += words
        tokens += _pairs(words)
        tokens += _words_in_disguise(text, words, split)
        tokens += _shapes(words)
        tokens += _chars(words, to_read)
        to_read -= len(text)
        last = [*last, *words[-_N_LAST:]][-_N_LAST:]
        if not text.isascii() and any(map(is_mixed_script, words)):
            tokens.append("word:mixed-script")
    tokens += _prefixed("end:", last)
    for name, count in reading.tags.items():
        tokens += [f"html:{name}"] * count
    if reading.n_hidden:
        tokens.append(f"html:hidden:{reading.n_hidden.bit_length()}")
    visible = "\n".join((reading.subject, *reading.texts))
    tokens += link_tokens(visible, reading.links, reading.sources)
    tokens += structure_tokens(message)
    tokens += shape_tokens(reading, visible)
    tokens += field_tokens(message, split)
    return tokens


def _prefixed(prefix: str, words: list[str]) -> list[str]:
    return [prefix + word for word in words]


def _pairs(words: list[str]) -> list[str]:
    return [f"pair:{left} {right}" for left, right in pairwise(words)]


def _words_in_disguise(text: str, words: list[str], split: FullSplitter) -> list[str]:
    """Return the words that only a reader sees in a text."""
    if text.isascii():
        return disguised_words(text)
    found = disguised_words(normalised(text))
    plain = folded_text(text)
    if plain != text:
        found += (Counter(split(plain)) - Counter(words)).elements()
    return found


def _shapes(words: list[str]) -> list[str]:
    return [
        f"shape:{_DIGIT.sub('0', word)}"
        for word in words
        if not word.isalpha() and len(word) <= _LONGEST_SHAPE and _DIGIT.search(word)
    ]


def _chars(words: list[str], within: int) -> list[str]:
    found: list[str] = []
    for word in words:
        if within <= 0:
            break
        within -= len(word) + 1
        found += [
            f"char:{word[start : start + _N_CHARS]}"
            for start in range(len(word) - _N_CHARS + 1)
            if len(word) > _N_CHARS
        ]
    return found
