"""The facts on which definitions are refused (streaming §5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS, Stored, defaults
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from mqsc.store.engine.attribute_conflicts import check_conflicts
from mqsc.store.error import MQError
from mqsc.store.sqlite.database import Reading
from tests.rows import rows

NOT_SUPPORTED, DEST_NOT_SUPPORTED = MQRCCF.STREAMQ_NOT_SUPPORTED, MQRCCF.STREAMQ_DEST_NOT_SUPP
CONFLICT, DEST_CONFLICT = MQRCCF.STREAMQ_CONFLICT, MQRCCF.STREAMQ_DEST_CONFLICT
STREAM, XMITQ = {"STREAMQ": "S"}, {"USAGE": "XMITQ"}
TO_Q = {"DEST": "Q", "DESTCLAS": "PROVIDED", "TOPICSTR": "news"}
Definition = tuple[str, str, dict[str, Any]]


def conflict(
    qmgr: QueueManager,
    kind: str,
    name: str,
    given: Mapping[str, Stored],
    **more: Stored,
) -> int:
    """Return the reason why a definition with these attributes, and `more` from before, is
    refused; or 0.
    """
    attributes = {**defaults(KINDS[kind]), **more, **given}
    try:
        with Reading(qmgr.store.database) as reading:
            check_conflicts(reading, qmgr.name, KINDS[kind], name, attributes, frozenset(given))
    except MQError as refused:
        return int(refused.reason)
    return 0


# (objects that exist, kind, name and attributes of the definition, reason)
@rows(
    ([], "QLOCAL", "Q", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ([], "QLOCAL", "Q", STREAM, 0),
    ([("QLOCAL", "S", {})], "QLOCAL", "Q", STREAM, 0),
    ([("QMODEL", "S", {})], "QLOCAL", "Q", STREAM, DEST_NOT_SUPPORTED),
    ([("QLOCAL", "S", XMITQ)], "QLOCAL", "Q", STREAM, DEST_NOT_SUPPORTED),
    ([("QLOCAL", "S", {"STREAMQ": "T"})], "QLOCAL", "Q", STREAM, DEST_CONFLICT),
    ([("QALIAS", "S", {"TARGET": "Q"})], "QLOCAL", "Q", STREAM, DEST_CONFLICT),
    ([("QLOCAL", "Q", {}), ("QALIAS", "S", {"TARGET": "Q"})], "QLOCAL", "Q", STREAM, DEST_CONFLICT),
    (
        [("QLOCAL", "X", XMITQ), ("QALIAS", "S", {"TARGET": "X"})],
        "QLOCAL",
        "Q",
        STREAM,
        DEST_NOT_SUPPORTED,
    ),
    (
        [("QLOCAL", "X", STREAM), ("QALIAS", "A", {"TARGET": "X"})],
        "QLOCAL",
        "Q",
        {"STREAMQ": "A"},
        DEST_CONFLICT,
    ),
    (
        [("QLOCAL", "X", XMITQ), ("QALIAS", "S", {"TARGET": "X", "TARGTYPE": "TOPIC"})],
        "QLOCAL",
        "Q",
        STREAM,
        0,
    ),
    ([("QLOCAL", "R", {"STREAMQ": "Q"})], "QLOCAL", "Q", STREAM, CONFLICT),
    ([("QLOCAL", "R", {"STREAMQ": "Q"})], "QLOCAL", "Q", XMITQ, DEST_NOT_SUPPORTED),
    ([("QLOCAL", "R", {"STREAMQ": "Q"})], "QLOCAL", "Q", {"MAXDEPTH": 5}, 0),
    ([("QLOCAL", "Q", {}), ("SUB", "SUB1", TO_Q)], "QLOCAL", "Q", STREAM, CONFLICT),
    ([("QLOCAL", "Q", {}), ("SUB", "SUB1", TO_Q)], "QLOCAL", "Q", {"STREAMQ": ""}, 0),
    (
        [("QLOCAL", "X", STREAM), ("QLOCAL", "R", {"STREAMQ": "A"})],
        "QALIAS",
        "A",
        {"TARGET": "X"},
        DEST_CONFLICT,
    ),
    ([("QLOCAL", "X", STREAM)], "QALIAS", "A", {"TARGET": "X"}, 0),
    ([("QLOCAL", "Q", STREAM)], "SUB", "SUB1", TO_Q, CONFLICT),
    ([("QLOCAL", "Q", STREAM)], "SUB", "SUB1", {**TO_Q, "DESTQMGR": "QM1"}, CONFLICT),
    ([("QLOCAL", "Q", STREAM)], "SUB", "SUB1", {**TO_Q, "DESTQMGR": "QM2"}, 0),
)
def test_definitions(
    qmgr: QueueManager,
    there: list[Definition],
    kind: str,
    name: str,
    given: Mapping[str, Stored],
    reason: int,
) -> None:
    for each_kind, each_name, attributes in there:
        create(qmgr, KINDS[each_kind], each_name, attributes)
    assert conflict(qmgr, kind, name, given) == reason


def test_only_what_a_command_gives_is_refused(qmgr: QueueManager) -> None:
    """A definition that is already in conflict can still be altered in other attributes."""
    create(qmgr, KINDS["QMODEL"], "S", {})
    assert conflict(qmgr, "QLOCAL", "Q", {"MAXDEPTH": 5}, STREAMQ="S") == 0
    assert conflict(qmgr, "QLOCAL", "Q", STREAM) == DEST_NOT_SUPPORTED


@rows(("PREDEFINED", 0), ("PERMDYN", NOT_SUPPORTED))
def test_streamq_of_a_dynamic_queue_cannot_change(
    qmgr: QueueManager,
    type: str,
    reason: int,
) -> None:
    assert conflict(qmgr, "QLOCAL", "Q", STREAM, DEFTYPE=type) == reason
    assert conflict(qmgr, "QLOCAL", "Q", {"USAGE": "NORMAL"}, STREAMQ="S", DEFTYPE=type) == 0


def test_objects_of_another_queue_manager_do_not_count(qmgr: QueueManager) -> None:
    create(qmgr.store.create_queue_manager("QM2"), KINDS["QMODEL"], "S", {})
    assert conflict(qmgr, "QLOCAL", "Q", STREAM) == 0
