"""Whether words of good mail hide spam: 300 of them in each of 200 spam.

Run as ``python benchmarks/poisoning.py FOLDER`` (with spamassassin.index in it); prints a Markdown
table.  The spam are drawn from the second half of the corpus, the words from the ham of the first
half, which the filter is trained on, each as often as it stands there.  They are put into the bytes
of the mail: in the text that a person reads, or hidden in HTML, which a mail without any is given.
Spam is what scores above the ham at the threshold that loses 0.5 % of the test ham.
"""

from __future__ import annotations

import base64
import quopri
import random
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from protocol import Spamnb, find_corpora, halves, machine, make_parser, training_options

from spamnb.evaluation.measures import ham_lost
from spamnb.filter.pipeline import read_message
from spamnb.mail.sources import LabeledMail, RawMail
from spamnb.text.reading import read

HAM_LOSS = 0.005
MOST_LOST = 1 / 3
HIDDEN = {
    "hidden: display:none": b'<div style="display:none">%s</div>',
    "hidden: white on white": b'<div style="color:#fff;background:#fff">%s</div>',
}
WAYS = ("in the body", *HIDDEN)

_WORD = re.compile("[A-Za-z]{3,15}")
_WORDS_ON_A_LINE = 10
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n|\A\r?\n")
_BOUNDARY = re.compile(rb'boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))', re.IGNORECASE)
_ENTITY_FIELDS = re.compile(rb"^content-[^:\n]*:.*\n(?:[ \t].*\n)*", re.IGNORECASE | re.MULTILINE)
_END_OF_PAGE = re.compile(rb"(?:</body\s*>|</html\s*>|\s)*\Z", re.IGNORECASE)
_NEW_BOUNDARY = b"=_spamnb_poisoning_="


class Text(NamedTuple):
    """A text part: whether it is HTML, its transfer encoding, where its body is in the mail."""

    is_html: bool
    encoding: bytes
    start: int
    end: int


def pad(data: bytes, words: Sequence[str], way: str) -> bytes:
    """Return a mail with words put into it in one of `WAYS`."""
    rows = range(0, len(words), _WORDS_ON_A_LINE)
    prose = "\n".join(" ".join(words[i : i + _WORDS_ON_A_LINE]) for i in rows).encode("ascii")
    texts = list(_texts(data, 0, len(data)))
    pages = [text for text in texts if text.is_html]
    if way in HIDDEN:
        markup = HIDDEN[way] % prose
        if pages:
            return _insert(data, pages[0], markup)
        return _attach(data, b"text/html", b"<html><body>" + markup + b"</body></html>")
    if not texts:
        return _attach(data, b"text/plain", prose)
    seen = (pages or texts)[0]
    return _insert(data, seen, b"<p>%s</p>" % prose if seen.is_html else prose)


def _texts(data: bytes, start: int, end: int) -> Iterator[Text]:
    """Yield the text parts of an entity, those of its parts too."""
    found = _END_OF_HEAD.search(data, start, end)
    if found is None:
        return
    head, body = data[start : found.start()] + b"\n", found.end()
    kind = _field(head, b"content-type").lower() or b"text/plain"
    boundary = _BOUNDARY.search(_field(head, b"content-type"))
    if kind.startswith(b"multipart/") and boundary:
        marks = list(_delimiters(data, boundary[1] or boundary[2], body, end))
        for mark, following in zip(marks, [*marks, None][1:], strict=True):
            if not mark[1]:
                yield from _texts(data, mark.end(), following.start() if following else end)
    elif kind.startswith((b"text/plain", b"text/html")):
        encoding = _field(head, b"content-transfer-encoding").strip().lower()
        yield Text(kind.startswith(b"text/html"), encoding, body, end)


def _delimiters(data: bytes, boundary: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield the lines between the parts of a multipart; group 1 is ``--`` in the last one."""
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
    return line.finditer(data, start, end)


def _field(head: bytes, name: bytes) -> bytes:
    field = re.compile(rb"^" + name + rb":(.*(?:\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
    found = field.search(head)
    return found[1].strip() if found else b""


def _insert(data: bytes, text: Text, addition: bytes) -> bytes:
    """Put something at the end of a text, before the end tags of a page."""
    body = data[text.start : text.end]
    if text.encoding == b"base64":
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
        letters = letters[:-1] if len(letters) % 4 == 1 else letters
        body = base64.b64decode(letters + b"=" * (-len(letters) % 4))
    elif text.encoding == b"quoted-printable":
        addition = quopri.encodestring(addition)
    found = _END_OF_PAGE.search(body) if text.is_html else None
    place = found.start() if found else len(body.rstrip())
    body = body[:place] + b"\n\n" + addition + b"\n" + body[place:]
    if text.encoding == b"base64":
        body = base64.encodebytes(body)
    return data[: text.start] + body + data[text.end :]


def _attach(data: bytes, kind: bytes, content: bytes) -> bytes:
    """Add a part to a multipart; make one of any other mail."""
    found = _END_OF_HEAD.search(data)
    head, body = (data[: found.start()] + b"\n", data[found.end() :]) if found else (data, b"")
    part = b"Content-Type: %s; charset=us-ascii\n\n%s\n" % (kind, content)
    boundary = _BOUNDARY.search(_field(head, b"content-type"))
    if _field(head, b"content-type").lower().startswith(b"multipart/") and boundary:
        name = boundary[1] or boundary[2]
        ends = [mark.start() for mark in _delimiters(data, name, 0, len(data)) if mark[1]]
        place = ends[0] if ends else len(data)
        return data[:place] + b"\n--" + name + b"\n" + part + b"\n" + data[place:]
    own = b"".join(_ENTITY_FIELDS.findall(head))
    head = _ENTITY_FIELDS.sub(b"", head)
    if not _field(head, b"mime-version"):
        head += b"MIME-Version: 1.0\n"
    return (
        head + b'Content-Type: multipart/alternative; boundary="%s"\n\n' % _NEW_BOUNDARY
        + b"--%s\n%s\n%s\n" % (_NEW_BOUNDARY, own, body)
        + b"--%s\n%s\n--%s--\n" % (_NEW_BOUNDARY, part, _NEW_BOUNDARY)
    )  # fmt: skip


def words_of(mails: Sequence[LabeledMail]) -> list[str]:
    """Return the words of the ham, each as often as it stands there."""
    ham = (read_message(mail.mail) for mail in mails if mail.label == "ham")
    return [word for message in ham for text in read(message).texts for word in _WORD.findall(text)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--corpus", default="spamassassin", help="the name of its index")
    parser.add_argument("--spam", type=int, default=200, help="how many are padded")
    parser.add_argument("--words", type=int, default=300, help="how many each is given")
    args = parser.parse_args(arguments)
    (corpus,) = find_corpora(args.folder, args.corpus).values()
    training, test = halves(list(corpus.mails()))
    spam_filter = Spamnb(training_options(args))
    spam_filter.train(training)

    def scores(mails: Sequence[RawMail]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array([verdict.log_odds for verdict in spam_filter.judge(mails)])

    ham = np.sort(scores([mail.mail for mail in test if mail.label == "ham"]))
    threshold = ham[len(ham) - ham_lost(len(ham), HAM_LOSS) - 1]
    rng = random.Random(args.seed)
    spam = [mail.mail for mail in test if mail.label == "spam"]
    spam = rng.sample(spam, min(args.spam, len(spam)))
    pool = words_of(training)
    words = [rng.choices(pool, k=args.words) for _ in spam]
    before = int((scores(spam) > threshold).sum())
    print(f"{machine()}\n")
    print(f"{args.corpus}: {len(spam)} spam, {args.words} words each, threshold {threshold:+.2f}\n")
    print(f"| words | found before | found after | lost, at most {MOST_LOST:.1%} |")
    print("|---|---:|---:|---:|")
    for way in WAYS:
        padded = [
            RawMail(mail.source, pad(mail.data, own, way))
            for mail, own in zip(spam, words, strict=True)
        ]
        after = int((scores(padded) > threshold).sum())
        print(f"| {way} | {before} | {after} | {1 - after / before:.1%} |")


if __name__ == "__main__":
    main()
