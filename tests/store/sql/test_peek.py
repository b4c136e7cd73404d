from __future__ import annotations

import pytest

from store.sql import messages
from store.sql.messages import QueuePosition, page
from store.sqlite.database import Transaction
from tests.store.sql.stored import QUEUE, stored


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


def test_later_messages_are_left_out(tx: Transaction) -> None:
    first = stored(tx)
    stored(tx)
    assert [row.id for row in page(tx, QUEUE, QueuePosition(), before=1, size=9)] == [first]


@pytest.mark.parametrize(("most", "body"), [(None, b"data"), (2, b"da"), (0, b"")])
def test_the_beginning_of_the_data(tx: Transaction, most: int | None, body: bytes) -> None:
    stored(tx, body=b"data")
    stored(tx, body=b"")
    assert [row.body for row in page(tx, QUEUE, QueuePosition(), before=9, size=9, most=most)] == [body, b""]
