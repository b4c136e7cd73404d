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
    from collections.abc import Callable
    from typing import NoReturn

# The commands with IBM's names. Written out: reading them from the table of commands would load
# much before it is decided what Ctrl-C does.
PROGRAMS = frozenset(
    """
    amqsbcg amqsbcgc amqsget amqsgetc amqspub amqspubc amqsput amqsputc amqssub amqssubc crtmqm dltmqm
    dmpmqaut dmpmqcfg dmpmqmsg dspmq dspmqaut dspmqcsv dspmqver endmqcsv endmqm mqrc runmqchi runmqchl
    runmqdlq runmqsc runmqtrm setmqaut strmqcsv strmqm
    """.split(),
)


def main() -> NoReturn:
    """Run the command line, whose first argument is the command."""
    _run("mqsc", sys.argv[1:])


def __getattr__(name: str) -> Callable[[], NoReturn]:
    """The program with this name of IBM's, which the installation calls."""
    if name not in PROGRAMS:
        raise AttributeError(name)
    return lambda: _run(name, [name, *sys.argv[1:]])


def _run(program: str, arguments: list[str]) -> NoReturn:
    exit_at_interrupt()
    from mqsc.main import main as run_command_line

    run_command_line(arguments, program=program)
