from __future__ import annotations

import pytest

from store.admin.defining import create
from store.admin.inquiring import inquire
from store.admin.queue_managers import create_queue_manager, delete_queue_manager, how_it_ended
from store.catalog import KINDS, SYSTEM_OBJECTS
from store.client.api import QueueManager, Store
from store.constants import MQOO, MQPMO, MQRC, MQRCCF
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import Message, PutMessageOptions
from store.sql.managers import ENDED
from store.sql.schema import connection, handle, message, metadata, object_, queue, queue_member
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.store.admin.looking import history

QLOCAL = KINDS["QLOCAL"]


def test_a_new_queue_manager_has_ended_and_has_every_system_object(store: Store) -> None:
    create_queue_manager(store, "QM1")
    (row,) = store.queue_managers()
    store.queue_manager("QM1").start()
    found = inquire(store.queue_manager("QM1"), list(KINDS.values()), "*")
    names = [row.get("QUEUE") or next(iter(row.values())) for row in found]

    assert (row.name, row.state, row.created_at, row.clock_at) == ("QM1", ENDED, 1_700_000_000_000_000, None)
    assert sorted(names) == sorted(["QM1", *(each.name for each in SYSTEM_OBJECTS)])


def test_the_first_is_the_default_until_another_is_chosen(store: Store) -> None:
    for name, default in (("QM2", False), ("QM1", False), ("QM3", True)):
        create_queue_manager(store, name, default=default)
        assert store.queue_manager().name == ("QM3" if default else "QM2")

    assert [(row.name, row.is_default) for row in store.queue_managers()] == [("QM1", 0), ("QM2", 0), ("QM3", 1)]


def test_how_it_ended(store: Store) -> None:
    """Since it was created: an earlier queue manager of that name does not count."""
    create_queue_manager(store, "QM1")
    create_queue_manager(store, "QM2")
    told = [how_it_ended(store, "QM1")]
    for immediate in (True, False):
        qmgr = store.queue_manager("QM1")
        qmgr.start()
        qmgr.end(immediate=immediate)
        told.append(how_it_ended(store, "QM1"))
    delete_queue_manager(store, "QM1")
    create_queue_manager(store, "QM1")
    assert [*told, how_it_ended(store, "QM1")] == ["", "immediate", "controlled", ""]
    assert how_it_ended(store, "QM2") == ""


def test_a_manual_clock_stands_where_it_is_set(store: Store) -> None:
    create_queue_manager(store, "QM1", manual_clock_at=5)

    assert store.queue_managers()[0].clock_at == 5


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("QM1", MQRCCF.OBJECT_ALREADY_EXISTS),
        ("", MQRC.Q_MGR_NAME_ERROR),
        ("no good", MQRC.Q_MGR_NAME_ERROR),
        ("Q" * 49, MQRC.Q_MGR_NAME_ERROR),
    ],
)
def test_a_name_that_exists_or_cannot_be_is_refused(store: Store, name: str, reason: int) -> None:
    create_queue_manager(store, "QM1")
    with pytest.raises(MQError) as refused:
        create_queue_manager(store, name)

    assert (refused.value.reason, refused.value.object_name) == (reason, name)
    assert [row.name for row in store.queue_managers()] == ["QM1"]


def test_creation_is_in_the_history(qmgr: QueueManager) -> None:
    assert [(e.kind, e.cause, e.target) for e in history(qmgr.store, "SYSTEM.DEFAULT.MODEL.QUEUE")] == [
        ("DEFINE", "create", "QMODEL")
    ]


def test_a_running_queue_manager_cannot_be_deleted(qmgr: QueueManager) -> None:
    with pytest.raises(MQError) as refused:
        delete_queue_manager(qmgr.store, "QM1")
    with pytest.raises(MQError) as missing:
        delete_queue_manager(qmgr.store, "QM2")

    assert (refused.value.reason, missing.value.reason) == (MQRC.OBJECT_IN_USE, MQRC.Q_MGR_NAME_ERROR)
    assert qmgr.is_running


def test_nothing_but_its_history_remains_of_a_deleted_queue_manager(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    store = qmgr.store
    other = store.create_queue_manager("QM2")
    for each in (qmgr, other):
        create(each, QLOCAL, "Q", {})
        with each.connect() as opened:
            queue_handle = opened.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
            queue_handle.put([Message(b"x"), Message(b"y")])
    left = counts(store)
    qmgr.end()
    delete_queue_manager(store, "QM1")

    assert [row.name for row in store.queue_managers()] == ["QM2"]
    assert counts(store) == {name: count // 2 for name, count in left.items()}
    # Two of them are event messages about its start and its end.
    assert [(e.kind, e.target, e.detail) for e in history(qmgr.store, "QM1")] == [("DELETE", "QMGR", {"messages": 4})]
    assert len(history(qmgr.store, "Q")) > 2
    assert next(inquire(other, [QLOCAL], "Q"))["CURDEPTH"] == 2
    store.create_queue_manager("QM1")


def counts(store: Store) -> dict[str, int]:
    tables = (message, object_, queue, queue_member, handle, connection)
    assert set(tables) < set(metadata.sorted_tables)
    with Reading(store.database) as reading:
        return {table.name: len(reading.all(Statement(table.select()))) for table in tables}


def test_units_in_doubt_go_with_their_queue_manager(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    with qmgr.connect() as opened:
        opened.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        opened.prepare("TO.QM2", "7")
    qmgr.end()
    delete_queue_manager(qmgr.store, "QM1")
    (deleted,) = [each for each in history(qmgr.store, "QM1") if each.kind == "DELETE"]
    # Two of them are event messages about its start and its end.
    assert deleted.detail == {"messages": 3}
    cleared = {each.queue: each.detail for each in history(qmgr.store, "Q") if each.kind == "CLEAR"}
    assert cleared == {"Q": {"messages": 1}}
    assert qmgr.store.create_queue_manager("QM1").in_doubt() == []
