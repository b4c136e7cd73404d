"""SQL and Python have the same rule for expiry: every statement is tested at the moments around the expiry."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from store.descriptor import MessageDescriptor
from store.rules.expiry import is_expired
from store.sql import expiry, messages, queues, schema
from store.sql.schema import expired, expires_later, not_expired
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement, compile_core
from tests.store.sql.stored import QUEUE, stored, stored_queue

NOW = 1000
MOMENTS = [None, 0, NOW - 1, NOW, NOW + 1]
UNLOCKED = {"queue": QUEUE, "handle": 1}
CONDITIONS = frozenset({"unlocked"})
ASKS_FOR_REPORT = MessageDescriptor(report=0x0020_0000)
BOTH = Statement(select(expired(NOW), not_expired(NOW), expires_later(NOW)))


@pytest.mark.parametrize("expires_at", MOMENTS)
def test_the_clauses_are_the_rule(tx: Transaction, expires_at: int | None) -> None:
    stored(tx, expires_at=expires_at)
    expired = is_expired(expires_at, NOW)
    later = expires_at is not None and not expired
    assert [bool(each) for each in tx.one(BOTH)] == [expired, not expired, later]


@pytest.mark.parametrize("expires_at", MOMENTS)
def test_every_statement_follows_the_rule(tx: Transaction, expires_at: int | None) -> None:
    """If they differed, a get that finds an expired message but discards none would loop forever."""
    id = stored(tx, expires_at=expires_at)
    expired = is_expired(expires_at, NOW)
    found = messages.expired_before_first_live(tx, CONDITIONS, UNLOCKED, NOW, 5)
    assert [each.id for each in found] == [id] * expired
    assert expiry.count_expired(tx, QUEUE, NOW) == expired
    assert expiry.asking_for_report(tx, QUEUE, NOW, 5) == []
    cause = NOW, "QM1", "Q", None, "", ""
    assert expiry.discard_silently(tx, cause, "get", QUEUE, 5) == expired
    assert (messages.by_id(tx, id) is None) == expired


@pytest.mark.parametrize("expires_at", MOMENTS)
def test_messages_that_ask_for_a_report_follow_the_rule(tx: Transaction, expires_at: int | None) -> None:
    id = stored(tx, expires_at=expires_at, descriptor=ASKS_FOR_REPORT)
    assert [each.id for each in expiry.asking_for_report(tx, QUEUE, NOW, 5)] == [id] * is_expired(expires_at, NOW)


@pytest.mark.parametrize("expires_at", MOMENTS)
def test_previews_follow_the_rule(tx: Transaction, expires_at: int | None) -> None:
    stored(tx, expires_at=expires_at)
    expired = is_expired(expires_at, NOW)
    assert expiry.expired_counts(tx, QUEUE, NOW)[:3] == (expired, expired, 0)
    assert expiry.count_before_first_live(tx, QUEUE, NOW) == (None if expired else 0)
    later = expires_at is not None and not expired
    assert expiry.next_expiries(tx, QUEUE, NOW, 5) == [(expires_at, 1)] * later


@pytest.mark.parametrize("expires_at", MOMENTS)
def test_a_scan_visits_the_queues_that_may_hold_an_expired_message(tx: Transaction, expires_at: int | None) -> None:
    id = stored_queue(tx, earliest_expiry=expires_at)
    assert [each[:2] for each in queues.expiring(tx, "QM1", NOW)] == [(id, "Q")] * is_expired(expires_at, NOW)


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (-1, "-1"), ("QLOCAL", "'QLOCAL'"), ("", "''"), (True, "1")])
def test_constants_are_sql_text(value: int | str, text: str) -> None:
    assert compile_core(schema.constant(value)).text == text
