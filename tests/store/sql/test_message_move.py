from __future__ import annotations

import pytest

from store.constants import MQRO
from store.descriptor import MessageDescriptor
from store.sql import messages, queues
from store.sqlite.database import Transaction
from tests.store.sql.stored import QUEUE, queue_row, stored, stored_queue

TARGET = 2
COA = int(MQRO.COA)


def test_a_batch_is_the_first_available_messages(tx: Transaction) -> None:
    assert messages.move_batch(tx, QUEUE, 99, 9, COA) == (0, 0, 0, 0, None, 0)
    stored(tx, unit=7)
    for body, expires_at in ((b"aaa", None), (b"a", 9), (b"aaaa", 5)):
        stored(tx, body=body, expires_at=expires_at)
    assert messages.move_batch(tx, QUEUE, 99, 9, COA) == (3, 1, 3, 4, 5, 0)
    assert messages.move_batch(tx, QUEUE, 3, 9, COA) == (2, 1, 2, 3, 9, 0)
    assert messages.move_batch(tx, QUEUE, 99, 1, COA) == (1, 1, 1, 3, None, 0)


def test_those_that_ask_for_a_report_are_counted_and_found(tx: Transaction) -> None:
    asking = [stored(tx, descriptor=MessageDescriptor(report=report)) for report in (COA | 1, 0, 3 * COA, 8 * COA)]
    assert messages.move_batch(tx, QUEUE, 99, 9, COA).asking == 2
    assert messages.moved_asking(tx, QUEUE, 0, 3, COA) == [asking[0], asking[2]]
    assert messages.moved_asking(tx, QUEUE, 1, 3, COA) == [asking[2]]


def test_the_ranks_of_some_messages_in_order(tx: Transaction) -> None:
    for rank in (3, 9, 0, 5):
        stored(tx, rank=rank)
    assert messages.moved_ranks(tx, QUEUE, 1, 3) == [9, 0, 5]


@pytest.mark.parametrize(("fifo", "rank"), [(0, [9, 4]), (1, [3, 3])])
def test_messages_go_behind_those_of_the_target_with_its_ranks(tx: Transaction, fifo: int, rank: list[int]) -> None:
    ids = [stored(tx, descriptor=MessageDescriptor(priority=priority)) for priority in (12, 4, 4)]
    assert messages.move(tx, QUEUE, 1, TARGET, shift=100, fifo=fifo, default_priority=3) == 2
    rows = messages.without_body(tx, ids)
    assert [(row.queue, row.sequence) for row in rows] == [(TARGET, 100), (TARGET, 101), (QUEUE, 2)]
    assert [row.rank for row in rows[:2]] == rank


def test_the_depth_of_a_queue_changes_without_a_put(tx: Transaction) -> None:
    id = stored_queue(tx, depth=3, next_sequence=10, high_depth=4, earliest_expiry=5)
    queues.change_depth_by_move(tx, id, 2, 20, 7)
    row = queue_row(tx, id)
    assert (row.depth, row.next_sequence, row.high_depth, row.earliest_expiry, row.puts) == (5, 20, 5, 7, 0)
    queues.change_depth_by_move(tx, id, -5, 8, None)
    row = queue_row(tx, id)
    assert (row.depth, row.next_sequence, row.high_depth, row.earliest_expiry) == (0, 20, 5, None)
