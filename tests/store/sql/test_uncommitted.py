"""The messages that open units of work hold."""

from __future__ import annotations

from store.sql import connections, messages, units_of_work
from store.sql.rows import UNIT_BITS, MessageState
from store.sqlite.database import Transaction
from tests.store.sql.stored import stored, stored_queue


def connected(tx: Transaction, application: str) -> int:
    """Store a connection; return its first unit of work."""
    row = {"qmgr": "QM1", "run": 1, "process": 1, "application": application, "user": "u", "connected_at": 0}
    return (connections.add(tx, row) << UNIT_BITS) + 1


def test_each_unit_and_state_is_one_share(tx: Transaction) -> None:
    queue, other = stored_queue(tx, "Q"), stored_queue(tx, "OTHER")
    first, second = connected(tx, "A"), connected(tx, "B")
    for unit, rank, of in (
        (first, 5, queue),
        (first, 5, queue),
        (first, 4, queue),
        (second, 9, queue),
        (first, 9, other),
    ):
        stored(tx, unit=unit, rank=rank, queue=of)
    stored(tx, rank=9, queue=queue)
    messages.reserve(tx, stored(tx, rank=9, queue=queue), second)
    found = units_of_work.held_on_queue(tx, queue, 5)
    assert [(each.application, each.state, each.messages) for each in found] == [
        ("A", MessageState.PUT, 2),
        ("B", MessageState.PUT, 1),
        ("B", MessageState.GOT, 1),
    ]
    assert {each.queue for each in found} == {"Q"}


def test_no_get_in_the_history_is_no_time(tx: Transaction) -> None:
    assert units_of_work.first_get(tx, "Q", 1, 1) is None
