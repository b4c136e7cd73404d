"""`runmqchl`: one run of a channel with IBM's arguments."""

from __future__ import annotations

from functools import partial

import click
from msgspec.structs import replace

from mqsc.cli.main import run_program
from mqsc.console.foreground.channel import run_in_foreground
from mqsc.console.options import choices_of, long_options
from mqsc.ibm.arguments import VALUE, IbmCommand, Usage, read_arguments

USAGE = Usage("runmqchl", "runmqchl -c ChannelName [-m QMgrName]", {"-c": VALUE, "-m": VALUE}, 0, 0)


@click.command(cls=IbmCommand, options_metavar=USAGE.line.removeprefix("runmqchl "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def runmqchl(context: click.Context) -> None:
    """Run the channel ChannelName, a sender, a server with CONNAME or a requester, until it ends.

    Its messages go to stderr. Exit code 0 for a normal end, a stop or a signal, 10 for a failure or if there is no such
    channel, 20 if the channel could not be started.
    """
    given = read_arguments(USAGE, context.args)
    if "-c" not in given.options:
        raise click.UsageError(f"-c ChannelName is missing; usage: {USAGE.line}")
    choices = choices_of(context)
    chosen = replace(choices, qmgr=given.options.get("-m") or choices.qmgr)
    context.exit(run_in_foreground(chosen, given.options["-c"]))


main = partial(run_program, "runmqchl")
