"""`runmqsc`: MQSC scripts, with IBM's arguments (mqsc-lexical §4)."""

from __future__ import annotations

import os
import sys

import click

from mqsc.console.choices import Choices
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.target import (
    CommandFailedError,
    NothingRunError,
    UnknownQueueManagerError,
    opened_queue_manager,
)
from mqsc.console.terminal import is_terminal
from mqsc.ibm.given_password import skip_password
from mqsc.ibm.options import (
    OPENED_DIRECTLY,
    choices_with,
    flag,
    ibm_command,
    ignored_flag,
    ignored_value,
    refused_flag,
    text,
)
from mqsc.main import mqsc, run_to_exit_code


@ibm_command(
    "runmqsc",
    "[-e] [-v] [-f File] [-u User] [QMgrName]",
    common=("store", "qmgr", "format", "quiet"),
)
@flag("-e", "no_echo")
@flag("-v", "verify")
@text("-f", "path")
@text("-u", "user")
@ignored_flag("-c", why=OPENED_DIRECTLY)
@ignored_value("-m", "-w", why="the commands are run directly on QMgrName")
@ignored_flag("-p", why="no password is asked for")
@refused_flag("-n", why="there is no separate client channel definition table")
@refused_flag("-x", why="no queue manager of a store is one for z/OS")
@click.argument("name", required=False)
def runmqsc(
    context: click.Context,
    name: str | None,
    path: str | None,
    user: str | None,
    no_echo: bool,
    verify: bool,
) -> None:
    """Run MQSC commands from standard input, or from File, against QMgrName or the default queue
    manager.

    -e does not echo the commands; -v only checks them; -u acts as another user: a password in the
    first line of standard input is read, and not looked at. Exit code 0 when every command
    succeeded, 10 when one failed, 20 when nothing could be run.
    """
    from mqsc.console.inputs import InputSource
    from mqsc.scripts.run import RunOptions, run_sources

    choices = choices_with(context, name)
    if user is not None:
        choices = choices._replace(user=user)
        _check_connect(choices, user)
    source = InputSource(path="-" if path is None else path)
    typed = source.path == "-" and is_terminal(sys.stdin) and is_terminal(sys.stdout) and not verify
    how = RunOptions(echo=not no_echo, verify=verify, create=False)
    if user is not None and source.path == "-" and not typed and skip_password(sys.stdin.buffer):
        choices.inform("runmqsc: ignored the first line: no password is asked for")
    try:
        code = _shell(choices) if typed else run_sources(choices, [source], how)
    except (NothingRunError, CommandFailedError) as error:
        if os.path.isfile(name or ""):
            how_to = f"{name} is a file: use `runmqsc -f {name}` or `runmqsc < {name}`"
            raise type(error)(f"{error.message}\n{how_to}") from error
        if not isinstance(error, UnknownQueueManagerError) or choices.format in DATA_FORMATS:
            raise
        code = _run_nothing(choices, name or "")
    context.exit(code)


def _run_nothing(choices: Choices, name: str) -> int:
    """The output of runmqsc when there is no such queue manager, and its exit code."""
    from mqsc.scripts.run import nothing_run

    return nothing_run(choices, name, "AMQ8118E: IBM MQ queue manager does not exist.")


def _shell(choices: Choices) -> int:
    from mqsc.shell.start import run_shell

    return run_shell(choices, run_to_exit_code, mqsc, create=False, classic=True)


def _check_connect(choices: Choices, user: str) -> None:
    """NothingRunError if authorities are enforced and the user may not connect."""
    from mqsc.store.admin.authority_explanation import judge
    from mqsc.store.rules.authorization import ENFORCE
    from mqsc.store.rules.wanted_authorities import CONNECT

    with opened_queue_manager(choices, for_users=True) as qmgr:
        judged = judge(qmgr, user, CONNECT)
    if judged.missing and judged.mode == ENFORCE:
        raise NothingRunError(
            f"AMQ8135E: Not authorized: {user} lacks +connect. No MQSC commands read.",
        )
