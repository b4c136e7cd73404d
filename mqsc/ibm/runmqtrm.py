"""`runmqtrm`: the trigger monitor as IBM's command takes it."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import NoReturn

import click

from mqsc.agents.trigger_monitor import DEFAULT_QUEUE, Settings
from mqsc.cli.trigger_run import monitor
from mqsc.console.options import choices_of, long_options
from mqsc.ibm.arguments import VALUE, Usage, pointless, read
from mqsc.ibm.command import NamedCommand

USAGE = Usage(
    "runmqtrm",
    "runmqtrm [-m QMgrName] [-q InitQ] [-u UserId]",
    {
        "-m": VALUE,
        "-q": VALUE,
        "-u": VALUE,
        "-r": pointless("there are no client connections that could be made again"),
    },
    0,
    0,
)


@click.command(cls=NamedCommand, options_metavar=USAGE.line.removeprefix("runmqtrm "))
@long_options("store", "qmgr", "format", "quiet")
@click.pass_context
def runmqtrm(context: click.Context) -> None:
    """Start the program that each trigger message on InitQ asks for, until SIGTERM or SIGINT.

    InitQ is SYSTEM.DEFAULT.INITIATION.QUEUE unless said; UserId is under whose name the monitor works. Ends with 0 when
    told to or when the queue manager ends, 10 when an error interrupted it, 20 when it could not run.
    """
    given = read(USAGE, context.args)
    choices = choices_of(context)
    chosen = replace(choices, qmgr=given.options.get("-m") or choices.qmgr)
    queue = given.options.get("-q", DEFAULT_QUEUE)
    context.exit(monitor(chosen, Settings(queue), user=given.options.get("-u", "")))


def main() -> NoReturn:
    """The command `runmqtrm` with the arguments of this process."""
    from mqsc.cli.main import main as command_line

    command_line(["runmqtrm", *sys.argv[1:]])
