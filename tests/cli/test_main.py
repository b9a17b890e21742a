"""The table of subcommands: a module in ``cli/commands`` and a line in it make a command."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from spamnb.cli import commands
from spamnb.cli.main import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_module_of_a_command_holds_it(name: str) -> None:
    command = getattr(import_module(COMMANDS[name]), name)
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.short_help


def test_every_module_with_a_command_is_in_the_table() -> None:
    folder = Path(commands.__file__).parent
    found = {
        f"spamnb.cli.commands.{path.stem}"
        for path in folder.glob("*.py")
        if "@click.command(" in path.read_text("utf-8")
    }
    assert found == set(COMMANDS.values())


def test_a_command_loads_no_other() -> None:
    code = (
        "import json, sys; from spamnb.cli.main import spamnb\n"
        "spamnb(['explain', '--help'], standalone_mode=False)\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = json.loads(done.stdout.splitlines()[-1])
    commands = {name for name in loaded if name in COMMANDS.values()}
    assert commands == {COMMANDS["explain"]}
