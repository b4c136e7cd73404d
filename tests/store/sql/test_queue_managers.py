from __future__ import annotations

from sqlalchemy import func, select

from store.sql import history, managers, objects, queues
from store.sql.rows import EventRow
from store.sql.schema import metadata
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement
from tests.store.sql.stored import stored, stored_queue
from tests.store.sql.test_connections import connected
from tests.store.sql.test_object_use import opened


def test_queue_managers_by_name_and_default(tx: Transaction) -> None:
    assert managers.default(tx) is None
    managers.add(tx, {"name": "QM2", "is_default": 1})
    managers.add(tx, {"name": "QM1"})
    assert [row.name for row in managers.all(tx)] == ["QM1", "QM2"]
    managers.set_columns(tx, "QM1", {"ccsid": 850})
    found = managers.by_name(tx, "QM1")
    assert found is not None
    assert (found.ccsid, found.version, found.max_handles) == (850, 1, 256)
    assert managers.read_hot_columns(tx, "QM1") == (found.version, found.run, found.state, found.clock_at)
    default = managers.default(tx)
    assert default is not None
    assert default.name == "QM2"
    managers.remove(tx, "QM1")
    assert managers.by_name(tx, "QM1") is None
    assert managers.read_hot_columns(tx, "QM1") is None


def test_the_last_end_is_of_the_queue_manager_that_exists(tx: Transaction) -> None:
    ends = []
    for kind, cause in (
        ("CREATE", None),
        ("END", "controlled"),
        ("END", "immediate"),
        ("START", None),
        ("CREATE", None),
    ):
        history.append(tx, EventRow(1, "QM1", kind, cause))
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
    filled = {"object", "queue", "queue_member", "message", "connection", "handle", "handle_path", "event"}
    assert tables_with_rows(tx) == filled
    managers.remove_owned(tx, "QM1")
    assert tables_with_rows(tx) == {"event"}


def tables_with_rows(tx: Transaction) -> set[str]:
    tables = metadata.tables.items()
    return {name for name, table in tables if tx.value(Statement(select(func.count()).select_from(table)))}
