"""Which get receives a message while others wait (mqi-semantics §4.3); waits leave no rows behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.admin.altering import change
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import Connection, QueueManager
from store.constants import MQGMO, MQMO, MQOO
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message
from store.sql import messages
from store.sqlite.database import Transaction
from tests.scenarios.waiting import PauseCountingClock, Waiter, registered
from tests.store.admin.looking import queue_row

WANTED = MessageDescriptor(correl_id=b"wanted")


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def options_of(options: int = MQGMO.WAIT, wait_interval: int = 50, correl_id: bytes = b"wanted") -> GetMessageOptions:
    """Return the options of a get by CorrelId."""
    return GetMessageOptions(
        options, wait_interval=wait_interval, match_options=MQMO.MATCH_CORREL_ID, correl_id=correl_id
    )


def registers_without_searching(connection: Connection) -> None:
    """Register a wait for the CorrelId `wanted`, like a program that is then stopped, for example by SIGSTOP."""
    handle = connection.open("Q", MQOO.INPUT_SHARED)
    with Transaction(connection.store.database, durable=False) as tx:
        messages.add_waiter(tx, handle.number, queue_row(connection.qmgr, "Q").id, {"correl_id": WANTED.correl_id})


def test_a_get_that_does_not_wait_takes_any_message(qmgr: QueueManager) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        registers_without_searching(one)
        handle = other.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put([Message(b"m", WANTED), Message(b"n", WANTED)])

        assert handle.get().body == b"m"
        assert handle.get(GetMessageOptions(MQGMO.WAIT, wait_interval=-1)).body == b"n"


def test_a_stopped_program_does_not_block_others_forever(qmgr: QueueManager, clock: PauseCountingClock) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        registers_without_searching(one)
        general = Waiter(qmgr)
        clock.wait_for_a_search()
        other.put1("Q", Message(b"m", WANTED))
        clock.wait_for_a_search()
        assert general.is_waiting
        advance_until_served(general, clock)
        assert general.outcome() == b"m"


def advance_until_served(waiter: Waiter, clock: PauseCountingClock) -> None:
    while waiter.is_waiting:
        clock.advance(0)


ENDS: dict[str, Callable[[QueueManager], object]] = {
    "time": lambda qmgr: None,
    "GET(DISABLED)": lambda qmgr: change(qmgr, KINDS["QLOCAL"], "Q", {"GET": "DISABLED"}),
    "the queue manager": lambda qmgr: qmgr.end(immediate=True),
}


@pytest.mark.parametrize("happening", ENDS.values(), ids=ENDS)
def test_a_wait_that_ends_is_deregistered(
    qmgr: QueueManager, clock: PauseCountingClock, happening: Callable[[QueueManager], object]
) -> None:
    waiter = Waiter(qmgr, wait_interval=10_000, correl_id=b"wanted")
    clock.wait_for_a_search()
    assert registered(qmgr) == 1

    happening(qmgr)
    clock.advance(10)
    waiter.outcome()
    assert registered(qmgr) == 0


def test_a_wait_that_is_served_is_deregistered(qmgr: QueueManager, clock: PauseCountingClock) -> None:
    served = Waiter(qmgr, correl_id=b"wanted")
    clock.wait_for_a_search()
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"m", WANTED))

    assert served.outcome() == b"m"
    assert registered(qmgr) == 0


def test_the_wait_of_a_dead_program_is_deregistered(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    registers_without_searching(connection)
    assert registered(qmgr) == 1

    connection.abend()
    assert registered(qmgr) == 0


def test_the_next_wait_replaces_an_interrupted_one(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED)
        for wanted in ({"correl_id": WANTED.correl_id}, {"msg_id": b"M" * 24}):
            with Transaction(connection.store.database, durable=False) as tx:
                messages.add_waiter(tx, handle.number, queue_row(qmgr, "Q").id, wanted)
        assert registered(qmgr) == 1


@pytest.mark.parametrize("options", [MQGMO.NO_WAIT, MQGMO.WAIT, MQGMO.WAIT | MQGMO.BROWSE_FIRST])
def test_only_destructive_gets_that_wait_are_registered(qmgr: QueueManager, options: int) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE)
        with pytest.raises(MQError):
            handle.get(options_of(options, wait_interval=0))
        assert registered(qmgr) == 0
