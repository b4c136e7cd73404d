from __future__ import annotations

from store.sql import connections
from store.sqlite.database import Transaction
from tests.store.sql.stored import stored_queue
from tests.store.sql.test_connections import connected
from tests.store.sql.test_object_use import opened


def test_handles_are_paged_by_queue_and_number(tx: Transaction) -> None:
    queues = {name: stored_queue(tx, name) for name in "BAC"}
    connection = connected(tx, process=connections.add_process(tx, "1-abc"))
    first = opened(tx, "A", queue=queues["A"])
    second = opened(tx, "ALIAS", queue=queues["A"])
    last = opened(tx, "B", queue=queues["B"])
    opened(tx, "C", queue=queues["C"])
    assert [row.id for row in connections.handles_page(tx, "QM1", "A", "C", 0, 9, "QM1")] == []
    move_to(tx, connection)
    page = connections.handles_page(tx, "QM1", "A", "C", 0, 9, "QM1")
    assert [(row.id, row.queue_name, row.object_name) for row in page] == [
        (first, "A", "A"),
        (second, "A", "ALIAS"),
        (last, "B", "B"),
    ]
    assert [row.id for row in connections.handles_page(tx, "QM1", "A", "C", first, 1, "QM1")] == [second]
    assert {(row.application, row.user, row.file) for row in page} == {("app", "alice", "1-abc")}
    assert len(connections.handles_of(tx, connection)) == 4


def move_to(tx: Transaction, connection: int) -> None:
    tx.script([f"UPDATE handle SET connection = {connection}"])


def test_connections_are_paged_by_number(tx: Transaction) -> None:
    ids = [connected(tx) for _ in range(3)]
    connected(tx, qmgr="QM2")
    page = connections.connections_page(tx, "QM1", ids[0], ids[2], 9)
    assert [(row.id, row.file) for row in page] == [(ids[0], ""), (ids[1], "")]
    assert len(connections.connections_page(tx, "QM1", 0, 99, 2)) == 2
