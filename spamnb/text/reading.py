"""`Message` → `Reading`: the texts that a person sees, and what is hidden from him."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from spamnb.mail.message import Message
from spamnb.text.letters import without_invisible
from spamnb.text.links import Link


class Reading(NamedTuple):
    """What there is to read in a message.

    Attributes
    ----------
    subject : str
        The subject.
    texts : tuple of str
        The visible text of each part that has any.
    n_hidden : int
        How many characters, white space not counted, are hidden in HTML.
    links : tuple of Link
        The links of HTML.
    sources : tuple of str
        The addresses of what HTML loads by itself.
    tags : dict of str to int
        How often each tag of HTML is opened; see `spamnb.text.html.HtmlText`.
    """

    subject: str
    texts: tuple[str, ...]
    n_hidden: int
    links: tuple[Link, ...]
    sources: tuple[str, ...]
    tags: dict[str, int]


def read(message: Message) -> Reading:
    """Return what there is to read in a message.

    Parameters
    ----------
    message : Message

    Returns
    -------
    Reading
    """
    texts: list[str] = []
    links: list[Link] = []
    sources: list[str] = []
    tags: Counter[str] = Counter()
    n_hidden = 0
    for part in message.parts:
        if not part.text:
            continue
        if part.content_type == "text/html":
            from spamnb.text.html import read_html  # not for a mail without HTML

            page = read_html(part.text)
            texts.append(without_invisible(page.text))
            links += (Link(link.href, without_invisible(link.text)) for link in page.links)
            sources += page.sources
            tags.update(page.tags)
            n_hidden += len("".join(page.hidden.split()))
        else:
            texts.append(without_invisible(part.text))
    return Reading(
        without_invisible(message.subject),
        tuple(texts),
        n_hidden,
        tuple(links),
        tuple(sources),
        dict(tags),
    )
