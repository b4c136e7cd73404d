"""The machine's clock is set forward by an hour while a program waits: the wait takes as long as
before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.environment import MICROSECONDS, Environment, SystemClock
from mqsc.store.message import GetMessageOptions, Message

HOUR = 3600 * MICROSECONDS
# Much longer than the test takes, and shorter than an hour.
WAIT_MILLISECONDS = 600_000
PAUSES_BEFORE_PUT = 5


class ClockSetForward(SystemClock):
    """The machine's clock, which is set forward during the first pause; some pauses later `then`
    is called.
    """

    def __init__(self) -> None:
        self._pauses = 0
        self.then: Callable[[], object] = lambda: None

    def now(self) -> int:
        return super().now() + (HOUR if self._pauses else 0)

    def pause(self, seconds: float) -> None:
        self._pauses += 1
        if self._pauses == PAUSES_BEFORE_PUT:
            self.then()


@pytest.fixture
def clock() -> ClockSetForward:
    return ClockSetForward()


@pytest.fixture
def store(tmp_path: Path, clock: ClockSetForward) -> Iterator[Store]:
    with open_store(
        f"sqlite:///{tmp_path / 'test.db'}",
        environment=Environment(clock, "tester", "test"),
    ) as opened:
        create(opened.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {})
        yield opened


@pytest.fixture
def connection(store: Store, clock: ClockSetForward) -> Connection:
    """A program; another one puts a message during its wait."""
    clock.then = lambda: opened(store).put(Message(b"hello"))
    return store.queue_manager("QM1").connect()


def opened(store: Store) -> ObjectHandle:
    return store.queue_manager("QM1").connect().open("Q", MQOO.OUTPUT)


def test_a_get_waits_on(connection: Connection) -> None:
    queue = connection.open("Q", MQOO.INPUT_SHARED)
    assert (
        queue.get(GetMessageOptions(MQGMO.WAIT, wait_interval=WAIT_MILLISECONDS)).body == b"hello"
    )
