"""Text made safe for a terminal, and for one line."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return a text with its line ends escaped."""
    return text.replace("\r", "\\r").replace("\n", "\\n")


def printable(text: str) -> str:
    """Return a text without anything that a terminal would obey."""
    return "".join(c if c.isprintable() else _escape(c) for c in one_line(text))


def _escape(character: str) -> str:
    # Undecodable bytes of a file name are for the output's own error handler.
    if "\udc80" <= character <= "\udcff":
        return character
    return character.encode("unicode_escape").decode("ascii")
