"""`mqsc channel run`: one run of a channel."""

import click

from mqsc.cli.channel.foreground import run_in_foreground
from mqsc.console.object_names import ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command


@command(common=WITHOUT_FORMAT)
@click.argument("name", type=ObjectName("channel"))
@click.option(
    "--until-empty",
    is_flag=True,
    help="Exit when all messages on the transmission queue are sent.",
)
def run(choices: Choices, name: str, until_empty: bool) -> int:
    """Run the channel NAME until it ends: after DISCINT, a STOP CHANNEL, a failure, or SIGTERM or
    SIGINT.

    NAME is a sender, a server with CONNAME, or a requester. Its messages go to stderr. Exit code 0
    for a normal end, 10 for a failure or if there is no such channel, 20 if the channel could not
    be started.
    """
    return run_in_foreground(choices, name, until_empty=until_empty)
