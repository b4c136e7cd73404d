"""The entry point of every program: it decides what Ctrl-C does before anything large is loaded.

Loading the modules of a command takes longer than most commands do. A KeyboardInterrupt in the
middle of an import would print Python's traceback, or would be taken for a missing library by the
module that imports.
"""

from __future__ import annotations

import sys

# Until it is called, Ctrl-C prints a traceback, so nothing else is imported before.
from mqsc.interruption import exit_at_interrupt

# Not from typing, whose import takes longer than that of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line, whose first argument is the command."""
    _run("mqsc", sys.argv[1:])


def run_program(name: str) -> NoReturn:
    """Run one of the commands with IBM's names as a program of its own."""
    _run(name, [name, *sys.argv[1:]])


def _run(program: str, arguments: list[str]) -> NoReturn:
    exit_at_interrupt()
    from mqsc.main import main as run_command_line

    run_command_line(arguments, program=program)
