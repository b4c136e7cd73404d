"""`runmqdlq [QName [QMgrName]] [-u UserId]`: the dead-letter handler as IBM's command is called (dlq-rules §1)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from mqsc.console.options import choices_of, is_terminal, long_options
from mqsc.console.target import NothingRunError
from mqsc.ibm.command import NamedCommand

MOST_NAMES = 2
# Options of IBM's command that have no meaning here, and why.
WITHOUT_MEANING = {"-c": "there are no client connections here: a store is a file"}


@click.command(cls=NamedCommand, options_metavar="[QName [QMgrName]] [-u UserId]")
@long_options("store", "qmgr", "format", "quiet")
@click.pass_context
def runmqdlq(context: click.Context) -> None:
    """Run the dead-letter handler on the queue QName of QMgrName with the rules table on standard input.

    A name that is left out is taken from INPUTQ and INPUTQM of the table, else it is the DEADQ of the default queue
    manager; a blank one (' ') is that without a look at the table. With -u the handler works as UserId, and the first
    line of standard input is a password, which nobody checks or keeps.
    """
    from mqsc.cli.dlq_run import handle
    from mqsc.dlq.handler_run import HandlerArguments

    names, user = _read(context.args)
    if user is not None:
        _pass_the_password_by()
    queue, queue_manager = (*names, None, None)[:MOST_NAMES]
    choices = choices_of(context)
    asked = HandlerArguments(queue, choices.qmgr_name() if queue_manager is None else queue_manager, user or "")
    context.exit(handle(choices, "-", asked))


def _pass_the_password_by() -> None:
    """Read the first line of standard input; on a terminal it is asked for, and not shown."""
    if is_terminal(sys.stdin):
        click.prompt("Password", default="", show_default=False, hide_input=True, err=True)
    else:
        sys.stdin.buffer.readline()


def main() -> NoReturn:
    """The program `runmqdlq`."""
    from mqsc.cli.main import main as start

    start(["runmqdlq", *sys.argv[1:]])


def _read(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """The names, and the user of -u (None without); Refused with the usage when they are anything else."""
    rest, names, user = list(arguments), list[str](), None
    while rest:
        word = rest.pop(0)
        if word.startswith("-u") and user is None and (word != "-u" or rest):
            user = word[2:] or rest.pop(0)
        elif word.startswith(("-", "?")) or len(names) == MOST_NAMES:
            raise _usage(WITHOUT_MEANING.get(word, ""))
        else:
            names.append(word)
    return names, user


def _usage(why: str) -> NothingRunError:
    from mqsc.dlq.notices import TEXTS, USAGE

    return NothingRunError(f"{why}\n{USAGE}: {TEXTS[USAGE]}".strip())
