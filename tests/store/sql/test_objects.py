from __future__ import annotations

import pytest
from sqlalchemy import text

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.sql import objects, queues
from store.sqlite.database import Reading, Transaction
from store.sqlite.statement import Statement
from tests.store.sql.stored import stored_queue


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
        page = objects.page_to_display(reading, "QM1", "queue", types, (low, high, limit))

    assert [row.name for row in page] == names


def definition(name: str, **more: object) -> dict[str, object]:
    row = {"owner": "QM1", "namespace": "topic", "name": name, "type": "TOPIC", "attributes": {}}
    return {**row, "created_at": 1, "altered_at": 1, **more}


def test_a_definition_is_read_back_and_its_attributes_are_replaced(tx: Transaction) -> None:
    objects.add(tx, definition("T", attributes={"DESCR": "Ä", "N": 1}))
    found = objects.by_name(tx, "QM1", "topic", "T")
    assert found is not None
    assert (found.attributes, found.altered_at) == ({"DESCR": "Ä", "N": 1}, 1)
    objects.replace_attributes(tx, found.id, {"N": 2}, 5)
    changed = objects.by_name(tx, "QM1", "topic", "T")
    assert changed == found._replace(attributes={"N": 2}, altered_at=5)
    objects.remove(tx, found.id)
    assert objects.by_name(tx, "QM1", "topic", "T") is None


@pytest.mark.parametrize(
    ("low", "high", "after", "limit", "names"),
    [
        ("", "", "", 9, ["A", "B", "C"]),
        ("B", "", "", 9, ["B", "C"]),
        ("", "C", "", 9, ["A", "B"]),
        ("", "", "A", 9, ["B", "C"]),
        ("", "", "A", 1, ["B"]),
    ],
)
def test_pages_of_definitions(tx: Transaction, low: str, high: str, after: str, limit: int, names: list[str]) -> None:
    objects.add_all(tx, [definition(name) for name in "CAB"])
    objects.add(tx, definition("A", owner="QM2"))
    objects.add(tx, definition("A", namespace="queue"))
    assert [row.name for row in objects.page(tx, "QM1", "topic", low, high, after, limit)] == names


def test_another_topic_of_the_same_string_is_found(tx: Transaction) -> None:
    objects.add(tx, definition("T", attributes={"TOPICSTR": "a/b"}))
    assert objects.has_other_topic(tx, "QM1", "U", "a/b")
    assert not objects.has_other_topic(tx, "QM1", "T", "a/b")
    assert not objects.has_other_topic(tx, "QM1", "U", "a/c")
    assert not objects.has_other_topic(tx, "QM2", "U", "a/b")


def test_rows_of_queues_have_their_own_defaults(tx: Transaction) -> None:
    queues.add_all(tx, [])
    queues.add_all(tx, [{"owner": "QM1", "name": name, "max_depth": 7} for name in "AB"])
    rows = tx.all(Statement(text("SELECT name, max_depth, shareable FROM queue ORDER BY name")))
    assert rows == [("A", 7, 1), ("B", 7, 1)]
    id = stored_queue(tx, "C")
    queues.remove(tx, id)
    assert tx.value(Statement(text("SELECT count(*) FROM queue"))) == 2
