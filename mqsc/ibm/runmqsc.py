"""`runmqsc`: MQSC with the arguments of IBM's command (mqsc-lexical §4)."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import NoReturn

import click

from mqsc.console.inputs import Source
from mqsc.console.options import choices_of, is_terminal, long_options
from mqsc.ibm.arguments import FLAG, VALUE, Usage, pointless, read
from mqsc.ibm.command import NamedCommand

_NO_NETWORK = "there is no connection to another queue manager; a store is opened directly"
USAGE = Usage(
    "runmqsc",
    "runmqsc [-e] [-v] [-f File] [QMgrName]",
    {
        "-e": FLAG,
        "-v": FLAG,
        "-f": VALUE,
        "-c": pointless("there are no client connections; a store is opened directly"),
        "-m": pointless(_NO_NETWORK, value=True),
        "-n": pointless("there is no client channel table apart from the queue manager's definitions"),
        "-p": pointless("no password is asked for"),
        "-u": pointless("no user is checked; the store's file says who may open it", value=True),
        "-w": pointless(_NO_NETWORK, value=True),
        "-x": pointless(_NO_NETWORK),
    },
    0,
    1,
)


@click.command(cls=NamedCommand, options_metavar="[-e] [-v] [-f File] [QMgrName]")
@long_options("store", "qmgr", "format", "quiet")
@click.pass_context
def runmqsc(context: click.Context) -> None:
    """Run MQSC commands from standard input, or from File, against QMgrName or the default queue manager.

    -e prints no commands, -v checks them only. Ends with 0 when every command was carried out, 10 when one was not, 20
    when nothing could be run.
    """
    from mqsc.scripts.session import How, run_sources

    given = read(USAGE, context.args)
    choices = choices_of(context)
    choices = replace(choices, qmgr=given.name(0) or choices.qmgr)
    source = Source(path=given.options.get("-f", "-"))
    if source.path == "-" and is_terminal(sys.stdin) and is_terminal(sys.stdout) and not given.has("-v"):
        from mqsc.shell.prompt import run_shell

        context.exit(run_shell(choices, create=False))
    how = How(echo=not given.has("-e"), verify=given.has("-v"), create=False)
    context.exit(run_sources(choices, [source], how))


def main() -> NoReturn:
    """The command `runmqsc` with the arguments of this process."""
    from mqsc.cli.main import main as command_line

    command_line(["runmqsc", *sys.argv[1:]])
