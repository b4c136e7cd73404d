"""Definitions: pages, which objects are open or resolved, and which name a queue in STREAMQ or
DEST.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.sql import objects, queues
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sqlite.database import Reading, Transaction
from tests.store.sql.stored import opened, stored_queue

BOTH = ("QLOCAL", "QALIAS")


def definition(name: str, **more: object) -> dict[str, object]:
    row = {"owner": "QM1", "namespace": "topic", "name": name, "type": "TOPIC", "attributes": {}}
    return {**row, "created_at": 1, "altered_at": 1, **more}


def test_a_page_holds_the_types_and_names_asked_for(qmgr: QueueManager) -> None:
    for kind, name in (("QLOCAL", "A3"), ("QALIAS", "A2"), ("QLOCAL", "A1"), ("QLOCAL", "B1")):
        create(qmgr, KINDS[kind], name, {})
    with Reading(qmgr.store.database) as reading:

        def page(types: tuple[str, ...], low: str, high: str, limit: int = 9) -> list[str]:
            return [
                row.name
                for row in objects.page_to_display(
                    reading,
                    "QM1",
                    "queue",
                    types,
                    (low, high, limit),
                )
            ]

        assert page(("QLOCAL",), "A", "B") == ["A1", "A3"]
        assert page(BOTH, "A", "B") == ["A1", "A2", "A3"]
        assert page(BOTH, "A", "B", 2) == ["A1", "A2"]
        assert page(BOTH, "A2", "A3") == ["A2"]
        assert page(("QLOCAL",), "A1\0", "B") == ["A3"]
        assert page((), "A", "B") == []


def test_pages_of_definitions(tx: Transaction) -> None:
    others = [definition("A", owner="QM2"), definition("A", namespace="queue")]
    objects.add_all(tx, [*(definition(name) for name in "CAB"), *others])

    def page(low: str, high: str, after: str, limit: int = 9) -> str:
        return "".join(
            row.name for row in objects.page(tx, "QM1", "topic", low, high, after, limit)
        )

    assert (page("", "", ""), page("B", "", ""), page("", "C", "")) == ("ABC", "BC", "AB")
    assert (page("", "", "A"), page("", "", "A", 1)) == ("BC", "B")


def test_a_definition_is_read_back_and_its_attributes_are_replaced(tx: Transaction) -> None:
    objects.add(tx, definition("T", attributes={"DESCR": "Ä", "N": 1}))
    found = objects.by_name(tx, "QM1", "topic", "T")
    assert found is not None
    assert (found.attributes, found.altered_at) == ({"DESCR": "Ä", "N": 1}, 1)
    objects.replace_attributes(tx, found.id, {"N": 2}, 5)
    assert objects.by_name(tx, "QM1", "topic", "T") == found._replace(
        attributes={"N": 2},
        altered_at=5,
    )
    objects.remove(tx, found.id)
    assert objects.by_name(tx, "QM1", "topic", "T") is None


def test_another_topic_of_the_same_string_is_found(tx: Transaction) -> None:
    objects.add(tx, definition("T", attributes={"TOPICSTR": "a/b"}))
    asked = (("QM1", "U", "a/b"), ("QM1", "T", "a/b"), ("QM1", "U", "a/c"), ("QM2", "U", "a/b"))
    assert [objects.other_topic(tx, *each) for each in asked] == ["T", None, None, None]


def test_rows_of_queues_have_their_own_defaults(tx: Transaction) -> None:
    queues.add_all(tx, [])
    queues.add_all(tx, [{"owner": "QM1", "name": name, "max_depth": 7} for name in "AB"])
    rows = tx.all(text_of(text("SELECT name, max_depth, shareable FROM queue ORDER BY name")))
    assert rows == [("A", 7, 1), ("B", 7, 1)]
    queues.remove(tx, stored_queue(tx, "C"))
    assert tx.value(text_of(text("SELECT count(*) FROM queue"))) == 2


def test_an_object_that_is_not_a_queue_is_open_by_type_and_name(tx: Transaction) -> None:
    opened(tx, "P", type="PROCESS")
    asked = (
        ("QM1", "PROCESS", "P"),
        ("QM1", "NAMELIST", "P"),
        ("QM1", "PROCESS", "Q"),
        ("QM2", "PROCESS", "P"),
    )
    assert [bool(objects.is_open_of_kind(tx, *each)) for each in asked] == [
        True,
        False,
        False,
        False,
    ]


def test_a_remote_definition_is_used_as_a_manager_alias_when_no_object_on_the_path_was_opened(
    tx: Transaction,
) -> None:
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
    named = stored_queue(
        tx,
        "S",
        type="QREMOTE",
        remote_queue_manager="QM2",
        transmission_queue="X",
    )
    of_its_name = stored_queue(tx, "T", type="QREMOTE", remote_queue_manager="X")
    for name, remote in (("R", by_default), ("S", named), ("T", of_its_name)):
        opened(tx, name, remote, queue=xmit)
    opened(tx, "X", queue=xmit)
    assert objects.resolved_by_default(tx, "QM1", xmit, "X") == [by_default]
    opened(tx, "ANY", queue=xmit)
    assert sorted(objects.resolved_by_default(tx, "QM1", xmit, "X")) == [xmit, by_default]
    assert objects.resolved_by_default(tx, "QM2", xmit, "X") == []


TO_S, ALIAS = {"target": "S", "type": "QALIAS"}, {"stream_queue": "A"}
STREAMING: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    ({"stream_queue": "S"}, {}, True),
    ({"stream_queue": "T"}, {}, False),
    ({"stream_queue": "S", "owner": "QM2"}, {}, False),
    ({}, TO_S, False),
    (ALIAS, TO_S, True),
    (ALIAS, {**TO_S, "target": "T"}, False),
    (ALIAS, {**TO_S, "target_is_topic": 1}, False),
    (ALIAS, {**TO_S, "type": "QREMOTE"}, False),
    (ALIAS, {**TO_S, "owner": "QM2"}, False),
]


@pytest.mark.parametrize(("queue", "alias", "is_one"), STREAMING)
def test_a_stream_queue(
    tx: Transaction,
    queue: dict[str, Any],
    alias: dict[str, Any],
    is_one: bool,
) -> None:
    stored_queue(tx, "Q", **queue)
    stored_queue(tx, "A", **alias)
    assert objects.is_stream_queue(tx, "QM1", "S") is is_one


DESTINATIONS: list[tuple[dict[str, Any], dict[str, str], bool]] = [
    ({}, {}, True),
    ({}, {"DESTQMGR": "QM1"}, True),
    ({}, {"DESTQMGR": "QM2"}, False),
    ({}, {"DEST": "T"}, False),
    ({}, {"DESTCLAS": "MANAGED"}, False),
    ({"owner": "QM2"}, {}, False),
    ({"namespace": "topic"}, {}, False),
]


@pytest.mark.parametrize(("columns", "attributes", "is_one"), DESTINATIONS)
def test_a_destination_of_subscriptions(
    tx: Transaction,
    columns: dict[str, Any],
    attributes: dict[str, str],
    is_one: bool,
) -> None:
    attributes = {"DEST": "S", "DESTCLAS": "PROVIDED", "DESTQMGR": "", **attributes}
    objects.add(
        tx,
        definition(
            "SUB1",
            **{"namespace": "sub", "type": "SUB", "attributes": attributes, **columns},
        ),
    )
    assert objects.is_destination(tx, "QM1", "S") is is_one
