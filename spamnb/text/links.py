"""Links → tokens: where they lead, and what is odd about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from spamnb.native.twins import has_twin
from spamnb.patterns import lazy_pattern

# Scheme, then user, host and port (the host can be written in percent escapes), then the path.
LONGEST_AUTHORITY = 500
"""How many characters of user, host and port are read."""
LONGEST_PATH = 2_000
"""How many characters of what follows them are read."""
_URL = lazy_pattern(
    rf"(https?|ftp)://([^\s/?#<>\"'\\]{{1,{LONGEST_AUTHORITY}}})([^\s<>\"']{{0,{LONGEST_PATH}}})",
    re.IGNORECASE,
)
_SCHEME_BEFORE = lazy_pattern(r"\b(?:https?|ftp)\Z", re.IGNORECASE)
_LONGEST_SCHEME = len(" https")
_BARE_HOST = lazy_pattern(r"\b(?<![/.@-])www\.[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}", re.IGNORECASE)
_SCHEME = lazy_pattern(r"[a-z][a-z0-9+.-]{1,19}(?=:)")
_PATH_WORD = lazy_pattern(r"[^\W_]+")
MOST_PATH_WORDS = 20
"""How many words of a path are read at most."""
LONGEST_PATH_WORD = 20
"""Longer words of a path, in characters, are left out."""
_HOST_IN_TEXT = lazy_pattern(
    r"(?:\b(?:https?|ftp)://(?:[^\s/@]{1,100}@)?|\bwww\.|^\s*)"
    r"((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,18})(?![\w@.-])",
    re.IGNORECASE,
)
_LINE_END = lazy_pattern(r"[\t\r\n]+")
_PORT = lazy_pattern(r":(\d{1,5})$")
_LONGEST_HOST = 60
_IPV4 = lazy_pattern(r"\d{1,3}(?:\.\d{1,3}){3}$")
_NUMBER = lazy_pattern(
    r"(?:0x[0-9a-f]{1,8}|\d{5,10})$|(?:0x[0-9a-f]{1,2}|0\d{1,3})(?:\.(?:0x)?[0-9a-f]+){3}$"
)
_SHORTENERS = frozenset(
    "bit.ly goo.gl t.co tinyurl.com ow.ly is.gd buff.ly cutt.ly rb.gy tiny.cc shorturl.at t.ly"  # noqa: SIM905
    " bl.ink lnkd.in s.id v.gd qr.ae adf.ly bit.do u.to dwz.cn url.cn t.cn suo.im rrd.me"
    " snipurl.com tr.im makeashorterlink.com".split()
)
# Endings of words with a dot that are file names, not hosts.
_FILE_ENDINGS = frozenset(
    "pdf doc docx xls xlsx ppt pptx txt csv zip rar gz jpg jpeg png gif htm html php exe"  # noqa: SIM905
    " eml ics rtf odt js ts css xml json py sh md".split()
)
# Registries that sell names one level down, as far as they matter for comparing two hosts.
SECOND_LEVEL = frozenset(["ac", "co", "com", "edu", "gov", "net", "or", "org", "ne", "go"])


class Link(NamedTuple):
    """A link: where it leads, and the text that a reader sees for it."""

    href: str
    text: str


def urls_in(text: str) -> Iterator[str]:
    """Yield the URLs in a text, then the hosts that begin with ``www.`` and have no scheme."""
    for match in _urls(text):
        yield match[0]
    if "www." in text.lower():
        for match in _bare_hosts(text):
            yield match[0]


def host_at(address: str) -> str:
    """Return the host that an address leads to, ``""`` for one without (``mailto:``)."""
    address = address.strip()
    target = _target(address)
    if target is not None:
        return host_of(target[2])
    bare = _BARE_HOST.match(address)
    return bare[0].lower() if bare else ""


@has_twin
def link_tokens(
    text: str, links: tuple[Link, ...] = (), sources: tuple[str, ...] = ()
) -> list[str]:
    """Return the tokens of the links of a text.

    ``url:scheme:``, ``url:host:``, ``url:domain:`` (the registered one), ``url:port:``, the words
    of the path as ``url:path:``; and what is odd: ``url:text-differs`` (the text names one host
    and leads to another), ``url:punycode``, ``url:user`` (a user name before the host),
    ``url:percent`` (a host in percent escapes), ``url:ip``, ``url:number`` (an address as one
    number, or in octal or hexadecimal), and ``url:shortener``.

    Parameters
    ----------
    text : str
        The visible text, which can contain URLs.
    links : tuple of Link
        The links of HTML.
    sources : tuple of str
        The addresses of what HTML loads by itself.
    """
    tokens: list[str] = []
    for match in _urls(text):
        tokens += _url_tokens(match)
    if "www." in text.lower():
        tokens += bare_host_tokens(text)
    for address in sources:
        tokens += _address_tokens(address, _target(address))
    for link in links:
        target = _target(link.href)
        tokens += _address_tokens(link.href, target)
        if target is not None and differs_from_text(link):
            tokens.append("url:text-differs")
    return tokens


def bare_host_tokens(text: str) -> Iterator[str]:
    """Yield the tokens of the hosts in a text that begin with ``www.``, without a scheme."""
    for match in _bare_hosts(text):
        yield "url:scheme:none"
        yield from host_tokens(match[0])


def _bare_hosts(text: str) -> Iterator[re.Match[str]]:
    lower = text.lower()
    if len(lower) != len(text):  # one character has become two
        return _BARE_HOST.finditer(text)
    # twenty times as fast as searching for the pattern itself
    return _matches_at(_BARE_HOST, text, lower, "www.")


def _matches_at(
    pattern: re.Pattern[str], text: str, lower: str, beginning: str
) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that start with a literal beginning."""
    start = lower.find(beginning)
    while start >= 0:
        match = pattern.match(text, start)
        if match:
            yield match
        start = lower.find(beginning, match.end() if match else start + 1)


def differs_from_text(link: Link) -> bool:
    """Return whether a reader sees a different host from the one that a link leads to."""
    target = _target(link.href)
    shown = _HOST_IN_TEXT.search(link.text[:2_000])
    if target is None or shown is None or shown[1].rpartition(".")[2].lower() in _FILE_ENDINGS:
        return False
    return registered_domain(shown[1]) != registered_domain(host_of(target[2]))


def _urls(text: str) -> Iterator[re.Match[str]]:
    """Yield the URLs in a text, found by their ``://``: ten times as fast as by scheme."""
    end = 0
    while (colon := text.find("://", end)) >= 0:
        scheme = _SCHEME_BEFORE.search(text, max(end, colon - _LONGEST_SCHEME), colon)
        match = scheme and _URL.match(text, scheme.start())
        end = match.end() if match else colon + 1
        if match:
            yield match


def _target(address: str) -> re.Match[str] | None:
    return _URL.match(without_line_ends(address))


def without_line_ends(address: str) -> str:
    """Return an address as browsers read it."""
    return _LINE_END.sub("", address)


def _address_tokens(address: str, target: re.Match[str] | None) -> Iterable[str]:
    return scheme_tokens(address) if target is None else _url_tokens(target)


def scheme_tokens(address: str) -> list[str]:
    """Return the token of an address that is not a URL with a host, if it has a scheme."""
    scheme = _SCHEME.match(address[:LONGEST_PATH_WORD].lower())
    return [f"url:scheme:{scheme[0]}"] if scheme else []


def _url_tokens(url: re.Match[str]) -> Iterator[str]:
    scheme, authority, path = url.groups()
    yield f"url:scheme:{scheme.lower()}"
    yield from host_tokens(authority)
    if len(path) > 1:
        for word in _PATH_WORD.findall(path.lower())[:MOST_PATH_WORDS]:
            if len(word) <= LONGEST_PATH_WORD:
                yield f"url:path:{word}"


def host_of(authority: str) -> str:
    """Return the host of ``user@host:port``, lower-case, percent escapes undone."""
    host = _unquoted(authority).rpartition("@")[2]
    if host.startswith("["):  # IPv6
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].strip(".").lower()


def _unquoted(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote  # takes 2 ms to import, and is seldom needed

    return unquote(text)


def registered_domain(host: str) -> str:
    """Return the registered part of a host, judged by its form."""
    labels = host.lower().split(".")
    if _IPV4.match(host) or len(labels) < 3:
        return host.lower()
    is_second_level = labels[-2] in SECOND_LEVEL and len(labels[-1]) == 2
    return ".".join(labels[-3 if is_second_level else -2 :])


@lru_cache(maxsize=4096)
def host_tokens(authority: str) -> tuple[str, ...]:
    """Return the tokens of a host, perhaps with a user and a port."""
    return tuple(_tokens_of_host(authority))


def _tokens_of_host(authority: str) -> Iterator[str]:
    host = host_of(authority)
    domain = registered_domain(host)
    yield f"url:host:{host[:_LONGEST_HOST]}"
    yield f"url:domain:{domain[:_LONGEST_HOST]}"
    port = _PORT.search(authority)
    if port:
        yield f"url:port:{port[1]}"
    if "@" in _unquoted(authority):
        yield "url:user"
    if "%" in authority.rpartition("@")[2]:
        yield "url:percent"
    if host.startswith("[") or (_IPV4.match(host) and not _NUMBER.match(host)):
        yield "url:ip"
    elif _NUMBER.match(host):
        yield "url:number"
    elif "xn--" in host or not host.isascii():
        yield "url:punycode"
    elif host.removeprefix("www.") in _SHORTENERS:
        yield "url:shortener"
