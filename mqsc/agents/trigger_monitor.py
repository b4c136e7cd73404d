"""The trigger monitor: gets trigger messages and starts the programs that they ask for.

It is an ordinary MQI program; the history records its actions as PROGRAM events.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from threading import Event
from typing import Any

from msgspec import Struct

from mqsc.agents import dead_letter_output, programs, stopping
from mqsc.agents.triggered_command import InvalidTriggerMessageError, TriggeredCommand, command_of
from mqsc.console.getting import get_or_none
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.history import OF_OWNER, record
from mqsc.store.client import store_url
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQFB, MQGMO, MQMO, MQOO, MQRC
from mqsc.store.error import MQError, StoreError
from mqsc.store.message import GetMessageOptions, Message

DEFAULT_QUEUE = "SYSTEM.DEFAULT.INITIATION.QUEUE"
APPLICATION = "runmqtrm"
UNLIMITED = -1
# The queue manager has ended or is ending; for a monitor this is not an error.
QUEUE_MANAGER_ENDED = frozenset(
    {MQRC.CONNECTION_BROKEN, MQRC.Q_MGR_NOT_AVAILABLE, MQRC.Q_MGR_QUIESCING, MQRC.Q_MGR_STOPPING},
)
Reporter = Callable[[dict[str, Any]], None]
NO_COLUMNS: Mapping[str, Any] = {}


class MonitorSettings(Struct, frozen=True):
    """How a monitor works.

    `once`: process only the trigger messages queued at the start. `wait`: end after this many
    milliseconds of the queue manager's clock without a trigger message, -1 for never.
    `max_running`: how many programs may run at a time. `timeout`: seconds of real time after which
    a program is ended. `safe`: remove a trigger message from its queue only after its program has
    started.
    """

    queue: str = DEFAULT_QUEUE
    once: bool = False
    wait: int = UNLIMITED
    max_running: int | None = None
    timeout: float | None = None
    shell: bool = False
    safe: bool = False


class TriggerMonitor:
    """A monitor with its initiation queue open; opening it can itself cause trigger messages
    (occasion O-OPEN).
    """

    def __init__(
        self,
        connection: Connection,
        settings: MonitorSettings,
        report: Reporter,
        stop: Event,
    ) -> None:
        """Raises MQError when the initiation queue cannot be opened."""
        self._connection = connection
        self._settings = settings
        self._report = report
        self._stop = stop
        self._programs = programs.Programs(settings.max_running, settings.timeout)
        self._environment = environment_of(connection)
        self.dead_letters = dead_letter_output.DeadLetterOutput(connection)
        browse = MQOO.BROWSE if settings.once else 0
        options = MQOO.INPUT_AS_Q_DEF | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING | browse
        # Last, because it can cause trigger messages, and from now on this monitor handles them.
        self._queue: ObjectHandle = connection.open(settings.queue, options, dynamic_name=None)

    def run(self) -> list[int]:
        """Start programs until the monitor ends; return the process numbers of the programs still
        running.

        Raises MQError when a call fails: 2016 when gets are inhibited, 2009 or 2161 when the queue
        manager ends.
        """
        try:
            for message in self._messages():
                with stopping.message_in_hand():
                    self._handle(message)
            self._programs.wait_for_all(self._stop)
        except stopping.StopRequested:
            self._stop.set()
        finally:
            still_running = self._programs.abandon()
        return still_running

    def _messages(self) -> Iterator[Message]:
        """The trigger messages; each is got only when its program may run."""
        for options in self._get_options():
            self._programs.wait_for_room(self._stop)
            if self._stop.is_set():
                return
            message = get_or_none(self._queue, options)
            if message is not None:
                yield message
            elif not self._settings.once:
                return

    def _get_options(self) -> Iterator[GetMessageOptions]:
        """The options of each get: for the next message or, with `once`, for each message queued
        at the start.
        """
        common = MQGMO.FAIL_IF_QUIESCING | (
            MQGMO.SYNCPOINT if self._settings.safe else MQGMO.NO_SYNCPOINT
        )
        if self._settings.once:
            for identifier in [each.descriptor.msg_id for each in browse_all(self._queue)]:
                yield GetMessageOptions(common, match_options=MQMO.MATCH_MSG_ID, msg_id=identifier)
            return
        while True:
            yield GetMessageOptions(common | MQGMO.WAIT, wait_interval=self._settings.wait)

    def _handle(self, message: Message) -> None:
        """Start the program that a trigger message asks for, or put the message on the
        dead-letter queue.
        """
        process = None
        try:
            command = command_of(message, self._connection.qmgr.name, shell=self._settings.shell)
            process = self._start(command, message)
        except InvalidTriggerMessageError as fault:
            self._dead_letter(message, fault)
        if self._settings.safe:
            self._connection.commit()
        if process is not None and command.waits:
            self._programs.wait_for(process, self._stop)

    def _start(self, command: TriggeredCommand, message: Message) -> programs.Process:
        """Start the program; InvalidTriggerMessageError (265) when it cannot start.

        Whether a shell found the program is known only when the shell has ended, so this waits for
        it.
        """

        def when_ended(number: int, end: programs.ProgramEnd) -> None:
            self._report_end(command, message, number, end)

        shell = self._settings.shell
        try:
            process = self._programs.start(command.words, self._environment, shell=shell)
        except (OSError, ValueError) as fault:
            why = getattr(fault, "strerror", None) or str(fault)
            raise InvalidTriggerMessageError(
                MQFB.APPL_CANNOT_BE_STARTED,
                f"{command.program}: {why}",
                command.trigger,
            ) from fault
        self._report_program("started", command, message, {"process_id": process.pid})
        self._programs.watch(process, when_ended)
        if shell and self._programs.wait_for(process, self._stop) in programs.NOT_RUN_BY_SHELL:
            why = f"{command.program}: the shell could not run it"
            raise InvalidTriggerMessageError(MQFB.APPL_CANNOT_BE_STARTED, why, command.trigger)
        return process

    def _report_end(
        self,
        command: TriggeredCommand,
        message: Message,
        number: int,
        end: programs.ProgramEnd,
    ) -> None:
        """Called in the thread that watches the program, where an unusable store must not raise."""
        detail = {"process_id": number, "exit_status": end.exit_status, "run_time": end.run_time}
        if end.timed_out:
            detail["timed_out"] = True
        try:
            self._report_program("ended", command, message, detail)
        except (MQError, StoreError) as fault:
            why = error_text(fault)
            self._report(
                {"event": "unrecorded", "queue": command.trigger.q_name, "why": why, **detail},
            )
        except BrokenPipeError:
            # Nobody reads the reports any more, so end the monitor.
            self._stop.set()

    def _report_program(
        self,
        cause: str,
        command: TriggeredCommand,
        message: Message,
        end: Mapping[str, Any],
    ) -> None:
        trigger = command.trigger
        detail = {"process": trigger.process_name, "program": command.program, **end}
        self._record("PROGRAM", cause, trigger.q_name, message, detail)
        self._report({"event": cause, "queue": trigger.q_name, **detail})

    def _dead_letter(self, message: Message, fault: InvalidTriggerMessageError) -> None:
        """Report that no program was started, and put the trigger message on the dead-letter
        queue (265, 266, 267).
        """
        queue = fault.trigger.q_name if fault.trigger else self._settings.queue
        detail = {"why": str(fault)}
        if fault.trigger:
            detail |= {"process": fault.trigger.process_name, "program": fault.trigger.appl_id}
        self._record("PROGRAM", "failed", queue, message, detail, {"reason": fault.feedback})
        report = {"event": "failed", "queue": queue, "reason": fault.feedback, **detail}
        try:
            self.dead_letters.put(
                message,
                fault.feedback,
                self._queue,
                syncpoint=self._settings.safe,
            )
        except MQError as error:
            self._report({**report, "dead_letter_queue": "", "lost": error_text(error)})
            return
        target = self.dead_letters.queue
        twin = {"put_event": self._connection.dead_letter_event}
        outcome = {
            "reason": fault.feedback,
            "target": target,
            "unit": self._connection.unit.number or None,
        }
        self._record("DEAD_LETTER", "monitor", queue, message, twin, outcome)
        self._report({**report, "dead_letter_queue": target})

    def _record(
        self,
        kind: str,
        cause: str,
        queue: str,
        message: Message,
        detail: dict[str, Any],
        outcome: Mapping[str, Any] = NO_COLUMNS,
    ) -> None:
        """Record an event about the message; `outcome` are further columns of it."""
        connection = self._connection
        caller = {"application": connection.application, "user": connection.user}
        about = {"queue": queue, "msg_id": message.descriptor.msg_id, **caller, **outcome}
        record(connection.qmgr, kind, cause, OF_OWNER, detail=detail, **about)


def browse_all(queue: ObjectHandle) -> Iterator[Message]:
    """Browse the messages on a queue, in delivery order."""
    step = MQGMO.BROWSE_FIRST
    while message := get_or_none(
        queue,
        GetMessageOptions(step | MQGMO.NO_WAIT | MQGMO.FAIL_IF_QUIESCING),
    ):
        yield message
        step = MQGMO.BROWSE_NEXT


def environment_of(connection: Connection) -> dict[str, str]:
    """The environment of the started programs: the monitor's own, and the store and queue
    manager to use.
    """
    path = connection.store.path
    store = {"MQSC_STORE": store_url.url_of_file(path)} if path else {}
    return {**os.environ, **store, "MQSC_QMGR": connection.qmgr.name}


def preview(connection: Connection, queue: str, *, shell: bool) -> Iterator[dict[str, Any]]:
    """A row for each trigger message, in delivery order. Opening the queue for browse triggers
    nothing.
    """
    handle = connection.open(queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, dynamic_name=None)
    dead_letters = dead_letter_output.dead_letter_queue(connection)
    for message in browse_all(handle):
        try:
            command = command_of(message, connection.qmgr.name, shell=shell)
        except InvalidTriggerMessageError as fault:
            target = fault.trigger.q_name if fault.trigger else queue
            why = {"reason": fault.feedback, "why": str(fault), "dead_letter_queue": dead_letters}
            yield {"event": "would fail", "queue": target, **why}
            continue
        words = [word.decode("utf-8", "replace") for word in command.words]
        of = {"queue": command.trigger.q_name, "process": command.trigger.process_name}
        yield {"event": "would start", **of, "words": words, "waits": command.waits}
