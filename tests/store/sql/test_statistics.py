from __future__ import annotations

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.sql import statistics
from store.sql.statistics import MemberStatistics
from store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.store.admin.looking import queue_row
from tests.store.sql.stored import stored_queue

SECOND = 1_000_000


def oldest(qmgr: QueueManager) -> int | None:
    with Reading(qmgr.store.database) as reading:
        found = statistics.oldest_put(reading, queue_row(qmgr, "Q").id)
    return None if found is None else (found - START) // SECOND


# ((priority, under syncpoint) of messages put one second apart, number of gets, second of the oldest message left)
OLDEST: list[tuple[list[tuple[int, bool]], int, int | None]] = [
    ([], 0, None),
    ([(0, False)], 0, 0),
    ([(0, False), (9, False)], 0, 0),
    ([(9, False), (0, False)], 0, 0),
    ([(9, False), (0, False)], 1, 1),
    ([(3, False), (5, False), (4, False)], 2, 0),
    ([(5, True)], 0, 0),
    ([(5, True), (6, False)], 1, 0),
    ([(5, False), (6, True)], 1, 1),
    ([(1, False), (9, False)], 2, None),
]


@pytest.mark.parametrize(("puts", "gets", "left"), OLDEST)
def test_the_oldest_message_of_any_priority(
    qmgr: QueueManager, environment: Environment[FrozenClock], puts: list[tuple[int, bool]], gets: int, left: int | None
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        for priority, in_unit in puts:
            options = PutMessageOptions(MQPMO.SYNCPOINT if in_unit else MQPMO.NO_SYNCPOINT)
            handle.put(Message(b"x", MessageDescriptor(priority=priority)), options)
            environment.clock.advance(1)
        for _ in range(gets):
            handle.get()
        assert oldest(qmgr) == left
        connection.back()


def test_a_message_got_in_a_unit_of_work_is_not_on_the_queue(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        handle.put(Message(b"x"))
        handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        assert oldest(qmgr) is None
        connection.back()
        assert oldest(qmgr) == 0


def test_uncommitted_messages_are_counted_by_queue(qmgr: QueueManager) -> None:
    for name in ("Q", "R", "S"):
        create(qmgr, KINDS["QLOCAL"], name, {})
    numbers = {name: queue_row(qmgr, name).id for name in ("Q", "R", "S")}
    with qmgr.connect() as connection:
        first, second = (connection.open(name, MQOO.OUTPUT | MQOO.INPUT_SHARED) for name in ("Q", "R"))
        first.put(Message(b"committed"))
        first.put([Message(b"1"), Message(b"2")], PutMessageOptions(MQPMO.SYNCPOINT))
        first.get(GetMessageOptions(MQGMO.SYNCPOINT))
        second.put(Message(b"3"), PutMessageOptions(MQPMO.SYNCPOINT))
        with Reading(qmgr.store.database) as reading:
            assert statistics.uncommitted(reading, list(numbers.values())) == {numbers["Q"]: 3, numbers["R"]: 1}
            assert statistics.uncommitted(reading, [numbers["S"]]) == {}
            assert statistics.uncommitted(reading, []) == {}


def test_time_on_the_queue_is_averaged(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    times = []
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        for seconds in (8, 0, 16):
            handle.put(Message(b"x"))
            environment.clock.advance(seconds)
            handle.get()
            row = queue_row(qmgr, "Q")
            times.append((row.short_queue_time, row.long_queue_time))
    # 7/8 and 255/256 of the previous average plus 1/8 and 1/256 of the new time.
    assert times == [(8_000_000, 8_000_000), (7_000_000, 7_968_750), (8_125_000, 8_000_123)]


def test_a_clock_set_back_yields_no_negative_time(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        handle.put(Message(b"x"))
        environment.clock.set(START - 10 * SECOND)
        handle.get()
    assert queue_row(qmgr, "Q").short_queue_time == 0


def test_a_reset_sets_the_high_depth_to_the_current_depth(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        handle.put([Message(b"x")] * 3)
        handle.get()
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
