"""The options that name labeled mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spamnb.cli.options.gathered import gathered

if TYPE_CHECKING:
    from spamnb.mail.corpora import JoinedCorpus


def open_corpus(
    spam: tuple[str, ...],
    ham: tuple[str, ...],
    labels: tuple[str, ...],
    indexes: tuple[str, ...],
    tsvs: tuple[str, ...],
) -> JoinedCorpus:
    """Return the labeled mail that the options name.

    Raises
    ------
    click.UsageError
        When they name none, or standard input twice.
    InputNotFoundError, InputReadError, CorpusFormatError
    """
    from spamnb.mail.corpora import Corpus, IndexCorpus, JoinedCorpus, PathCorpus, TsvCorpus

    places = [("ham", path) for path in ham] + [("spam", path) for path in spam]
    for item in labels:
        name, _, path = item.partition("=")
        if not name or not path:
            raise click.UsageError(f"--label wants NAME=PATH, got {item!r}.")
        places.append((name, path))
    if [path for _, path in places].count("-") > 1:
        raise click.UsageError("Standard input (-) can be given only once.")
    corpora: list[Corpus] = [PathCorpus(label, path) for label, path in places]
    corpora += [IndexCorpus(path) for path in indexes]
    corpora += [TsvCorpus(path) for path in tsvs]
    if not corpora:
        raise click.UsageError(
            "No mail was named: give --ham and --spam, or --index, --tsv or --label."
        )
    return JoinedCorpus(corpora)


labeled_mail = gathered(
    "corpus",
    open_corpus,
    click.option(
        "--spam",
        multiple=True,
        metavar="PATH",
        help="Spam: a mail file, a folder of mails at any depth, an mbox, a Maildir, an MH folder,"
        " or - for standard input. Can be repeated, like all options for mail.",
    ),
    click.option("--ham", multiple=True, metavar="PATH", help="Ham, good mail: the same."),
    click.option(
        "--label",
        "labels",
        multiple=True,
        metavar="NAME=PATH",
        help="Mail of any other label, for more or other classes than ham and spam.",
    ),
    click.option(
        "--index",
        "indexes",
        multiple=True,
        metavar="FILE",
        help="A TREC index: lines of 'label path', the path relative to FILE.",
    ),
    click.option(
        "--tsv",
        "tsvs",
        multiple=True,
        metavar="FILE",
        help="Short texts: lines of 'label TAB text'.",
    ),
)
"""The options that name labeled mail; the command gets ``corpus``, to call for the corpus."""
