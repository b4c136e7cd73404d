"""Programs that run until they are stopped (channel, dead-letter handler, trigger monitor): what
they print, and their exit codes.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BufferedReader, BytesIO
from threading import Event, Lock
from typing import Any

from mqsc.agents.stopping import stoppable, stopped_at_once, until_signalled
from mqsc.agents.trigger_monitor import (
    APPLICATION,
    QUEUE_MANAGER_ENDED,
    MonitorSettings,
    TriggerMonitor,
    preview,
)
from mqsc.channels.attempt import RunSettings
from mqsc.channels.driver import drive, run_channel
from mqsc.channels.end import is_informational, text
from mqsc.console import target
from mqsc.console.inputs import InputSource, opened_lines
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.terminal import json_rows, notice, print_line, printable
from mqsc.console.text.reasons import error_text, meaning_of
from mqsc.dlq.handler_run import (
    HandlerArguments,
    HandlerOutput,
    TableSource,
    WatchedFile,
    run_handler,
    watching,
)
from mqsc.dlq.notices import ENDING, RULE_TOTALS, STARTED, TABLE_READ, TOTALS, Notice
from mqsc.store.admin.trigger_explanation import is_initiation_queue
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF, name_of
from mqsc.store.environment import MICROSECONDS, Environment
from mqsc.store.error import ChannelInUseError, MQError

# A run of a channel on the command line, and what it prints.

_REFUSALS = {int(MQRCCF.CHANNEL_NOT_FOUND): "AMQ9519E", int(MQRCCF.WRONG_CHANNEL_TYPE): "AMQ9502E"}


def run_in_foreground(choices: Choices, name: str, *, until_empty: bool = False) -> int:
    """Run a channel until it ends; return the exit code (channel-commands §6).

    0 for a normal end, a stop and a signal, 10 for a failure. When the run does not begin,
    CommandFailedError (10) if there is no such channel, else NothingRunError (20).
    """
    code = 0
    with until_signalled() as stop, target.opened_queue_manager(choices) as qmgr:

        def report(message: str) -> None:
            if not choices.quiet or not is_informational(message):
                notice(message)

        settings = RunSettings(until_empty, report, stop=stop.is_set)
        if qmgr.row().clock_at is not None:
            choices.inform(
                f"mqsc: {qmgr.name} has a manual clock: intervals pass only with `mqsc clock`",
            )
        try:
            ending = drive(run_channel(qmgr, name, settings), qmgr.store, stop)
        except ChannelInUseError as error:
            raise target.NothingRunError(
                f"{text('AMQ9514E', name=name)} Process {error.owner} runs it.",
            ) from error
        except MQError as error:
            known = _REFUSALS.get(int(error.reason))
            refused = (
                target.CommandFailedError
                if error.reason == MQRCCF.CHANNEL_NOT_FOUND
                else target.NothingRunError
            )
            raise refused(text(known, name=name) if known else error_text(error)) from error
        code = target.FAILED if ending.failed else 0
    return code


# A run of the dead-letter queue handler on the command line, and the log it prints.

# The messages that are not printed with --quiet; the totals are if there were failures.
INFORMATIONAL = frozenset({STARTED, ENDING, TABLE_READ})
COUNTING = frozenset({RULE_TOTALS, TOTALS})


def says_all_is_well(notice: Notice) -> bool:
    """Whether --quiet suppresses a message."""
    if notice.message_id in COUNTING:
        return not notice.inserts["failed"]
    return notice.message_id in INFORMATIONAL


def run_handler_with(
    choices: Choices,
    path: str,
    arguments: HandlerArguments,
    *,
    watch: bool = False,
) -> int:
    """Run the handler with the table at `path`, - for standard input, until it ends; return the
    exit code.
    """
    watched = WatchedFile(path) if watch else None
    code = 0
    with until_signalled() as stop:
        environment = stoppable(Environment.system(), stop)
        world = environment if watched is None else watching(environment, watched)
        # The handler reports an unknown queue manager itself, among its messages.
        with (
            target.opened_store(choices._replace(qmgr=None), environment=world) as store,
            _log(choices) as listener,
        ):
            source = InputSource(path=path)
            rules = TableSource(source.name, lambda: _lines(source, store.path, stop), watched)
            code = run_handler(store, rules, arguments, listener, stop)
    return code


def _lines(source: InputSource, store_path: str | None, stop: Event) -> list[bytes]:
    with stopped_at_once(stop) as until_readable, opened_lines(source, store_path) as stream:
        if not isinstance(stream, BufferedReader):
            return list(stream)
        # The part that was read when it was opened.
        pieces = [stream.read1()]
        while pieces[-1]:
            until_readable(stream)
            pieces.append(stream.read1())
        return BytesIO(b"".join(pieces)).readlines()


@contextmanager
def _log(choices: Choices) -> Iterator[HandlerOutput]:
    """Write each message of the handler to stdout at once, as a line or an object."""
    with json_rows(choices.format) as rows:

        def show(at: int, notice: Notice) -> None:
            if rows is not None:
                rows.write({"at": iso(at), **notice.for_json})
                sys.stdout.flush()
            elif not choices.quiet or not says_all_is_well(notice):
                # A name in a message must not start a new line.
                time = datetime.fromtimestamp(at // MICROSECONDS, UTC).strftime("%Y-%m-%d %H:%M:%S")
                print_line(printable(f"{time}  {notice.line}"))

        yield HandlerOutput(show, choices.inform)


# A run of the trigger monitor on the command line, and what it prints.


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
    if qmgr.row().clock_at is not None and not settings.once:
        choices.inform(
            f"mqsc: {qmgr.name} has a manual clock: --wait and TRIGINT advance only with `mqsc "
            "clock`",
        )
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
                found = False
                for row in preview(connection, settings.queue, shell=settings.shell):
                    report(row)
                    found = True
                if not found:
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
