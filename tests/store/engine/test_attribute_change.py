"""The rows and the history of a change of attributes, and the facts on which it is refused
(streaming §5).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS, Stored, defaults
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import MQIA, MQOO, MQRC, MQRCCF
from mqsc.store.engine.attribute_change import Change, check_conflicts, rewrite
from mqsc.store.engine.definitions import complete, find
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.sqlite.database import Reading, Transaction
from tests.rows import rows
from tests.store.admin.looking import history, queue_row, shown
from tests.store.mqi.calls import reason_of

QLOCAL = KINDS["QLOCAL"]


@pytest.fixture
def defined(qmgr: QueueManager) -> QueueManager:
    """A queue manager with the queue Q."""
    create(qmgr, QLOCAL, "Q", {"DESCR": "first"})
    return qmgr


def changed(qmgr: QueueManager, given: dict[str, Any], **how: Any) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        existing = find(tx, qmgr.name, QLOCAL, "Q")
        before = complete(QLOCAL, existing.attributes)
        rewrite(
            tx,
            qmgr.call_context(tx),
            existing,
            Change(before, {**before, **given}, frozenset(given), **how),
        )


@rows(("ALTER", "22.14.20"), ("SET", "22.13.20"))
def test_only_alter_changes_the_time_of_alteration(
    defined: QueueManager,
    environment: Environment[FrozenClock],
    event: str,
    altered: str,
) -> None:
    environment.clock.advance(60)
    changed(defined, {"MAXDEPTH": 7}, event=event, cause="test")
    assert shown(defined, "QLOCAL", "Q")["ALTTIME"] == altered
    last = history(defined.store, "Q")[-1]
    assert (last.kind, last.cause, last.target, last.detail) == (
        event,
        "test",
        "QLOCAL",
        {"MAXDEPTH": [5000, 7]},
    )


def test_the_columns_that_calls_read_change_with_the_definition(defined: QueueManager) -> None:
    before = queue_row(defined, "Q")
    changed(defined, {"MAXDEPTH": 7, "PUT": "DISABLED", "DESCR": "second"})
    after = queue_row(defined, "Q")
    assert (after.max_depth, after.put_enabled, shown(defined, "QLOCAL", "Q")["DESCR"]) == (
        7,
        0,
        "second",
    )
    assert (after.version > before.version, after.generation) == (True, before.generation)


def test_attributes_that_no_call_reads_leave_the_queue_row_as_it_is(defined: QueueManager) -> None:
    before = queue_row(defined, "Q")
    changed(defined, {"DESCR": "second"})
    assert queue_row(defined, "Q") == before


def test_a_conflict_changes_nothing(defined: QueueManager) -> None:
    with pytest.raises(MQError) as refused:
        changed(defined, {"CLUSTER": "C", "CLUSNL": "N"})
    assert (refused.value.reason, refused.value.object_name) == (MQRCCF.CLUSTER_NAME_CONFLICT, "Q")
    assert [each.kind for each in history(defined.store, "Q")] == ["DEFINE"]


def test_a_change_under_open_handles_needs_force_which_makes_them_answer_2041(
    defined: QueueManager,
) -> None:
    with defined.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INQUIRE)
        assert reason_of(lambda: changed(defined, {"USAGE": "XMITQ"})) == MQRCCF.OBJECT_OPEN_FORCE
        generation = queue_row(defined, "Q").generation
        changed(defined, {"USAGE": "XMITQ"}, force=True)
        assert queue_row(defined, "Q").generation == generation + 1
        assert reason_of(lambda: handle.inquire(MQIA.CURRENT_Q_DEPTH)) == MQRC.OBJECT_CHANGED


def test_force_that_is_not_needed_breaks_no_handle(defined: QueueManager) -> None:
    generation = queue_row(defined, "Q").generation
    changed(defined, {"USAGE": "XMITQ"}, force=True)
    assert queue_row(defined, "Q").generation == generation


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
