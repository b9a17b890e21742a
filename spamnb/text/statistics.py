"""Numbers that describe a mail, after the Spambase set (Hopkins, Reeber, Forman, Suermondt, 1999).

Spambase has the shares of 48 words and 6 punctuation characters, and the runs of capitals.  The
words that identify its donor (``george``, ``hp``, ``650``) are left out here; more measurements are
added.  The texts are those that a person sees, without the subject, joined by line ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from spamnb.mail.message import Message
from spamnb.patterns import lazy_pattern
from spamnb.text.reading import Reading
from spamnb.text.values import STATISTIC

WORDS = (
    "address", "all", "business", "click", "credit", "email", "free", "internet", "mail",
    "make", "meeting", "money", "order", "our", "over", "people", "please", "project", "re",
    "receive", "remove", "report", "will", "you", "your",
)  # fmt: skip
"""``word_W``: how many of 100 words are W."""

PUNCTUATION = {
    "semicolon": ";", "parenthesis": "(", "bracket": "[", "exclamation": "!", "dollar": "$",
    "hash": "#", "percent": "%", "star": "*", "question": "?", "comma": ",", "quote": ">",
    "underscore": "_",
}  # fmt: skip
"""``sign_S``: how many of 100 characters are that punctuation character."""

STATISTICS = {
    "length": "characters of the texts",
    "lines": "lines that are not empty",
    "words": "words: runs of letters",
    "word_length": "letters in a word, on average",
    "word_longest": "letters in the longest word",
    "word_different": "distinct words, of 100",
    "letters": "letters, of 100 characters",
    "digits": "digits, of 100 characters",
    "spaces": "white space, of 100 characters",
    "not_ascii": "characters beyond ASCII, of 100",
    "capitals": "capitals, of 100 letters",
    "capitals_average": "length of a run of capitals, on average (Spambase)",
    "capitals_longest": "length of the longest run of capitals (Spambase)",
    "capitals_total": "capitals in total (Spambase)",
    "links": "links of HTML, and URLs in the texts",
    "hosts": "distinct hosts among them",
    "images": "tags img",
    "tables": "tags table",
    "fonts": "tags font",
    "forms": "tags form and input",
    "tags": "tags of HTML in total",
    "hidden": "characters that HTML hides",
    "parts": "MIME parts",
    "depth": "depth of the parts' nesting",
    "attachments": "parts with a file name",
    "html": "parts of HTML",
    "recipients": "addresses in To and Cc",
    "fields": "header fields",
    "defects": "kinds of defects",
    "hour": "hour of Date as written there, plus 1; 0 without one",
    "subject_length": "characters of the subject",
    "subject_capitals": "capitals, of 100 letters of the subject",
    "subject_digits": "digits, of 100 characters of the subject",
    "subject_signs": "the characters ! ? $ and * in the subject",
    **{f"sign_{name}": f"the character {c}, of 100 characters" for name, c in PUNCTUATION.items()},
    **{f"word_{word}": f"the word {word}, of 100 words" for word in WORDS},
}
"""Every number by its name; none is negative."""

_WORD = lazy_pattern(r"[^\W\d_]+")
_CAPITALS = lazy_pattern(r"[A-Z]+")
_HOST = lazy_pattern(r"\bhttps?://([^\s/?#<>\"']{1,100})", re.IGNORECASE)
_HOUR = lazy_pattern(r"\b([01]\d|2[0-3]|\d):[0-5]\d")
_SUBJECT_SIGNS = frozenset("!?$*")
# The beginning tells as much, and keeps a mail of megabytes below a second.
_LONGEST = 200_000


def statistic_tokens(message: Message, reading: Reading) -> Iterator[str]:
    """Yield ``stat:NAME=NUMBER`` for each of `STATISTICS` that is not 0.

    Parameters
    ----------
    message : Message
    reading : Reading
        What there is to read in it.
    """
    for name, number in measure(message, reading).items():
        if number:
            yield f"{STATISTIC}{name}={number:.6g}"


def measure(message: Message, reading: Reading) -> dict[str, float]:
    """Return each of `STATISTICS`.

    Parameters
    ----------
    message, reading
        As for `statistic_tokens`.
    """
    return {
        **_of_text("\n".join(reading.texts)[:_LONGEST]),
        **_of_markup(reading),
        **_of_message(message),
        **_of_subject(reading.subject),
    }


def _of_text(text: str) -> dict[str, float]:
    words = _WORD.findall(text.lower())
    count = Counter(words)
    runs = [len(run) for run in _CAPITALS.findall(text)]
    characters = Counter(text)
    letters = sum(map(len, words))
    percent, of_words = 100 / max(len(text), 1), 100 / max(len(words), 1)
    return {
        "length": len(text),
        "lines": sum(not line.isspace() for line in text.splitlines() if line),
        "words": len(words),
        "word_length": letters / max(len(words), 1),
        "word_longest": max(map(len, count), default=0),
        "word_different": len(count) * of_words,
        "letters": letters * percent,
        "digits": sum(n for c, n in characters.items() if c.isdigit()) * percent,
        "spaces": sum(n for c, n in characters.items() if c.isspace()) * percent,
        "not_ascii": sum(n for c, n in characters.items() if not c.isascii()) * percent,
        "capitals": 100 * sum(runs) / max(letters, 1),
        "capitals_average": sum(runs) / max(len(runs), 1),
        "capitals_longest": max(runs, default=0),
        "capitals_total": sum(runs),
        **{f"sign_{name}": characters[c] * percent for name, c in PUNCTUATION.items()},
        **{f"word_{word}": count[word] * of_words for word in WORDS},
    }


def _of_markup(reading: Reading) -> dict[str, float]:
    tags = reading.tags
    urls = [host.lower() for text in reading.texts for host in _HOST.findall(text[:_LONGEST])]
    linked = [m[1].lower() for link in reading.links if (m := _HOST.match(link.href))]
    return {
        "links": len(reading.links) + len(urls),
        "hosts": len({*urls, *linked}),
        "images": tags.get("img", 0),
        "tables": tags.get("table", 0),
        "fonts": tags.get("font", 0),
        "forms": tags.get("form", 0) + tags.get("input", 0),
        "tags": sum(tags.values()),
        "hidden": reading.n_hidden,
    }


def _of_message(message: Message) -> dict[str, float]:
    hour = _HOUR.search(next(message.header_values("date"), "")[:100])
    return {
        "parts": len(message.parts),
        "depth": max((part.depth for part in message.parts), default=0),
        "attachments": sum(bool(part.filename) for part in message.parts),
        "html": sum(part.content_type == "text/html" for part in message.parts),
        "recipients": sum(
            value.count("@") for name in ("to", "cc") for value in message.header_values(name)
        ),
        "fields": len(message.headers),
        "defects": len(message.defects),
        "hour": int(hour[1]) + 1 if hour else 0,
    }


def _of_subject(subject: str) -> dict[str, float]:
    letters = sum(map(str.isalpha, subject))
    return {
        "subject_length": len(subject),
        "subject_capitals": 100 * sum(map(str.isupper, subject)) / max(letters, 1),
        "subject_digits": 100 * sum(map(str.isdigit, subject)) / max(len(subject), 1),
        "subject_signs": sum(c in _SUBJECT_SIGNS for c in subject),
    }
