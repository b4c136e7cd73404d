"""The statements of `mqsc doctor`."""

from __future__ import annotations

from sqlalchemy import text

from store.sql import connections, history, maintenance, objects
from store.sql.rows import ArchiveRow
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement
from tests.store.sql.stored import changed, stored, stored_queue
from tests.store.sql.test_connections import connected


def test_depths_are_compared_with_the_messages_of_each_queue(tx: Transaction) -> None:
    right, empty, high = (stored_queue(tx, name, depth=depth) for name, depth in (("R", 2), ("E", 0), ("H", 3)))
    low = stored_queue(tx, "A", owner="QM2", depth=0)
    for queue in (right, right, high, low):
        stored(tx, queue=queue)
    assert maintenance.wrong_depths(tx) == [(high, "QM1", "H", 3, 1), (low, "QM2", "A", 0, 1)]
    assert empty not in {each.id for each in maintenance.wrong_depths(tx)}


def test_messages_that_a_unit_of_work_has_put_count_and_those_that_it_has_got_do_not(tx: Transaction) -> None:
    queue = stored_queue(tx, depth=1)
    stored(tx, queue=queue, unit=7)
    changed(tx, stored(tx, queue=queue), state=2, unit=7)
    assert maintenance.wrong_depths(tx) == []


def test_damaged_definitions_in_order_up_to_a_limit(tx: Transaction) -> None:
    rows = [("QM2", "QLOCAL", "A"), ("QM1", "QLOCAL", "B"), ("QM1", "PROCESS", "C"), ("QM1", "QLOCAL", "WHOLE")]
    for owner, type, name in rows:
        row = {"owner": owner, "namespace": type, "name": name, "type": type, "created_at": 1, "altered_at": 1}
        objects.add(tx, {**row, "attributes": {}})
    tx.run(Statement(text("UPDATE object SET attributes = '{' WHERE name <> 'WHOLE'")))
    damaged = [("QM1", "PROCESS", "C"), ("QM1", "QLOCAL", "B"), ("QM2", "QLOCAL", "A")]
    assert maintenance.damaged_definitions(tx, 5) == damaged
    assert maintenance.damaged_definitions(tx, 2) == damaged[:2]


def test_messages_whose_queue_is_gone(tx: Transaction) -> None:
    queue = stored_queue(tx)
    for number in (queue, queue + 1, queue + 1):
        stored(tx, queue=number)
    assert maintenance.messages_without_queue(tx) == 2


def test_the_history_of_a_new_store_and_one_with_a_gap(tx: Transaction) -> None:
    assert maintenance.history(tx) == maintenance.History(0, 1, 0, 0)
    history.append_all(tx, [{"at": 1, "qmgr": "QM1", "kind": "CREATE"}] * 5)
    tx.run(Statement(text("DELETE FROM event WHERE seq IN (1, 3, 5)")))
    assert maintenance.history(tx) == maintenance.History(2, 1, 4, 5)


def test_pruned_events_are_not_missing(tx: Transaction) -> None:
    history.append_all(tx, [{"at": 1, "qmgr": "QM1", "kind": "CREATE"}] * 5)
    maintenance.write_archiving(tx, ArchiveRow(1, "some", "COMMITTED", "file:///archive", 1, 5, "", 4))
    tx.run(Statement(text("DELETE FROM event WHERE seq IN (2, 4)")))
    assert maintenance.history(tx) == maintenance.History(1, 5, 5, 5)
    maintenance.write_archiving(tx, ArchiveRow(1, "some", "COMMITTED", "file:///archive", 1, 5, "", 5))
    tx.run(Statement(text("DELETE FROM event")))
    assert maintenance.history(tx) == maintenance.History(0, 6, 5, 5)


def test_connections_of_each_process(tx: Transaction) -> None:
    one, other = connections.add_process(tx, "one"), connections.add_process(tx, "other")
    connected(tx, process=one)
    connected(tx, "QM2", process=one)
    assert maintenance.connections_by_process(tx) == [("one", 2), ("other", 0)]
    assert other > one


def test_queue_managers_are_counted(tx: Transaction) -> None:
    assert maintenance.queue_managers(tx) == 0
