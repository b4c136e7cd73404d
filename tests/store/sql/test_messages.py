from __future__ import annotations

import pytest

from store.descriptor import MessageDescriptor
from store.sql import messages, triggers, units_of_work
from store.sql.rows import UNIT_BITS
from store.sqlite.database import Transaction
from tests.store.sql.stored import QUEUE, changed, states, stored, stored_queue

UNIT, OTHER_UNIT = 7 << UNIT_BITS | 1, 8 << UNIT_BITS | 1
HERE = {"queue": QUEUE, "handle": 1}
ANY = frozenset({"unlocked"})


def first(tx: Transaction, *conditions: str, **values: object) -> int | None:
    found = messages.first(tx, ANY | {*conditions}, {**HERE, **values})
    return None if found is None else found.id


def test_delivery_order_is_rank_then_sequence(tx: Transaction) -> None:
    low, high, high_later = stored(tx, rank=1), stored(tx, rank=5), stored(tx, rank=5)
    order = []
    for _ in range(3):
        id = first(tx)
        assert id is not None
        order.append(id)
        messages.remove(tx, id)
    assert order == [high, high_later, low]
    assert first(tx) is None


def test_only_available_messages_of_the_queue_are_found(tx: Transaction) -> None:
    stored(tx, queue=QUEUE + 1)
    stored(tx, unit=UNIT)
    got = stored(tx)
    messages.reserve(tx, got, UNIT)
    assert first(tx) is None


def test_a_locked_message_is_hidden_from_other_handles(tx: Transaction) -> None:
    id = stored(tx)
    messages.lock(tx, id, handle=1)
    assert [first(tx, handle=1), first(tx, handle=2)] == [id, None]
    assert [messages.unlock(tx, 1), messages.unlock(tx, 1)] == [1, 0]
    assert first(tx, handle=2) == id


@pytest.mark.parametrize(("until", "now", "is_found"), [(10, 9, False), (10, 10, True), (None, 9, True)])
def test_a_mark_hides_a_message_until_its_time(tx: Transaction, until: int | None, now: int, is_found: bool) -> None:
    messages.mark(tx, stored(tx), until)
    assert (first(tx, "unmarked", now=now) is not None) == is_found


def test_a_row_number_with_another_sequence_number_is_another_message(tx: Transaction) -> None:
    id = stored(tx)
    assert [first(tx, "id", id=id, sequence=0), first(tx, "id", id=id, sequence=1)] == [id, None]


def test_expired_messages_are_those_before_the_first_live_one(tx: Transaction) -> None:
    expired = [stored(tx, expires_at=at) for at in (5, 3)]
    stored(tx)
    stored(tx, expires_at=1)
    found = messages.expired_before_first_live(tx, ANY, HERE, 10, 9)
    assert [(each.id, each.expires_at) for each in found] == [(expired[0], 5), (expired[1], 3)]
    assert len(messages.expired_before_first_live(tx, ANY, HERE, 10, 1)) == 1


def test_a_commit_releases_puts_and_removes_gets_of_its_unit_only(tx: Transaction) -> None:
    put, got, other = stored(tx, unit=UNIT), stored(tx), stored(tx, unit=OTHER_UNIT)
    messages.reserve(tx, got, UNIT)
    assert units_of_work.shares(tx, UNIT) == [(QUEUE, 1, 1, 0, None)]
    units_of_work.commit(tx, UNIT)
    assert states(tx) == {put: "AVAILABLE", other: "PUT"}


def test_a_backout_removes_puts_and_releases_gets_with_a_higher_backout_count(tx: Transaction) -> None:
    stored(tx, unit=UNIT)
    kept, got, skipping = stored(tx, unit=UNIT, kept=True), stored(tx), stored(tx)
    messages.reserve(tx, got, UNIT)
    messages.reserve(tx, skipping, UNIT)
    assert units_of_work.shares(tx, UNIT) == [(QUEUE, 1, 2, 0, None)]
    units_of_work.back_out(tx, UNIT, except_message=skipping)
    assert states(tx) == {kept: "AVAILABLE", got: "AVAILABLE", skipping: "GOT"}
    counts = [row.backout_count for row in messages.without_body(tx, [kept, got, skipping])]
    assert counts == [0, 1, 0]


def test_a_unit_has_a_share_in_each_queue(tx: Transaction) -> None:
    for expires_at in (9, None, 5):
        stored(tx, unit=UNIT, expires_at=expires_at)
    stored(tx, queue=QUEUE + 1, unit=UNIT, descriptor=MessageDescriptor(persistence=1))
    assert sorted(units_of_work.shares(tx, UNIT)) == [(QUEUE, 3, 0, 0, 5), (QUEUE + 1, 1, 0, 1, None)]


def test_a_message_that_skips_backout_moves_to_the_next_unit_unless_it_is_another_message(tx: Transaction) -> None:
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


def test_messages_of_a_rank_are_counted_up_to_a_limit(tx: Transaction) -> None:
    for rank, unit in ((4, None), (5, None), (6, None), (5, UNIT), (4, UNIT)):
        stored(tx, rank=rank, unit=unit)
    messages.reserve(tx, stored(tx, rank=9), UNIT)
    assert [triggers.count_of_rank(tx, QUEUE, 5, limit) for limit in (1, 2, 3, 9)] == [1, 2, 3, 3]


def test_messages_are_counted_by_rank(tx: Transaction) -> None:
    for rank, unit in ((4, None), (5, None), (5, UNIT)):
        stored(tx, rank=rank, unit=unit)
    stored(tx, queue=QUEUE + 1, rank=4)
    messages.reserve(tx, stored(tx, rank=9), UNIT)
    assert triggers.counts_by_rank(tx, QUEUE) == {4: 1, 5: 2}


def test_clear_removes_messages_in_every_state(tx: Transaction) -> None:
    stored(tx)
    stored(tx, unit=UNIT)
    messages.reserve(tx, stored(tx), UNIT)
    other = stored(tx, queue=QUEUE + 1)
    assert units_of_work.uncommitted_on_queue(tx, QUEUE) == 2
    assert messages.clear(tx, QUEUE) == 3
    assert states(tx) == {other: "AVAILABLE"}


def test_a_restart_drops_nonpersistent_messages_unless_the_queue_keeps_them(tx: Transaction) -> None:
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


@pytest.mark.parametrize(
    ("below", "limit", "removed"), [(0, 10, 0), (2, 10, 2), (5, 10, 4), (99, 10, 4), (99, 3, 3), (99, 0, 0)]
)
def test_only_old_and_available_messages_are_removed_and_no_more_than_the_limit(
    tx: Transaction, below: int, limit: int, removed: int
) -> None:
    for _ in range(4):
        stored(tx)
    stored(tx, unit=UNIT)
    assert messages.remove_before(tx, QUEUE, below, limit) == removed
    assert len(states(tx)) == 5 - removed


def test_conditions_on_ids_and_positions(tx: Transaction) -> None:
    plain = stored(tx)
    grouped = stored(tx, descriptor=MessageDescriptor(group_id=b"g" * 24, msg_seq_number=2, offset=3))
    correlated = stored(tx, descriptor=MessageDescriptor(correl_id=b"c" * 24, msg_id=b"m" * 24))
    assert first(tx, "group_id", group_id=b"g" * 24) == grouped
    assert first(tx, "msg_seq_number", msg_seq_number=2) == grouped
    assert first(tx, "offset", offset=3) == grouped
    assert first(tx, "correl_id", correl_id=b"c" * 24) == correlated
    assert first(tx, "msg_id", msg_id=b"m" * 24) == correlated
    assert first(tx, "no_correl_id", "no_group_id") == plain
    assert first(tx, "unmarked_here", marked="[0, 1]") == correlated
    changed(tx, plain, rank=1)
    assert first(tx, "same_rank", rank=0, sequence=1) == correlated
    assert first(tx, "lower_rank", rank=1) == grouped
