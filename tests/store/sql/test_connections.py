"""Connections, their handles, and the instances of channels."""

from __future__ import annotations

from mqsc.store.sql import channels, connections, messages
from mqsc.store.sql.rows import ChannelStatusRow
from mqsc.store.sqlite.database import Transaction
from tests.store.sql.stored import connected, opened, stored_queue


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
    assert connections.by_id(tx, other) == (other, "QM1", 1, 2, "app", "alice", 5, "", "", "")


def test_connections_are_paged_by_number(tx: Transaction) -> None:
    first, second, last, _ = (connected(tx, qmgr) for qmgr in ("QM1", "QM1", "QM1", "QM2"))
    page = connections.connections_page(tx, "QM1", first, last, 9)
    assert [(row.id, row.file) for row in page] == [(first, ""), (second, "")]
    assert len(connections.connections_page(tx, "QM1", 0, 99, 2)) == 2


def test_a_handle_uses_its_queue_and_the_objects_on_its_path(tx: Transaction) -> None:
    queue, alias = stored_queue(tx, "Q"), stored_queue(tx, "A", type="QALIAS")
    handle = opened(tx, "A", alias, queue=queue)
    messages.add_waiter(tx, handle, queue, {})
    assert [connections.is_in_use(tx, each) for each in (queue, alias, alias + 1)] == [
        True,
        True,
        False,
    ]
    assert [row.id for row in connections.handles_on_queue(tx, queue)] == [handle]
    assert [row.id for row in connections.handles_of_connection(tx, 0)] == [handle]
    assert connections.count_handles_of(tx, 0) == 1
    connections.close_handle(tx, handle)
    assert [connections.is_in_use(tx, each) for each in (queue, alias)] == [False, False]
    assert connections.handle_by_id(tx, handle) is None


def test_handles_are_paged_by_queue_and_number(tx: Transaction) -> None:
    queues = {name: stored_queue(tx, name) for name in "BAC"}
    connection = connected(tx, process=connections.add_process(tx, "1-abc"))
    names = (("A", "A"), ("ALIAS", "A"), ("B", "B"), ("C", "C"))
    first, second, last, _ = (opened(tx, name, queue=queues[queue]) for name, queue in names)
    assert [row.id for row in connections.handles_page(tx, "QM1", "A", "C", 0, 9, "QM1")] == []
    tx.script([f"UPDATE handle SET connection = {connection}"])
    page = connections.handles_page(tx, "QM1", "A", "C", 0, 9, "QM1")
    found = [(row.id, row.queue_name, row.object_name) for row in page]
    assert found == [(first, "A", "A"), (second, "A", "ALIAS"), (last, "B", "B")]
    assert [row.id for row in connections.handles_page(tx, "QM1", "A", "C", first, 1, "QM1")] == [
        second,
    ]
    assert {(row.application, row.user, row.file) for row in page} == {("app", "alice", "1-abc")}
    assert len(connections.handles_of(tx, connection)) == 4


ROW = ChannelStatusRow("QM1", "B", "QM3", 3, "", "", 1, None, '{"MSGS": 1}')


def test_instances_by_channel_and_partner(tx: Transaction) -> None:
    rows = [
        ROW,
        ROW._replace(partner="QM2"),
        ROW._replace(channel="A", partner=""),
        ROW._replace(qmgr="QM2"),
    ]
    for row in rows:
        channels.write(tx, row)
    assert channels.of_queue_manager(tx, "QM1") == [rows[2], rows[1], rows[0]]
    assert channels.of_channel(tx, "QM1", "B") == [rows[1], rows[0]]
    channels.drop(tx, "QM1", "B", "QM2")
    assert channels.of_channel(tx, "QM1", "B") == [ROW]
    channels.drop_channel(tx, "QM1", "B")
    assert channels.of_queue_manager(tx, "QM1") == [rows[2]]


def test_the_row_of_an_instance_is_replaced(tx: Transaction) -> None:
    assert channels.instance(tx, "QM1", "B", "QM3") is None
    assert channels.requested(tx, "QM1", "B", "QM3") == ("", "")
    stopped = ROW._replace(requested="FORCE", requested_status="STOPPED", process=None)
    for row in (ROW, stopped):
        channels.write(tx, row)
        assert channels.instance(tx, "QM1", "B", "QM3") == row
    assert channels.requested(tx, "QM1", "B", "QM3") == ("FORCE", "STOPPED")
