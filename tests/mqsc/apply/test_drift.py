"""What differs from a new queue manager although the files do not say so."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from mqsc.console.inputs import InputSource
from mqsc.plan import CHANGING, Action
from mqsc.script import run
from mqsc.scripts.declarations import statements_in
from mqsc.scripts.plan_output import lines_of
from mqsc.scripts.planning import ApplyPlan, plan_to_apply
from mqsc.store.admin.altering import change
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError
from tests.examples import examples
from tests.mqsc.export.test_round_trip import (
    Made,
    exported,
    make,
    new_queue_manager,
    objects,
    state,
)
from tests.mqsc.export.values import attributes

FILES = """\
ALTER QMGR DEADQ(DLQ)
DEFINE QLOCAL(DLQ)
ALTER QLOCAL(SYSTEM.CICS.INITIATION.QUEUE) PUT(DISABLED)
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)
SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('nobody') ACTION(REPLACE)
DELETE NAMELIST(SYSTEM.DEFAULT.NAMELIST)
"""
BY_HAND = {
    "ALTER QMGR DESCR('x')": ["DIFFERS    QMGR", "           DESCR  ' ' -> x"],
    "ALTER QLOCAL(SYSTEM.CICS.INITIATION.QUEUE) GET(DISABLED)": [
        "DIFFERS    QLOCAL(SYSTEM.CICS.INITIATION.QUEUE)",
        "           GET  ENABLED -> DISABLED",
    ],
    "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)": [
        "DIFFERS    AUTHREC(A) QUEUE GROUP g",
        "           AUTHLIST  (GET) -> (GET,PUT)",
    ],
    "DEFINE QLOCAL(SYSTEM.MINE)": [
        "KEPT       QLOCAL(SYSTEM.MINE)                                --prune",
    ],
    "DELETE CHANNEL(SYSTEM.DEF.SENDER)": ["DIFFERS    CHANNEL(SYSTEM.DEF.SENDER)"],
    "SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)": [
        "DIFFERS    CHLAUTH(SYSTEM.*) ADDRESSMAP *",
    ],
    "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7)": [
        "UPDATE     QLOCAL(DLQ)                                        line 2",
        "           MAXDEPTH  5000 -> 7, from SYSTEM.DEFAULT.LOCAL.QUEUE",
    ],
}


def compared(qmgr: QueueManager, text: str) -> ApplyPlan:
    return plan_to_apply(qmgr, statements_in([InputSource(text=text)], None), prune=True)


@pytest.mark.parametrize("by_hand", BY_HAND)
def test_what_was_changed_by_hand_is_said(by_hand: str, qmgr: QueueManager) -> None:
    run(qmgr, FILES)
    assert not compared(qmgr, FILES).is_different
    run(qmgr, by_hand)
    plan = compared(qmgr, FILES)
    lines = [
        line
        for row in plan.rows
        if row.action not in (Action.UNCHANGED, Action.SKIPPED)
        for line in lines_of(row)
    ]
    assert lines[: len(BY_HAND[by_hand])] == BY_HAND[by_hand]
    assert plan.is_different
    # What the files say again is no difference.
    assert not compared(qmgr, exported(qmgr, everything=False)).is_different


def test_a_default_object_is_named_where_definitions_start_from_it(qmgr: QueueManager) -> None:
    run(qmgr, "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7) DESCR('x')\nDEFINE QLOCAL(A)")
    plan = compared(qmgr, "DEFINE QLOCAL(A)\nALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) DESCR('x')")
    assert [(each.name, each.changes) for each in plan.changed_defaults] == [
        ("SYSTEM.DEFAULT.LOCAL.QUEUE", {"MAXDEPTH": (5000, 7)}),
    ]
    assert not plan.is_different
    assert compared(qmgr, "DEFINE QALIAS(A)").changed_defaults == ()


@settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(objects(), st.data())
def test_what_was_altered_since_an_export_is_all_that_is_different(
    made: Made,
    data: st.DataObject,
) -> None:
    with new_queue_manager() as qmgr:
        with suppress(MQError):
            make(qmgr, made)
        files = exported(qmgr, everything=False)
        assert not compared(qmgr, files).is_different
        keyword, name, values = made
        kind = KINDS[keyword]
        before = dict(state(qmgr))
        with suppress(MQError):
            change(
                qmgr,
                kind,
                name,
                data.draw(attributes(kind, "ALTER", str(values.get(kind.selector, "")))),
            )
        changed = [title for title, held in state(qmgr) if before[title] != held]
        found = [
            f"{row.type}({row.name})"
            for row in compared(qmgr, files).rows
            if row.action in CHANGING
        ]
    assert found == changed
