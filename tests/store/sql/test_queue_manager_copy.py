from __future__ import annotations

import pytest
from sqlalchemy import text

from store.client.api import QueueManager, open_store
from store.constants import MQOO, MQPMO
from store.message import Message, PutMessageOptions
from store.sql import history, managers
from store.sql.rows import EventRow
from store.sqlite.database import Reading, Transaction
from store.sqlite.statement import Statement
from tests.store.sql.stored import queue_row, stored_queue

_COUNTS = Statement(
    text("SELECT (SELECT count(*) FROM queue), (SELECT count(*) FROM object), (SELECT depth FROM queue)")
)
_MESSAGES = Statement(text("SELECT state, body FROM message ORDER BY id"))


@pytest.mark.parametrize(("trigger_priority", "copied"), [(0, [(1, b"")]), (1, [(1, b""), (0, b"")])])
def test_a_copy_has_uncommitted_messages_and_those_that_triggers_count_without_their_data(
    qmgr: QueueManager, trigger_priority: int, copied: list[tuple[int, bytes]]
) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        tx.script([f"UPDATE queue SET trigger_priority = {trigger_priority} WHERE name = 'SYSTEM.DEFAULT.LOCAL.QUEUE'"])
    with qmgr.connect() as connection, open_store("sqlite://") as other:
        handle = connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.OUTPUT)
        handle.put(Message(b"available"))
        handle.put(Message(b"uncommitted"), PutMessageOptions(MQPMO.SYNCPOINT))
        with Reading(qmgr.store.database) as reading, Transaction(other.database, durable=False) as tx:
            managers.copy(reading, tx, "QM1")
            assert sorted(tx.all(_MESSAGES)) == sorted(copied)
            counts = tx.one(_COUNTS)
            assert counts == reading.one(_COUNTS)
        connection.back()


def test_changes_are_the_commands_on_definitions_after_an_event(tx: Transaction) -> None:
    for kind in ("DEFINE", "PUT", "ALTER", "DELETE"):
        history.append(tx, EventRow(1, "QM1", kind, queue="Q", target="QLOCAL", detail="{}"))
    found = managers.changes(tx, 1)
    assert [(each.event, each.type, each.name, each.detail) for each in found] == [
        ("ALTER", "QLOCAL", "Q", "{}"),
        ("DELETE", "QLOCAL", "Q", "{}"),
    ]


def test_the_depth_of_a_copied_queue_never_falls_below_zero(tx: Transaction) -> None:
    id = stored_queue(tx, depth=5)
    depths = []
    for number in (2, 9):
        managers.lower_depth(tx, "QM1", "Q", number)
        depths.append(queue_row(tx, id).depth)
    assert depths == [3, 0]
