"""`strmqcsv`, `endmqcsv` and `dspmqcsv`: the command server, with IBM's arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mqsc.console.options import confirm
from mqsc.console.target import CommandFailedError, opened_queue_manager, running
from mqsc.console.terminal import print_line
from mqsc.ibm.options import choices_with, flag, ibm_command, refused_flag, wrong

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager

_RUNNING, _STOPPED = "Running", "Stopped"


@ibm_command("strmqcsv", "[QMgrName]", common=("store", "qmgr", "quiet"))
@refused_flag(
    "-a", why="commands that change authorities are not blocked; `mqsc auth` shows who may run them"
)
@click.argument("name", required=False)
def strmqcsv(context: click.Context, name: str | None) -> None:
    """Start the command server of QMgrName, or of the default queue manager: it carries out the
    commands that wait on SYSTEM.ADMIN.COMMAND.QUEUE, and those to come.

    Exit code 10 when it is running already, 20 when the queue manager does not exist or does not
    run.
    """
    _perform(context, name, "START", _RUNNING)


@ibm_command("endmqcsv", "[-c | -i] QMgrName", common=("store", "quiet"))
@flag("-c", "controlled")
@flag("-i", "immediate")
@click.argument("name")
def endmqcsv(context: click.Context, name: str, controlled: bool, immediate: bool) -> None:
    """Stop the command server of QMgrName: commands wait on SYSTEM.ADMIN.COMMAND.QUEUE until it is
    started.

    -c, the default, and -i do the same, because each command is carried out as a whole. Exit code
    10 when it is stopped already, 20 when the queue manager does not exist or does not run.
    """
    if controlled and immediate:
        raise wrong(context, "give only one of -c and -i")
    _perform(context, name, "STOP", _STOPPED)


@ibm_command("dspmqcsv", "[QMgrName]", common=("store", "qmgr", "quiet"))
@click.argument("name", required=False)
def dspmqcsv(context: click.Context, name: str | None) -> None:
    """Show whether the command server of QMgrName, or of the default queue manager, is Running or
    Stopped: the last word of the output.

    Exit code 20 when the queue manager does not exist or does not run.
    """
    choices = choices_with(context, name, only_reads=True)
    with opened_queue_manager(choices, group=False) as qmgr:
        state = _state(running(qmgr))
    print_line(f"IBM MQ command server status . . : {state}")


def _perform(context: click.Context, name: str | None, verb: str, done: str) -> None:
    """START or STOP the command server; an error if that changes nothing."""
    from mqsc.scripts.one_command import request_of
    from mqsc.verbs import perform_request

    with opened_queue_manager(choices_with(context, name), group=False) as qmgr:
        server = f"The command server of queue manager '{running(qmgr).name}'"
        if _state(qmgr) == done:
            raise CommandFailedError(f"{server} is {done.lower()} already.")
        answer = perform_request(qmgr, request_of(f"{verb} CMDSERV"))
        if answer.completion:
            raise CommandFailedError(f"{answer.message_id}: {answer.text}")
        confirm(f"{server} is {done.lower()} now.")


def _state(qmgr: QueueManager) -> str:
    return _STOPPED if qmgr.row().commands_stopped else _RUNNING
