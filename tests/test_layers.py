"""The import graph of the package: one ordered list of rooms, enforced."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import spamnb

PACKAGE = Path(spamnb.__file__).parent

# From the bottom to the top, as docs/architecture.md shows them: a room imports only from rooms
# above it in this list, and of other people's packages only what it names.
ROOMS: dict[str, set[str]] = {
    "errors": set(),
    "memo": set(),
    "patterns": set(),
    "native": set(),
    "system": set(),
    "mail": set(),
    "text": set(),
    "features": {"numpy"},
    "bayes": {"numpy", "typing_extensions"},
    "filter": {"numpy"},
    "training": {"numpy"},
    "store": {"joblib", "numpy"},
    "evaluation": {"numpy", "matplotlib"},
    "cli": {"click", "rich"},
    "__init__": set(),
    "__main__": set(),
}
ORDER = list(ROOMS)
LOOSE = {"__init__", "__main__", "errors", "memo", "patterns"}
MODULES = sorted(path for path in PACKAGE.rglob("*.p*") if path.suffix in {".py", ".pyx", ".pxd"})


def unit_of(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


def imports_of(module: Path) -> Iterator[str]:
    """Yield the dotted name of every import, those inside functions too."""
    text = module.read_text("utf-8")
    if module.suffix != ".py":  # Cython, of which only the imports are looked at
        found = re.findall(r"^(?:from (\S+) c?import|import (\S+))", text, re.MULTILINE)
        names = (name for pair in found for name in pair if name)
        yield from (name for name in names if name.split(".")[0] not in {"libc", "cpython"})
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            # "from spamnb.cli import render" imports a module, "from spamnb import __version__"
            # the package itself.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(name: str) -> str:
    """Return the room of a dotted name."""
    top, *rest = name.split(".")
    assert top == "spamnb"
    return rest[0] if rest and rest[0] in ROOMS else "__init__"


def test_every_room_is_in_the_list() -> None:
    assert {unit_of(module) for module in MODULES} == set(ROOMS)


def test_no_other_module_lies_loose_at_the_top() -> None:
    assert {module.stem for module in PACKAGE.glob("*.p*") if module.suffix != ".pyc"} == LOOSE


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_imports_go_down(module: Path) -> None:
    room = unit_of(module)
    for name in imports_of(module):
        top = name.split(".")[0]
        if top != "spamnb":
            assert top in sys.stdlib_module_names | ROOMS[room], f"{room} imports {name}"
        elif name != "spamnb.__version__":  # which needs nothing, and which everybody may name
            imported = room_of(name)
            is_below = ORDER.index(imported) < ORDER.index(room)
            assert imported == room or is_below, f"{room} imports {name}"


def importers_of(package: str) -> set[str]:
    return {m.name for m in MODULES if any(n.split(".")[0] == package for n in imports_of(m))}


def test_only_what_draws_tables_imports_rich() -> None:
    assert importers_of("rich") == {
        "console.py", "tables.py", "evaluation_tables.py", "mail_view.py",
    }  # fmt: skip


def test_only_plots_imports_matplotlib() -> None:
    assert importers_of("matplotlib") == {"plots.py"}
