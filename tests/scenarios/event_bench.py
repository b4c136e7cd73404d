"""A queue manager, a program `billing`, and access to event messages, for the scenarios of events."""

from __future__ import annotations

from typing import Any

import mqsc
from store.client.api import Connection, QueueManager
from store.constants import MQOO
from store.error import MQError
from store.headers.pcf import Value
from tests.scenarios.looking import ReadEvent, events_on

QMGR, PERFM, CONFIG, COMMAND = (f"SYSTEM.ADMIN.{word}.EVENT" for word in ("QMGR", "PERFM", "CONFIG", "COMMAND"))


class EventBench:
    """A running queue manager and the program `billing`; commands must succeed."""

    def __init__(self, qmgr: QueueManager, *commands: str) -> None:
        self.qmgr = qmgr
        self.run(*commands)
        self.connection: Connection = qmgr.connect(application="billing", user="alice")
        for name in (QMGR, PERFM, CONFIG, COMMAND):
            self.read(name)

    def run(self, *commands: str) -> list[dict[str, Any]]:
        """Run commands; return the rows of the last one. AssertionError if a command fails."""
        rows: list[dict[str, Any]] = []
        for command in commands:
            (reply,) = mqsc.run(self.qmgr, command)
            assert reply.completion < 2, (command, reply)
            rows = reply.rows
        return rows

    def says(self, message_id: str, text: str, command: str) -> None:
        """Run a command that must succeed with this message."""
        (reply,) = mqsc.run(self.qmgr, command)
        assert (reply.completion, reply.message_id, reply.text) == (0, message_id, text)

    def fails(self, reason: int, call: Any, *arguments: Any, **words: Any) -> None:
        """Make a call that must fail with that reason."""
        found = 0
        try:
            call(*arguments, **words)
        except MQError as error:
            found = int(error.reason)
        assert found == reason

    def open_fails(self, reason: int, name: str, queue_manager: str = "", options: int = MQOO.OUTPUT) -> None:
        """Make an MQOPEN that must fail with that reason."""
        self.fails(reason, self.connection.open, name, options, queue_manager=queue_manager)

    def read(self, name: str = QMGR) -> list[ReadEvent]:
        """Get the event messages on a queue."""
        return events_on(self.qmgr, name)

    def reasons(self, name: str = QMGR) -> list[int]:
        """Get the events on a queue; return their reasons."""
        return [each.header.reason for each in self.read(name)]

    def told(self, name: str = QMGR) -> list[list[Value]]:
        """Get the events on a queue; return the reason and the values of each."""
        return [[each.header.reason, *each.values] for each in self.read(name)]

    def restart(self, *, immediate: bool = False) -> None:
        """End the queue manager and start it again, with a new connection for `billing`."""
        if not immediate:
            self.connection.disconnect()
        self.qmgr.end(immediate=immediate)
        self.qmgr.start()
        self.connection = self.qmgr.connect(application="billing", user="alice")

    def depth(self, name: str) -> int:
        (row,) = self.run(f"DISPLAY QLOCAL({name}) CURDEPTH")
        return int(row["CURDEPTH"])
