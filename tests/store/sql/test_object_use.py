from __future__ import annotations

from store.sql import connections, objects
from store.sqlite.database import Transaction
from tests.store.sql.stored import stored_queue


def opened(tx: Transaction, name: str, *path: int, queue: int | None = None, type: str = "QLOCAL") -> int:
    """Insert an open handle for a name that resolved through the objects of `path`."""
    row = dict.fromkeys(("connection", "options", "input", "exclusive", "output", "browse", "opened_at"), 0)
    names = {"qmgr": "QM1", "queue": queue, "object_name": name, "object_type": type}
    return connections.open_handle(tx, {**row, **names}, path)


def test_an_object_that_is_not_a_queue_is_open_by_type_and_name(tx: Transaction) -> None:
    opened(tx, "P", type="PROCESS")
    assert objects.is_open_of_kind(tx, "QM1", "PROCESS", "P")
    assert not objects.is_open_of_kind(tx, "QM1", "NAMELIST", "P")
    assert not objects.is_open_of_kind(tx, "QM1", "PROCESS", "Q")
    assert not objects.is_open_of_kind(tx, "QM2", "PROCESS", "P")


def test_a_remote_definition_is_used_as_a_manager_alias_when_no_object_on_the_path_was_opened(tx: Transaction) -> None:
    remote, alias = stored_queue(tx, "R", type="QREMOTE"), stored_queue(tx, "A", type="QALIAS")
    opened(tx, "R", remote)
    opened(tx, "A", alias, remote)
    assert not objects.is_resolved_as_manager_alias(tx, remote)
    opened(tx, "ANY", remote)
    assert objects.is_resolved_as_manager_alias(tx, remote)
    assert not objects.is_resolved_as_manager_alias(tx, alias)


def test_objects_that_reach_a_transmission_queue_by_default(tx: Transaction) -> None:
    xmit = stored_queue(tx, "X", is_transmission=1)
    by_default = stored_queue(tx, "R", type="QREMOTE", remote_queue_manager="QM2")
    named = stored_queue(tx, "S", type="QREMOTE", remote_queue_manager="QM2", transmission_queue="X")
    of_its_name = stored_queue(tx, "T", type="QREMOTE", remote_queue_manager="X")
    for name, remote in (("R", by_default), ("S", named), ("T", of_its_name)):
        opened(tx, name, remote, queue=xmit)
    opened(tx, "X", queue=xmit)
    assert objects.resolved_by_default(tx, "QM1", xmit, "X") == [by_default]
    opened(tx, "ANY", queue=xmit)
    assert sorted(objects.resolved_by_default(tx, "QM1", xmit, "X")) == [xmit, by_default]
    assert objects.resolved_by_default(tx, "QM2", xmit, "X") == []
