"""The rows and the history of a change of attributes."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQIA, MQOO, MQRC, MQRCCF
from mqsc.store.engine.attribute_change import Change, rewrite
from mqsc.store.engine.definitions import complete, find
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.sqlite.database import Transaction
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
