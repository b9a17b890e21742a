"""The kinds of defect that a `Message` records, each named once, and what is done about each.

A defect never stops the parsing; it says that the mail was read by a guess.
"""

from __future__ import annotations

from enum import Enum


class Defect(str, Enum):
    """A kind of defect; its value is the name that a person and a JSON reader see.

    Attributes
    ----------
    remedy : str
        What was done about it, as a sentence.
    """

    remedy: str

    def __new__(cls, name: str, remedy: str) -> Defect:
        """Make a defect from its name and what is done about it."""
        defect = str.__new__(cls, name)
        defect._value_ = name
        defect.remedy = remedy
        return defect

    CHARSET_MISSING = (
        "charset-missing",
        "Bytes beyond ASCII without a declared charset were read as what they look like.",
    )
    """8-bit bytes in a part or header that declares no charset."""
    CHARSET_UNKNOWN = (
        "charset-unknown",
        "A declared charset is unknown; the text was read as what its bytes look like.",
    )
    """A declared charset that nobody knows."""
    CHARSET_WRONG = (
        "charset-wrong",
        "A text is not in its declared charset; it was read as what its bytes look like.",
    )
    """Bytes that are not in the charset that is declared for them."""
    TRANSFER_ENCODING_UNKNOWN = (
        "transfer-encoding-unknown",
        "A transfer encoding is unknown; the part was read as it stands.",
    )
    """A Content-Transfer-Encoding that RFC 2045 does not know."""
    BASE64_BROKEN = (
        "base64-broken",
        "What is not base64 in a base64 part was left out, or the part was read as plain text.",
    )
    """Base64 with foreign characters, or padding in the wrong place."""
    ENCODED_WORD_BROKEN = (
        "encoded-word-broken",
        "An encoded word in a header field is damaged; what can be decoded of it was read.",
    )
    """An RFC 2047 encoded word whose base64 does not decode."""
    HEADERS_UNFINISHED = (
        "headers-unfinished",
        "A line in the header is no field; it was joined to the field before, or begins the body.",
    )
    """A line among the headers that is neither a field nor the blank line that ends them."""
    BOUNDARY_MISSING = (
        "boundary-missing",
        "A multipart has no boundary between its parts; it was read as one text.",
    )
    """A multipart type without a boundary parameter, or one that never stands in the body."""
    MULTIPART_UNFINISHED = (
        "multipart-unfinished",
        "A multipart is not closed; its last part goes on to the end.",
    )
    """A multipart without its closing boundary."""
    CUT = (
        "cut",
        "The mail is larger than the limits; what lies beyond them was not read.",
    )
    """More text, parts or nesting than the limits allow; the rest was left unread."""
