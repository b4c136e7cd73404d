"""`runmqsc`: MQSC scripts with IBM's arguments (mqsc-lexical §4)."""

from __future__ import annotations

import os
import sys
from functools import partial

import click
from msgspec.structs import replace

from mqsc.cli.main import mqsc, run_program, run_to_exit_code
from mqsc.console.choices import Choices
from mqsc.console.inputs import InputSource
from mqsc.console.options import choices_of, long_options
from mqsc.console.target import CommandFailedError, NothingRunError
from mqsc.console.terminal import is_terminal
from mqsc.ibm.arguments import FLAG, VALUE, IbmCommand, Usage, read_arguments, unsupported
from mqsc.scripts.plain_run import run_sources
from mqsc.scripts.script_run import RunOptions

_NO_NETWORK = "there are no connections to other queue managers; a store is opened directly"
USAGE = Usage(
    "runmqsc",
    "runmqsc [-e] [-v] [-f File] [QMgrName]",
    {
        "-e": FLAG,
        "-v": FLAG,
        "-f": VALUE,
        "-c": unsupported("there are no client connections; a store is opened directly"),
        "-m": unsupported(_NO_NETWORK, value=True),
        "-n": unsupported("there is no separate client channel definition table"),
        "-p": unsupported("users are not authenticated"),
        "-u": unsupported(
            "users are not authenticated; access is controlled by the permissions of the store's file", value=True
        ),
        "-w": unsupported(_NO_NETWORK, value=True),
        "-x": unsupported(_NO_NETWORK),
    },
    0,
    1,
)


@click.command(cls=IbmCommand, options_metavar="[-e] [-v] [-f File] [QMgrName]")
@long_options("store", "qmgr", "format", "quiet")
@click.pass_context
def runmqsc(context: click.Context) -> None:
    """Run MQSC commands from standard input, or from File, against QMgrName or the default queue manager.

    -e does not echo the commands; -v only checks them. Exit code 0 when every command succeeded, 10 when one failed, 20
    when nothing could be run.
    """
    given = read_arguments(USAGE, context.args)
    choices = choices_of(context)
    choices = replace(choices, qmgr=given.name(0) or choices.qmgr)
    source = InputSource(path=given.options.get("-f", "-"))
    typed = source.path == "-" and is_terminal(sys.stdin) and is_terminal(sys.stdout) and not given.has("-v")
    how = RunOptions(echo=not given.has("-e"), verify=given.has("-v"), create=False)
    try:
        code = _shell(choices) if typed else run_sources(choices, [source], how)
    except (NothingRunError, CommandFailedError) as error:
        raise type(error)(error.message + _hint(given.name(0))) from error
    context.exit(code)


def _shell(choices: Choices) -> int:
    from mqsc.shell.start import run_shell

    return run_shell(choices, run_to_exit_code, mqsc, create=False, classic=True)


def _hint(name: str) -> str:
    """How to run a file that was given instead of a queue manager."""
    return f"\n{name} is a file: use `runmqsc -f {name}` or `runmqsc < {name}`" if os.path.isfile(name) else ""


main = partial(run_program, "runmqsc")
