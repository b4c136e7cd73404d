"""A run of the trigger monitor on the command line: what it prints, and its exit codes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Any

from mqsc.agents.stopping import stoppable, until_signalled
from mqsc.agents.trigger_monitor import (
    APPLICATION,
    QUEUE_MANAGER_ENDED,
    MonitorSettings,
    TriggerMonitor,
    preview,
)
from mqsc.console import target
from mqsc.console.json_rows import json_rows
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.terminal import notice, print_line, printable
from mqsc.console.text.reasons import error_text, meaning_of
from mqsc.store.admin.trigger_explanation import is_initiation_queue
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import name_of
from mqsc.store.environment import MICROSECONDS, Environment
from mqsc.store.error import MQError


def run_monitor(choices: Choices, settings: MonitorSettings, *, user: str = "") -> int:
    """Run a trigger monitor until it ends; return the exit code (triggering §6).

    0 after a signal or when the queue manager ended, 10 when an error interrupted it. When it
    cannot open the initiation queue, the error of `not_opened`.
    """
    code = 0
    with until_signalled() as stop:
        environment = stoppable(Environment.system(), stop)
        with target.opened_queue_manager(choices, environment=environment) as qmgr:
            code = _run(qmgr, choices, settings, stop, user)
    return code


def _run(
    qmgr: QueueManager,
    choices: Choices,
    settings: MonitorSettings,
    stop: Event,
    user: str,
) -> int:
    started = False
    try:
        with qmgr.connect(APPLICATION, user) as connection, _reporter(qmgr, choices) as report:
            monitor = TriggerMonitor(connection, settings, report, stop)
            started = True
            _print_hints(connection, monitor, choices, settings)
            still_running = monitor.run()
    except MQError as error:
        if not started:
            raise target.not_opened(
                error,
                f"cannot open the initiation queue {settings.queue}",
            ) from error
        if error.reason in QUEUE_MANAGER_ENDED:
            choices.inform(f"mqsc: {qmgr.name} has ended")
            return 0
        notice(f"mqsc: the trigger monitor was interrupted: {error_text(error)}")
        return target.FAILED
    for number in still_running:
        choices.inform(f"mqsc: process {number} is still running; its end will not be recorded")
    return 0


def _print_hints(
    connection: Connection,
    monitor: TriggerMonitor,
    choices: Choices,
    settings: MonitorSettings,
) -> None:
    """Point out, on stderr, settings that may explain why nothing seems to happen."""
    qmgr = connection.qmgr
    if not settings.once:
        consequence = "--wait and TRIGINT advance only with `mqsc clock`"
        target.inform_about_manual_clock(choices, qmgr, consequence)
    if not is_initiation_queue(qmgr, settings.queue):
        choices.inform(
            f"mqsc: no queue has INITQ({settings.queue}); all messages on {settings.queue} are "
            "read as trigger messages",
        )
    if not monitor.dead_letters.is_open:
        choices.inform(
            "mqsc: the dead-letter queue cannot be used; a trigger message that starts no program "
            "is lost",
        )


def preview_monitor(choices: Choices, settings: MonitorSettings) -> int:
    """Print what a monitor would do with the trigger messages already queued; return the exit
    code.
    """
    with target.opened_queue_manager(choices) as qmgr, _reporter(qmgr, choices) as report:
        try:
            with qmgr.connect(APPLICATION) as connection:
                has_messages = False
                for row in preview(connection, settings.queue, shell=settings.shell):
                    report(row)
                    has_messages = True
                if not has_messages:
                    choices.inform(f"mqsc: no trigger message on {settings.queue}")
        except MQError as error:
            raise target.not_opened(error, f"cannot browse {settings.queue}") from error
    return 0


@contextmanager
def _reporter(qmgr: QueueManager, choices: Choices) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Write each event to stdout with its time, as a line or an object; may be called from any
    thread.
    """
    lock = Lock()
    with json_rows(choices.format) as rows:

        def show(event: dict[str, Any]) -> None:
            at = iso(qmgr.now())
            with lock:
                if rows is not None:
                    rows.write({"at": at, **event})
                    sys.stdout.flush()
                elif not choices.quiet or not is_success(event):
                    print_line(printable(f"{at} {event_text(event)}"))

        yield show


def is_success(event: dict[str, Any]) -> bool:
    """Whether an event says that all is well, so that --quiet leaves it out."""
    return event["event"] == "started" or (
        event["event"] == "ended" and not event["exit_status"] and "timed_out" not in event
    )


def event_text(event: dict[str, Any]) -> str:
    """An event of the monitor as a sentence."""
    return f"{event['queue']}: {_SENTENCES[event['event']](event)}"


def _ended(event: dict[str, Any]) -> str:
    timed_out = ", ended because it ran too long" if event.get("timed_out") else ""
    seconds = event["run_time"] / MICROSECONDS
    return (
        f"process {event['process_id']} ended with {event['exit_status']} after {seconds:.3f} "
        f"s{timed_out}"
    )


def _failed(event: dict[str, Any]) -> str:
    why = f"{event['reason']} {name_of('MQFB', event['reason'])}, {event['why']}"
    queue = event["dead_letter_queue"]
    text = f"{why}; {f'put on {queue}' if queue else 'lost: ' + event.get('lost', 'no DEADQ')}"
    return ". ".join([text.removesuffix("."), *meaning_of(event["reason"])])


_SENTENCES = {
    "started": lambda event: (
        f"started {event['program']} for {event['process'] or 'no process'}, process "
        f"{event['process_id']}"
    ),
    "ended": _ended,
    "unrecorded": lambda event: f"{_ended(event)}; not in the history: {event['why']}",
    "failed": _failed,
    "would start": lambda event: shlex.join(event["words"]) + ("" if event["waits"] else " &"),
    "would fail": _failed,
}
