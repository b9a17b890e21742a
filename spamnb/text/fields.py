"""Header fields → tokens: the sender, the mail program, and what else the sender wrote."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from spamnb.mail.message import Headers
from spamnb.memo import Memo
from spamnb.native.twins import has_twin
from spamnb.patterns import lazy_pattern
from spamnb.text.groups import TokenGroups
from spamnb.text.links import registered_domain
from spamnb.text.tokenizers import Tokenizer

SENDERS = {"from": "from:", "sender": "from:sender:", "reply-to": "from:reply-to:"}
# Never read: what the recipient's own servers and programs add (it tells where a mail was stored,
# not what it is), and what looks very good within one corpus only, since it tells when and by whom
# the mail was collected: Received, To, Date, Message-ID.  The parser leaves out verdicts of other
# filters.
_OF_THE_RECIPIENT = frozenset({
    "apparently-to", "arc-authentication-results", "arc-message-signature", "arc-seal",
    "authentication-results", "content-length", "date", "delivered-to", "delivery-date",
    "envelope-from", "envelope-to", "lines", "message-id", "received", "received-spf",
    "return-path", "status", "subject", "to", "xref",
    "x-apparently-to", "x-delivered-to", "x-delivery-agent", "x-envelope-from", "x-envelope-to",
    "x-fetchmail-warning", "x-folder", "x-forwarded-encrypted", "x-forwarded-for",
    "x-forwarded-to", "x-getmail-retrieved-from-mailbox", "x-google-smtp-source", "x-imap",
    "x-imapbase", "x-keywords", "x-label", "x-last-uid", "x-original-date", "x-original-to",
    "x-originalarrivaltime", "x-pop3-info", "x-pop3-rcpt", "x-real-to", "x-received",
    "x-resolved-to", "x-sieve", "x-status", "x-uid", "x-uidl", "x-user",
})  # fmt: skip
_OF_THE_RECIPIENT_PREFIXES = (
    "x-account-key", "x-evolution", "x-gmail-", "x-gm-", "x-kmail-", "x-microsoft-exchange-",
    "x-ms-exchange-", "x-mozilla-", "x-mutt-", "x-yahoofilteredbulk",
)  # fmt: skip
# Of these only the name is read: their values are other people's addresses and numbers.
_NAME_ONLY = frozenset({
    *SENDERS, "bcc", "cc", "dkim-signature", "domainkey-signature", "in-reply-to", "references",
    "resent-date", "resent-message-id", "resent-to", "thread-index",
})  # fmt: skip

LONGEST_LOCAL = 64
LONGEST_DOMAIN = 255
_ADDRESS = lazy_pattern(rf"[\w.+=&-]{{1,{LONGEST_LOCAL}}}@[\w.-]{{1,{LONGEST_DOMAIN}}}")
_NO_NAME = lazy_pattern(rf"{_ADDRESS.pattern}|[<>()\[\]\"',;:]")
_LOCAL_WORD = lazy_pattern(r"[^\W\d_]+|\d+")
_LETTERS = lazy_pattern(r"[^\W\d_]+")
_NUMBER = lazy_pattern(r"\d+")
_VALUE_WORD = lazy_pattern(r"[\w.-]+")
MOST_WORDS = 30
"""How many words of a field are read at most."""
LONGEST_WORD = 40
"""Longer words, in characters, are left out."""
LONGEST_NAME = 40
"""How many characters of a field's name are read."""
LONGEST_VALUE = 2_000
"""How many characters of a field's value are read."""
LONGEST_FORM = 8
"""How many characters of the form of a local part are kept."""
_MANY_LETTERS = 4


# The forms of names and addresses, and the header style (`header_style_tokens`): 5-fold
# cross-validation, log loss and 1-ROCA % without and with: first half of SpamAssassin .0213 and
# .0306, .0190 and .0248; trec06c, which has few fields, .0030, .0029.  They generalize: trained on
# all of SpamAssassin, raw trec06c goes from 24.0 to 10.9 (2026-11).
@has_twin
def field_tokens(headers: Headers, split: Tokenizer) -> TokenGroups:
    """Return what the header fields of a message say.

    ``from:`` with the words of the sender's name, the address, its parts and its domain,
    ``local:`` with the form of its local part (``a.a0``), and ``name:none``, ``name:local`` or
    ``name:capitals`` where the name is missing, is the local part, or is in capitals;
    ``from:sender:``, ``from:reply-to:`` likewise; ``header:NAME:`` with the words of other fields,
    and ``name:NAME`` for each field.

    Parameters
    ----------
    headers : tuple of (str, str)
        The fields of a `Message`.
    split : Tokenizer
        Splits names into words.
    """
    names: set[str] = set()
    sender: list[str] = []
    words: list[str] = []
    for name, value in headers:
        name = name[:LONGEST_NAME].lower()
        prefix = PREFIXES[name]
        if prefix is None:
            continue
        names.add(name)
        if name in SENDERS:
            sender += [prefix + word for word in _sender(value[:LONGEST_VALUE], split)]
        elif prefix:
            words += word_tokens(prefix, value[:LONGEST_VALUE].lower())
    return {"from": sender, "header": words, "name": [f"name:{name}" for name in sorted(names)]}


@has_twin
def header_style_tokens(headers: Headers) -> list[str]:
    """Return the header style: each mail program has its own.

    ``meta:field:NAME`` for a name that is not capitalized like ``X-Mailer``, and
    ``meta:order:A>B`` for two consecutive fields.  Fields that the recipient's own programs add
    are ignored.

    Parameters
    ----------
    headers : tuple of (str, str)
        The fields of a `Message`.
    """
    names = [name[:LONGEST_NAME] for name, _ in headers]
    names = [name for name in names if PREFIXES[name.lower()] is not None]
    odd = sorted({name for name in names if name != name.title()})
    order = pairwise(map(str.lower, names))
    return [
        *(f"meta:field:{name}" for name in odd),
        *(f"meta:order:{first}>{second}" for first, second in order),
    ]


def word_tokens(prefix: str, value: str) -> list[str]:
    """Return the words of a header field as tokens.

    Parameters
    ----------
    prefix : str
        What each token begins with.
    value : str
        The value of the field, lower-case.
    """
    found = _VALUE_WORD.findall(value)[:MOST_WORDS]
    return [prefix + word for word in found if len(word) <= LONGEST_WORD]


def _prefix(name: str) -> str | None:
    """Return the prefix of a field's words, ``""`` if only its name is read, None if neither is."""
    if name in _OF_THE_RECIPIENT or name.startswith(_OF_THE_RECIPIENT_PREFIXES):
        return None
    if name in SENDERS:
        return SENDERS[name]
    return "" if name in _NAME_ONLY else f"header:{name}:"


PREFIXES = Memo(_prefix, 1 << 10)


def _sender(value: str, split: Tokenizer) -> Iterator[str]:
    addresses = _ADDRESS.findall(value.lower())
    for address in addresses:
        local, _, domain = address.partition("@")
        yield address
        yield f"@{domain}"
        registered = registered_domain(domain)
        if registered != domain:
            yield f"@{registered}"
        yield f"tld:{domain.rpartition('.')[2]}"
        yield from _LOCAL_WORD.findall(local)
        yield f"local:{_form(local)}"
    name = _NO_NAME.sub(" ", value)
    yield from split(name)
    yield from name_tokens(name, addresses[0].partition("@")[0] if addresses else None)


def _form(local: str) -> str:
    """Return the form of a local part: ``a.a0`` for ``anna.smith7``."""
    return _NUMBER.sub("0", _LETTERS.sub("a", local))[:LONGEST_FORM]


def name_tokens(name: str, local: str | None) -> list[str]:
    """Return how a sender's name is written.

    Parameters
    ----------
    name : str
        The name, with punctuation and addresses as blanks.
    local : str or None
        The local part of the first address, lower-case.
    """
    letters = "".join(name.split())
    if not letters:
        return ["name:none"]
    if letters.lower() == local:
        return ["name:local"]
    return ["name:capitals"] if len(letters) >= _MANY_LETTERS and letters.isupper() else []
