"""A function that is marked has two forms; which one is used is all or nothing."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from types import ModuleType

import pytest

from spamnb.errors import IncompleteInstallationError
from spamnb.native import twins
from spamnb.native.twins import Twin, form_in_use, has_twin, twin_of


def double(number: int) -> int:
    """Double."""
    return 2 * number


double.__module__ = "spamnb.text.nothing"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that holds the compiled twin."""
    module = ModuleType("spamnb.text.native.nothing")
    module.double = lambda number: (number + number, "compiled")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_the_compiled_form_is_used_where_it_is_there(compiled):
    marked = has_twin(double)
    assert marked(2) == (4, "compiled")
    assert marked(number=3) == (6, "compiled")
    assert (marked.__name__, marked.__doc__) == ("double", "Double.")


def test_a_form_can_be_chosen(compiled):
    marked = has_twin(double)
    twin_of(marked).use(compiled=False)
    assert marked(2) == 4
    twin_of(marked).use(compiled=True)
    assert marked(2) == (4, "compiled")


def test_the_environment_can_say_no(compiled, monkeypatch):
    monkeypatch.setenv("SPAMNB_NATIVE", "0")
    assert has_twin(double)(2) == 4


def test_where_nothing_is_compiled_the_python_form_is_used(monkeypatch):
    monkeypatch.setattr(twins, "compiled_files", list)
    assert has_twin(double)(2) == 4
    assert Twin(double).compiled is None


def test_a_module_that_is_missing_among_others_is_an_error(monkeypatch):
    monkeypatch.setattr(twins, "compiled_files", lambda: ["spamnb/text/native/html.so"])
    with pytest.raises(IncompleteInstallationError, match=r"spamnb\.text\.native\.nothing"):
        has_twin(double)(2)


def test_a_function_that_is_missing_in_its_module_is_an_error(compiled):
    del compiled.double
    with pytest.raises(IncompleteInstallationError, match=r"nothing\.double"):
        has_twin(double)(2)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder in place of the package, with two modules in Cython of which one is compiled."""
    folder = tmp_path / "spamnb" / "text" / "native"
    folder.mkdir(parents=True)
    for name in ("html.pyx", "links.pyx", f"html{EXTENSION_SUFFIXES[0]}", "links.cpython-32.so"):
        (folder / name).touch()
    monkeypatch.setattr(twins, "_PACKAGE", str(tmp_path / "spamnb"))
    monkeypatch.delenv("SPAMNB_NATIVE", raising=False)
    return folder


def test_which_form_runs_is_told(package, monkeypatch):
    expected = "incomplete: install it again, spamnb.text.native.links is missing"
    assert form_in_use() == expected
    (package / f"links{EXTENSION_SUFFIXES[0]}").touch()
    assert form_in_use() == "compiled"
    for name in ("html", "links"):
        (package / f"{name}{EXTENSION_SUFFIXES[0]}").unlink()
    assert form_in_use() == "Python only: no compiled modules were installed"
    monkeypatch.setenv("SPAMNB_NATIVE", "0")
    assert form_in_use() == "Python only: SPAMNB_NATIVE=0"
