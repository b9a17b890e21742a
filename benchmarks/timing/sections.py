"""The parts of the benchmark: each measures, and returns tables and figures."""

from __future__ import annotations

import re
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from timing import watcher
from timing.bench import CHINESE, Bench, run_all, seconds_of
from timing.bulk import bulk
from timing.material import mailbox, mails_of_size, repeated
from timing.measure import Step, Usage, interleave, progress, ratio, run
from timing.render import Section, Table, target

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
PASS = "python -c pass"
_MB = 1e6
_STAGE = re.compile(r"^(.+?) {2,}(?:([\d.]+) %)? +([\d,.]+)$", re.MULTILINE)


def cold(bench: Bench) -> Section:
    """Measure a fresh process for one mail, beside Python doing nothing."""
    steps = _cold_steps(bench)
    for step in steps.values():  # byte code is compiled, the table of Chinese words is made
        run(step)
    usages = interleave(steps, bench.cold_repeat)
    seconds = seconds_of(usages)
    ms = {name: 1000 * statistics.median(values) for name, values in seconds.items()}
    ratios = {name: ratio(values, seconds[PASS]) for name, values in seconds.items()}
    fast = target("≤ 4.0 ×, ≤ 45 ms", ratios["spamnb"] <= 4 and ms["spamnb"] <= 45)
    name = f"spamnb{CHINESE}"
    targets = {"spamnb": fast, name: target("≤ 110 ms", ms[name] <= 110)}
    rows = [(it, f"{ms[it]:,.1f}", f"{ratios[it]:.2f}", targets.get(it, "")) for it in steps]
    title = f"Cold start: one mail, a fresh process, median of {bench.cold_repeat}"
    table = Table(title, ("process", "ms", f"× `{PASS}`", "target"), rows)
    return Section([table], {"ms": ms, "ratio": ratios, "seconds": seconds})


def _cold_steps(bench: Bench) -> dict[str, Step]:
    arm = bench.english
    plain, html, chinese = (
        SAMPLES / f"{name}.eml"
        for name in ("ham-en-meeting", "spam-en-mortgage", "spam-zh-invoice")
    )
    spamnb = arm.spamnb.one(plain)
    arguments = spamnb.command[1:]
    steps = {
        PASS: Step([sys.executable, "-c", "pass"]),
        "python -c 'import click'": Step([sys.executable, "-c", "import click"]),
        "spamnb": spamnb,
        "python -m spamnb": Step([sys.executable, "-m", "spamnb", *arguments], plain),
        "spamnb, HTML mail": arm.spamnb.one(html),
        f"spamnb{CHINESE}": (bench.chinese or arm).spamnb.one(chinese),
    }
    peers = {name: program.one(plain) for name, program in arm.programs.items()}
    return steps | {name: step for name, step in peers.items() if name not in steps}


def memory(bench: Bench) -> Section:
    """Measure the peak of memory of each process: a folder, and a large mbox through a pipe."""
    if not watcher.IS_SUPPORTED:
        return Section([Table("Memory", (), [], ("Left out: there is no /proc here.",))], {})
    arm = bench.english
    entries = mailbox(arm.second)
    n_mails = mails_of_size(entries, bench.mbox_bytes)
    size = sum(path.stat().st_size for path in arm.second.files)
    inputs: dict[str, tuple[int, int, Step]] = {
        "folder": (len(arm.second.files), size, arm.spamnb.many(arm.second)),
        "mbox through a pipe": (
            n_mails,
            bench.mbox_bytes,
            arm.spamnb.classify(repeated(entries, n_mails), "-"),
        ),
    }
    rows, figures = [], {}
    for name, (n, n_bytes, step) in inputs.items():
        progress(f"  {name}, {n:,} mails")
        usage = run(step, watch=True)
        peaks = [peak / _MB for peak in usage.peaks]
        figures[name] = {"mails": n, "bytes": n_bytes, "megabytes": peaks}
        shown = " + ".join(f"{peak:.0f}" for peak in peaks)
        goal = target("≤ 150 MB each", max(peaks) <= 150)
        rows.append((name, f"{n:,}", f"{n_bytes / _MB:,.0f}", shown, goal))
    columns = ("input", "mails", "its MB", "peak MB: parent + those it starts", "target")
    return Section([Table("Memory of `spamnb classify`", columns, rows)], figures)


def training(bench: Bench) -> Section:
    """Measure how long learning takes, from nothing."""
    arm = bench.english
    usages: dict[str, list[Usage]] = {name: [] for name in arm.programs}
    for turn in range(1, bench.repeat + 1):
        for name, program in arm.programs.items():
            progress(f"  {turn}/{bench.repeat} {name}")
            program.forget()
            usages[name].append(run_all(program.training(arm.first), watcher.IS_SUPPORTED))
    wall = {name: statistics.median(values) for name, values in seconds_of(usages).items()}
    megabytes, rows = {}, []
    for name, runs in usages.items():
        cpu = statistics.median(usage.cpu_seconds for usage in runs)
        megabytes[name] = max(max(usage.peaks, default=0) for usage in runs) / _MB
        goal = target("≤ 3 s", wall[name] <= 3) if name == "spamnb" else ""
        rows.append((name, f"{wall[name]:.2f}", f"{cpu:.2f}", f"{megabytes[name]:,.0f}", goal))
    columns = ("program", "s", "CPU s", "peak MB of a process", "target")
    title = f"Training: {len(arm.first.files):,} mails, median of {bench.repeat}"
    figures = {"wall": wall, "megabytes": megabytes, "seconds": seconds_of(usages)}
    return Section([Table(title, columns, rows, tuple(arm.notes))], figures)


def scaling(bench: Bench) -> Section:
    """Measure more and more mail through a pipe: the same corpus over and over."""
    arm = bench.english
    entries = mailbox(arm.second)
    rows, figures = [], {}
    for n_mails in bench.sizes:
        progress(f"  {n_mails:,} mails")
        usage = run(arm.spamnb.classify(repeated(entries, n_mails), "-"))
        speed = n_mails / usage.seconds
        figures[str(n_mails)] = {"seconds": usage.seconds, "mails_per_second": speed}
        rows.append((f"{n_mails:,}", f"{usage.seconds:,.2f}", f"{speed:,.0f}"))
    title = f"Scaling: an mbox through a pipe, the same {len(entries):,} mails over and over"
    return Section([Table(title, ("mails", "s", "mails/s"), rows)], figures)


def profile(bench: Bench) -> Section:
    """Tell where the time goes, by ``classify --profile`` (one process)."""
    tables, figures = [], {}
    for arm, name in ((bench.english, "English"), (bench.chinese, "Chinese")):
        if arm is None:
            continue
        n_mails = len(arm.second.files)
        usage = run(arm.spamnb.classify(None, "--profile", str(arm.second.folder)))
        rows = list(_stages(usage.error.decode("utf-8", "replace"), n_mails))
        figures[name] = {row[0]: row[1:] for row in rows}
        columns = ("stage", "share, %", "ms", "µs a mail")
        if rows:  # none where there is too little to tell
            tables.append(Table(f"Profile: {n_mails:,} {name} mails", columns, rows))
    return Section(tables, figures)


def _stages(text: str, n_mails: int) -> Iterator[tuple[str, str, str, str]]:
    for stage, share, ms in _STAGE.findall(text):
        a_mail = 1000 * float(ms.replace(",", "")) / n_mails
        yield stage, share, ms, f"{a_mail:,.0f}"


SECTIONS: dict[str, Callable[[Bench], Section]] = {
    "cold": cold,
    "bulk": bulk,
    "memory": memory,
    "training": training,
    "scaling": scaling,
    "profile": profile,
}
"""The parts by their names, in the order in which they are measured."""
