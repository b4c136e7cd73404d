"""Messages on queues: order, locks, units of work, moves, pages, and gets that wait."""

from __future__ import annotations

import pytest

from mqsc.store.constants import MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.sql import messages, queues, triggers, units_of_work
from mqsc.store.sql.messages import QueuePosition, page
from mqsc.store.sql.rows import UNIT_BITS, MessageState
from mqsc.store.sqlite.database import Transaction
from tests.store.sql.stored import (
    QUEUE,
    changed,
    connected,
    queue_row,
    states,
    stored,
    stored_queue,
)

UNIT, OTHER_UNIT = 7 << UNIT_BITS | 1, 8 << UNIT_BITS | 1
HERE = {"queue": QUEUE, "handle": 1}
ANY = frozenset({"unlocked"})


def first(tx: Transaction, *conditions: str, **values: object) -> int | None:
    found = messages.first(tx, ANY | {*conditions}, {**HERE, **values})
    return None if found is None else found.id


def test_delivery_order_is_rank_then_sequence(tx: Transaction) -> None:
    low, high, high_later = stored(tx, rank=1), stored(tx, rank=5), stored(tx, rank=5)
    for id in (high, high_later, low):
        assert first(tx) == id
        messages.remove(tx, id)
    assert first(tx) is None


def test_only_available_messages_of_the_queue_are_found(tx: Transaction) -> None:
    """A locked message is hidden from other handles."""
    stored(tx, queue=QUEUE + 1)
    stored(tx, unit=UNIT)
    messages.reserve(tx, stored(tx), UNIT)
    assert first(tx) is None
    id = stored(tx)
    messages.lock(tx, id, handle=1)
    assert [first(tx, handle=1), first(tx, handle=2)] == [id, None]
    assert [messages.unlock(tx, 1), messages.unlock(tx, 1)] == [1, 0]
    assert first(tx, handle=2) == id


@pytest.mark.parametrize(
    ("until", "now", "is_found"),
    [(10, 9, False), (10, 10, True), (None, 9, True)],
)
def test_a_mark_hides_a_message_until_its_time(
    tx: Transaction,
    until: int | None,
    now: int,
    is_found: bool,
) -> None:
    messages.mark(tx, stored(tx), until)
    assert (first(tx, "unmarked", now=now) is not None) == is_found


def test_a_row_number_with_another_sequence_number_is_another_message(tx: Transaction) -> None:
    id = stored(tx)
    assert [first(tx, "id", id=id, sequence=0), first(tx, "id", id=id, sequence=1)] == [id, None]


def test_expired_messages_are_those_before_the_first_live_one(tx: Transaction) -> None:
    expired = [stored(tx, expires_at=at) for at in (5, 3)]
    stored(tx)
    stored(tx, expires_at=1)
    found = [
        (each.id, each.expires_at)
        for each in messages.expired_before_first_live(tx, ANY, HERE, 10, 9)
    ]
    assert found == [(expired[0], 5), (expired[1], 3)]
    assert len(messages.expired_before_first_live(tx, ANY, HERE, 10, 1)) == 1


def test_a_commit_releases_puts_and_removes_gets_of_its_unit_only(tx: Transaction) -> None:
    put, got, other = stored(tx, unit=UNIT), stored(tx), stored(tx, unit=OTHER_UNIT)
    messages.reserve(tx, got, UNIT)
    assert units_of_work.shares(tx, UNIT) == [(QUEUE, 1, 1, 0, None)]
    units_of_work.commit(tx, UNIT)
    assert states(tx) == {put: "AVAILABLE", other: "PUT"}


def test_a_backout_removes_puts_and_releases_gets_with_a_higher_backout_count(
    tx: Transaction,
) -> None:
    stored(tx, unit=UNIT)
    kept, got, skipping = stored(tx, unit=UNIT, kept=True), stored(tx), stored(tx)
    messages.reserve(tx, got, UNIT)
    messages.reserve(tx, skipping, UNIT)
    assert units_of_work.shares(tx, UNIT) == [(QUEUE, 1, 2, 0, None)]
    units_of_work.back_out(tx, UNIT, except_message=skipping)
    assert states(tx) == {kept: "AVAILABLE", got: "AVAILABLE", skipping: "GOT"}
    assert [row.backout_count for row in messages.without_body(tx, [kept, got, skipping])] == [
        0,
        1,
        0,
    ]


def test_a_unit_has_a_share_in_each_queue(tx: Transaction) -> None:
    for expires_at in (9, None, 5):
        stored(tx, unit=UNIT, expires_at=expires_at)
    stored(tx, queue=QUEUE + 1, unit=UNIT, descriptor=MessageDescriptor(persistence=1))
    assert sorted(units_of_work.shares(tx, UNIT)) == [
        (QUEUE, 3, 0, 0, 5),
        (QUEUE + 1, 1, 0, 1, None),
    ]


def test_a_message_that_skips_backout_moves_to_the_next_unit_unless_it_is_another_message(
    tx: Transaction,
) -> None:
    id = stored(tx)
    messages.reserve(tx, id, UNIT)
    units_of_work.move_message(tx, id, OTHER_UNIT, UNIT + 2)
    assert [each.id for each in units_of_work.got(tx, UNIT)] == [id]
    units_of_work.move_message(tx, id, UNIT, UNIT + 1)
    assert [each.id for each in units_of_work.got(tx, UNIT + 1)] == [id]


def test_units_of_a_connection_are_its_range(tx: Transaction) -> None:
    for unit in (UNIT, UNIT, UNIT + 1, (8 << UNIT_BITS) - 1, OTHER_UNIT, (7 << UNIT_BITS) - 1):
        stored(tx, unit=unit)
    assert sorted(units_of_work.of_connection(tx, 7)) == [UNIT, UNIT + 1, (8 << UNIT_BITS) - 1]


def test_messages_are_counted_by_rank_up_to_a_limit(tx: Transaction) -> None:
    for rank, unit in ((4, None), (5, None), (6, None), (5, UNIT), (4, UNIT)):
        stored(tx, rank=rank, unit=unit)
    stored(tx, queue=QUEUE + 1, rank=4)
    messages.reserve(tx, stored(tx, rank=9), UNIT)
    assert [triggers.count_of_rank(tx, QUEUE, 5, limit) for limit in (1, 2, 3, 9)] == [1, 2, 3, 3]
    assert triggers.counts_by_rank(tx, QUEUE) == {4: 2, 5: 2, 6: 1}


def test_clear_removes_messages_in_every_state(tx: Transaction) -> None:
    stored(tx)
    stored(tx, unit=UNIT)
    messages.reserve(tx, stored(tx), UNIT)
    other = stored(tx, queue=QUEUE + 1)
    assert units_of_work.uncommitted_on_queue(tx, QUEUE) == 2
    assert messages.clear(tx, QUEUE) == 3
    assert states(tx) == {other: "AVAILABLE"}


def test_a_restart_drops_nonpersistent_messages_unless_the_queue_keeps_them(
    tx: Transaction,
) -> None:
    dropping, keeping = stored_queue(tx, "D"), stored_queue(tx, "K", keep_nonpersistent=1)
    persistent = MessageDescriptor(persistence=1)
    stored(tx, queue=dropping, descriptor=persistent)
    ids = [stored(tx, queue=dropping, body=b"data"), stored(tx, queue=dropping)]
    stored(tx, queue=keeping)
    rows = messages.nonpersistent(tx, "QM1", 0, 9)
    assert [(row.id, row.body) for row in rows] == [(ids[0], b""), (ids[1], b"")]
    assert [row.id for row in messages.nonpersistent(tx, "QM1", ids[0], 9)] == ids[1:]
    assert [row.id for row in messages.nonpersistent(tx, "QM1", 0, 1)] == ids[:1]
    assert messages.nonpersistent(tx, "QM2", 0, 9) == []


OLD = [(0, 10, 0), (2, 10, 2), (5, 10, 4), (99, 10, 4), (99, 3, 3), (99, 0, 0)]


@pytest.mark.parametrize(("below", "limit", "removed"), OLD)
def test_only_old_and_available_messages_are_removed(
    tx: Transaction,
    below: int,
    limit: int,
    removed: int,
) -> None:
    for unit in (None, None, None, None, UNIT):
        stored(tx, unit=unit)
    assert messages.remove_before(tx, QUEUE, below, limit) == removed
    assert len(states(tx)) == 5 - removed


def test_conditions_on_ids_and_positions(tx: Transaction) -> None:
    plain = stored(tx)
    grouped = stored(
        tx,
        descriptor=MessageDescriptor(group_id=b"g" * 24, msg_seq_number=2, offset=3),
    )
    correlated = stored(tx, descriptor=MessageDescriptor(correl_id=b"c" * 24, msg_id=b"m" * 24))
    for name, value in {"group_id": b"g" * 24, "msg_seq_number": 2, "offset": 3}.items():
        assert first(tx, name, **{name: value}) == grouped, name
    for name, value in {"correl_id": b"c" * 24, "msg_id": b"m" * 24}.items():
        assert first(tx, name, **{name: value}) == correlated, name
    assert first(tx, "no_correl_id", "no_group_id") == plain
    assert first(tx, "unmarked_here", marked="[0, 1]") == correlated
    changed(tx, plain, rank=1)
    assert first(tx, "same_rank", rank=0, sequence=1) == correlated
    assert first(tx, "lower_rank", rank=1) == grouped


def test_each_unit_and_state_is_one_share(tx: Transaction) -> None:
    queue, other = stored_queue(tx, "Q"), stored_queue(tx, "OTHER")
    one, two = ((connected(tx, application=name) << UNIT_BITS) + 1 for name in "AB")
    for unit, rank, of in (
        (one, 5, queue),
        (one, 5, queue),
        (one, 4, queue),
        (two, 9, queue),
        (one, 9, other),
    ):
        stored(tx, unit=unit, rank=rank, queue=of)
    stored(tx, rank=9, queue=queue)
    messages.reserve(tx, stored(tx, rank=9, queue=queue), two)
    shares = units_of_work.held_on_queue(tx, queue, 5)
    found = [(each.application, each.state, each.messages, each.queue) for each in shares]
    put, got = MessageState.PUT, MessageState.GOT
    assert found == [("A", put, 2, "Q"), ("B", put, 1, "Q"), ("B", got, 1, "Q")]
    # No get in the history is no time.
    assert units_of_work.first_get(tx, "Q", 1, 1) is None


TARGET, COA = 2, int(MQRO.COA)


def test_a_batch_is_the_first_available_messages(tx: Transaction) -> None:
    assert messages.move_batch(tx, QUEUE, 99, 9, COA) == (0, 0, 0, 0, None, 0)
    stored(tx, unit=7)
    for body, expires_at in ((b"aaa", None), (b"a", 9), (b"aaaa", 5)):
        stored(tx, body=body, expires_at=expires_at)
    assert messages.move_batch(tx, QUEUE, 99, 9, COA) == (3, 1, 3, 4, 5, 0)
    assert messages.move_batch(tx, QUEUE, 3, 9, COA) == (2, 1, 2, 3, 9, 0)
    assert messages.move_batch(tx, QUEUE, 99, 1, COA) == (1, 1, 1, 3, None, 0)


def test_those_that_ask_for_a_report_are_counted_and_found_and_ranks_are_read_in_order(
    tx: Transaction,
) -> None:
    asking = [
        stored(tx, descriptor=MessageDescriptor(report=report))
        for report in (COA | 1, 0, 3 * COA, 8 * COA)
    ]
    assert messages.move_batch(tx, QUEUE, 99, 9, COA).asking == 2
    assert messages.moved_asking(tx, QUEUE, 0, 3, COA) == [asking[0], asking[2]]
    assert messages.moved_asking(tx, QUEUE, 1, 3, COA) == [asking[2]]

    for rank in (3, 9, 0, 5):
        stored(tx, rank=rank)
    assert messages.moved_ranks(tx, QUEUE, 5, 7) == [9, 0, 5]


@pytest.mark.parametrize(("fifo", "rank"), [(0, [9, 4]), (1, [3, 3])])
def test_messages_go_behind_those_of_the_target_with_its_ranks(
    tx: Transaction,
    fifo: int,
    rank: list[int],
) -> None:
    ids = [stored(tx, descriptor=MessageDescriptor(priority=priority)) for priority in (12, 4, 4)]
    assert messages.move(tx, QUEUE, 1, TARGET, shift=100, fifo=fifo, default_priority=3) == 2
    rows = messages.without_body(tx, ids)
    assert [(row.queue, row.sequence) for row in rows] == [(TARGET, 100), (TARGET, 101), (QUEUE, 2)]
    assert [row.rank for row in rows[:2]] == rank


def test_the_depth_of_a_queue_changes_without_a_put(tx: Transaction) -> None:
    id = stored_queue(tx, depth=3, next_sequence=10, high_depth=4, earliest_expiry=5)
    for change, expected in (((2, 20, 7), (5, 20, 5, 7, 0)), ((-5, 8, None), (0, 20, 5, None, 0))):
        queues.change_depth_by_move(tx, id, *change)
        row = queue_row(tx, id)
        assert (
            row.depth,
            row.next_sequence,
            row.high_depth,
            row.earliest_expiry,
            row.puts,
        ) == expected


def test_a_message_is_left_for_the_get_that_waits_for_it(tx: Transaction) -> None:
    correl_id = b"w" * 24
    wanted, other = stored(tx, descriptor=MessageDescriptor(correl_id=correl_id)), stored(tx)
    unwanted = [first(tx, "unwanted")]
    for waiter, queue, wants in ((1, QUEUE + 1, {}), (2, QUEUE, {"offset": 1}), (2, QUEUE, {})):
        messages.add_waiter(tx, waiter, queue, {"correl_id": correl_id, **wants})
        unwanted.append(first(tx, "unwanted"))
    messages.remove_waiter(tx, 2)
    assert [*unwanted, first(tx, "unwanted")] == [wanted, wanted, wanted, other, wanted]


def test_pages_follow_delivery_order_and_skip_nothing(tx: Transaction) -> None:
    ids = [stored(tx, rank=rank) for rank in (1, 9, 1, 0, 9)]
    messages.lock(tx, ids[0], 5)
    stored(tx, unit=7)
    order = [ids[at] for at in (1, 4, 0, 2, 3)]
    for size in (1, 2, 3, 9):
        found: list[int] = []
        after = QueuePosition()
        while rows := page(tx, QUEUE, after, before=99, size=size):
            found += [row.id for row in rows]
            after = QueuePosition(rows[-1].rank, rows[-1].sequence)
        assert found == order


def test_later_messages_and_the_end_of_the_data_are_left_out(tx: Transaction) -> None:
    ids = [stored(tx, body=b"data"), stored(tx, body=b"")]
    assert [row.id for row in page(tx, QUEUE, QueuePosition(), before=1, size=9)] == ids[:1]
    for most, body in ((None, b"data"), (2, b"da"), (0, b"")):
        assert [
            row.body for row in page(tx, QUEUE, QueuePosition(), before=9, size=9, most=most)
        ] == [body, b""]
