from __future__ import annotations

from collections.abc import Iterator

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql import statistics
from mqsc.store.sql.statistics import MemberStatistics
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.store.admin.looking import queue_row
from tests.store.sql.stored import stored_queue

SECOND = 1_000_000


@pytest.fixture
def queue(qmgr: QueueManager) -> Iterator[ObjectHandle]:
    """The queue Q, open for input and output; at the end, the unit of work is backed out."""
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        yield connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        connection.back()


def oldest(queue: ObjectHandle) -> int | None:
    """The second in which the oldest message was put."""
    qmgr = queue.connection.qmgr
    with Reading(qmgr.store.database) as reading:
        found = statistics.oldest_put(reading, queue_row(qmgr, "Q").id)
    return None if found is None else (found - START) // SECOND


# Priorities of messages put one second apart, with * under syncpoint; number of gets; second of the
# oldest one left.
OLDEST = [
    *(("", 0, None), ("0", 0, 0), ("0 9", 0, 0), ("9 0", 0, 0), ("9 0", 1, 1), ("3 5 4", 2, 0)),
    *(("5*", 0, 0), ("5* 6", 1, 0), ("5 6*", 1, 1), ("1 9", 2, None)),
]


@pytest.mark.parametrize(("puts", "gets", "left"), OLDEST)
def test_the_oldest_message_of_any_priority(
    qmgr: QueueManager,
    queue: ObjectHandle,
    environment: Environment[FrozenClock],
    puts: str,
    gets: int,
    left: int | None,
) -> None:
    for put in puts.split():
        options = PutMessageOptions(MQPMO.SYNCPOINT if "*" in put else MQPMO.NO_SYNCPOINT)
        queue.put(Message(b"x", MessageDescriptor(priority=int(put[0]))), options)
        environment.clock.advance(1)
    for _ in range(gets):
        queue.get()
    assert oldest(queue) == left


def test_a_message_got_in_a_unit_of_work_is_not_on_the_queue(queue: ObjectHandle) -> None:
    queue.put(Message(b"x"))
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    assert oldest(queue) is None
    queue.connection.back()
    assert oldest(queue) == 0


def test_uncommitted_messages_are_counted_by_queue(qmgr: QueueManager, queue: ObjectHandle) -> None:
    for name in ("R", "S"):
        create(qmgr, KINDS["QLOCAL"], name, {})
    q, r, s = (queue_row(qmgr, name).id for name in "QRS")
    queue.put(Message(b"committed"))
    queue.put([Message(b"1"), Message(b"2")], PutMessageOptions(MQPMO.SYNCPOINT))
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    queue.connection.put1("R", Message(b"3"), PutMessageOptions(MQPMO.SYNCPOINT))
    with Reading(qmgr.store.database) as reading:
        assert statistics.uncommitted(reading, [q, r, s]) == {q: 3, r: 1}
        assert statistics.uncommitted(reading, [s]) == {}
        assert statistics.uncommitted(reading, []) == {}


def test_time_on_the_queue_is_averaged(
    qmgr: QueueManager,
    queue: ObjectHandle,
    environment: Environment[FrozenClock],
) -> None:
    """7/8 and 255/256 of the previous average plus 1/8 and 1/256 of the new time."""
    times = []
    for seconds in (8, 0, 16):
        queue.put(Message(b"x"))
        environment.clock.advance(seconds)
        queue.get()
        row = queue_row(qmgr, "Q")
        times.append((row.short_queue_time, row.long_queue_time))
    assert times == [(8_000_000, 8_000_000), (7_000_000, 7_968_750), (8_125_000, 8_000_123)]


def test_a_clock_set_back_yields_no_negative_time(
    qmgr: QueueManager,
    queue: ObjectHandle,
    environment: Environment[FrozenClock],
) -> None:
    queue.put(Message(b"x"))
    environment.clock.set(START - 10 * SECOND)
    queue.get()
    assert queue_row(qmgr, "Q").short_queue_time == 0


def test_a_reset_sets_the_high_depth_to_the_current_depth(
    qmgr: QueueManager,
    queue: ObjectHandle,
) -> None:
    queue.put([Message(b"x")] * 3)
    queue.get()
    with Transaction(qmgr.store.database, durable=False) as tx:
        statistics.reset(tx, [queue_row(qmgr, "Q").id], START + 1)
    row = queue_row(qmgr, "Q")
    assert (row.puts, row.gets, row.high_depth, row.statistics_reset_at) == (0, 0, 2, START + 1)


def test_each_member_counts_for_itself_on_a_shared_queue(tx: Transaction) -> None:
    queue = stored_queue(tx, owner="QSG1")
    assert statistics.of_member(tx, queue, "QM1") == MemberStatistics()
    statistics.count_member_puts(tx, queue, "QM1", 3, 7, 100)
    statistics.count_member_puts(tx, queue, "QM1", 1, 5, 200)
    statistics.count_member_get(tx, queue, "QM2", 300)
    assert statistics.of_member(tx, queue, "QM1") == MemberStatistics(4, 0, 7, None, 200, None)
    assert statistics.of_member(tx, queue, "QM2") == MemberStatistics(0, 1, 0, None, None, 300)
    statistics.reset_member(tx, queue, "QM1", 400)
    assert statistics.of_member(tx, queue, "QM1") == MemberStatistics(0, 0, 0, 400, 200, None)
