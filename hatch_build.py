"""Compiles spamnb/native while the package is built, where there is a C compiler.

Without one, or without Cython, the package is the same in all but speed: each compiled function has
a Python twin.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# No products and sums at once, which round otherwise: compiled code says what numpy says.
FLAGS = ["-O3", "-g0", "-ffp-contract=off"]


class CompileNative(BuildHookInterface[Any]):
    """Puts the compiled modules beside their sources, and into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, before anything is packed."""
        if self.target_name != "wheel":
            return
        try:
            compiled = compile_native(Path(self.root))
        except Exception as error:  # whatever a compiler may have against a machine
            print(f"spamnb will run without its compiled modules: {error}", file=sys.stderr)
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [str(path.relative_to(self.root)) for path in compiled]


def compile_native(root: Path) -> list[Path]:
    """Compile the modules of spamnb/native, and return the files that were made."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    sources = [path.relative_to(root) for path in sorted(root.glob("spamnb/**/*.pyx"))]
    extensions = [
        Extension(".".join(path.with_suffix("").parts), [str(path)], extra_compile_args=FLAGS)
        for path in sources
    ]
    modules = cythonize(
        extensions,
        build_dir="build/native",
        language_level=3,
        quiet=True,
        compiler_directives={"boundscheck": False, "wraparound": False},
    )
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.inplace = True
    command.parallel = os.cpu_count()
    command.build_temp = command.build_lib = "build/native"
    command.ensure_finalized()
    command.run()
    return [Path(command.get_ext_fullpath(module.name)).resolve() for module in modules]
