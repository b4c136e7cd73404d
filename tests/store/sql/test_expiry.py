"""States, locks, order and limits of expiry statements; their times are tested in test_clauses."""

from __future__ import annotations

from sqlalchemy import text

from store.constants import MQRO
from store.descriptor import MessageDescriptor
from store.sql import expiry, messages
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement
from tests.store.sql.stored import QUEUE, queue_row, states, stored, stored_queue

NOW = 100
CAUSE = (NOW, "QM1", "Q", None, "", "")
_EXPIRED = Statement(text("SELECT expires_at, cause FROM event WHERE kind = 'EXPIRE' ORDER BY seq"))


def test_the_first_to_expire_are_discarded_first(tx: Transaction) -> None:
    for at in (5, 3, 4):
        stored(tx, expires_at=at)
    assert expiry.discard_silently(tx, CAUSE, "interval", QUEUE, 2) == 2
    assert sorted(tx.all(_EXPIRED)) == [(3, "interval"), (4, "interval")]
    assert states(tx) == {1: "AVAILABLE"}


def test_messages_are_discarded_by_number_in_the_order_given(tx: Transaction) -> None:
    ids = [stored(tx, expires_at=at) for at in (5, 3, 4)]
    expiry.discard(tx, CAUSE, "get", [ids[2], ids[0]])
    assert tx.all(_EXPIRED) == [(4, "get"), (5, "get")]
    assert states(tx) == {ids[1]: "AVAILABLE"}


def test_locked_and_uncommitted_messages_count_but_are_not_discarded(tx: Transaction) -> None:
    messages.lock(tx, stored(tx, expires_at=1), 5)
    stored(tx, expires_at=2, unit=7)
    messages.reserve(tx, stored(tx, expires_at=3), 7)
    assert expiry.discard_silently(tx, CAUSE, "interval", QUEUE, 9) == 0
    assert expiry.asking_for_report(tx, QUEUE, NOW, 9) == []
    assert expiry.count_expired(tx, QUEUE, NOW) == 2
    assert expiry.expired_counts(tx, QUEUE, NOW) == (2, 0, 0, 1, 0)


def test_the_next_expiry_is_stored_with_the_queue(tx: Transaction) -> None:
    queue = stored_queue(tx, earliest_expiry=1)
    for at in (None, 9, 7):
        stored(tx, queue=queue, expires_at=at)
    expiry.set_earliest_expiry(tx, queue)
    assert queue_row(tx, queue).earliest_expiry == 7
    messages.clear(tx, queue)
    expiry.set_earliest_expiry(tx, queue)
    assert queue_row(tx, queue).earliest_expiry is None


def test_all_expired_messages_of_a_queue_without_their_data(tx: Transaction) -> None:
    asking = stored(tx, expires_at=4, body=b"data", descriptor=MessageDescriptor(report=int(MQRO.EXPIRATION)))
    silent = stored(tx, expires_at=3, body=b"data")
    stored(tx, expires_at=3, unit=7)
    stored(tx, expires_at=5)
    assert [(each.id, each.body) for each in expiry.discardable(tx, QUEUE, 4, 9)] == [(silent, b""), (asking, b"")]
    assert [each.id for each in expiry.discardable(tx, QUEUE, 4, 1)] == [silent]
