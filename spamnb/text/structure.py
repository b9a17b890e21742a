"""The structure and the shape of a message → tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from spamnb.mail.message import Message
from spamnb.native.twins import has_twin
from spamnb.patterns import lazy_pattern
from spamnb.text.reading import Reading

_TOKEN = lazy_pattern(r"[\w./+-]{1,40}")
BEGINNING = 1_000
UPPER_STEPS = 20
DIGIT_STEPS = 40
TOP_STEP = 10
MANY_LINES = 21
MANY_SPACES = 200
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = _CAPITALS + _CAPITALS.lower()
_DIGITS = b"0123456789"


def defect_tokens(message: Message) -> Iterator[str]:
    """Yield ``meta:defect:`` with the name of each defect of a message."""
    for defect in message.defects:
        yield f"meta:defect:{defect.value}"


def mime_tokens(message: Message) -> Iterator[str]:
    """Yield what the MIME parts of a message are.

    ``mime:`` with the content type; ``mime:charset:``, ``mime:encoding:``, ``mime:disposition:``,
    ``mime:ext:`` (of a file name), and ``mime:parts:N`` (N the number of binary digits of their
    number).  A text without headers has no parts.
    """
    if not message.headers:
        return
    for part in message.parts:
        yield f"mime:{part.content_type[:60]}"
        for kind, value in (
            ("charset", part.charset),
            ("encoding", part.transfer_encoding),
            ("disposition", part.disposition),
        ):
            if value and _TOKEN.fullmatch(value):
                yield f"mime:{kind}:{value}"
        _, dot, extension = part.filename.rpartition(".")
        if dot and extension.isalnum() and len(extension) < 8:
            yield f"mime:ext:{extension.lower()}"
    yield f"mime:parts:{len(message.parts).bit_length()}"


@has_twin
def shape_tokens(reading: Reading, text: str) -> list[str]:
    """Return the shape of what there is to read.

    ``meta:size:N``, ``meta:links:N`` and ``meta:images:N``, N the number of binary digits of the
    count; ``meta:caps:N`` for each 5 % of the letters that are capitals, up to 10, and
    ``meta:digits:N`` for each 2.5 % of the characters that are digits, both at the beginning of the
    text; ``meta:no-text``, and ``meta:gap`` where white space pushes text out of the visible area.

    Parameters
    ----------
    reading : Reading
    text : str
        The subject and the texts, joined.
    """
    tokens = [f"meta:size:{len(text).bit_length()}"]
    beginning = text[:BEGINNING]
    n_letters, n_capitals, n_digits = count_kinds(beginning)
    if n_letters:
        tokens.append(f"meta:caps:{min(UPPER_STEPS * n_capitals // n_letters, TOP_STEP)}")
    tokens.append(f"meta:digits:{min(DIGIT_STEPS * n_digits // max(len(beginning), 1), TOP_STEP)}")
    tokens.append(f"meta:links:{(len(reading.links) + text.count('://')).bit_length()}")
    tokens.append(f"meta:images:{reading.tags.get('img', 0).bit_length()}")
    if not any(text.strip() for text in reading.texts):
        tokens.append("meta:no-text")
    if any(map(has_gap, reading.texts)):
        tokens.append("meta:gap")
    return tokens


def count_kinds(text: str) -> tuple[int, int, int]:
    """Return the numbers of letters, of capitals among them, and of digits."""
    if text.isascii():
        data = text.encode()
        n_letters, n_capitals, n_digits = (
            len(data) - len(data.translate(None, kind)) for kind in (_LETTERS, _CAPITALS, _DIGITS)
        )
        return n_letters, n_capitals, n_digits
    n_letters = n_capitals = n_digits = 0
    for character, count in Counter(text).items():
        if character.isalpha():
            n_letters += count
            n_capitals += count * character.isupper()
        elif character.isdigit():
            n_digits += count
    return n_letters, n_capitals, n_digits


def has_gap(text: str) -> bool:
    """Return whether a text has 20 blank lines or 200 spaces inside."""
    text = text.strip().replace("\t", " ").replace("\xa0", " ")
    return " " * MANY_SPACES in text or "\n" * MANY_LINES in text.replace(" ", "")
