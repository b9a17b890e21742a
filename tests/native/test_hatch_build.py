"""Installing: Python only where no compiler works, and an error where a module does not compile."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import hatch_build
from hatch_build import CompileNative, why_not_compiled


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def hook(said) -> CompileNative:
    app = SimpleNamespace(display_warning=said.append, display_error=said.append)
    return CompileNative("/nowhere", {}, None, None, "", "wheel", app)


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler"])
def test_without_a_compiler_it_is_said_and_nothing_is_compiled(hook, said, compiler, monkeypatch):
    monkeypatch.setenv("CC", compiler)
    build_data: dict = {"artifacts": []}
    hook.initialize("standard", build_data)
    assert build_data == {"artifacts": []}
    assert compiler in said[0]
    assert "Python only" in said[0]


def test_what_does_not_compile_is_an_error(hook, said, monkeypatch):
    def fail(root: Path) -> list[Path]:
        raise RuntimeError(root)

    monkeypatch.setattr(hatch_build, "why_not_compiled", str)
    monkeypatch.setattr(hatch_build, "compile_native", fail)
    with pytest.raises(RuntimeError, match="nowhere"):
        hook.initialize("standard", {"artifacts": []})
    assert "do not compile" in said[0]


@pytest.mark.skipif(bool(why_not_compiled()), reason="no C compiler")
def test_one_broken_module_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "spamnb").mkdir()
    (tmp_path / "spamnb" / "broken.pyx").write_text("def f(:\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Exception, match=r"broken\.pyx"):
        hatch_build.compile_native(tmp_path)
    assert not list(tmp_path.rglob("*.so"))
