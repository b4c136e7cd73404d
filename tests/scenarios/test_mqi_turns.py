"""Who may take which message while others wait (mqi-semantics §4.3), and that nothing of a wait is left behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from store.admin import change, create
from store.catalog import KINDS
from store.client.api import Connection, QueueManager
from store.constants import MQGMO, MQMO, MQOO
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message
from store.sql import waiters
from store.sql.schema import waiter
from store.sqlite.database import Reading, Transaction
from store.sqlite.statement import Statement
from tests.scenarios.waiting import NoticedClock, Waiter
from tests.store.admin.looking import queue_row

WANTED = MessageDescriptor(correl_id=b"wanted")


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def rows(qmgr: QueueManager) -> int:
    """How many gets are known to wait for certain messages."""
    with Reading(qmgr.store.database) as reading:
        return len(reading.all(Statement(waiter.select())))


def asked(options: int = MQGMO.WAIT, wait_interval: int = 50, correl_id: bytes = b"wanted") -> GetMessageOptions:
    """A get by CorrelId."""
    return GetMessageOptions(
        options, wait_interval=wait_interval, match_options=MQMO.MATCH_CORREL_ID, correl_id=correl_id
    )


def stands_still(connection: Connection) -> None:
    """A program waits for the message with the CorrelId `wanted`, and is stopped meanwhile."""
    handle = connection.open("Q", MQOO.INPUT_SHARED)
    with Transaction(connection.store.database, durable=False) as tx:
        waiters.add(tx, handle.number, queue_row(connection.qmgr, "Q").id, {"correl_id": WANTED.correl_id})


def test_a_get_that_does_not_wait_takes_what_it_finds(qmgr: QueueManager) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        stands_still(one)
        handle = other.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put([Message(b"m", WANTED), Message(b"n", WANTED)])

        assert handle.get().body == b"m"
        assert handle.get(GetMessageOptions(MQGMO.WAIT, wait_interval=-1)).body == b"n"


def test_who_is_stopped_is_not_waited_for_for_ever(qmgr: QueueManager, clock: NoticedClock) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        stands_still(one)
        general = Waiter(qmgr)
        clock.somebody_looked()
        other.put1("Q", Message(b"m", WANTED))
        clock.somebody_looked()
        assert general.is_waiting
        time_passes_until_it_is_served(general, clock)
        assert general.outcome() == b"m"


def time_passes_until_it_is_served(waiter: Waiter, clock: NoticedClock) -> None:
    while waiter.is_waiting:
        clock.advance(0)


ENDS: dict[str, Callable[[QueueManager], object]] = {
    "time": lambda qmgr: None,
    "GET(DISABLED)": lambda qmgr: change(qmgr, KINDS["QLOCAL"], "Q", {"GET": "DISABLED"}),
    "the queue manager": lambda qmgr: qmgr.end(immediate=True),
}


@pytest.mark.parametrize("happening", ENDS.values(), ids=ENDS)
def test_a_wait_that_ends_leaves_nothing(
    qmgr: QueueManager, clock: NoticedClock, happening: Callable[[QueueManager], object]
) -> None:
    waiting_one = Waiter(qmgr, wait_interval=10_000, correl_id=b"wanted")
    clock.somebody_looked()
    assert rows(qmgr) == 1

    happening(qmgr)
    clock.advance(10)
    waiting_one.outcome()
    assert rows(qmgr) == 0


def test_a_wait_that_is_served_leaves_nothing(qmgr: QueueManager, clock: NoticedClock) -> None:
    served = Waiter(qmgr, correl_id=b"wanted")
    clock.somebody_looked()
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"m", WANTED))

    assert served.outcome() == b"m"
    assert rows(qmgr) == 0


def test_a_program_that_dies_while_it_waits_leaves_nothing(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    stands_still(connection)
    assert rows(qmgr) == 1

    connection.abend()
    assert rows(qmgr) == 0


def test_what_an_interrupted_wait_left_is_replaced_by_the_next(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED)
        for wanted in ({"correl_id": WANTED.correl_id}, {"msg_id": b"M" * 24}):
            with Transaction(connection.store.database, durable=False) as tx:
                waiters.add(tx, handle.number, queue_row(qmgr, "Q").id, wanted)
        assert rows(qmgr) == 1


@pytest.mark.parametrize("options", [MQGMO.NO_WAIT, MQGMO.WAIT, MQGMO.WAIT | MQGMO.BROWSE_FIRST])
def test_only_a_get_that_waits_and_takes_is_known_to(qmgr: QueueManager, options: int) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE)
        with pytest.raises(MQError):
            handle.get(asked(options, wait_interval=0))
        assert rows(qmgr) == 0
