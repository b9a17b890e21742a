"""Where there is a C compiler, everything is compiled that has a source in Cython."""

from importlib import import_module
from pathlib import Path

import pytest

from hatch_build import why_not_compiled
from spamnb.native.twins import twin_of
from tests.twins import marked_functions

ROOT = Path(__file__).parent.parent.parent
REASON = why_not_compiled()
pytestmark = pytest.mark.skipif(bool(REASON), reason=f"runs in Python only: {REASON}")


@pytest.mark.parametrize("source", sorted(ROOT.glob("spamnb/**/*.pyx")), ids=lambda path: path.stem)
def test_each_source_is_compiled(source):
    name = ".".join(source.relative_to(ROOT).with_suffix("").parts)
    assert not import_module(name).__file__.endswith(".py")


@pytest.mark.parametrize("function", marked_functions(), ids=lambda function: function.__name__)
def test_each_marked_function_has_its_twin(function):
    twin = twin_of(function)
    assert twin.compiled is not None
    assert twin.compiled is not twin.function
