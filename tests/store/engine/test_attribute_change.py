"""The rows and the history of a change of attributes; FORCE and triggers by commands are in admin/test_altering.py."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQIA, MQOO, MQRC, MQRCCF
from store.engine.attribute_change import Change, rewrite
from store.engine.definitions import complete, find
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.sqlite.database import Transaction
from tests.store.admin.looking import history, queue_row, shown
from tests.store.tables import rows

QLOCAL = KINDS["QLOCAL"]


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, QLOCAL, "Q", {"DESCR": "first"})
    return qmgr


def changed(qmgr: QueueManager, given: dict[str, Any], **how: Any) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        existing = find(tx, qmgr.name, QLOCAL, "Q")
        before = complete(QLOCAL, existing.attributes)
        rewrite(tx, qmgr.call_context(tx), existing, Change(before, {**before, **given}, frozenset(given), **how))


@rows(("ALTER", "22.14.20"), ("SET", "22.13.20"))
def test_only_alter_changes_the_time_of_alteration(
    qmgr: QueueManager, environment: Environment[FrozenClock], event: str, altered: str
) -> None:
    environment.clock.advance(60)
    changed(qmgr, {"MAXDEPTH": 7}, event=event, cause="test")
    assert shown(qmgr, "QLOCAL", "Q")["ALTTIME"] == altered
    last = history(qmgr.store, "Q")[-1]
    assert (last.kind, last.cause, last.target, last.detail) == (event, "test", "QLOCAL", {"MAXDEPTH": [5000, 7]})


def test_the_columns_that_calls_read_change_with_the_definition(qmgr: QueueManager) -> None:
    before = queue_row(qmgr, "Q")
    changed(qmgr, {"MAXDEPTH": 7, "PUT": "DISABLED", "DESCR": "second"})
    after = queue_row(qmgr, "Q")
    assert (after.max_depth, after.put_enabled, shown(qmgr, "QLOCAL", "Q")["DESCR"]) == (7, 0, "second")
    assert (after.version > before.version, after.generation) == (True, before.generation)


def test_attributes_that_no_call_reads_leave_the_queue_row_as_it_is(qmgr: QueueManager) -> None:
    before = queue_row(qmgr, "Q")
    changed(qmgr, {"DESCR": "second"})
    assert queue_row(qmgr, "Q") == before


def test_a_conflict_changes_nothing(qmgr: QueueManager) -> None:
    with pytest.raises(MQError) as refused:
        changed(qmgr, {"CLUSTER": "C", "CLUSNL": "N"})
    assert (refused.value.reason, refused.value.object_name) == (MQRCCF.CLUSTER_NAME_CONFLICT, "Q")
    assert [each.kind for each in history(qmgr.store, "Q")] == ["DEFINE"]


def test_a_change_under_open_handles_needs_force_which_makes_them_answer_2041(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INQUIRE)
        with pytest.raises(MQError) as refused:
            changed(qmgr, {"USAGE": "XMITQ"})
        assert refused.value.reason == MQRCCF.OBJECT_OPEN_FORCE
        generation = queue_row(qmgr, "Q").generation
        changed(qmgr, {"USAGE": "XMITQ"}, force=True)
        assert queue_row(qmgr, "Q").generation == generation + 1
        with pytest.raises(MQError) as told:
            handle.inquire(MQIA.CURRENT_Q_DEPTH)
        assert told.value.reason == MQRC.OBJECT_CHANGED


def test_force_that_is_not_needed_breaks_no_handle(qmgr: QueueManager) -> None:
    generation = queue_row(qmgr, "Q").generation
    changed(qmgr, {"USAGE": "XMITQ"}, force=True)
    assert queue_row(qmgr, "Q").generation == generation
