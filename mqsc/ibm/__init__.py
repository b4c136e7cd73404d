"""Commands with IBM's names and IBM's arguments, built on the same functions as the others.

Arguments and output that only IBM's commands have belong here.
"""

from collections.abc import Callable
from functools import partial

from mqsc.start import run_program

# Written out: reading them from the table of commands would load much before it is decided what
# Ctrl-C does.
PROGRAMS = frozenset(
    """
    amqsbcg amqsget amqsput crtmqm dltmqm dmpmqaut dmpmqcfg dspmq dspmqaut endmqm mqrc runmqchi runmqchl runmqdlq
    runmqsc runmqtrm setmqaut strmqm
    """.split(),
)


def __getattr__(name: str) -> Callable[[], object]:
    """The program of that name, which the installation calls."""
    if name not in PROGRAMS:
        raise AttributeError(name)
    return partial(run_program, name)
