"""Uncommitted work that affects triggering of a queue: what it is, who did it, and since when."""

from __future__ import annotations

import pytest

from store.admin.put_preview import UncommittedWork
from store.admin.status import connections
from store.admin.trigger_explanation import explain
from store.client.api import QueueManager
from tests.conftest import START
from tests.scenarios.trigger_play import TriggerPlay

SECOND = 1_000_000
Share = tuple[str, str, int, int, bool]
# (lines that lead to a state, (what, queue, messages, seconds since the start, kept) of each share)
ROWS: tuple[tuple[str, list[Share]], ...] = (
    ("", []),
    ("put m1 on APPQ", []),
    (
        "advance 1\nput m1 on APPQ syncpoint\nadvance 1\nput m2 on APPQ syncpoint",
        [("trigger message", "INIT1", 1, 1, True), ("put", "APPQ", 2, 1, False)],
    ),
    ("put m1 on APPQ syncpoint\ncommit", []),
    ("put m1 on APPQ syncpoint\nback", []),
    (
        "ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)\nput m*3 on APPQ syncpoint",
        [("trigger message", "INIT1", 3, 0, False), ("put", "APPQ", 3, 0, False)],
    ),
    # B's put counts A's uncommitted message (T07), so for FIRST it makes no trigger message of its own.
    (
        "put m1 on APPQ syncpoint\nadvance 1\nB: put m2 on APPQ syncpoint",
        [("trigger message", "INIT1", 1, 0, True), ("put", "APPQ", 1, 0, False), ("put", "APPQ", 1, 1, False)],
    ),
    # Only suitable messages matter.
    ("ALTER QLOCAL(APPQ) TRIGMPRI(5)\nput m1 on APPQ priority=4 syncpoint", []),
    # The trigger message stays on the queue to which it was delivered.
    (
        "put m1 on APPQ syncpoint\nDEFINE QLOCAL(INIT2)\nALTER QLOCAL(APPQ) INITQ(INIT2)",
        [("trigger message", "INIT1", 1, 0, True), ("put", "APPQ", 1, 0, False)],
    ),
    (
        "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(INIT1) MAXDEPTH(0)\nput m1 on APPQ syncpoint",
        [("trigger message", "DLQ", 1, 0, True), ("put", "APPQ", 1, 0, False)],
    ),
    # Trigger messages of other queues do not matter.
    ("DEFINE QLOCAL(APPQ2) LIKE(APPQ)\nput m1 on APPQ2 syncpoint", []),
    (
        "put m1 m2 on APPQ\nadvance 3\nget from APPQ syncpoint\nadvance 3\nget from APPQ syncpoint",
        [("get", "APPQ", 2, 3, False)],
    ),
)


def work(qmgr: QueueManager) -> tuple[UncommittedWork, ...]:
    return explain(qmgr, "APPQ").uncommitted


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_what_is_uncommitted(qmgr: QueueManager, text: str, expected: list[Share]) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)
    found = [
        (
            each.what,
            each.queue,
            each.messages,
            None if each.since is None else (each.since - START) // SECOND,
            each.kept,
        )
        for each in work(qmgr)
    ]
    assert found == expected


def test_the_holder_is_the_connection_that_display_conn_shows(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("B: put m1 on APPQ\nB: put m2 on APPQ syncpoint")
    (held,) = work(qmgr)
    (row,) = [row for row in connections(qmgr) if row["APPLTAG"] == "B"]
    assert (held.connection, held.unit, held.process_id) == (row["CONN"], row["QMURID"], row["PID"])
    assert (held.application, held.user) == ("B", "b")


def test_a_get_that_the_history_does_not_have(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ\nALTER QLOCAL(APPQ) ACCTQ(OFF)\nget from APPQ syncpoint")
    assert [(each.messages, each.since) for each in work(qmgr)] == [(1, None)]


# (lines that lead to a state, whether only a commit is missing)
WAITING = (
    ("put m1 on APPQ", False),
    ("put m1 on APPQ syncpoint", True),
    ("put m1 on APPQ syncpoint\nM: close INIT1", False),
    ("put m1 on APPQ syncpoint\nALTER QLOCAL(INIT1) GET(DISABLED)", False),
    ("put m1 on APPQ syncpoint\nDEFINE QLOCAL(INIT2)\nALTER QLOCAL(APPQ) INITQ(INIT2)", False),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH)\nput m1 on APPQ syncpoint", True),
    ("S: open APPQ input-shared\nput m1 on APPQ syncpoint", False),
)


@pytest.mark.parametrize(("text", "waits"), WAITING)
def test_whether_only_a_commit_is_missing(qmgr: QueueManager, text: str, waits: bool) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)
    assert explain(qmgr, "APPQ").only_waits_for_commit is waits


def test_v06_a_unit_in_doubt_is_its_own_holder(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("B: put m1 on APPQ syncpoint\nB: prepare TO.QM2 7\nB: disconnect")
    (row,) = [row for row in connections(qmgr) if row["UOWSTATE"] == "PREPARED"]
    trigger_message, put = work(qmgr)
    assert (put.in_doubt, trigger_message.in_doubt) == ("TO.QM2", "TO.QM2")
    assert (put.connection, put.unit, put.process_id) == (row["CONN"], row["QMURID"], 0)
    assert (put.messages, put.application) == (1, "B")
