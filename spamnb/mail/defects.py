"""The kinds of defect that a `Message` records, each named once.

A defect never stops the parsing; it says that the mail was read by a guess.
"""

from __future__ import annotations

from enum import Enum


class Defect(str, Enum):
    """A kind of defect; its value is the name that a person and a JSON reader see."""

    CHARSET_MISSING = "charset-missing"
    """8-bit bytes in a part or header that declares no charset."""
    CHARSET_UNKNOWN = "charset-unknown"
    """A declared charset that nobody knows."""
    CHARSET_WRONG = "charset-wrong"
    """Bytes that are not in the charset that is declared for them."""
    TRANSFER_ENCODING_UNKNOWN = "transfer-encoding-unknown"
    """A Content-Transfer-Encoding that RFC 2045 does not know."""
    BASE64_BROKEN = "base64-broken"
    """Base64 with foreign characters, or padding in the wrong place."""
    ENCODED_WORD_BROKEN = "encoded-word-broken"
    """An RFC 2047 encoded word whose base64 does not decode."""
    HEADERS_UNFINISHED = "headers-unfinished"
    """A line among the headers that is neither a field nor the blank line that ends them."""
    BOUNDARY_MISSING = "boundary-missing"
    """A multipart type without a boundary parameter, or one that never stands in the body."""
    MULTIPART_UNFINISHED = "multipart-unfinished"
    """A multipart without its closing boundary."""
    CUT = "cut"
    """More text, parts or nesting than the limits allow; the rest was left unread."""
