"""The benchmarks are scripts that import each other by their bare names."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(autouse=True, scope="session")
def benchmarks_on_path() -> Iterator[None]:
    sys.path.insert(0, str(BENCHMARKS))
    yield
    sys.path.remove(str(BENCHMARKS))


WORDS = {
    "ham": ["meeting", "minutes", "lunch", "report", "thanks", "project", "review", "tuesday"],
    "spam": ["pills", "winner", "mortgage", "cheap", "click", "offer", "casino", "guaranteed"],
}
BOTH = ["hello", "please", "today", "time", "people", "good", "email", "read", "about", "from"]


def text_of(label: str, rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS[label], k=6) + rng.choices(BOTH, k=10))


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with an index of 120 mails, a TSV file of 60 texts, and one of other labels."""
    folder = tmp_path_factory.mktemp("corpora")
    rng = random.Random(0)
    index = []
    for number in range(120):
        label = rng.choice(["ham", "ham", "spam"])
        kind = "html" if number % 3 == 0 else "plain"
        mail = (
            f"From: {label}{number}@example.org\nSubject: {rng.choice(WORDS[label])}\n"
            f"Content-Type: text/{kind}\n\n{text_of(label, rng)}\n"
        )
        (folder / f"{number}.eml").write_text(mail)
        index.append(f"{label} {number}.eml\n")
    (folder / "mails.index").write_text("".join(index))
    texts = [(label, text_of(label, rng)) for label in ["ham", "spam"] * 30]
    (folder / "texts.tsv").write_text("".join(f"{label}\t{text}\n" for label, text in texts))
    (folder / "other.tsv").write_text("work\thello\nhome\thello\n")
    return str(folder)
