"""Facts about a mail's header that take one of a few values, such as the weekday."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spamnb.mail.message import Message
from spamnb.patterns import lazy_pattern
from spamnb.text.links import registered_domain
from spamnb.text.values import FACT

FACTS = {
    "charset": "the charset of the first part that declares one",
    "type": "the content type of the mail itself",
    "second_type": "the content type of its first part",
    "encoding": "the transfer encoding of the first part that declares one",
    "mailer": "the first word of X-Mailer or User-Agent",
    "weekday": "the weekday of Date",
    "hour": "the hour of Date as written there",
    "zone": "the time zone of Date",
    "from_tld": "the top-level domain of From",
    "from_digits": "whether the local part of From has digits",
    "reply_domain": "whether Reply-To has the domain of From",
    "id_tld": "the top-level domain of Message-ID",
    "recipients": "how many addresses are in To and Cc: 0, 1, 2, 3 for more",
    "is_reply": "whether In-Reply-To or References is there",
    "subject_start": "what precedes the first colon of the subject: re, fwd",
    "list": "whether List-… fields or Precedence: list are there",
    "precedence": "the value of Precedence",
    "priority": "the first word of X-Priority",
    "mime": "whether MIME-Version is there",
    "parts": "how many parts there are, 5 for more",
    "attachment": "the ending of the first attachment's file name",
}
"""Every fact by its name; an unknown fact has no token."""

_WORD = lazy_pattern(r"[^\W\d_][\w-]*")
_FIRST = lazy_pattern(r"[\w./+-]+")
_WEEKDAY = lazy_pattern(r"^\s*(mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE)
_HOUR = lazy_pattern(r"\b([01]\d|2[0-3]|\d):[0-5]\d")
_ZONE = lazy_pattern(r"\d\s+([+-]\d{4}|[A-Z]{1,4})\b")
_ADDRESS = lazy_pattern(r"([\w.+=&-]{1,64})@([\w.-]{1,255})")
_SUBJECT_START = lazy_pattern(r"^\s*([^\W\d_]{1,5})\s*(?:\[\d+\])?:")
_LONGEST_VALUE = 40
_LONGEST_FIELD = 2_000


def fact_tokens(message: Message) -> Iterator[str]:
    """Yield ``fact:NAME=VALUE`` for each of `FACTS` that is known, values lower-case.

    A text without headers has no facts.
    """
    if not message.headers:
        return
    for name, value in _facts(message):
        if value:
            yield f"{FACT}{name}={value.lower()[:_LONGEST_VALUE]}"


def _facts(message: Message) -> Iterator[tuple[str, str]]:
    yield from _of_parts(message)
    yield from _of_date(_field(message, "date"))
    yield from _of_addresses(message)
    names = {name.lower() for name, _ in message.headers}
    precedence = _match(_FIRST, _field(message, "precedence"))
    is_list = precedence.lower() == "list" or any(name.startswith("list-") for name in names)
    yield "mailer", _match(_WORD, _field(message, "x-mailer") or _field(message, "user-agent"))
    yield "is_reply", _yes_or_no(bool(names & {"in-reply-to", "references"}))
    yield "subject_start", _match(_SUBJECT_START, message.subject[:_LONGEST_FIELD], 1)
    yield "list", _yes_or_no(is_list)
    yield "precedence", precedence
    yield "priority", _match(_FIRST, _field(message, "x-priority"))
    yield "mime", _yes_or_no("mime-version" in names)


def _of_parts(message: Message) -> Iterator[tuple[str, str]]:
    parts = message.parts
    yield "charset", next((part.charset for part in parts if part.charset), "")
    yield "type", parts[0].content_type if parts else ""
    yield "second_type", parts[1].content_type if len(parts) > 1 else ""
    yield "encoding", next((p.transfer_encoding for p in parts if p.transfer_encoding), "")
    yield "parts", str(min(len(parts), 5))
    names = (part.filename.rpartition(".") for part in parts if part.filename)
    yield "attachment", next((end for _, dot, end in names if dot and end.isalnum()), "")


def _of_date(date: str) -> Iterator[tuple[str, str]]:
    hour = _match(_HOUR, date, 1)
    yield "weekday", _match(_WEEKDAY, date, 1)
    yield "hour", hour.zfill(2) if hour else ""
    yield "zone", _match(_ZONE, date, 1)


def _of_addresses(message: Message) -> Iterator[tuple[str, str]]:
    sender = _ADDRESS.search(_field(message, "from"))
    reply_to = _ADDRESS.search(_field(message, "reply-to"))
    if sender:
        yield "from_tld", sender[2].rpartition(".")[2]
        yield "from_digits", _yes_or_no(any(map(str.isdigit, sender[1])))
    if sender and reply_to:
        same = registered_domain(sender[2].lower()) == registered_domain(reply_to[2].lower())
        yield "reply_domain", _yes_or_no(same)
    message_id = _ADDRESS.search(_field(message, "message-id"))
    if message_id:
        yield "id_tld", message_id[2].rpartition(".")[2]
    both = (*message.header_values("to"), *message.header_values("cc"))
    yield "recipients", str(min(sum(value.count("@") for value in both), 3))


def _field(message: Message, name: str) -> str:
    return next(message.header_values(name), "")[:_LONGEST_FIELD]


def _match(pattern: re.Pattern[str], text: str, group: int = 0) -> str:
    found = pattern.search(text)
    return found[group] if found else ""


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
