from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from store.descriptor import MessageDescriptor
from store.sql import history
from store.sql.rows import EventRow
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement
from tests.store.sql.stored import stored

CAUSE = (9, "QM1", "Q", 3, "app", "alice")
_EVENTS = Statement(text("SELECT kind, queue, msg_id, unit, reason, detail FROM event ORDER BY seq"))
ID = b"m" * 24


def test_events_are_appended_in_order_and_other_columns_are_null(tx: Transaction) -> None:
    history.append(tx, {"at": 1, "qmgr": "QM1", "kind": "CREATE"})
    history.append_all(tx, [EventRow(1, "QM1", "PUT", queue="Q", msg_id=ID), {"at": 1, "qmgr": "QM1", "kind": "END"}])
    assert tx.all(_EVENTS) == [
        ("CREATE", None, None, None, None, None),
        ("PUT", "Q", ID, None, None, None),
        ("END", None, None, None, None, None),
    ]


def test_messages_are_recorded_from_their_rows(tx: Transaction) -> None:
    ids = [stored(tx, unit=unit, descriptor=MessageDescriptor(msg_id=ID)) for unit in (None, 7)]
    history.record_puts(tx, CAUSE, *ids)
    assert history.record_dead_letter_put(tx, CAUSE, ids[0], 2053, {}) == history.last_number(tx) == 3
    history.record_get(tx, CAUSE, ids[1])
    assert tx.all(_EVENTS) == [
        ("PUT", "Q", ID, None, None, None),
        ("PUT", "Q", ID, 7, None, None),
        ("PUT", "Q", ID, None, 2053, "{}"),
        ("GET", "Q", ID, 7, None, None),
    ]
    who = Statement(text("SELECT DISTINCT at, qmgr, connection, application, user FROM event"))
    assert tx.all(who) == [(9, "QM1", 3, "app", "alice")]


@pytest.mark.parametrize(
    ("queue", "msg_id", "correl_id", "times"),
    [("Q", ID, None, 2), ("Q", ID, ID, 1), ("R", ID, None, 0), ("Q", b"", None, 0)],
)
def test_moves_of_a_message_are_counted(
    tx: Transaction, queue: str, msg_id: bytes, correl_id: bytes | None, times: int
) -> None:
    for kind in ("REQUEUE", "FORWARD", "DISCARD"):
        history.append(tx, EventRow(1, "QM1", kind, queue="Q", msg_id=ID))
    history.append(tx, EventRow(1, "QM2", "REQUEUE", queue="Q", msg_id=ID))
    history.append(tx, EventRow(1, "QM1", "REQUEUE", queue="Q", msg_id=ID, correl_id=ID))
    assert history.times_moved(tx, "QM1", queue, msg_id, correl_id) == times


@pytest.mark.parametrize(
    ("limits", "times"),
    [
        ({}, 3),
        ({"target": "A"}, 2),
        ({"target": "C"}, 0),
        ({"until": 2}, 2),
        ({"until": 0}, 0),
        ({"last": 1}, 1),
        ({"target": "A", "until": 2, "last": 3}, 1),
    ],
)
def test_moves_are_counted_by_target_time_and_number(tx: Transaction, limits: dict[str, Any], times: int) -> None:
    for at, target in enumerate(("A", "B", "A"), 1):
        history.append(tx, EventRow(at, "QM1", "FORWARD", queue="Q", target=target, msg_id=ID))
    assert history.times_moved(tx, "QM1", "Q", ID, None, **limits) == times


def test_the_bound_is_the_last_event_and_message(tx: Transaction) -> None:
    assert history.bound(tx) == (0, 0)
    history.append(tx, EventRow(1, "QM1", "CREATE"))
    id = stored(tx)
    assert history.bound(tx) == (1, id)
