"""The member of a queue-sharing group that scans shared queues."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.engine import expiry_owner
from mqsc.store.sql import managers
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading, Transaction
from tests.rows import rows

_EVENTS = text_of(
    select(event.c.cause, event.c.qmgr, event.c.target, event.c.application, event.c.detail)
    .where(event.c.kind == "OWNER")
    .order_by(event.c.seq),
)


@pytest.fixture
def group(store: Store) -> list[QueueManager]:
    """QM1, QM2 and QM3, running members of QSG1; QM1 and QM2 have EXPRYINT(5)."""
    members = [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)]
    for member in members[:2]:
        change_queue_manager(member, {"EXPRYINT": 5})
    return members


def ranks(qmgr: QueueManager) -> list[int]:
    with Reading(qmgr.store.database) as reading:
        return [each.expiry_rank for each in managers.members(reading, "QSG1")]


def owner(qmgr: QueueManager) -> str:
    with Reading(qmgr.store.database) as reading:
        return managers.expiry_owner(reading, "QSG1")


def test_candidates_have_ranks_in_the_order_in_which_they_became_such(
    group: list[QueueManager],
) -> None:
    assert ranks(group[0]) == [1, 2, 0]
    change_queue_manager(group[0], {"EXPRYINT": 9})
    assert ranks(group[0]) == [1, 2, 0]
    group[0].end()
    change_queue_manager(group[2], {"EXPRYINT": 5})
    group[0].start()
    assert (ranks(group[0]), owner(group[0])) == ([4, 2, 3], "QM2")


@rows((0, False, "QM1"), (1, True, "QM1"), (1, False, "QM2"))
def test_a_tick_takes_over_only_from_an_owner_that_does_not_serve(
    group: list[QueueManager],
    member: int,
    serves: bool,
    owns: str,
) -> None:
    asked = []

    def whether(name: str) -> bool:
        asked.append(name)
        return serves

    qmgr = group[member]
    with Transaction(qmgr.store.database, durable=False) as tx:
        assert expiry_owner.tick_of_expiry(tx, qmgr.call_context(tx), whether) is (
            owns == qmgr.name
        )
    assert (owner(qmgr), asked) == (owns, ["QM1"] if member else [])


def test_every_change_is_an_event_of_the_group(group: list[QueueManager]) -> None:
    for member in group[:2]:
        change_queue_manager(member, {"EXPRYINT": "OFF"})
    with Reading(group[0].store.database) as reading:
        told = [
            (*rest, detail) for *rest, application, detail in reading.all(_EVENTS) if application
        ]
    assert told == [
        ("alter", "QSG1", "QM1", '{"member": "QM1"}'),
        ("alter", "QSG1", "QM2", '{"member": "QM1", "from": "QM1"}'),
        ("alter", "QSG1", None, '{"member": "QM2", "from": "QM2"}'),
    ]


def test_outside_a_group_there_is_nothing_to_settle(store: Store) -> None:
    alone = store.create_queue_manager("ALONE")
    with Transaction(store.database, durable=False) as tx:
        call = alone.call_context(tx)
        expiry_owner.settle_expiry_owner(tx, call, "alter")
        assert not expiry_owner.may_scan(tx, call.qmgr, "refresh")
        assert tx.all(_EVENTS) == []
