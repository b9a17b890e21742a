"""Fuzz the way of a mail: bytes → message → tokens → verdict and explanation.

``make fuzz SECONDS=600`` runs it with atheris (coverage-guided), or with hypothesis where atheris
cannot be installed.  An exception, an input that takes more than a second, or more than 300 MB of
memory ends the run and leaves the input in ``build/fuzz``; each becomes a fixture under
``tests/fixtures/fuzz``, which ``tests/test_fuzz_findings.py`` replays.
"""

from __future__ import annotations

import argparse
import io
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SEEDS = ("data/samples", "tests/fixtures")
MOST_SECONDS = 1.0
MOST_MEGABYTES = 300
LONGEST = 1 << 16


class Target:
    """The filter that is fuzzed, with every preset."""

    def __init__(self) -> None:
        from spamnb.mail.limits import Limits
        from spamnb.store.files import load_model
        from spamnb.store.opening import open_filter
        from spamnb.text.analyzer import Analyzer, AnalyzerConfig
        from spamnb.text.counting import make_counter

        model = str(ROOT / "models" / "starter")
        self.spam_filter, self.table_filter = load_model(model).spam_filter, open_filter(model)
        self.count = make_counter(AnalyzerConfig())
        self.full = Analyzer(AnalyzerConfig(preset="full"))
        self.limits = Limits()
        self.small = Limits(raw_bytes=2_000, text_bytes=500, parts=5, depth=2, header_bytes=200)
        self.full.analyze(self._parse("Subject: 发票\n\n中文".encode()))  # loads jieba's dictionary

    def _parse(self, data: bytes) -> object:
        from spamnb.mail.parser import parse

        return parse(data, self.limits)

    def run(self, data: bytes) -> None:
        """Put one input through everything."""
        from spamnb.cli.output.lines import explanation_dict, to_json
        from spamnb.mail.parser import parse
        from spamnb.mail.sources import read_stream

        for mail in read_stream(io.BytesIO(data), "fuzz", on_skip=lambda skipped: None):
            message = parse(mail.data, self.limits)
            tokens = self.full.analyze(message)
            assert all(isinstance(token, str) for token in tokens)
            explanation = self.spam_filter.explain(message)
            odds = explanation.intercept + sum(item.nats for item in explanation.contributions)
            assert abs(odds - explanation.verdict.log_odds) < 1e-9
            assert abs(odds - self.table_filter.classify(message).log_odds) < 1e-9
            assert len(self.count(message)) == len(tokens)
            assert 0 <= explanation.verdict.probability <= 1
            to_json(explanation_dict(mail.source, explanation, 10))
            repr(message).encode("utf-8", "surrogatepass")
        small = parse(data, self.small)
        assert len(small.parts) <= self.small.parts
        self.full.analyze(small)

    def checked(self, data: bytes) -> None:
        """Put one input through everything, and hold it to its limits."""
        started = time.process_time()
        self.run(data)
        seconds = time.process_time() - started
        assert seconds < MOST_SECONDS, f"{seconds:.2f} s for {len(data)} bytes"
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        assert megabytes < MOST_MEGABYTES, f"{megabytes:.0f} MB"


def seeds() -> Iterator[bytes]:
    """Yield the mails to begin with."""
    for folder in SEEDS:
        for path in sorted((ROOT / folder).rglob("*.eml")):
            yield path.read_bytes()


def with_atheris(seconds: int, artifacts: Path) -> None:
    """Fuzz guided by coverage."""
    import atheris

    with atheris.instrument_imports(include=["spamnb"]):
        target = Target()
        target.run(b"Subject: x\n\nx")
    corpus = artifacts / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (corpus / f"seed-{number}").write_bytes(seed[:LONGEST])
    options = (
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        "-timeout=10",
        "-rss_limit_mb=2000",
        f"-artifact_prefix={artifacts}/",
        str(corpus),
    )
    atheris.Setup([sys.argv[0], *options], target.checked)
    atheris.Fuzz()


def with_hypothesis(seconds: int) -> None:
    """Fuzz with mutations of the seeds, drawn by hypothesis."""
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    target = Target()
    cuts = st.tuples(st.integers(0, LONGEST), st.integers(0, 50), st.binary(max_size=50))
    inputs = st.tuples(st.sampled_from(list(seeds())), st.lists(cuts, max_size=8))
    ends = time.monotonic() + seconds
    count = 0

    @settings(max_examples=1_000, deadline=None, database=None, suppress_health_check=HealthCheck)
    @given(inputs)
    def some(drawn: tuple[bytes, list[tuple[int, int, bytes]]]) -> None:
        nonlocal count
        data, edits = drawn
        for position, length, new in edits:
            at = position % (len(data) + 1)
            data = data[:at] + new + data[at + length :]
        target.checked(data[:LONGEST])
        count += 1

    while time.monotonic() < ends:
        some()
    print(f"{count} executions, no finding")


def main() -> None:
    """Run for the time that the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--artifacts", type=Path, default=ROOT / "build" / "fuzz")
    arguments = parser.parse_args()
    arguments.artifacts.mkdir(parents=True, exist_ok=True)
    try:
        import atheris  # noqa: F401
    except ImportError:
        with_hypothesis(arguments.seconds)
    else:
        with_atheris(arguments.seconds, arguments.artifacts)


if __name__ == "__main__":
    main()
