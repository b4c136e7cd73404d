"""The trigger monitor (runmqtrm): gets trigger messages and starts the programs they ask for (triggering §6).

It is a program like any other: it uses the MQI, and what it does stands in the history as PROGRAM.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any

from mqsc.agents.dead_letter_output import DeadLetters
from mqsc.agents.programs import End, Process, Programs
from mqsc.agents.stopping import StopRequested
from mqsc.agents.trigger_command import Command, InvalidTriggerMessageError, command_of
from store.admin.history import record
from store.constants import MQFB, MQGMO, MQMO, MQOO, MQRC
from store.error import MQError, StoreError
from store.message import GetMessageOptions, Message

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle

DEFAULT_QUEUE = "SYSTEM.DEFAULT.INITIATION.QUEUE"
APPLICATION = "runmqtrm"
UNLIMITED = -1
# The queue manager has ended, or is about to: nothing went wrong.
QUEUE_MANAGER_ENDED = frozenset(
    {MQRC.CONNECTION_BROKEN, MQRC.Q_MGR_NOT_AVAILABLE, MQRC.Q_MGR_QUIESCING, MQRC.Q_MGR_STOPPING}
)
# What a shell answers when it finds no program, or one that it may not run.
SHELL_FOUND_NONE = frozenset({126, 127})
Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a monitor works.

    `once`: only the trigger messages that are there at the start. `wait`: milliseconds on the queue manager's clock
    after which it ends when none came, -1 for never. `most`: programs that run at a time. `timeout`: seconds of real
    time after which a program is ended. `safe`: a trigger message is taken off the queue when its program has been
    started, and not before.
    """

    queue: str = DEFAULT_QUEUE
    once: bool = False
    wait: int = UNLIMITED
    most: int | None = None
    timeout: float | None = None
    shell: bool = False
    safe: bool = False


class TriggerMonitor:
    """A monitor that has its initiation queue open; opening it raises O-OPEN."""

    def __init__(self, connection: Connection, settings: Settings, report: Report, stop: Event) -> None:
        """MQError when the initiation queue cannot be opened."""
        self._connection = connection
        self._settings = settings
        self._report = report
        self._stop = stop
        self._programs = Programs(settings.most, settings.timeout)
        self._environment = environment_of(connection)
        self.letters = DeadLetters(connection)
        browse = MQOO.BROWSE if settings.once else 0
        options = MQOO.INPUT_AS_Q_DEF | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING | browse
        # Last, for it may bring trigger messages about: from here on there is somebody who deals with them.
        self._queue: ObjectHandle = connection.open(settings.queue, options)

    def run(self) -> list[int]:
        """Start programs until there is nothing more to do, or it is told to stop; the processes left running then.

        MQError when a call fails: 2016 when gets are inhibited, 2009 or 2161 when the queue manager ends.
        """
        try:
            for message in self._messages():
                self._deal_with(message)
            self._programs.wait_for_all(self._stop)
        except StopRequested:
            self._stop.set()
        finally:
            left = self._programs.leave()
        return left

    def _messages(self) -> Iterator[Message]:
        """Trigger messages as they are got; one is not got before its program may run."""
        for options in self._wanted():
            self._programs.wait_for_room(self._stop)
            if self._stop.is_set():
                return
            message = got(self._queue, options)
            if message is not None:
                yield message
            elif not self._settings.once:
                return

    def _wanted(self) -> Iterator[GetMessageOptions]:
        """What to get: whatever comes; with `once` each message that is there, unless another monitor takes it."""
        asked = MQGMO.FAIL_IF_QUIESCING | (MQGMO.SYNCPOINT if self._settings.safe else MQGMO.NO_SYNCPOINT)
        if self._settings.once:
            for identifier in browsed(self._queue):
                yield GetMessageOptions(asked, match_options=MQMO.MATCH_MSG_ID, msg_id=identifier)
            return
        while True:
            yield GetMessageOptions(asked | MQGMO.WAIT, wait_interval=self._settings.wait)

    def _deal_with(self, message: Message) -> None:
        """Start what a trigger message asks for, or put it on the dead-letter queue; then it is done with."""
        process = None
        try:
            command = command_of(message, self._connection.qmgr.name, shell=self._settings.shell)
            process = self._start(command, message)
        except InvalidTriggerMessageError as unfit:
            self._refuse(message, unfit)
        if self._settings.safe:
            self._connection.commit()
        if process is not None and command.waits:
            self._programs.wait_for(process, self._stop)

    def _start(self, command: Command, message: Message) -> Process:
        """Start the program. Unfit 265 when it cannot be; whether a shell found it is known when that has ended."""

        def ended(number: int, end: End) -> None:
            self._ended(command, message, number, end)

        shell = self._settings.shell
        try:
            process = self._programs.start(command.words, self._environment, shell=shell)
        except (OSError, ValueError) as fault:
            why = getattr(fault, "strerror", None) or str(fault)
            raise InvalidTriggerMessageError(
                MQFB.APPL_CANNOT_BE_STARTED, f"{command.program}: {why}", command.trigger
            ) from fault
        self._tell("started", command, message, process_id=process.pid)
        self._programs.attend_to(process, ended)
        if shell and self._programs.wait_for(process, self._stop) in SHELL_FOUND_NONE:
            why = f"{command.program}: the shell could not run it"
            raise InvalidTriggerMessageError(MQFB.APPL_CANNOT_BE_STARTED, why, command.trigger)
        return process

    def _ended(self, command: Command, message: Message, number: int, end: End) -> None:
        """A program has ended; called in a thread of its own, where a store that is gone must not raise."""
        detail = {"process_id": number, "exit_status": end.exit_status, "run_time": end.run_time}
        if end.timed_out:
            detail["timed_out"] = True
        try:
            self._tell("ended", command, message, **detail)
        except (MQError, StoreError) as fault:
            self._report({"event": "unrecorded", "queue": command.trigger.q_name, "why": str(fault), **detail})
        except BrokenPipeError:
            # Nobody reads what is reported: the next report of the monitor itself ends it.
            self._stop.set()

    def _tell(self, cause: str, command: Command, message: Message, **detail: Any) -> None:
        trigger = command.trigger
        detail = {"process": trigger.process_name, "program": command.program, **detail}
        self._record("PROGRAM", cause, trigger.q_name, message, detail)
        self._report({"event": cause, "queue": trigger.q_name, **detail})

    def _refuse(self, message: Message, unfit: InvalidTriggerMessageError) -> None:
        """Report that nothing was started, and put the trigger message on the dead-letter queue (265, 266, 267)."""
        about = unfit.trigger.q_name if unfit.trigger else self._settings.queue
        detail = {"why": str(unfit)}
        if unfit.trigger:
            detail |= {"process": unfit.trigger.process_name, "program": unfit.trigger.appl_id}
        self._record("PROGRAM", "failed", about, message, detail, reason=unfit.feedback)
        told = {"event": "failed", "queue": about, "reason": unfit.feedback, **detail}
        try:
            self.letters.put(message, unfit.feedback, self._queue, syncpoint=self._settings.safe)
        except MQError as error:
            self._report({**told, "dead_letter_queue": "", "lost": str(error)})
            return
        letters = {"reason": unfit.feedback, "target": self.letters.queue}
        self._record("DEAD_LETTER", "monitor", about, message, {}, **letters)
        self._report({**told, "dead_letter_queue": self.letters.queue})

    def _record(
        self, kind: str, cause: str, queue: str, message: Message, detail: dict[str, Any], **columns: Any
    ) -> None:
        connection = self._connection
        record(
            connection.qmgr,
            kind,
            cause,
            detail=detail,
            queue=queue,
            msg_id=message.descriptor.msg_id,
            application=connection.application,
            user=connection.user,
            **columns,
        )


def got(queue: ObjectHandle, options: GetMessageOptions) -> Message | None:
    """The message that the options ask for, or None when there is none (2033)."""
    try:
        return queue.get(options)
    except MQError as error:
        if error.reason != MQRC.NO_MSG_AVAILABLE:
            raise
        return None


def browsed(queue: ObjectHandle) -> list[bytes]:
    """The identifiers of the messages that are there, in delivery order."""
    return [message.descriptor.msg_id for message in browse(queue)]


def browse(queue: ObjectHandle) -> Iterator[Message]:
    """The messages that are there, in delivery order; they stay."""
    step = MQGMO.BROWSE_FIRST
    while message := got(queue, GetMessageOptions(step | MQGMO.NO_WAIT | MQGMO.FAIL_IF_QUIESCING)):
        yield message
        step = MQGMO.BROWSE_NEXT


def environment_of(connection: Connection) -> dict[str, str]:
    """The environment of started programs: the monitor's own, and where the queue manager is found."""
    path = connection.store.path
    found = {"MQSC_STORE": f"sqlite:///{path}"} if path else {}
    return {**os.environ, **found, "MQSC_QMGR": connection.qmgr.name}
