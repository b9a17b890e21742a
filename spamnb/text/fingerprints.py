"""Tokens → numbers that stand for them.

A token's fingerprint is the polynomial of its UTF-8 bytes, each plus 1, at some base, modulo 2⁶⁴
(Karp and Rabin, IBM Journal of Research and Development 31, 1987).
"""

from __future__ import annotations

WORD = (1 << 64) - 1
"""The largest number of 64 bits."""

SPREAD = 0x9E3779B97F4A7C15
"""2⁶⁴ over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4): it spreads numbers
that are close to each other."""


def fingerprint(token: str, base: int) -> int:
    """Return the fingerprint of a token at a base."""
    return fingerprint_of(token.encode("utf-8", "surrogatepass"), base)


def fingerprint_of(token: bytes, base: int) -> int:
    """Return the fingerprint of a token in UTF-8."""
    number = 0
    for byte in token:
        number = (number * base + byte + 1) & WORD
    return number
