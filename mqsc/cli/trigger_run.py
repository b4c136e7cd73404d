"""`mqsc trigger run`: the trigger monitor on the command line, and what it prints."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import click

from mqsc.agents.stopping import stoppable, until_signalled
from mqsc.agents.trigger_monitor import (
    APPLICATION,
    DEFAULT_QUEUE,
    QUEUE_MANAGER_ENDED,
    UNLIMITED,
    Report,
    Settings,
    TriggerMonitor,
)
from mqsc.agents.trigger_preview import preview
from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import Choices, choices_of, common_options
from mqsc.console.parameter_types import iso
from mqsc.console.target import NothingRunError, opened_queue_manager
from mqsc.console.terminal import printable
from store.admin.trigger_explanation import is_initiation_queue
from store.constants import name_of
from store.environment import Environment
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import Connection, QueueManager

FAILED, NOT_RUN = 10, 20
SECOND = 1_000_000


@click.command()
@click.option("-q", "--queue", default=DEFAULT_QUEUE, metavar="INITQ", help=f"The initiation queue: {DEFAULT_QUEUE}.")
@click.option("--once", is_flag=True, help="Only the trigger messages that are there; then end.")
@click.option("--dry-run", is_flag=True, help="Print what would be started; take no trigger message, start nothing.")
@click.option("--max-running", type=click.IntRange(min=1), metavar="N", help="At most N programs at a time.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="End a program after S seconds."
)
@click.option("--wait", type=click.IntRange(min=0), metavar="MS", help="End when no trigger message came for MS ms.")
@click.option("--shell", is_flag=True, help="Start programs by a shell; trust every trigger message.")
@click.option("--safe", is_flag=True, help="Keep a trigger message on its queue until its program has been started.")
@common_options
@click.pass_context
def run(context: click.Context, /, dry_run: bool, once: bool, wait: int | None, **given: Any) -> None:
    """Start the program that each trigger message on INITQ asks for, until SIGTERM or SIGINT.

    The words of APPLICID are the program; its arguments are the MQTMC2 and the words of ENVRDATA. It is waited for,
    unless ENVRDATA ends with &. What cannot be started goes to the dead-letter queue.
    """
    if once and wait is not None:
        raise click.UsageError("--once does not wait: --wait has no meaning with it")
    settings = Settings(
        given["queue"],
        once=once,
        wait=UNLIMITED if wait is None else wait,
        most=given["max_running"],
        timeout=given["timeout"],
        shell=given["shell"],
        safe=given["safe"],
    )
    choices = choices_of(context)
    context.exit(_preview(choices, settings) if dry_run else monitor(choices, settings))


def monitor(choices: Choices, settings: Settings, *, user: str = "") -> int:
    """Run a trigger monitor until it ends; the exit code (triggering §6).

    0 when it was told to stop or the queue manager ended, 10 when an error interrupted it, 20 when it could not begin.
    """
    with until_signalled() as stop:
        environment = stoppable(Environment.system(), stop)
        with opened_queue_manager(choices, environment=environment) as qmgr:
            return _attend(qmgr, choices, settings, stop, user)


def _attend(qmgr: QueueManager, choices: Choices, settings: Settings, stop: Event, user: str) -> int:
    begun = False
    try:
        with qmgr.connect(APPLICATION, user) as connection, _reports(qmgr, choices) as report:
            attendant = TriggerMonitor(connection, settings, report, stop)
            begun = True
            _introduce(connection, attendant, choices, settings)
            left = attendant.run()
    except MQError as error:
        if not begun:
            raise NothingRunError(f"{settings.queue} cannot be attended to: {error}") from error
        if error.reason in QUEUE_MANAGER_ENDED:
            choices.talk(f"mqsc: {qmgr.name} has ended")
            return 0
        click.echo(f"mqsc: the trigger monitor was interrupted: {error}", err=True)
        return FAILED
    for number in left:
        choices.talk(f"mqsc: process {number} still runs; nobody attends to it any more")
    return 0


def _introduce(connection: Connection, attendant: TriggerMonitor, choices: Choices, settings: Settings) -> None:
    """Say on stderr what one would otherwise wonder about."""
    qmgr = connection.qmgr
    if qmgr.row().clock_at is not None and not settings.once:
        choices.talk(f"mqsc: {qmgr.name} has a manual clock: --wait and TRIGINT run when `mqsc clock` moves it")
    if not is_initiation_queue(qmgr, settings.queue):
        choices.talk(f"mqsc: no queue has INITQ({settings.queue}): what is put there is taken for trigger messages")
    if not attendant.letters.is_open:
        choices.talk("mqsc: the dead-letter queue cannot be used; trigger messages that start nothing are lost")


def _preview(choices: Choices, settings: Settings) -> int:
    with opened_queue_manager(choices) as qmgr, _reports(qmgr, choices) as report:
        try:
            with qmgr.connect(APPLICATION) as connection:
                found = False
                for row in preview(connection, settings.queue, shell=settings.shell):
                    report(row)
                    found = True
                if not found:
                    choices.talk(f"mqsc: no trigger message on {settings.queue}")
        except MQError as error:
            raise NothingRunError(f"{settings.queue} cannot be looked at: {error}") from error
    return 0


@contextmanager
def _reports(qmgr: QueueManager, choices: Choices) -> Iterator[Report]:
    """Where a monitor tells what it does: a line or an object on stdout, from any thread, with the time."""
    lock = Lock()
    if choices.format not in JSON_FORMATS:

        def print_line(row: dict[str, Any]) -> None:
            line = f"{iso(qmgr.now())} {sentence(row)}"
            with lock:
                click.echo(printable(line))

        yield print_line
        return
    with Rows(sys.stdout, array=choices.format == "json") as rows:

        def write(row: dict[str, Any]) -> None:
            with lock:
                rows.write({"at": qmgr.now(), **row})
                sys.stdout.flush()

        yield write


def sentence(row: dict[str, Any]) -> str:
    """What a monitor did, in words."""
    return f"{row['queue']}: {_SENTENCES[row['event']](row)}"


def _ended(row: dict[str, Any]) -> str:
    slow = ", ended because it ran too long" if row.get("timed_out") else ""
    seconds = row["run_time"] / SECOND
    return f"process {row['process_id']} ended with {row['exit_status']} after {seconds:.3f} s{slow}"


def _failed(row: dict[str, Any]) -> str:
    why = f"{row['reason']} {name_of('MQFB', row['reason'])}, {row['why']}"
    letters = row["dead_letter_queue"]
    return f"{why}; {f'put on {letters}' if letters else 'lost: ' + row.get('lost', 'no DEADQ')}"


_SENTENCES = {
    "started": lambda row: (
        f"started {row['program']} for {row['process'] or 'no process'}, process {row['process_id']}"
    ),
    "ended": _ended,
    "unrecorded": lambda row: f"{_ended(row)}; not in the history: {row['why']}",
    "failed": _failed,
    "would start": lambda row: shlex.join(row["words"]) + ("" if row["waits"] else " &"),
    "would fail": _failed,
}
