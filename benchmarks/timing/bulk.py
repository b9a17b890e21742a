"""Many mails at once: how many a second."""

from __future__ import annotations

import statistics
from collections.abc import Mapping

from timing.bench import CHINESE, Arm, Bench, seconds_of
from timing.material import mailbox
from timing.measure import Usage, interleave, ratio, run
from timing.programs import Library
from timing.render import Section, Table, target

WITHOUT_START = ", without its start"
"""What the names of measurements of a library end with that leave out its import."""


def bulk(bench: Bench) -> Section:
    """Measure many mails at once, English and, where there is a corpus, Chinese."""
    section = _bulk_english(bench)
    if bench.chinese is None:
        return section
    chinese = _bulk_chinese(bench.chinese, bench.repeat)
    for kind, values in chinese.figures.items():
        section.figures[kind] |= values
    failure = section.failure or chinese.failure
    return Section(section.tables + chinese.tables, section.figures, failure)


def _bulk_english(bench: Bench) -> Section:
    arm = bench.english
    mbox = arm.second.folder.with_name("second.mbox")
    mbox.write_bytes(b"".join(mailbox(arm.second)))
    steps = {name: program.many(arm.second) for name, program in arm.programs.items()}
    steps["spamnb --jobs 1"] = arm.single.many(arm.second)
    steps["spamnb, one mbox"] = arm.spamnb.classify(None, str(mbox))
    usages = interleave(steps, bench.repeat)
    seconds = seconds_of(usages)
    for name, program in arm.programs.items():
        if isinstance(program, Library):
            own = [float(usage.error.split()[-1]) for usage in usages[name]]
            seconds[f"{name}{WITHOUT_START}"] = own
    section = _rates("Bulk", arm, usages, seconds)
    return section._replace(failure=section.failure or _same_with_jobs(arm))


def _bulk_chinese(arm: Arm, repeat: int) -> Section:
    steps = {f"{name}{CHINESE}": it.many(arm.second) for name, it in arm.programs.items()}
    usages = interleave(steps, repeat)
    return _rates("Bulk, Chinese", arm, usages, seconds_of(usages))


def _rates(
    title: str, arm: Arm, usages: Mapping[str, list[Usage]], seconds: Mapping[str, list[float]]
) -> Section:
    n_mails = len(arm.second.files)
    speed = {name: n_mails / statistics.median(values) for name, values in seconds.items()}
    reference = next((name for name in seconds if name.startswith("bogofilter")), "")
    ratios = {
        name: ratio(seconds[reference], values) if reference else float("nan")
        for name, values in seconds.items()
    }
    rows = []
    for name, values in seconds.items():
        cpu = [usage.cpu_seconds for usage in usages.get(name, ())]
        cells = f"{statistics.median(cpu):.2f}" if cpu else "", f"{ratios[name]:.2f}"
        goal = _bulk_target(name, ratios[name], speed[name], ratio(values, _own(seconds)))
        rows.append((name, f"{speed[name]:,.0f}", *cells, goal))
    odd = [
        f"{name} printed {n_lines:,} lines for {n_mails:,} mails."
        for name, runs in usages.items()
        if (n_lines := runs[-1].output.count(b"\n")) != n_mails
    ]
    columns = ("program", "mails/s", "CPU s", "× bogofilter", "target")
    heading = f"{title}: {n_mails:,} mails, median of {len(_own(seconds))}"
    table = Table(heading, columns, rows, (*arm.notes, *odd))
    figures = {"mails_per_second": speed, "seconds": dict(seconds)}
    return Section([table], figures | ({"ratio": ratios} if reference else {"ratio": {}}))


def _own(seconds: Mapping[str, list[float]]) -> list[float]:
    return next(values for name, values in seconds.items() if name.startswith("spamnb"))


def _bulk_target(name: str, to_bogofilter: float, speed: float, slower: float) -> str:
    """Return the target of a row; the last argument is how many times as fast spamnb is."""
    if name == "spamnb":
        return target("≥ 1.0 × bogofilter", to_bogofilter >= 1)
    if name == f"spamnb{CHINESE}":
        return target("≥ 3,000/s", speed >= 3000)
    if name.endswith(WITHOUT_START):  # no program, so no target either
        return f"spamnb {slower:.1f} ×"
    if name.startswith(("scikit-learn", "SpamBayes")):
        return target(f"spamnb ≥ 3 × ({slower:.1f} ×)", slower >= 3)
    return ""


def _same_with_jobs(arm: Arm) -> str:
    """Return a complaint where the number of processes changes what is printed."""
    folder = str(arm.second.folder)
    outputs = {run(arm.spamnb.classify(None, f"--jobs={n}", folder)).output for n in (1, 2)}
    return "" if len(outputs) == 1 else "spamnb prints other lines with --jobs 2 than with 1"
