"""Header values: RFC 2047 encoded words and raw 8-bit bytes → text; never an exception."""

from __future__ import annotations

import binascii
import re

from spamnb.mail.charsets import decode
from spamnb.mail.defects import Defect
from spamnb.mail.transfer import decode_base64

# More lenient than RFC 2047, section 2, since mail is: white space inside the encoded text, and no
# white space around the word.  Every piece ends at the next "?", so matching is linear.
_ENCODED_WORD = re.compile(rb"=\?([^?\s]*)\?([bBqQ])\?([^?]*)\?=")
_FOLD = re.compile(rb"[\r\n]+[ \t]*")
_Piece = tuple[bytes, str, bool]


def decode_header(raw: bytes) -> tuple[str, list[Defect]]:
    """Decode one header value.

    Neighbouring encoded words of one charset are joined as bytes before they are decoded, since
    many programs split a multi-byte character between two words (against RFC 2047, section 5).

    Parameters
    ----------
    raw : bytes
        The value as it stands in the mail, folded or not.

    Returns
    -------
    text : str
        The value on one line, white space trimmed at both ends.
    defects : list of Defect
        What had to be guessed.
    """
    value = _FOLD.sub(b" ", raw).strip()
    if value.isascii() and b"=?" not in value:
        return value.decode("ascii"), []
    defects: list[Defect] = []
    pieces: list[_Piece] = []
    position = 0
    for match in _ENCODED_WORD.finditer(value):
        between = value[position : match.start()]
        # White space between two encoded words is no text (RFC 2047, section 6.2).
        if between and not (pieces and pieces[-1][2] and between.isspace()):
            pieces.append((between, "", False))
        charset = match[1].decode("ascii", "replace").lower()
        data, intact = _decode_word(match[2], match[3])
        if not intact:
            defects.append(Defect.ENCODED_WORD_BROKEN)
        if pieces and pieces[-1][2] and pieces[-1][1] == charset:
            data = pieces.pop()[0] + data
        pieces.append((data, charset, True))
        position = match.end()
    if position < len(value):
        pieces.append((value[position:], "", False))
    texts = []
    for data, charset, _ in pieces:
        text, _, defect = decode(data, charset)
        texts.append(text)
        if defect is not None:
            defects.append(defect)
    # An encoded word can hold line ends; a header value is one line.
    return " ".join("".join(texts).splitlines()).strip(), defects


def _decode_word(encoding: bytes, text: bytes) -> tuple[bytes, bool]:
    if encoding in b"qQ":
        return binascii.a2b_qp(text.replace(b" ", b"_"), header=True), True
    return decode_base64(text)
