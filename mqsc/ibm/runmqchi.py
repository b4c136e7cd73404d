"""`runmqchi`: the channel initiator with IBM's arguments."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import click

from mqsc.agents.channel_initiator import DEFAULT_QUEUE
from mqsc.cli.main import run_program
from mqsc.console.initiator_run import run_initiator
from mqsc.console.options import choices_of, long_options
from mqsc.ibm.arguments import VALUE, IbmCommand, Usage, read_arguments

USAGE = Usage("runmqchi", "runmqchi [-q InitQ] [-m QMgrName]", {"-q": VALUE, "-m": VALUE}, 0, 0)


@click.command(cls=IbmCommand, options_metavar=USAGE.line.removeprefix("runmqchi "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def runmqchi(context: click.Context) -> None:
    """Start the channels that trigger messages on InitQ, START CHANNEL and retries ask for, until SIGTERM or SIGINT.

    InitQ defaults to SYSTEM.CHANNEL.INITQ. The channels run inside this program, and their messages go to stderr. Exit
    code 0 after a signal or when the queue manager ends, 10 when an error interrupted it, 20 when it could not start.
    """
    given = read_arguments(USAGE, context.args)
    choices = choices_of(context)
    chosen = replace(choices, qmgr=given.options.get("-m") or choices.qmgr)
    context.exit(run_initiator(chosen, given.options.get("-q", DEFAULT_QUEUE)))


main = partial(run_program, "runmqchi")
