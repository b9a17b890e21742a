import argparse
import importlib
import json
import sys
from pathlib import Path

import pytest

SOURCE = str(Path(__file__).parents[2])


@pytest.fixture(scope="module")
def load():
    return importlib.import_module


@pytest.fixture
def small(corpora, tmp_path) -> str:
    """The index of the first 20 mails of a corpus."""
    lines = Path(corpora, "mails.index").read_text().splitlines()[:20]
    index = tmp_path / "small.index"
    rows = (line.split() for line in lines)
    index.write_text("".join(f"{label} {corpora}/{path}\n" for label, path in rows))
    return str(index)


@pytest.fixture
def program(tmp_path, monkeypatch) -> str:
    """This source tree's spamnb as a program, and no other filter on the path."""
    path = tmp_path / "spamnb"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {SOURCE!r})\n"
        "from spamnb.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    path.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("PYTHONPATH", SOURCE)
    return str(path)


def test_ratios_are_taken_within_each_repetition(load) -> None:
    ratio = load("timing.measure").ratio
    # The machine was ten times as slow in the second; the ratio of the medians would be 1.5.
    assert ratio([2.0, 30.0, 3.0], [1.0, 10.0, 2.0]) == 2.0
    with pytest.raises(ValueError, match="longer"):
        ratio([1.0], [1.0, 2.0])


def test_steps_take_turns(load, monkeypatch) -> None:
    measure = load("timing.measure")
    seen = []
    monkeypatch.setattr(measure, "run", lambda step, watch: seen.append(step) or len(seen))
    assert measure.interleave({"a": "A", "b": "B"}, 2) == {"a": [1, 3], "b": [2, 4]}
    assert seen == ["A", "B", "A", "B"]


def test_a_process_is_fed_and_watched(load) -> None:
    measure = load("timing.measure")
    code = "import sys, time; a = b'x' * 50_000_000; time.sleep(.3); print(len(sys.stdin.read()))"
    step = measure.Step([sys.executable, "-c", code], iter([b"ab", b"c"]))
    usage = measure.run(step, watch=True)
    assert usage.output == b"3\n"
    assert usage.seconds >= 0.3 > usage.cpu_seconds > 0
    if load("timing.watcher").IS_SUPPORTED:
        assert 50e6 < usage.peaks[0] < 100e6


def test_the_processes_that_a_process_starts_are_watched_too(load) -> None:
    if not load("timing.watcher").IS_SUPPORTED:
        pytest.skip("needs /proc")
    measure = load("timing.measure")
    inner = "import time; a = b'x' * 50_000_000; time.sleep(.7)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    own, started = measure.run(measure.Step([sys.executable, "-c", code]), watch=True).peaks
    assert own < 50e6 < started < 100e6


def test_a_step_that_fails_ends_the_benchmark(load) -> None:
    measure = load("timing.measure")
    step = measure.Step([sys.executable, "-c", "raise SystemExit('no such luck')"])
    with pytest.raises(SystemExit, match="exit status 1: no such luck"):
        measure.run(step)
    assert measure.run(step._replace(good=(0, 1))).error == b"no such luck\n"


def test_measured_processes_may_write_byte_code(load, monkeypatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in load("timing.measure").environment()


def test_a_mail_in_an_mbox(load) -> None:
    entry = load("timing.material").mbox_entry
    mail = b"From x  Thu Jul 25\nSubject: y\n\nFrom here\n>From there\nend"
    first, rest = entry(mail).split(b"\n", 1)
    assert first.startswith(b"From ")
    assert rest == b"Subject: y\n\n>From here\n>>From there\nend\n\n"


def test_mails_over_and_over(load) -> None:
    material = load("timing.material")
    entries = [b"a" * 10, b"b" * 20, b"c" * 30]
    assert b"".join(material.repeated(entries, 5)) == b"".join([*entries, *entries[:2]])
    assert [material.mails_of_size(entries, n) for n in (1, 11, 60, 61, 120)] == [1, 2, 3, 4, 6]


def test_halves_of_a_corpus(load, small, tmp_path) -> None:
    first, second = load("timing.material").halves(small, tmp_path / "halves")
    assert len(first.files) == len(second.files) == 10
    names = [second.names[name].read_text().splitlines() for name in ("ham", "spam", "all")]
    assert sorted(names[0] + names[1]) == names[2] == [str(path) for path in second.files]
    lines = Path(small).read_text().split("\n")
    assert second.files[0].read_bytes() == Path(lines[10].split()[1]).read_bytes()


def test_a_table(load) -> None:
    render = load("timing.render")
    table = render.Table("Title", ("a", "b", "c"), [("x", "1.5", ""), ("y", "", "z")], ("Note.",))
    assert render.markdown(table) == (
        "### Title\n\n| a | b | c |\n|---|---:|---|\n| x | 1.5 |  |\n| y |  | z |\n\nNote.\n"
    )


def test_a_table_without_rows_is_its_notes(load) -> None:
    render = load("timing.render")
    table = render.Table("Memory", (), [], ("Left out.",))
    assert render.markdown(table) == "### Memory\n\nLeft out.\n"


def test_targets(load) -> None:
    target = load("timing.render").target
    assert target("≤ 3 s", True) == "≤ 3 s: met"
    assert target("≤ 3 s", False) == "≤ 3 s: **missed**"


def test_one_row_for_each_program(load) -> None:
    results = {
        "cold": {"ms": {"python": 10.0, "spamnb": 38.2}, "ratio": {"python": 1.0, "spamnb": 3.8}},
        "training": {"wall": {"spamnb": 2.5}, "megabytes": {"spamnb": 120.0}},
    }
    table = load("timing.render").together(results)
    assert table.columns[1:] == (
        "one mail, ms", "× `python -c pass`", "training, s", "training, MB",
    )  # fmt: skip
    assert table.rows == [("spamnb", "38", "3.8", "2.5", "120"), ("python", "10", "1.0", "", "")]


def test_options(load) -> None:
    speed = load("speed")
    args = speed.parse(["--index=x", "--only=bulk,cold", "--sizes=10,20", "--mbox-size=5G"])
    assert args.only == ["cold", "bulk"]
    assert args.sizes == [10, 20]
    assert args.mbox_size == 5_000_000_000


@pytest.mark.parametrize(
    ("option", "value"),
    [("--only", "warm"), ("--peers", "sieve"), ("--repeat", "0"), ("--sizes", "1,x"),
     ("--mbox-size", "5T"), ("--plot", "x.gif")],
)  # fmt: skip
def test_wrong_options_are_refused(load, capsys, option, value) -> None:
    with pytest.raises(SystemExit):
        load("speed").parse(["--index", "x", option, value])
    assert f"argument {option}: " in capsys.readouterr().err


def test_a_size_in_words(load) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="'large' is not a size such as 500M"):
        load("speed").size("large")


def test_a_missing_index_or_program_is_told_in_a_sentence(load, program, tmp_path) -> None:
    main = load("speed").main
    missing = str(tmp_path / "none.index")
    with pytest.raises(SystemExit, match=r"none\.index"):
        main(["--index", missing, "--spamnb", program])
    with pytest.raises(SystemExit, match="no such program; install spamnb"):
        main(["--index", missing, "--spamnb", f"{program}-none"])


def test_cold_and_bulk_of_a_small_corpus(load, small, program, tmp_path, capsys) -> None:
    figures, picture = tmp_path / "speed.json", tmp_path / "speed.png"
    options = f"--index {small} --spamnb {program} --json {figures} --plot {picture}"
    fast = "--only cold,bulk --peers bogofilter --repeat 2 --cold-repeat 1"
    load("speed").main([*options.split(), *fast.split()])
    printed = capsys.readouterr().out
    assert "bogofilter is left out: there is no bogofilter on the path." in printed
    assert "lines for" not in printed  # as many lines as mails
    assert "### Together" in printed
    sections = json.loads(figures.read_text())["sections"]
    assert set(sections) == {"cold", "bulk"}
    assert {"spamnb", "spamnb --jobs 1", "spamnb, one mbox"} <= set(sections["bulk"]["seconds"])
    assert len(sections["bulk"]["seconds"]["spamnb"]) == 2
    assert sections["cold"]["ratio"]["python -c pass"] == 1
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_other_sections_of_a_small_corpus(load, small, program, tmp_path, capsys) -> None:
    figures = tmp_path / "speed.json"
    options = f"--index {small} --spamnb {program} --json {figures} --sizes 5,30 --mbox-size 20k"
    fast = "--only memory,training,scaling,profile --peers bogofilter --repeat 1"
    load("speed").main([*options.split(), *fast.split()])
    sections = json.loads(figures.read_text())["sections"]
    assert list(sections) == ["memory", "training", "scaling", "profile"]
    assert sections["training"]["wall"]["spamnb"] > 0
    assert list(sections["scaling"]) == ["5", "30"]
    assert sections["profile"] == {"English": {}}  # too little time to tell the stages apart
    if load("timing.watcher").IS_SUPPORTED:
        assert all(10 < row["megabytes"][0] < 150 for row in sections["memory"].values())
    assert "### Training" in capsys.readouterr().out


def test_the_stages_of_a_profile_are_read(load) -> None:
    text = (
        "spamnb: a note\nstage      share       ms\nread       5.0 %    282.7\n"
        "look up    0.8 %     45.1\ntokenize  40.0 %  2,270.2\ntogether          5,671.4\n"
    )
    assert list(load("timing.sections")._stages(text, 1_000)) == [
        ("read", "5.0", "282.7", "283"),
        ("look up", "0.8", "45.1", "45"),
        ("tokenize", "40.0", "2,270.2", "2,270"),
        ("together", "", "5,671.4", "5,671"),
    ]


def test_programs_of_libraries_learn_and_judge(load, small, tmp_path) -> None:
    pytest.importorskip("sklearn")
    first, second = load("timing.material").halves(small, tmp_path / "halves")
    library = load("timing.programs").PEERS["scikit-learn"](tmp_path)
    run = load("timing.measure").run
    for step in library.training(first):
        run(step)
    usage = run(library.many(second))
    assert usage.output.count(b"\n") == 10
    assert float(usage.error) > 0
