"""Letters as a reader sees them: without invisible characters, look-alikes and other disguises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from spamnb.memo import Memo
from spamnb.native.twins import has_twin
from spamnb.patterns import lazy_pattern

# Soft hyphen, combining grapheme joiner, zero-width and bidi characters, variation selectors,
# tags: characters that change nothing a reader sees.
INVISIBLE = lazy_pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)

# Letters of other scripts that look like Latin ones (Unicode Technical Standard 39, confusables),
# as far as they are used to disguise words.
_LOOKALIKES = str.maketrans(
    # Cyrillic, Greek, then small capitals and other Latin letters in disguise
    "асеоурхѕіјһԁԛԝьвкмнтгпАВСЕНІЈКМОРЅТХУѴԌαοενικρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡℓ",
    "aceoypxsijhdqwbbkmhtrnABCEHIJKMOPSTXYVGaoevikptuxABEZHIKMNOPTYXabcdefghijklmnoprstuvwyziagl",
)

_LOOKALIKE = lazy_pattern(f"[{''.join(map(chr, _LOOKALIKES))}]")
# Runs of letters; not those of East Asian scripts, since disguised words can be next to them.
_LETTERS = lazy_pattern("[^\\W\\d_\u2e80-\ua48c\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+")
CHUNK = 1_000
"""How many characters are normalized to NFKC at once at most."""
_BEYOND_ASCII = lazy_pattern(rf"[\0-\x7f]?[^\0-\x7f]{{1,{CHUNK}}}")

# Latin, Cyrillic, Greek, Armenian, Cherokee.
_SCRIPTS = (
    lazy_pattern("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    lazy_pattern("[\u0400-\u052f]"),
    lazy_pattern("[\u0370-\u03ff\u1f00-\u1fff]"),
    lazy_pattern("[\u0530-\u058f]"),
    lazy_pattern("[\u13a0-\u13ff\uab70-\uabbf]"),
)
_FIRST_EAST_ASIAN = "\u2e80"
_LEET = str.maketrans("0134578@$!|+€£", "oieastbasiitel")

# A word with digits or symbols in place of letters; the letters around them make it a word.
_DISGUISED = lazy_pattern(
    r"(?<![\w@$])[^\W\d_]*(?:[0134578@$€£]|[!|+](?=\w))[\w@$!|+€£]*(?![\w@$])"
)
_SYMBOLS = frozenset("@$!|+€£")
_LEET_SYMBOLS = _SYMBOLS | frozenset("0134578")
# Single letters with the same separator between them: v.i.a.g.r.a, v i a g r a, v-i-a.
_SPACED = lazy_pattern(
    r"(?<![^\W\d_])[^\W\d_](?:([ ._*~'/|\\-]{1,3}|[ \t\n]{1,4})[^\W\d_])"
    r"(?:\1[^\W\d_]){2,40}(?![^\W\d_])"
)
# At least four letters, each with a separator of at most three characters.
_LEAST_SPACED = 3
# The oddest mail of the SpamAssassin corpus has 1,617 odd words.
_MOST_PUT_BACK = 20_000
APART = "\n" * 5
"""More white space than can be between the letters of a word."""
_SHORT = 4
_LONGEST_WORD = 40


@has_twin
def without_invisible(text: str) -> str:
    """Return a text without characters that a reader does not see."""
    return text if text.isascii() else INVISIBLE.sub("", text)


@has_twin
def normalized(text: str) -> str:
    """Return a text in NFKC: full-width, mathematical and circled letters become plain ones."""
    if text.isascii():
        return text
    # ASCII never changes, except a letter with a combining mark after it.  In pieces, since marks
    # out of order take quadratic time; at most twice the length, since one letter can become 18.
    return _BEYOND_ASCII.sub(_nfkc_match, text)[: 2 * len(text) + CHUNK]


def _nfkc_match(match: re.Match[str]) -> str:
    return NFKC[match[0]]


def _nfkc(text: str) -> str:
    import unicodedata  # a megabyte, not for plain ASCII

    return unicodedata.normalize("NFKC", text)


NFKC = Memo(_nfkc, 1 << 12)
"""Pieces of text in NFKC; most are the same few punctuation marks."""


def folded_text(plain: str) -> str:
    """Return a `normalized` text with its words `folded`; lower-case it after this, not before."""
    return _LETTERS.sub(_folded_match, plain) if _LOOKALIKE.search(plain) else plain


def _folded_match(match: re.Match[str]) -> str:
    word = match[0]
    return folded(word) if len(word) <= _LONGEST_WORD and _LOOKALIKE.search(word) else word


@lru_cache(maxsize=4096)
def folded(word: str) -> str:
    """Return a word with its look-alikes of Latin letters replaced.

    A word all in one other script stays as it is: it is Russian or Greek, not a disguise.  Only a
    word that has some Latin letter, or becomes all Latin, is folded.
    """
    if word.isascii():
        return word
    plain = _nfkc(word).translate(_LOOKALIKES)
    return plain if plain.isascii() and plain.isalnum() else word


def is_mixed_script(word: str) -> bool:
    """Return whether a word mixes letters of two scripts that honest words do not mix."""
    if word.isascii() or min(word) >= _FIRST_EAST_ASIAN:
        return False
    return sum(bool(script.search(word)) for script in _SCRIPTS) > 1


@has_twin
def disguised_words(text: str) -> list[str]:
    """Return the disguised words of a text, lower-case.

    Letters written as digits and symbols (``v1agra``, ``fr33``) are restored, and single letters
    with separators between them (``V.I.A.G.R.A``, ``v i a g r a``) joined.  These words come in
    addition to those that the text has without any change.

    Parameters
    ----------
    text : str
        Any text.
    """
    return _spaced(text) + words_put_back(text)


def _spaced(text: str) -> list[str]:
    """Return the words whose letters are separated."""
    long: list[str] = []
    n_short = 0
    for chunk in text.split():
        if chunk.isalpha() and len(chunk) > 1:  # most of them
            n_short = 0
        elif len(chunk) <= _SHORT:
            n_short += 1
            if n_short == _LEAST_SPACED:
                return joined_letters(text)
        else:
            n_short = 0
            if len(chunk) > 2 * _LEAST_SPACED:
                long.append(chunk)
    return joined_letters(APART.join(long)) if long else []


def joined_letters(text: str) -> list[str]:
    """Return the words whose letters are separated, wherever they are in a text."""
    return ["".join(c for c in match[0] if c.isalpha()).lower() for match in _SPACED.finditer(text)]


def words_put_back(text: str) -> list[str]:
    """Return the words that are written with digits and symbols in place of letters."""
    return list(islice(_put_back(text), _MOST_PUT_BACK))


def _put_back(text: str) -> Iterator[str]:
    for match in _DISGUISED.finditer(text):
        if match[0].isdigit():  # most of them; without a letter
            continue
        word = match[0].strip("!|+")
        is_address = "@" in word and text.startswith(".", match.end())
        if len(word) > _LONGEST_WORD or is_address or _LEET_SYMBOLS.isdisjoint(word):
            continue
        plain = word.lower().translate(_LEET)
        if not plain.isalpha():
            continue
        letters = sum(c.isalpha() for c in word)
        # "1st", "3pm" and "mp3" are words of their own; "$ex" and "fr33" are not.
        is_odd = not _SYMBOLS.isdisjoint(word) or (
            word[0].isalpha() and sum(map(_LEET_SYMBOLS.__contains__, word)) > 1
        )
        least = 2 if is_odd else 3
        if letters >= max(least, len(word) / 2):
            yield plain
