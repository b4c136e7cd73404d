"""`runmqdlq [QName [QMgrName]] [-u UserId]`: the dead-letter queue handler with IBM's arguments (dlq-rules §1)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

import click

from mqsc.cli.main import run_program
from mqsc.console.foreground.dead_letter_handler import run_handler_with
from mqsc.console.options import choices_of, long_options
from mqsc.console.target import NothingRunError
from mqsc.console.terminal import is_terminal
from mqsc.dlq.handler_run import HandlerArguments
from mqsc.dlq.notices import TEXTS, USAGE
from mqsc.ibm.arguments import IbmCommand

MAX_NAMES = 2
# Options of IBM's command that have no meaning here, and why.
UNSUPPORTED = {"-c": "runmqdlq -c is not supported: there are no client connections, because a store is a file"}


@click.command(cls=IbmCommand, options_metavar="[QName [QMgrName]] [-u UserId]")
@long_options("store", "qmgr", "format", "quiet")
@click.pass_context
def runmqdlq(context: click.Context) -> None:
    """Run the dead-letter queue handler on the queue QName of QMgrName, with the rules table on standard input.

    Without a name, INPUTQ and INPUTQM of the table apply, or else the DEADQ of the default queue manager; a blank name
    (' ') means that default and ignores the table. With -u the handler runs as UserId, and the first line of standard
    input is a password, which is neither checked nor stored.
    """
    names, user = _read(context.args)
    if user is not None:
        _skip_password()
    queue, queue_manager = (*names, None, None)[:MAX_NAMES]
    choices = choices_of(context)
    asked = HandlerArguments(queue, choices.qmgr_name() if queue_manager is None else queue_manager, user or "")
    context.exit(run_handler_with(choices, "-", asked))


def _skip_password() -> None:
    """Read the first line of standard input; on a terminal, prompt for it without echo."""
    if is_terminal(sys.stdin):
        click.prompt("Password", default="", show_default=False, hide_input=True, err=True)
    else:
        sys.stdin.buffer.readline()


def _read(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """The names, and the user of -u or None; NothingRunError, with the usage, when the arguments are wrong."""
    rest, names, user = list(arguments), list[str](), None
    while rest:
        word = rest.pop(0)
        if word.startswith("-u") and user is None and (word != "-u" or rest):
            user = word[2:] or rest.pop(0)
        elif word.startswith(("-", "?")) or len(names) == MAX_NAMES:
            raise _wrong(UNSUPPORTED.get(word, ""))
        else:
            names.append(word)
    return names, user


def _wrong(why: str) -> NothingRunError:
    return NothingRunError(f"{why}\n{USAGE}: {TEXTS[USAGE]}".strip())


main = partial(run_program, "runmqdlq")
