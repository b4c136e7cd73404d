"""Which objects name a queue in STREAMQ or DEST."""

from __future__ import annotations

from typing import Any

import pytest

from store.sql import objects
from store.sqlite.database import Transaction
from tests.store.sql.stored import stored_queue


@pytest.mark.parametrize(
    ("queues", "is_one"),
    [
        ([("Q", {"stream_queue": "S"})], True),
        ([("Q", {"stream_queue": "T"})], False),
        ([("Q", {"owner": "QM2", "stream_queue": "S"})], False),
        ([("A", {"type": "QALIAS", "target": "S"})], False),
        ([("Q", {"stream_queue": "A"}), ("A", {"type": "QALIAS", "target": "S"})], True),
        ([("Q", {"stream_queue": "A"}), ("A", {"type": "QALIAS", "target": "T"})], False),
        ([("Q", {"stream_queue": "A"}), ("A", {"type": "QALIAS", "target": "S", "target_is_topic": 1})], False),
        ([("Q", {"stream_queue": "A"}), ("A", {"type": "QREMOTE", "target": "S"})], False),
        ([("Q", {"stream_queue": "A"}), ("A", {"owner": "QM2", "type": "QALIAS", "target": "S"})], False),
    ],
)
def test_a_stream_queue(tx: Transaction, queues: list[tuple[str, dict[str, Any]]], is_one: bool) -> None:
    for name, columns in queues:
        stored_queue(tx, name, **columns)
    assert objects.is_stream_queue(tx, "QM1", "S") is is_one


PROVIDED = {"DEST": "S", "DESTCLAS": "PROVIDED", "DESTQMGR": ""}


@pytest.mark.parametrize(
    ("columns", "attributes", "is_one"),
    [
        ({}, {}, True),
        ({}, {"DESTQMGR": "QM1"}, True),
        ({}, {"DESTQMGR": "QM2"}, False),
        ({}, {"DEST": "T"}, False),
        ({}, {"DESTCLAS": "MANAGED"}, False),
        ({"owner": "QM2"}, {}, False),
        ({"namespace": "topic"}, {}, False),
    ],
)
def test_a_destination_of_subscriptions(
    tx: Transaction, columns: dict[str, str], attributes: dict[str, str], is_one: bool
) -> None:
    row = {"owner": "QM1", "namespace": "sub", "name": "SUB1", "type": "SUB", "created_at": 1, "altered_at": 1}
    objects.add(tx, {**row, "attributes": {**PROVIDED, **attributes}, **columns})
    assert objects.is_destination(tx, "QM1", "S") is is_one
