"""The preset ``full``: every token that there is.

A token's prefix is its group: words of the body are bare, those of the subject have ``subject:``,
and so on.  The groups so far:

===============  ==================================================================================
``word:``        what is odd about words: ``mixed-script``
``url:``         what is odd about links; see `spamnb.text.links`
``html:``        ``hidden:N``, text that no reader sees, N the number of binary digits of its length
``mime:``        content types, ``attachment``, ``ext:`` file extensions
``meta:``        ``gap`` (text pushed out of sight by white space), ``no-text``, ``defect:`` kinds
``from:``        words of the sender's name and address
``header:``      names of the header fields
===============  ==================================================================================
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from spamnb.mail.message import Message
from spamnb.text.letters import disguised_words, folded_text, is_mixed_script, normalised
from spamnb.text.links import link_tokens
from spamnb.text.reading import read
from spamnb.text.words import Splitter

_GAP = re.compile(r"\n(?:[ \t\xa0]*\n){20}|[ \t\xa0]{200}")
_LONGEST_WORD = 40


def full_tokens(message: Message, split: Splitter) -> Iterator[str]:
    """Yield the tokens of a message.

    Parameters
    ----------
    message : Message
        The message.
    split : Splitter
        Splits text into words.
    """
    reading = read(message)
    yield from _words("subject:", reading.subject, split)
    for text in reading.texts:
        yield from _words("", text, split)
    if not any(text.strip() for text in reading.texts):
        yield "meta:no-text"
    if any(_GAP.search(text.strip()) for text in reading.texts):
        yield "meta:gap"
    if reading.n_hidden:
        yield f"html:hidden:{reading.n_hidden.bit_length()}"
    yield from link_tokens("\n".join((reading.subject, *reading.texts)), reading.links)
    yield from _structure_tokens(message)
    yield from _header_tokens(message, split)


def _words(prefix: str, text: str, split: Splitter) -> Iterator[str]:
    """Yield the words as they stand, then those that only a reader sees in them."""
    words = split(text)
    for word in words:
        if len(word) <= _LONGEST_WORD:
            yield prefix + word
    if not text.isascii():
        plain = split(folded_text(text))
        for word in (Counter(plain) - Counter(words)).elements():
            if len(word) <= _LONGEST_WORD:
                yield prefix + word
        if any(map(is_mixed_script, words)):
            yield "word:mixed-script"
    for word in disguised_words(normalised(text)):
        yield prefix + word


def _structure_tokens(message: Message) -> Iterator[str]:
    for part in message.parts:
        yield f"mime:{part.content_type}"
        if part.disposition == "attachment":
            yield "mime:attachment"
        _, dot, extension = part.filename.rpartition(".")
        if dot and extension.isalnum() and len(extension) < 8:
            yield f"mime:ext:{extension.lower()}"
    for defect in message.defects:
        yield f"meta:defect:{defect.value}"


def _header_tokens(message: Message, split: Splitter) -> Iterator[str]:
    for value in message.header_values("from"):
        for word in split(value):
            yield f"from:{word}"
    for name in sorted({name.lower() for name, _ in message.headers}):
        yield f"header:{name}"
