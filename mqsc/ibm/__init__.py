"""Commands with IBM's names and IBM's arguments, built on the same functions as the others.

Arguments and output that only IBM's commands have belong here.
"""

from collections.abc import Callable
from functools import partial

from mqsc.main import COMMANDS, run_program


def __getattr__(name: str) -> Callable[[], object]:
    """The program of that name, which the installation calls."""
    if name not in COMMANDS:
        raise AttributeError(name)
    return partial(run_program, name)
