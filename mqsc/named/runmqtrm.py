"""`runmqtrm`: the trigger monitor as IBM's command takes it."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import NoReturn

import click

from mqsc.agents.trigger_monitor import DEFAULT_QUEUE, Settings
from mqsc.commands.trigger_run import monitor
from mqsc.options import choices_of


@click.command()
@click.option("-m", "qmgr", metavar="QMgrName", help="The queue manager, else the default one.")
@click.option("-q", "queue", metavar="InitQ", default=DEFAULT_QUEUE, help=f"The initiation queue: {DEFAULT_QUEUE}.")
@click.option("-u", "user", metavar="UserId", default="", help="The user under whose name the monitor works.")
@click.pass_context
def runmqtrm(context: click.Context, /, qmgr: str | None, queue: str, user: str) -> None:
    """Start the program that each trigger message asks for, until SIGTERM or SIGINT.

    Ends with 0 when told to or when the queue manager ends, 10 when an error interrupted it, 20 when it could not run.
    """
    choices = choices_of(context)
    context.exit(monitor(replace(choices, qmgr=qmgr or choices.qmgr), Settings(queue), user=user))


def main() -> NoReturn:
    """The command `runmqtrm` with the arguments of this process."""
    from mqsc.cli import main as command_line

    command_line(["runmqtrm", *sys.argv[1:]])
