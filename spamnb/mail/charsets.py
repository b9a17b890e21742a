"""Bytes of unsure charset → text; never an exception.

Mail lies about its charset: of 14,720 non-ASCII parts in trec06c, 5,938 do not decode as declared
(2026, ../shared/EVIDENCE.md).  So a declaration is a hint, tried first and checked strictly.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from spamnb.mail.defects import Defect

# What a declared name really means.  GB2312 mail is written by programs that know GBK and
# GB18030, each a superset of the one before; Latin-1 mail by programs that mean Windows-1252
# (the WHATWG Encoding Standard maps both the same way).
_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
}
# Declared by default, by programs that do not know better: UTF-8 and GBK are tried first.
_WEAK = {"", "cp1252"}
# In these an ASCII byte is not always an ASCII letter.
_NOT_ASCII_BASED = re.compile(r"utf[-_]?(7|16|32)|iso2022|hz|cp037|cp500|cp1140|cp273|cp1026")
# Python codecs that are no charsets of mail; some of them take quadratic time.
_NO_CHARSET = re.compile(r"idna|punycode|.*escape|undefined|mbcs|oem|palmos")

_GB_PAIR = re.compile(rb"([\xb0-\xd7][\xa1-\xfe])|[\x81-\xfe][\x40-\xfe]|[\x80-\xff]")
_GB_SAMPLE = 4096


class Decoded(NamedTuple):
    """A decoded text, and how it was read."""

    text: str
    charset: str
    defect: Defect | None


def lookup_charset(declared: str) -> str | None:
    """Return the codec to read a declared charset with, or None for an unknown name.

    Parameters
    ----------
    declared : str
        The name as the mail spells it; ``""`` gives ``""``.
    """
    name = declared.strip().strip("\"'").partition("*")[0].strip().lower()
    if not name:
        return ""
    for candidate in (name, name.removeprefix("x-")):
        try:
            codec = codecs.lookup(candidate)
        except (LookupError, ValueError):  # ValueError: a NUL in the name
            continue
        # The flag is private, but bytes.decode asks for it too: hex, zlib and rot13 are codecs.
        if codec._is_text_encoding and not _NO_CHARSET.match(codec.name):
            return _SUPERSETS.get(codec.name, codec.name)
    return None


def decode(data: bytes, declared: str = "") -> Decoded:
    """Decode bytes by the declared charset where that holds, else by what they look like.

    The order: the declared charset (strictly, read as its superset), UTF-8 (strictly), the
    declared multi-byte charset with a few broken bytes, GB18030 where the byte pairs look like
    common hanzi, Windows-1252.  A declaration of ASCII, Latin-1 or Windows-1252 comes last
    instead of first: it is what ignorant programs write over any text, and it never fails.

    Parameters
    ----------
    data : bytes
        The text's bytes.
    declared : str
        The declared charset, as the mail spells it.

    Returns
    -------
    Decoded
        The text, the codec that it was read with, and the defect, if any.
    """
    charset = lookup_charset(declared)
    known = charset if charset is not None else ""
    if data.isascii() and not _NOT_ASCII_BASED.match(known):
        return Decoded(data.decode("ascii"), "ascii", None)
    if known not in _WEAK:
        text = _strict(data, known)
        if text is not None:
            return Decoded(text, known, None)
        defect = Defect.CHARSET_WRONG
    elif charset is None:
        defect = Defect.CHARSET_UNKNOWN
    elif charset:
        defect = Defect.CHARSET_WRONG
    else:
        defect = Defect.CHARSET_MISSING
    text = _strict(data, "utf-8")
    if text is not None:
        return Decoded(text, "utf-8", defect)
    if known not in _WEAK:
        text = data.decode(known, "replace")
        if text.count("\ufffd") <= 0.05 * len(data):
            return Decoded(text, known, defect)
    if _looks_like_gb(data):
        return Decoded(data.decode("gb18030", "replace"), "gb18030", defect)
    return Decoded(
        data.decode("cp1252", "replace"), "cp1252", None if known == "cp1252" else defect
    )


def _strict(data: bytes, charset: str) -> str | None:
    try:
        return data.decode(charset)
    except ValueError:  # UnicodeDecodeError, and what some codecs raise instead
        return None


def _looks_like_gb(data: bytes) -> bool:
    """Tell whether most 8-bit bytes pair up to GB2312 level 1, the 3,755 common hanzi.

    The sample is cut at its end, never in the middle, so that pairs stay aligned.
    """
    pairs = [match.lastindex for match in _GB_PAIR.finditer(data, 0, _GB_SAMPLE)]
    return len(pairs) >= 2 and pairs.count(1) > 0.5 * len(pairs)
