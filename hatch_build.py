"""Compiles the modules in Cython while the package is built, where there is a C compiler.

Without one the package is the same in all but speed, since each compiled function has a twin in
Python, and the installation says so.  With one, any error ends the installation: a filter at a
fifth of its speed is worse than a message.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# No products and sums at once, which round otherwise: compiled code says what numpy says.
FLAGS = ("-O3", "-g0", "-ffp-contract=off")
SANITIZE = ("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address", "-ffp-contract=off")
# Indices are checked but where a module says otherwise, with the reason and the bound beside it.
DIRECTIVES = {"wraparound": False}


class CompileNative(BuildHookInterface[Any]):
    """Puts the compiled modules beside their sources, and into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, before anything is packed."""
        if self.target_name != "wheel":
            return
        reason = why_not_compiled()
        if reason:
            # pip shows nothing of it unless it is asked to; `spamnb --version` tells it later.
            message = f"spamnb will run in Python only, at a fifth of the speed: {reason}"
            self.app.display_warning(message)
            print(message, file=sys.stderr)
            return
        try:
            compiled = compile_native(Path(self.root))
        except Exception:
            self.app.display_error(
                "a C compiler works here, but spamnb's own modules do not compile:"
            )
            raise
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [str(path.relative_to(self.root)) for path in compiled]


def why_not_compiled() -> str:
    """Return why nothing can be compiled on this machine, nothing where it can.

    A module that does nothing is compiled to find out.
    """
    from setuptools import Distribution, Extension
    from setuptools.errors import BaseError, CCompilerError

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "nothing.c"
        source.write_text("#include <Python.h>\n")
        build = Distribution({"ext_modules": [Extension("nothing", [str(source)])]})
        command = build.get_command_obj("build_ext")
        command.build_temp = command.build_lib = folder
        try:
            command.ensure_finalized()
            command.run()
        except (BaseError, CCompilerError, OSError) as error:
            return f"no C compiler works here, or Python's headers are missing ({error})"
    return ""


def compile_native(root: Path, flags: Sequence[str] = FLAGS) -> list[Path]:
    """Compile the modules of spamnb, each beside its source, and return the files that were made.

    Parameters
    ----------
    root : Path
        The folder of the package; has to be the working directory.
    flags : sequence of str
        For the C compiler.
    """
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    sources = [path.relative_to(root) for path in sorted(root.glob("spamnb/**/*.pyx"))]
    extensions = [
        Extension(
            ".".join(path.with_suffix("").parts),
            [str(path)],
            extra_compile_args=[*flags],
            extra_link_args=[flag for flag in flags if flag.startswith("-fsanitize")],
        )
        for path in sources
    ]
    modules = cythonize(
        extensions,
        build_dir="build/native",
        language_level=3,
        quiet=True,
        compiler_directives=DIRECTIVES,
    )
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.inplace = True
    command.parallel = os.cpu_count()
    command.build_temp = command.build_lib = "build/native"
    command.ensure_finalized()
    command.run()
    return [Path(command.get_ext_fullpath(module.name)).resolve() for module in modules]


if __name__ == "__main__":  # for `make sanitize`
    compile_native(Path.cwd(), SANITIZE)
