"""Which HTML parser: `strip_tags` against html.parser and, where installed, selectolax.

Run as ``python benchmarks/html_parsers.py [FOLDER OF MAILS]``; prints a Markdown table.  Ordinary
mail is timed per mail, hostile input per document of 100,000 elements; each in a process of its
own, ended after 60 s.
"""

import datetime
import multiprocessing
import platform
import sys
import time
from html.parser import HTMLParser

from spamnb.mail.parser import parse
from spamnb.mail.sources import read_mails
from spamnb.text.html import strip_tags

N = 100_000
HOSTILE = {
    "nested div": "<div>" * N + "x",
    "attributes": "<a " + " ".join(f"a{i}=1" for i in range(N)) + ">x</a>",
    "open quotes": '<a href="' * N,
    "open comments": "<!--" * N,
    "less-than signs": "<" * (10 * N),
    "entities": "&amp;" * N,
}


def with_html_parser(html: str) -> str:
    """Return the text with the standard library's parser."""
    pieces: list[str] = []
    parser = HTMLParser()
    parser.handle_data = pieces.append  # type: ignore[method-assign]
    parser.feed(html)
    parser.close()
    return "".join(pieces)


def with_selectolax(html: str) -> str:
    """Return the text with selectolax (lexbor)."""
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(html).text()


PARSERS = {
    "spamnb.text.html": strip_tags,
    "html.parser": with_html_parser,
    "selectolax": with_selectolax,
}


def _timed(parser: str, documents: list[str], result: "multiprocessing.Queue[float]") -> None:
    started = time.perf_counter()
    for document in documents:
        PARSERS[parser](document)
    result.put(time.perf_counter() - started)


def seconds(parser: str, documents: list[str]) -> float:
    """Return the time for all documents, infinite where it is over 60 s or fails."""
    context = multiprocessing.get_context("fork")
    result: multiprocessing.Queue[float] = context.Queue()
    process = context.Process(target=_timed, args=(parser, documents, result))
    process.start()
    process.join(60)
    if process.is_alive():
        process.kill()
        return float("inf")
    return result.get() if process.exitcode == 0 else float("inf")


def main() -> None:
    """Measure and print."""
    print(f"{datetime.date.today()}, Python {platform.python_version()}\n")
    print("| input | " + " | ".join(PARSERS) + " |\n|---" + "|---" * len(PARSERS) + "|")
    if len(sys.argv) > 1:
        parts = (part for mail in read_mails(sys.argv[1]) for part in parse(mail.data).parts)
        documents = [part.text for part in parts if part.content_type == "text/html"]
        times = [1e6 * seconds(name, documents) / len(documents) for name in PARSERS]
        cells = " | ".join(f"{t:.0f} µs" for t in times)
        print(f"| a mail's HTML, mean of {len(documents):,} | {cells} |")
    for kind, document in HOSTILE.items():
        times = [seconds(name, [document]) for name in PARSERS]
        cells = " | ".join("> 60 s" if t == float("inf") else f"{t:.2f} s" for t in times)
        print(f"| {N:,} {kind} | {cells} |")


if __name__ == "__main__":
    main()
