from __future__ import annotations

from store.sql import connections, messages
from store.sqlite.database import Transaction
from tests.store.sql.stored import stored_queue
from tests.store.sql.test_object_use import opened


def connected(tx: Transaction, qmgr: str = "QM1", process: int = 1) -> int:
    row = {"qmgr": qmgr, "run": 1, "process": process, "application": "app", "user": "alice", "connected_at": 5}
    return connections.add(tx, row)


def test_processes(tx: Transaction) -> None:
    one, other = connections.add_process(tx, "one"), connections.add_process(tx, "other")
    assert connections.other_processes(tx, one) == [(other, "other")]
    connections.drop_process(tx, other)
    assert connections.other_processes(tx, 0) == [(one, "one")]


def test_connections_by_process_and_queue_manager(tx: Transaction) -> None:
    one, other, elsewhere = connected(tx), connected(tx, process=2), connected(tx, qmgr="QM2")
    assert [row.id for row in connections.of_process(tx, 1)] == [one, elsewhere]
    assert [row.id for row in connections.of_queue_manager(tx, "QM1")] == [one, other]
    assert connections.count(tx, "QM1") == 2
    connections.drop(tx, one)
    assert connections.by_id(tx, one) is None
    found = connections.by_id(tx, other)
    assert found == (other, "QM1", 1, 2, "app", "alice", 5, "")


def test_a_handle_uses_its_queue_and_the_objects_on_its_path(tx: Transaction) -> None:
    queue, alias = stored_queue(tx, "Q"), stored_queue(tx, "A", type="QALIAS")
    handle = opened(tx, "A", alias, queue=queue)
    messages.add_waiter(tx, handle, queue, {})
    assert [connections.is_in_use(tx, each) for each in (queue, alias, alias + 1)] == [True, True, False]
    assert [row.id for row in connections.handles_on_queue(tx, queue)] == [handle]
    assert [row.id for row in connections.handles_of_connection(tx, 0)] == [handle]
    assert connections.count_handles_of(tx, 0) == 1
    connections.close_handle(tx, handle)
    assert [connections.is_in_use(tx, each) for each in (queue, alias)] == [False, False]
    assert connections.handle_by_id(tx, handle) is None
