from __future__ import annotations

import pytest

from store.admin import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO, MQPMO
from store.message import Message, PutMessageOptions
from store.sql import messages, objects, queues
from store.sqlite.database import Reading, Transaction
from tests.store.admin.looking import queue_row


@pytest.mark.parametrize(
    ("below", "limit", "removed"), [(0, 10, 0), (2, 10, 2), (5, 10, 4), (99, 10, 4), (99, 3, 3), (99, 0, 0)]
)
def test_only_old_and_committed_messages_are_removed_and_no_more_than_the_limit(
    qmgr: QueueManager, below: int, limit: int, removed: int
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT)
        handle.put([Message(b"x") for _ in range(4)])
        handle.put(Message(b"uncommitted"), PutMessageOptions(MQPMO.SYNCPOINT))
        row = queue_row(qmgr, "Q")
        number, first = row.id, row.next_sequence - 5
        with Transaction(qmgr.store.database, durable=False) as tx:
            gone = messages.remove_before(tx, number, first + below, limit)
            queues.change_depth(tx, number, -gone)
        connection.back()

    assert (gone, queue_row(qmgr, "Q").depth) == (removed, 4 - removed)


def queue_row_id(qmgr: QueueManager) -> int:
    return int(queue_row(qmgr, "Q").id)


@pytest.mark.parametrize(
    ("types", "low", "high", "limit", "names"),
    [
        (("QLOCAL",), "A", "B", 9, ["A1", "A3"]),
        (("QLOCAL", "QALIAS"), "A", "B", 9, ["A1", "A2", "A3"]),
        (("QLOCAL", "QALIAS"), "A", "B", 2, ["A1", "A2"]),
        (("QLOCAL", "QALIAS"), "A2", "A3", 9, ["A2"]),
        (("QLOCAL",), "A1\0", "B", 9, ["A3"]),
        ((), "A", "B", 9, []),
    ],
)
def test_a_page_holds_the_types_and_names_asked_for(
    qmgr: QueueManager, types: tuple[str, ...], low: str, high: str, limit: int, names: list[str]
) -> None:
    for kind, name in (("QLOCAL", "A3"), ("QALIAS", "A2"), ("QLOCAL", "A1"), ("QLOCAL", "B1")):
        create(qmgr, KINDS[kind], name, {})
    with Reading(qmgr.store.database) as reading:
        page = objects.page_to_display(reading, "QM1", "queue", types, low, high, limit)

    assert [row.name for row in page] == names
