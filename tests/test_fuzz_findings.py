"""Every input that fuzzing has found a fault with, and every fixture, goes the whole way."""

from pathlib import Path

import pytest

from tests.fuzz.fuzz_mail import Target, seeds

FINDINGS = Path(__file__).parent / "fixtures" / "fuzz"


@pytest.fixture(scope="module")
def target() -> Target:
    return Target()


@pytest.mark.parametrize("finding", sorted(FINDINGS.iterdir()), ids=lambda path: path.name)
def test_a_past_finding_is_mended(target: Target, finding: Path) -> None:
    target.run(finding.read_bytes())


def test_all_fixtures_go_the_whole_way(target: Target) -> None:
    for seed in seeds():
        target.run(seed)
