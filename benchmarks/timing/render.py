"""Figures → Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class Table(NamedTuple):
    """A table and what is to be said of it.

    Attributes
    ----------
    title : str
        Its heading.
    columns : tuple of str
        The names of its columns.
    rows : list of tuple of str
        As many cells each as there are columns.
    notes : tuple of str
        Sentences below it.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    notes: tuple[str, ...] = ()


class Section(NamedTuple):
    """What one part of the benchmark has found out.

    Attributes
    ----------
    tables : list of Table
        For a reader.
    figures : dict
        For a program: what ``--json`` writes and the picture shows.
    failure : str
        What must not be, ``""`` where all is well.
    """

    tables: list[Table]
    figures: dict[str, Any]
    failure: str = ""


def markdown(table: Table) -> str:
    """Return a table in Markdown, columns of numbers to the right; without rows only its notes."""
    paragraphs = [f"### {table.title}", *table.notes]
    if table.rows:
        columns = zip(*table.rows, strict=True)
        rule = "".join("|---:" if _is_numeric(cells) else "|---" for cells in columns) + "|"
        lines = [_line(table.columns), rule, *map(_line, table.rows)]
        paragraphs.insert(1, "\n".join(lines))
    return "\n\n".join(paragraphs) + "\n"


def target(text: str, is_met: bool) -> str:
    """Return what was aimed at, and whether it was reached."""
    return f"{text}: {'met' if is_met else '**missed**'}"


def together(results: Mapping[str, Any]) -> Table:
    """Return one table of the sections ``cold``, ``bulk`` and ``training``, a row per program.

    Parameters
    ----------
    results : mapping of str to dict
        The figures of the sections that were measured.
    """
    cold, bulk = results.get("cold", {}), results.get("bulk", {})
    training = results.get("training", {})
    columns = {
        "one mail, ms": _cells(cold.get("ms"), "{:,.0f}"),
        "× `python -c pass`": _cells(cold.get("ratio"), "{:.1f}"),
        "mails/s": _cells(bulk.get("mails_per_second"), "{:,.0f}"),
        "× bogofilter": _cells(bulk.get("ratio"), "{:.2f}"),
        "training, s": _cells(training.get("wall"), "{:,.1f}"),
        "training, MB": _cells(training.get("megabytes"), "{:,.0f}"),
    }
    columns = {name: cells for name, cells in columns.items() if cells}
    programs = dict.fromkeys(program for cells in columns.values() for program in cells)
    rows = [
        (program, *(cells.get(program, "") for cells in columns.values()))
        for program in _spamnb_first(programs)
    ]
    return Table("Together", ("program", *columns), rows)


def _spamnb_first(programs: Mapping[str, Any]) -> Iterator[str]:
    yield from (name for name in programs if "spamnb" in name)
    yield from (name for name in programs if "spamnb" not in name)


def _cells(values: Mapping[str, float] | None, form: str) -> dict[str, str]:
    return {name: form.format(value) for name, value in (values or {}).items()}


def _is_numeric(cells: Sequence[str]) -> bool:
    return any(cells) and all(cell[:1].isdigit() for cell in cells if cell)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
