"""`runmqtrm`: the trigger monitor with IBM's arguments."""

from __future__ import annotations

from functools import partial

import click
from msgspec.structs import replace

from mqsc.agents.trigger_monitor import DEFAULT_QUEUE, MonitorSettings
from mqsc.cli.main import run_program
from mqsc.console.foreground.trigger_monitor import run_monitor
from mqsc.console.options import choices_of, long_options
from mqsc.ibm.arguments import VALUE, IbmCommand, Usage, read_arguments, unsupported

USAGE = Usage(
    "runmqtrm",
    "runmqtrm [-m QMgrName] [-q InitQ] [-u UserId]",
    {
        "-m": VALUE,
        "-q": VALUE,
        "-u": VALUE,
        "-r": unsupported("there are no client connections to reconnect"),
    },
    0,
    0,
)


@click.command(cls=IbmCommand, options_metavar=USAGE.line.removeprefix("runmqtrm "))
@long_options("store", "qmgr", "format", "quiet")
@click.pass_context
def runmqtrm(context: click.Context) -> None:
    """Start the program that each trigger message on InitQ asks for, until SIGTERM or SIGINT.

    InitQ defaults to SYSTEM.DEFAULT.INITIATION.QUEUE; the monitor runs as UserId. Exit code 0 after a signal or when
    the queue manager ends, 10 when it cannot open InitQ or an error interrupts it.
    """
    given = read_arguments(USAGE, context.args)
    choices = choices_of(context)
    chosen = replace(choices, qmgr=given.options.get("-m") or choices.qmgr)
    queue = given.options.get("-q", DEFAULT_QUEUE)
    context.exit(run_monitor(chosen, MonitorSettings(queue), user=given.options.get("-u", "")))


main = partial(run_program, "runmqtrm")
