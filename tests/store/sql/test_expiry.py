"""SQL and Python have the same rule for expiry, at the moments around it; states, locks, order
and limits.
"""

from __future__ import annotations

import pytest
from sqlalchemy import select, text

from mqsc.store.constants import MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.rules.expiry import is_expired
from mqsc.store.sql import expiry, history, messages, queues
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.conditions import constant, expired, expires_later, not_expired
from mqsc.store.sqlite.database import Transaction
from tests.store.sql.stored import QUEUE, queue_row, states, stored, stored_queue

NOW = 1000
ASKS_FOR_REPORT = MessageDescriptor(report=int(MQRO.EXPIRATION))
CAUSE = (NOW, "QM1", "Q", None, "", "")
_EXPIRED = text_of(text("SELECT expires_at, cause FROM event WHERE kind = 'EXPIRE' ORDER BY seq"))


def test_the_first_to_expire_are_discarded_first(tx: Transaction) -> None:
    for at in (5, 3, 4):
        stored(tx, expires_at=at)
    assert expiry.discard_silently(tx, CAUSE, "interval", QUEUE, 2) == 2
    assert sorted(tx.all(_EXPIRED)) == [(3, "interval"), (4, "interval")]
    assert states(tx) == {1: "AVAILABLE"}


def test_ranges_of_messages_are_recorded_and_removed_in_the_order_given(tx: Transaction) -> None:
    ids = [stored(tx, expires_at=at) for at in (5, 3, 4, 6)]
    chosen = [ids[2], ids[3], ids[0]]
    assert messages.ranges_of(chosen) == [(ids[2], ids[3]), (ids[0], ids[0])]
    history.record_ranges(tx, CAUSE, "EXPIRE", "get", messages.ranges_of(chosen), "")
    messages.remove_all(tx, chosen)
    assert tx.all(_EXPIRED) == [(4, "get"), (6, "get"), (5, "get")]
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
    for earliest in (7, None):
        expiry.set_earliest_expiry(tx, queue)
        assert queue_row(tx, queue).earliest_expiry == earliest
        messages.clear(tx, queue)


def test_all_expired_messages_of_a_queue_without_their_data(tx: Transaction) -> None:
    asking = stored(tx, expires_at=4, body=b"data", descriptor=ASKS_FOR_REPORT)
    silent = stored(tx, expires_at=3, body=b"data")
    stored(tx, expires_at=3, unit=7)
    stored(tx, expires_at=5)
    assert [(each.id, each.body) for each in expiry.discardable(tx, QUEUE, 4, 9)] == [
        (silent, b""),
        (asking, b""),
    ]
    assert [each.id for each in expiry.discardable(tx, QUEUE, 4, 1)] == [silent]


def test_a_preview_counts_what_a_scan_or_get_would_discard(tx: Transaction) -> None:
    for expires_at, body, report in (
        (1, b"aaa", None),
        (2, b"", ASKS_FOR_REPORT),
        (None, b"", None),
        (3, b"", None),
    ):
        stored(tx, expires_at=expires_at, body=body, descriptor=report)
    assert expiry.expired_counts(tx, QUEUE, NOW) == (3, 3, 1, 1, 3)
    assert expiry.count_before_first_live(tx, QUEUE, NOW) == 2
    assert expiry.next_expiries(tx, QUEUE, 1, 1) == [(2, 1)]
    assert expiry.putters(tx, QUEUE, NOW) == [("", "", 3, 1)]


BOTH = text_of(select(expired(NOW), not_expired(NOW), expires_later(NOW)))


@pytest.mark.parametrize("expires_at", [None, 0, NOW - 1, NOW, NOW + 1])
def test_every_statement_follows_the_rule(tx: Transaction, expires_at: int | None) -> None:
    """If they differed, a get that finds an expired message but discards none would loop
    forever.
    """
    id = stored(tx, expires_at=expires_at)
    expired = is_expired(expires_at, NOW)
    later = expires_at is not None and not expired
    assert [bool(each) for each in tx.first_row(BOTH)] == [expired, not expired, later]
    assert expiry.expired_counts(tx, QUEUE, NOW)[:3] == (expired, expired, 0)
    assert expiry.count_before_first_live(tx, QUEUE, NOW) == (None if expired else 0)
    assert expiry.next_expiries(tx, QUEUE, NOW, 5) == [(expires_at, 1)] * later
    found = messages.expired_before_first_live(
        tx,
        frozenset({"unlocked"}),
        {"queue": QUEUE, "handle": 1},
        NOW,
        5,
    )
    assert [each.id for each in found] == [id] * expired
    assert expiry.count_expired(tx, QUEUE, NOW) == expired
    assert expiry.asking_for_report(tx, QUEUE, NOW, 5) == []
    assert expiry.discard_silently(tx, CAUSE, "get", QUEUE, 5) == expired
    assert (messages.by_id(tx, id) is None) == expired
    asking = stored(tx, expires_at=expires_at, descriptor=ASKS_FOR_REPORT)
    assert [each.id for each in expiry.asking_for_report(tx, QUEUE, NOW, 5)] == [asking] * expired
    # A scan visits the queues that may hold an expired message.
    queue = stored_queue(tx, earliest_expiry=expires_at)
    assert [each[:2] for each in queues.expiring(tx, "QM1", NOW)] == [(queue, "Q")] * expired


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-1, "-1"), ("QLOCAL", "'QLOCAL'"), ("", "''"), (True, "1")],
)
def test_constants_are_sql_text(value: int | str, text: str) -> None:
    assert text_of(constant(value)) == text
