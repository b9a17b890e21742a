"""The structure and the shape of a message → tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from spamnb.mail.message import Message
from spamnb.text.reading import Reading

_GAP = re.compile(r"\n(?:[ \t\xa0]*\n){20}|[ \t\xa0]{200}")
_TOKEN = re.compile(r"[\w./+-]{1,40}")
_BEGINNING = 1_000
_UPPER_STEPS = 20
_DIGIT_STEPS = 40
_TOP_STEP = 10


def structure_tokens(message: Message) -> Iterator[str]:
    """Yield what the MIME parts and the defects of a message are.

    ``mime:`` with the content type; ``mime:charset:``, ``mime:encoding:``, ``mime:disposition:``,
    ``mime:ext:`` (of a file name), ``mime:parts:N`` (N the number of binary digits of their
    number), and ``meta:defect:``.  A text without headers has no parts to speak of.

    Parameters
    ----------
    message : Message
    """
    for defect in message.defects:
        yield f"meta:defect:{defect.value}"
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


def shape_tokens(reading: Reading, text: str) -> Iterator[str]:
    """Yield the shape of what there is to read.

    ``meta:size:N``, ``meta:links:N`` and ``meta:images:N``, N the number of binary digits of the
    number; ``meta:caps:N`` for each 5 % of the letters that are capitals, up to 10, and
    ``meta:digits:N`` for each 2.5 % of the characters that are digits, both at the beginning of the
    text; ``meta:no-text``, and ``meta:gap`` where text is pushed out of sight by white space.

    Parameters
    ----------
    reading : Reading
    text : str
        The subject and the texts, joined.
    """
    yield f"meta:size:{len(text).bit_length()}"
    n_letters = n_capitals = n_digits = 0
    beginning = text[:_BEGINNING]
    for character, count in Counter(beginning).items():
        if character.isalpha():
            n_letters += count
            n_capitals += count * character.isupper()
        elif character.isdigit():
            n_digits += count
    if n_letters:
        yield f"meta:caps:{min(_UPPER_STEPS * n_capitals // n_letters, _TOP_STEP)}"
    yield f"meta:digits:{min(_DIGIT_STEPS * n_digits // max(len(beginning), 1), _TOP_STEP)}"
    yield f"meta:links:{(len(reading.links) + text.count('://')).bit_length()}"
    yield f"meta:images:{reading.tags.get('img', 0).bit_length()}"
    if not any(text.strip() for text in reading.texts):
        yield "meta:no-text"
    if any(_GAP.search(text.strip()) for text in reading.texts):
        yield "meta:gap"
