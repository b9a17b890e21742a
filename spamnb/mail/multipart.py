"""The body of a multipart entity → its parts (RFC 2046, section 5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """An entity still to be read: the bytes, where it is in them, and what its parent says."""

    data: bytes
    start: int
    end: int
    depth: int = 0
    default_type: str = "text/plain"


def split_multipart(span: Span, boundary: bytes, room: int) -> tuple[list[Span], bool]:
    """Return the spans between boundary lines (RFC 2046, section 5.1.1), and whether they end.

    What follows the closing boundary is not a part, unless another boundary line comes: a mail
    whose inner multipart uses the outer one's boundary could otherwise hide the rest of itself.

    Parameters
    ----------
    span : Span
        The body of the multipart.
    boundary : bytes
        Its boundary parameter.
    room : int
        How many parts to return at most.

    Returns
    -------
    children : list of Span
        The parts, headers and all.
    is_closed : bool
        Whether the closing boundary was there.
    """
    children: list[Span] = []
    start = -1
    if not boundary:
        return children, False
    for line, end, is_last in _boundary_lines(span, b"--" + boundary):
        if start >= 0:
            stop = max(start, line - 1)
            children.append(Span(span.data, start, stop, span.depth + 1))
        start = -1 if is_last else end
        if len(children) >= room:
            return children, True
    if start >= 0:
        children.append(Span(span.data, start, span.end, span.depth + 1))
    return children, start < 0


def _boundary_lines(span: Span, marker: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether it closes) of each line that is the marker and white space."""
    data, position, end = span.data, span.start, span.end
    while position < end:
        if position == span.start and data.startswith(marker, position, end):
            found = position
        else:
            found = data.find(b"\n" + marker, max(position - 1, span.start), end) + 1
            if not found:
                return
        line_end = data.find(b"\n", found, end) + 1 or end
        tail = data[found + len(marker) : min(line_end, found + len(marker) + 200)]
        rest = tail.removeprefix(b"--")
        if not rest.strip():
            yield found, line_end, len(rest) < len(tail)
        position = line_end
