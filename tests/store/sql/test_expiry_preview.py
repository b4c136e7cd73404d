from __future__ import annotations

from store.sql import expiry
from store.sqlite.database import Transaction
from tests.store.sql.stored import QUEUE, stored
from tests.store.sql.test_clauses import ASKS_FOR_REPORT
from tests.store.sql.test_expiry import NOW


def test_a_preview_counts_what_a_scan_or_get_would_discard(tx: Transaction) -> None:
    stored(tx, expires_at=1, body=b"aaa")
    stored(tx, expires_at=2, descriptor=ASKS_FOR_REPORT)
    stored(tx)
    stored(tx, expires_at=3)
    assert expiry.expired_counts(tx, QUEUE, NOW) == (3, 3, 1, 1, 3)
    assert expiry.count_before_first_live(tx, QUEUE, NOW) == 2
    assert expiry.next_expiries(tx, QUEUE, 1, 1) == [(2, 1)]
    assert expiry.putters(tx, QUEUE, NOW) == [("", "", 3, 1)]
