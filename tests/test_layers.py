"""The import graph of the package: DESIGN's table of layers, enforced."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import spamnb

PACKAGE = Path(spamnb.__file__).parent

# unit: (layer, third-party packages that it may import); a unit imports only from lower layers.
LAYERS = {
    "__init__": (0, set()),
    "errors": (0, set()),
    "patterns": (0, set()),
    "memo": (0, set()),
    "table": (1, set()),
    "verdict": (1, set()),
    "compiled": (5, set()),
    "bulk": (6, {"numpy"}),
    "native_characters": (0, set()),
    "native_memo": (0, set()),
    "native_keys": (2, set()),
    "native_judge": (6, set()),
    "native_filter": (7, set()),
    "native": (0, set()),
    "resources": (0, set()),
    "threads": (0, set()),
    "mail": (1, set()),
    "features": (3, {"numpy"}),
    "text": (4, set()),
    "bayes": (4, {"numpy", "typing_extensions"}),
    "spam_filter": (5, {"numpy"}),
    "training": (6, {"numpy"}),
    "processes": (2, set()),
    "pipeline": (8, set()),
    "evaluation": (9, {"numpy", "matplotlib"}),
    "arrays": (6, {"joblib", "numpy"}),
    "atomic": (0, set()),
    "user_cache": (1, set()),
    "store": (7, {"numpy"}),
    "cli": (10, {"click", "rich"}),
    "__main__": (11, set()),
}
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


def test_every_unit_has_a_layer() -> None:
    assert {unit_of(module) for module in MODULES} == set(LAYERS)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(PACKAGE)))
def test_imports_go_down(module: Path) -> None:
    unit = unit_of(module)
    layer, packages = LAYERS[unit]
    for name in imports_of(module):
        top, *rest = name.split(".")
        if top == "spamnb":
            imported = rest[0] if rest and rest[0] in LAYERS else "__init__"
            assert imported == unit or LAYERS[imported][0] < layer, f"{unit} imports {name}"
        elif top not in sys.stdlib_module_names:
            assert top in packages, f"{unit} imports {name}"


def importers_of(package: str) -> set[str]:
    return {m.name for m in MODULES if any(n.split(".")[0] == package for n in imports_of(m))}


def test_only_what_draws_tables_imports_rich() -> None:
    assert importers_of("rich") == {"console.py", "render.py", "render_evaluation.py"}


def test_only_plots_imports_matplotlib() -> None:
    assert importers_of("matplotlib") == {"plots.py"}
