"""Header values: RFC 2047 encoded words and raw 8-bit bytes → text; never an exception."""

from __future__ import annotations

import binascii
from collections.abc import Callable

from spamnb.mail.charsets import decode
from spamnb.mail.defects import Defect
from spamnb.mail.message import Headers
from spamnb.mail.transfer import decode_base64
from spamnb.native.twins import has_twin
from spamnb.patterns import lazy_pattern

# More lenient than RFC 2047, section 2, since mail is: white space inside the encoded text, and no
# white space around the word.  Every piece ends at the next "?", so matching is linear.
_ENCODED_WORD = lazy_pattern(rb"=\?([^?\s]*)\?([bBqQ])\?([^?]*)\?=")
_FOLD = lazy_pattern(rb"[\r\n]+[ \t]*")
_NOT_PLAIN = lazy_pattern(rb"[^\t\n\r -~]|=\?")
_Piece = tuple[bytes, str, bool]


def decode_header(raw: bytes) -> tuple[str, list[Defect]]:
    """Decode one header value.

    Neighboring encoded words of one charset are joined as bytes before they are decoded, since
    many programs split a multi-byte character between two words (against RFC 2047, section 5);
    base64 that was split inside its groups of four is joined before that.

    Parameters
    ----------
    raw : bytes
        The value as in the mail, folded or not.

    Returns
    -------
    text : str
        The value on one line, white space trimmed at both ends.
    defects : list of Defect
        What was wrong, so that the text is a guess.
    """
    plain = plain_value(raw)
    if plain is not None:  # nearly all of them
        return plain, []
    value = _unfolded(raw)
    if value.isascii() and b"=?" not in value:
        return _one_line(value.decode("ascii")), []
    if b"=?" not in value:
        text, _, defect = decode(value)
        return _one_line(text), [] if defect is None else [defect]
    defects: list[Defect] = []
    pieces: list[_Piece] = []
    position = 0
    open_base64 = b""
    for match in _ENCODED_WORD.finditer(value):
        between = value[position : match.start()]
        # White space between two encoded words is not text (RFC 2047, section 6.2).
        is_neighbor = bool(pieces) and pieces[-1][2] and (not between or between.isspace())
        if between and not is_neighbor:
            pieces.append((between, "", False))
        charset = match[1].decode("ascii", "replace").lower()
        is_neighbor = is_neighbor and pieces[-1][1] == charset
        is_base64 = match[2] in b"bB"
        word = b"".join(match[3].split()) if is_base64 else match[3]
        before = pieces.pop()[0] if is_neighbor else b""
        if is_base64 and is_neighbor and open_base64:
            defects.append(Defect.ENCODED_WORD_BROKEN)
            before = before[: len(before) - len(_decode_word(True, open_base64)[0])]
            word = open_base64 + word
        is_open = is_base64 and len(word) % 4 != 0 and b"=" not in word
        open_base64 = word if is_open else b""
        data, intact = _decode_word(is_base64, word)
        if not intact and not open_base64:
            defects.append(Defect.ENCODED_WORD_BROKEN)
        pieces.append((before + data, charset, True))
        position = match.end()
    if open_base64:
        defects.append(Defect.ENCODED_WORD_BROKEN)
    if position < len(value):
        pieces.append((value[position:], "", False))
    texts = []
    for data, charset, _ in pieces:
        text, _, defect = decode(data, charset)
        texts.append(text)
        if defect is not None:
            defects.append(defect)
    return _one_line("".join(texts)), defects


@has_twin
def plain_value(raw: bytes) -> str | None:
    """Return the value of a field on one line, None unless it is plain ASCII.

    A plain value is printable and has no encoded word.  It is unfolded, and white space at both
    ends is stripped.
    """
    if _NOT_PLAIN.search(raw):
        return None
    value = _unfolded(raw)
    return None if b"\t" in value else value.decode("ascii")


@has_twin
def decoded_headers(
    fields: list[tuple[str, bytes]], decode: Callable[[str, bytes], str]
) -> Headers:
    """Return the header fields of a mail with their values as text.

    Parameters
    ----------
    fields : list of (str, bytes)
        Names and values as in the mail.
    decode : callable
        Returns the text of a field from its name and its value; called for the subject, and for
        values that are not plain.
    """
    found = []
    for name, raw in fields:
        plain = None if name.lower() == "subject" else plain_value(raw)
        found.append((name, decode(name, raw) if plain is None else plain))
    return tuple(found)


def _unfolded(raw: bytes) -> bytes:
    return (_FOLD.sub(b" ", raw) if b"\n" in raw or b"\r" in raw else raw).strip()


def _one_line(text: str) -> str:
    """Return a text without line ends, which encoded words can hold, and without NUL."""
    if text.isprintable():
        return text.strip()
    return " ".join(text.replace("\x00", "").splitlines()).strip()


def _decode_word(is_base64: bool, text: bytes) -> tuple[bytes, bool]:
    if is_base64:
        return decode_base64(text)
    return binascii.a2b_qp(text.replace(b" ", b"_"), header=True), True
