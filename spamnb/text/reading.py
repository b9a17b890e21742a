"""`Message` → `Reading`: the text that a person sees, and the text that is hidden from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from spamnb.mail.message import Message
from spamnb.text.letters import without_invisible
from spamnb.text.links import Link, urls_in


class Reading(NamedTuple):
    """What there is to read in a message.

    Attributes
    ----------
    subject : str
        The subject.
    texts : tuple of str
        The visible text of each part that has any.
    hidden : tuple of str
        The hidden text of each part that has any.
    links : tuple of Link
        The links of HTML.
    sources : tuple of str
        The addresses of what HTML loads by itself.
    tags : dict of str to int
        How often each tag of HTML is opened; see `spamnb.text.html.HtmlText`.
    """

    subject: str
    texts: tuple[str, ...]
    hidden: tuple[str, ...]
    links: tuple[Link, ...]
    sources: tuple[str, ...]
    tags: dict[str, int]

    @property
    def n_hidden(self) -> int:
        """How many characters are hidden, not counting white space."""
        return sum(len("".join(text.split())) for text in self.hidden)

    def addresses(self) -> Iterator[Link]:
        """Yield every address that the message leads to, with the text that a reader sees for it.

        First the links of HTML, then the URLs in the visible text, which are their own text, then
        what HTML loads by itself, which has no text.  Each is yielded once.
        """
        seen: set[Link] = set()
        found = [
            *self.links,
            *(Link(url, url) for text in (self.subject, *self.texts) for url in urls_in(text)),
            *(Link(source, "") for source in self.sources),
        ]
        for link in found:
            if link.href and link not in seen:
                seen.add(link)
                yield link


def read(message: Message) -> Reading:
    """Return what a person sees of a message, and what is hidden from them.

    HTML is read as a browser shows it: what its styles hide counts as hidden, and words that tags
    and comments split are joined again.  Invisible characters are removed from every visible text.
    All parts with text are read, attached text too, in the order of the mail.

    Parameters
    ----------
    message : Message
        The mail; see `spamnb.mail.parser.parse`.

    Returns
    -------
    Reading
        The subject, the visible text of each part, the hidden text, the links.

    Examples
    --------
    >>> from spamnb.mail.parser import parse
    >>> from spamnb.text.reading import read
    >>> mail = b'''Subject: Your order
    ... Content-Type: text/html
    ...
    ... <p style="display:none">meeting notes</p>
    ... <p>V<b></b>iagra at <a href="http://evil.example/x">www.bank.example</a></p>
    ... '''
    >>> reading = read(parse(mail))
    >>> reading.subject
    'Your order'
    >>> " ".join(reading.texts).split()
    ['Viagra', 'at', 'www.bank.example']
    >>> reading.hidden
    ('meeting notes',)
    >>> reading.links
    (Link(href='http://evil.example/x', text='www.bank.example'),)
    """
    texts: list[str] = []
    hidden: list[str] = []
    links: list[Link] = []
    sources: list[str] = []
    tags: Counter[str] = Counter()
    for part in message.parts:
        if not part.text:
            continue
        if part.content_type == "text/html":
            from spamnb.text.html import read_html  # not needed for a mail without HTML

            page = read_html(part.text)
            texts.append(without_invisible(page.text))
            links += (Link(link.href, without_invisible(link.text)) for link in page.links)
            sources += page.sources
            tags.update(page.tags)
            if page.hidden:
                hidden.append(page.hidden)
        else:
            texts.append(without_invisible(part.text))
    return Reading(
        without_invisible(message.subject),
        tuple(texts),
        tuple(hidden),
        tuple(links),
        tuple(sources),
        dict(tags),
    )
