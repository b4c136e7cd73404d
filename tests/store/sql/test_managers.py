"""Queue managers: rows, copies of definitions for a plan, and the refreshes of copies that are
still to be done.
"""

from __future__ import annotations

import pytest
from sqlalchemy import func, select, text

from mqsc.store.admin.queue_managers import create_queue_manager
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql import history, managers, objects, queues
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import metadata
from mqsc.store.sql.rows import EventRow
from mqsc.store.sqlite.database import Reading, Transaction
from tests.store.sql.stored import connected, opened, queue_row, stored, stored_queue


def test_queue_managers_by_name_and_default(tx: Transaction) -> None:
    assert managers.default(tx) is None
    managers.add(tx, {"name": "QM2", "is_default": 1})
    managers.add(tx, {"name": "QM1"})
    assert [row.name for row in managers.all(tx)] == ["QM1", "QM2"]
    managers.set_columns(tx, "QM1", {"ccsid": 850})
    found = managers.by_name(tx, "QM1")
    assert found is not None
    assert (found.ccsid, found.version, found.max_handles) == (850, 1, 256)
    assert managers.read_hot_columns(tx, "QM1") == (
        found.version,
        found.run,
        found.state,
        found.clock_at,
    )
    assert managers.default(tx) == managers.by_name(tx, "QM2")
    managers.remove(tx, "QM1")
    assert (managers.by_name(tx, "QM1"), managers.read_hot_columns(tx, "QM1")) == (None, None)


def test_the_last_end_is_of_the_queue_manager_that_exists(tx: Transaction) -> None:
    ends = []
    for event in ("CREATE", "END controlled", "END immediate", "START", "CREATE"):
        kind, _, cause = event.partition(" ")
        history.append(tx, EventRow(1, "QM1", kind, cause or None))
        ends.append(managers.last_end(tx, "QM1"))
    assert ends == ["", "controlled", "immediate", "immediate", ""]


def test_everything_of_a_queue_manager_is_removed_except_its_history(tx: Transaction) -> None:
    definition = {"owner": "QM1", "namespace": "queue", "name": "Q", "type": "QLOCAL"}
    objects.add(tx, {**definition, "attributes": {}, "created_at": 0, "altered_at": 0})
    queue = stored_queue(tx)
    queues.count_handles(tx, queue, "QM1", input=1, exclusive=0, output=0)
    stored(tx, queue=queue)
    connected(tx)
    opened(tx, "Q", queue, queue=queue)
    history.append(tx, EventRow(1, "QM1", "CREATE"))
    managers.remove_owned(tx, "QM2")
    filled = {
        # The identity of the store.
        "archive",
        "object",
        "queue",
        "queue_member",
        "message",
        "connection",
        "handle",
        "handle_path",
        "event",
    }
    assert tables_with_rows(tx) == filled
    managers.remove_owned(tx, "QM1")
    assert tables_with_rows(tx) == {"archive", "event"}


def tables_with_rows(tx: Transaction) -> set[str]:
    tables = metadata.tables.items()
    return {
        name for name, table in tables if tx.value(text_of(select(func.count()).select_from(table)))
    }


_COUNTS = text_of(
    text("SELECT (SELECT count(*) FROM queue), (SELECT count(*) FROM object), depth FROM queue"),
)
_MESSAGES = text_of(text("SELECT state, body FROM message ORDER BY id"))


@pytest.mark.parametrize(
    ("trigger_priority", "copied"),
    [(0, [(1, b"")]), (1, [(1, b""), (0, b"")])],
)
def test_a_copy_has_uncommitted_messages_and_those_that_triggers_count_without_their_data(
    qmgr: QueueManager,
    trigger_priority: int,
    copied: list[tuple[int, bytes]],
) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        tx.script(
            [
                f"UPDATE queue SET trigger_priority = {trigger_priority} WHERE name = "
                "'SYSTEM.DEFAULT.LOCAL.QUEUE'",
            ],
        )
    with qmgr.connect() as connection, open_store("sqlite://") as other:
        handle = connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.OUTPUT)
        handle.put(Message(b"available"))
        handle.put(Message(b"uncommitted"), PutMessageOptions(MQPMO.SYNCPOINT))
        with (
            Reading(qmgr.store.database) as reading,
            Transaction(other.database, durable=False) as tx,
        ):
            managers.copy(reading, tx, "QM1")
            assert sorted(tx.all(_MESSAGES)) == sorted(copied)
            assert tx.first_row(_COUNTS) == reading.first_row(_COUNTS)
        connection.back()


def test_changes_are_the_commands_on_definitions_after_an_event(tx: Transaction) -> None:
    for kind in ("DEFINE", "PUT", "ALTER", "DELETE"):
        history.append(tx, EventRow(1, "QM1", kind, queue="Q", target="QLOCAL", detail="{}"))
    found = [(each.event, each.type, each.name, each.detail) for each in managers.changes(tx, 1)]
    assert found == [("ALTER", "QLOCAL", "Q", "{}"), ("DELETE", "QLOCAL", "Q", "{}")]


def test_the_depth_of_a_copied_queue_never_falls_below_zero(tx: Transaction) -> None:
    id = stored_queue(tx, depth=5)
    depths = []
    for number in (2, 9):
        managers.lower_depth(tx, "QM1", "Q", number)
        depths.append(queue_row(tx, id).depth)
    assert depths == [3, 0]


def test_members_have_to_refresh_until_it_is_done(store: Store) -> None:
    for number in (1, 2):
        create_queue_manager(store, f"QM{number}", group="QSG1")
    create_queue_manager(store, "ALONE")
    with Transaction(store.database, durable=False) as tx:
        for _ in range(2):
            managers.add_refresh_for_members(tx, "QSG1", "queue", "Q")
        managers.add_refresh_for_members(tx, "QSG1", "process", "P")
        first, second = managers.refreshes_of_object(tx, "queue", "Q")
        assert (first.qmgr, second.qmgr, first.reason) == ("QM1", "QM2", 0)
        managers.set_refresh_reason(tx, *first[:3], 2042)
        managers.remove_refresh(tx, *second[:3])
        assert [managers.is_refresh_pending(tx, *each[:3]) for each in (first, second)] == [
            True,
            False,
        ]
        assert [(each.name, each.reason) for each in managers.refreshes_of_member(tx, "QM1")] == [
            ("P", 0),
            ("Q", 2042),
        ]
        managers.add_refresh_for_members(tx, "QSG1", "queue", "Q")
        assert [each.reason for each in managers.refreshes_of_object(tx, "queue", "Q")] == [0, 0]
        managers.remove_refreshes(tx, "QM1")
        assert managers.refreshes_of_member(tx, "QM1") == []
        assert managers.refreshes_of_member(tx, "ALONE") == []
