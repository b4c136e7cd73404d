"""Two consumers of one queue against a model: changing thresholds, commits, backouts, and
consumers that die.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import mqsc
from mqsc.store import Environment, Message, open_store
from mqsc.store.client.connection import Connection
from mqsc.store.client.consumer import Consumer
from tests.scenarios.looking import curdepth, waiting_on
from tests.store.state_machine import START, run_machine

numbers = st.integers(0, 1)


class Item(NamedTuple):
    """A message on the queue; ordered by its number."""

    number: int
    backouts: int


class Expected:
    """The expected state of a consumer: messages got and moved in its unit of work, and the
    threshold it has read.
    """

    def __init__(self) -> None:
        self.got: list[Item] = []
        self.moved: list[Item] = []
        self.threshold: int | None = None


class Consumers(RuleBasedStateMachine):
    """The consumers 0 and 1, each with a connection of its own, and the model."""

    def __init__(self) -> None:
        super().__init__()
        self.store = open_store("sqlite://", Environment.frozen(at=START))
        self.qmgr = self.store.create_queue_manager("QM1")
        mqsc.run(self.qmgr, "DEFINE QLOCAL(BOQ)\nDEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(BOQ)")
        self.number = 0
        self.threshold = 2
        self.waiting: list[Item] = []
        self.done: list[int] = []
        self.moved: list[int] = []
        self.connections: list[Connection] = []
        self.consumers: list[Consumer] = []
        self.expected: list[Expected] = []
        for _ in range(2):
            self.connections.append(self.qmgr.connect())
            self.consumers.append(self.connections[-1].consumer("Q", wait=0))
            self.expected.append(Expected())

    @rule(count=st.integers(1, 3))
    def put(self, count: int) -> None:
        """Put messages without a unit of work."""
        for _ in range(count):
            self.connections[0].put1("Q", Message(b"%d" % self.number))
            self.waiting.append(Item(self.number, 0))
            self.number += 1

    @rule(threshold=st.integers(0, 3))
    def alter(self, threshold: int) -> None:
        """Change BOTHRESH. It applies to consumers that have not received a backed-out message
        yet.
        """
        mqsc.run(self.qmgr, f"ALTER QLOCAL(Q) BOTHRESH({threshold})")
        self.threshold = threshold

    @rule(which=numbers)
    def receive(self, which: int) -> None:
        """Receive a message without waiting."""
        message = self.consumers[which].receive()
        item = self._receive(self.expected[which])
        told = (
            None if message is None else Item(int(message.body), message.descriptor.backout_count)
        )
        assert told == item

    def _receive(self, expected: Expected) -> Item | None:
        has_only_moves = not expected.got and not expected.moved
        while self.waiting:
            item = self.waiting.pop(0)
            if item.backouts and expected.threshold is None:
                expected.threshold = self.threshold
            if not expected.threshold or item.backouts < expected.threshold:
                expected.got.append(item)
                return item
            expected.moved.append(item)
        if has_only_moves:
            self._commit(expected)
        return None

    @rule(which=numbers)
    def commit(self, which: int) -> None:
        """Commit the unit of work of a consumer."""
        self.connections[which].commit()
        self._commit(self.expected[which])

    def _commit(self, expected: Expected) -> None:
        self.done += [item.number for item in expected.got]
        self.moved += [item.number for item in expected.moved]
        expected.got, expected.moved = [], []

    @rule(which=numbers)
    def back(self, which: int) -> None:
        """Back out the unit of work of a consumer."""
        self.connections[which].back()
        self._back(self.expected[which])

    def _back(self, expected: Expected) -> None:
        returned = [
            Item(item.number, item.backouts + 1) for item in (*expected.got, *expected.moved)
        ]
        self.waiting = sorted(self.waiting + returned)
        expected.got, expected.moved = [], []

    @rule(which=numbers)
    def die(self, which: int) -> None:
        """End a consumer without disconnecting, and start another in its place."""
        self.connections[which].abend()
        self._back(self.expected[which])
        self.connections[which] = self.qmgr.connect()
        self.consumers[which] = self.connections[which].consumer("Q", wait=0)
        self.expected[which] = Expected()

    @invariant()
    def every_message_is_where_it_should_be(self) -> None:
        """Each message is on exactly one queue, in a unit of work, or consumed."""
        assert waiting_on(self.qmgr, "Q") == [str(item.number) for item in self.waiting]
        assert sorted(map(int, waiting_on(self.qmgr, "BOQ"))) == sorted(self.moved)
        assert curdepth(self.qmgr, "Q") == len(self.waiting)
        held = [item.number for each in self.expected for item in (*each.got, *each.moved)]
        there = [item.number for item in self.waiting]
        assert sorted(there + held + self.moved + self.done) == list(range(self.number))

    def teardown(self) -> None:
        self.store.close()


def test_two_consumers() -> None:
    run_machine(Consumers, 60, 40)
