"""Explanations of triggering: they agree with what happens next, in a group too, and change
nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.admin.connection_status import connections
from mqsc.store.admin.trigger_explanation import (
    Hypothetical,
    TriggerExplanation,
    explain,
    is_initiation_queue,
)
from mqsc.store.admin.uncommitted_work import UncommittedWork
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO, MQRC
from mqsc.store.rules.trigger.outlook import Outlook
from tests.conftest import START
from tests.scenarios.group_triggers import GroupTriggers, run
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import refused

SIMPLE = Hypothetical()
TO_DLQ = "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(INIT1)"


def played(qmgr: QueueManager, text: str) -> TriggerPlay:
    """Run lines of a scenario. Keep what is returned: its connections end with it."""
    play = TriggerPlay(qmgr)
    play.run(text)
    return play


# (lines that lead to a state, the conditions that then keep a put of default priority from
# triggering)
STATES = (
    ("", ()),
    ("put m1 on APPQ", (3, 11)),
    ("S: open APPQ input-shared", (4,)),
    ("ALTER QLOCAL(APPQ) GET(DISABLED)", (5,)),
    ("ALTER QLOCAL(APPQ) PROCESS(NOPROC)", (6,)),
    ("ALTER QLOCAL(INIT1) PUT(DISABLED)", (7,)),
    ("M: close INIT1", (8,)),
    ("ALTER QLOCAL(APPQ) NOTRIGGER", (9,)),
    ("ALTER QLOCAL(APPQ) TRIGMPRI(4)", (2,)),
    ("ALTER QLOCAL(APPQ) MSGDLVSQ(FIFO) TRIGMPRI(4)", (2, 14)),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2)", (3, 11)),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(1)", ()),
    ("ALTER QMGR TRIGINT(5000)\nput m1 on APPQ\nadvance 5", ()),
)


@pytest.mark.parametrize(("text", "obstacles"), STATES, ids=[text or "base" for text, _ in STATES])
def test_it_foretells_what_a_put_does(
    qmgr: QueueManager,
    text: str,
    obstacles: tuple[int, ...],
) -> None:
    play = played(qmgr, text)
    play.new_events("TRIGGER")
    found = explain(qmgr, "APPQ", SIMPLE)
    assert tuple(each.number for each in found.decision.obstacles) == obstacles
    assert found.forecast is not None
    play.run("put next on APPQ")
    assert bool(play.new_events("TRIGGER")) is not bool(obstacles)
    assert found.forecast.triggers is not bool(obstacles)


# (lines that lead to a state, put, attributes of the forecast)
FORECASTS: tuple[tuple[str, Hypothetical, dict[str, Any]], ...] = (
    (
        "",
        SIMPLE,
        {"reason": 0, "triggers": True, "cause": "put", "lands_on": "INIT1", "visible": "at once"},
    ),
    (
        "",
        Hypothetical(syncpoint=True),
        {"visible": "at the commit", "kept": True, "trigger_off": False},
    ),
    (
        "ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)",
        Hypothetical(syncpoint=True),
        {"visible": "at the commit", "kept": False},
    ),
    (
        "ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH)",
        SIMPLE,
        {"triggers": True, "trigger_off": True, "kept": False},
    ),
    (
        "ALTER QLOCAL(APPQ) PUT(DISABLED)",
        SIMPLE,
        {"reason": 2051, "triggers": False, "lands_on": "", "visible": ""},
    ),
    ("ALTER QLOCAL(APPQ) MAXDEPTH(0)", SIMPLE, {"reason": 2053, "triggers": False}),
    ("ALTER QLOCAL(APPQ) MAXMSGL(10)", Hypothetical(length=11), {"reason": 2030}),
    (
        "ALTER QLOCAL(APPQ) STREAMQ(NONE) STRMQOS(MUSTDUP)",
        SIMPLE,
        {"reason": 2085, "triggers": False},
    ),
    ("ALTER QLOCAL(APPQ) STREAMQ(NONE) STRMQOS(BESTEF)", SIMPLE, {"reason": 0, "triggers": True}),
    ("ALTER QMGR MAXMSGL(32768)", Hypothetical(length=32769), {"reason": 2031}),
    ("ALTER QLOCAL(APPQ) MAXMSGL(10)", Hypothetical(length=10), {"reason": 0}),
    (
        "ALTER QLOCAL(APPQ) TRIGMPRI(5)",
        Hypothetical(priority=5),
        {"counts_as": 5, "triggers": True},
    ),
    (
        "ALTER QLOCAL(APPQ) TRIGMPRI(5)",
        Hypothetical(priority=4),
        {"counts_as": 4, "triggers": False},
    ),
    ("", Hypothetical(priority=12), {"counts_as": 9, "triggers": True}),
    ("ALTER QLOCAL(APPQ) MSGDLVSQ(FIFO) DEFPRTY(3)", Hypothetical(priority=9), {"counts_as": 3}),
    ("ALTER QLOCAL(APPQ) DEFPRTY(6)", SIMPLE, {"counts_as": 6}),
    (
        "ALTER QLOCAL(INIT1) MAXDEPTH(0)",
        SIMPLE,
        {"triggers": True, "lands_on": "", "delivery_reason": 2053},
    ),
    ("ALTER QLOCAL(INIT1) MAXDEPTH(0)", SIMPLE, {"visible": ""}),
    (
        f"{TO_DLQ} MAXMSGL(683)",
        SIMPLE,
        {"lands_on": "DLQ", "delivery_reason": 2030, "visible": "at once"},
    ),
    ("ALTER QLOCAL(APPQ) NOTRIGGER", SIMPLE, {"triggers": False, "trigger_off": True}),
)


@pytest.mark.parametrize(("text", "put", "expected"), FORECASTS)
def test_what_a_put_would_come_to(
    qmgr: QueueManager,
    text: str,
    put: Hypothetical,
    expected: dict[str, Any],
) -> None:
    _kept = played(qmgr, text)
    forecast = explain(qmgr, "APPQ", put).forecast
    assert {name: getattr(forecast, name) for name in expected} == expected


def test_the_state_of_the_queue(qmgr: QueueManager) -> None:
    _kept = played(
        qmgr,
        "ALTER QLOCAL(APPQ) TRIGMPRI(5)\nput m*3 on APPQ priority=1\nput n*2 on APPQ priority=6",
    )
    found = explain(qmgr, "APPQ")
    assert (found.asked_for, found.queue, found.notes, found.at) == ("APPQ", "APPQ", (), START)
    assert (found.depth, found.messages, found.last_trigger, found.loop) == (5, 2, START, "")
    assert [each.number for each in found.conditions] == list(range(1, 15))
    assert found.forecast is None


def test_names_lead_to_the_local_queue(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr).run("""
        DEFINE QLOCAL(TO.QM2) USAGE(XMITQ) TRIGGER INITQ(INIT1)
        DEFINE QREMOTE(FAR) RNAME(Q) RQMNAME(QM2) XMITQ(TO.QM2)
        DEFINE QALIAS(FRONT) TARGET(APPQ) DEFPRTY(7)
        DEFINE QALIAS(BEHIND) TARGET(FAR)
    """)
    front, behind = explain(qmgr, "FRONT", SIMPLE), explain(qmgr, "BEHIND")
    assert (front.queue, front.notes) == ("APPQ", ("FRONT is an alias of APPQ",))
    assert front.forecast is not None
    assert front.forecast.counts_as == 7
    assert behind.queue == "TO.QM2"
    assert behind.notes == (
        "BEHIND is an alias of FAR",
        "FAR is a remote queue, whose messages wait on TO.QM2",
    )


def test_a_closed_loop_is_named(qmgr: QueueManager) -> None:
    play = played(qmgr, "put m1 on APPQ")
    # An explanation changes nothing.
    before = qmgr.store.database.data_version()
    explain(qmgr, "APPQ", Hypothetical(priority=5, persistence=1, syncpoint=True))
    assert qmgr.store.database.data_version() == before
    found = []
    for _ in range(3):
        play.run("S: open APPQ input-shared\nS: close APPQ")
        found.append(explain(qmgr, "APPQ").loop)
    told = "{} trigger messages in a row at a close, without the depth falling"
    assert found == ["", told.format(2), told.format(3)]


def test_a_name_that_leads_nowhere_and_a_queue_manager_that_has_ended(qmgr: QueueManager) -> None:
    played(qmgr, "DEFINE QALIAS(FRONT) TARGET(NOQ)")
    for name, reason in (
        ("NOQ", MQRC.UNKNOWN_OBJECT_NAME),
        ("FRONT", MQRC.UNKNOWN_ALIAS_BASE_Q),
        ("SYSTEM.DEFAULT.MODEL.QUEUE", 2057),
    ):
        with refused(reason):
            explain(qmgr, name)
    qmgr.end(immediate=True)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        explain(qmgr, "APPQ")


def test_which_queue_is_an_initiation_queue(qmgr: QueueManager) -> None:
    played(qmgr, "DEFINE QALIAS(DOOR) TARGET(INIT1)")
    found = [is_initiation_queue(qmgr, name) for name in ("INIT1", "DOOR", "APPQ", "NOQ")]
    assert found == [True, True, False, False]


SECOND = 1_000_000
Share = tuple[str, str, int, int, bool]
TRIGGERED, PUT_1 = ("trigger message", "INIT1", 1, 0, True), ("put", "APPQ", 1, 0, False)
GOT = "\nadvance 3\nget from APPQ syncpoint"
TO_INIT2 = "DEFINE QLOCAL(INIT2)\nALTER QLOCAL(APPQ) INITQ(INIT2)"
# (lines that lead to a state, (what, queue, messages, seconds since the start, kept) of each share)
ROWS: tuple[tuple[str, list[Share]], ...] = (
    ("", []),
    ("put m1 on APPQ", []),
    (
        "advance 1\nput m1 m2 on APPQ syncpoint",
        [(*TRIGGERED[:3], 1, True), ("put", "APPQ", 2, 1, False)],
    ),
    (
        "put m1 on APPQ syncpoint\nadvance 1\nput m2 on APPQ syncpoint",
        [TRIGGERED, ("put", "APPQ", 2, 0, False)],
    ),
    ("put m1 on APPQ syncpoint\ncommit", []),
    ("put m1 on APPQ syncpoint\nback", []),
    (
        "ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)\nput m*3 on APPQ syncpoint",
        [("trigger message", "INIT1", 3, 0, False), ("put", "APPQ", 3, 0, False)],
    ),
    # B's put counts A's uncommitted message (T07), so for FIRST it makes no trigger message of its
    # own.
    (
        "put m1 on APPQ syncpoint\nadvance 1\nB: put m2 on APPQ syncpoint",
        [TRIGGERED, PUT_1, ("put", "APPQ", 1, 1, False)],
    ),
    # Only suitable messages matter.
    ("ALTER QLOCAL(APPQ) TRIGMPRI(5)\nput m1 on APPQ priority=4 syncpoint", []),
    # The trigger message stays on the queue to which it was delivered.
    (f"put m1 on APPQ syncpoint\n{TO_INIT2}", [TRIGGERED, PUT_1]),
    (
        f"{TO_DLQ} MAXDEPTH(0)\nput m1 on APPQ syncpoint",
        [("trigger message", "DLQ", 1, 0, True), PUT_1],
    ),
    # Trigger messages of other queues do not matter.
    ("DEFINE QLOCAL(APPQ2) LIKE(APPQ)\nput m1 on APPQ2 syncpoint", []),
    (f"put m1 m2 on APPQ{GOT}{GOT}", [("get", "APPQ", 2, 3, False)]),
)


def work(qmgr: QueueManager) -> tuple[UncommittedWork, ...]:
    return explain(qmgr, "APPQ").uncommitted


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_what_is_uncommitted(qmgr: QueueManager, text: str, expected: list[Share]) -> None:
    _kept = played(qmgr, text)
    found = [(each.what, each.queue, each.messages, each.since, each.kept) for each in work(qmgr)]
    assert found == [(*share[:3], START + share[3] * SECOND, share[4]) for share in expected]


def test_the_holder_is_the_connection_that_display_conn_shows(qmgr: QueueManager) -> None:
    _kept = played(qmgr, "B: put m1 on APPQ\nB: put m2 on APPQ syncpoint")
    (held,) = work(qmgr)
    (row,) = [row for row in connections(qmgr) if row["APPLTAG"] == "B"]
    assert (held.connection, held.unit, held.process_id) == (row["CONN"], row["QMURID"], row["PID"])
    assert (held.application, held.user) == ("B", "b")


def test_a_get_that_the_history_does_not_have(qmgr: QueueManager) -> None:
    _kept = played(qmgr, "put m1 on APPQ\nALTER QLOCAL(APPQ) ACCTQ(OFF)\nget from APPQ syncpoint")
    assert [(each.messages, each.since) for each in work(qmgr)] == [(1, None)]


# (lines that lead to a state, whether only a commit is missing)
WAITING = (
    ("put m1 on APPQ", False),
    ("put m1 on APPQ syncpoint", True),
    ("put m1 on APPQ syncpoint\nM: close INIT1", False),
    ("put m1 on APPQ syncpoint\nALTER QLOCAL(INIT1) GET(DISABLED)", False),
    (f"put m1 on APPQ syncpoint\n{TO_INIT2}", False),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH)\nput m1 on APPQ syncpoint", True),
    ("S: open APPQ input-shared\nput m1 on APPQ syncpoint", False),
)


@pytest.mark.parametrize(("text", "waits"), WAITING)
def test_whether_only_a_commit_is_missing(qmgr: QueueManager, text: str, waits: bool) -> None:
    _kept = played(qmgr, text)
    assert explain(qmgr, "APPQ").only_waits_for_commit is waits


def test_v06_a_unit_in_doubt_is_its_own_holder(qmgr: QueueManager) -> None:
    played(qmgr, "B: put m1 on APPQ syncpoint\nB: prepare TO.QM2 7\nB: disconnect")
    (row,) = [row for row in connections(qmgr) if row["UOWSTATE"] == "PREPARED"]
    trigger_message, put = work(qmgr)
    assert (put.in_doubt, trigger_message.in_doubt) == ("TO.QM2", "TO.QM2")
    assert (put.connection, put.unit, put.process_id) == (row["CONN"], row["QMURID"], 0)
    assert (put.messages, put.application) == (1, "B")


PUT = Hypothetical(5)


def outcomes(found: TriggerExplanation) -> dict[str, bool]:
    return {each.member: each.would_trigger for each in found.members}


def outlook(found: TriggerExplanation, occasion: str) -> Outlook:
    return next(each for each in found.outlooks if each.occasion == occasion)


def test_the_table_and_the_handle_that_relaxes(store: Store) -> None:
    group = GroupTriggers(store)
    group.alter(1, "TRIGTYPE(DEPTH) TRIGDPTH(2)")
    server = group.open(1)
    found = explain(group.members[2], "SQ", Hypothetical(0))
    inputs = [(each.own_input, each.input_elsewhere, each.relaxed) for each in found.members]
    assert inputs == [(1, False, False), (0, True, True), (0, True, True)]
    decided = [(each.trigger_type, each.allowed) for each in found.members]
    assert decided == [("DEPTH", False), ("FIRST", True), ("FIRST", True)]
    assert outcomes(found) == {"QM1": False, "QM2": True, "QM3": True}
    [handle] = found.input_handles
    assert (handle.member, handle.application, handle.exclusive) == ("QM1", "server", False)
    assert handle.connection == f"{server.connection.number:016X}"
    assert handle.relaxes == ("QM2", "QM3")
    # The conditions are those of QM2, by what is in effect there.
    assert [each.number for each in found.conditions if not each.met] == [11, 12, 13]
    assert found.forecast is not None
    assert (found.forecast.triggers, found.forecast.kept, found.forecast.trigger_off) == (
        True,
        False,
        False,
    )
    assert not explain(group.members[1], "SQ", Hypothetical(0)).put_triggers


def test_exclusive_input_prevents_all(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(3, MQOO.INPUT_EXCLUSIVE)
    found = explain(group.members[1], "SQ", PUT)
    assert outcomes(found) == {"QM1": False, "QM2": False, "QM3": False}
    assert [each.obstacles for each in found.members] == [(4,)] * 3
    assert [each.relaxes for each in found.input_handles] == [()]
    assert outlook(found, "CLOSE").possible


def test_only_running_members_decide(store: Store) -> None:
    group = GroupTriggers(store, monitors=(1,))
    group.members[3].end(immediate=True)
    assert outcomes(explain(group.members[1], "SQ", PUT)) == {"QM1": True, "QM2": False}


def test_one_member_makes_the_message_of_every_for_a_shared_initiation_queue(store: Store) -> None:
    group = GroupTriggers(store, monitors=(2, 3), shared_initq=True)
    group.alter(1, "TRIGTYPE(EVERY)")
    found = explain(group.members[3], "SQ", PUT)
    assert outcomes(found) == {"QM1": False, "QM2": False, "QM3": True}
    assert [each.obstacles for each in found.members] == [(8,), (), ()]
    assert found.members[1].initq_is_shared
    assert is_initiation_queue(group.members[1], "INIT")
    [monitor] = [
        each for each in explain(group.members[1], "SQ", PUT).conditions if each.number == 8
    ]
    assert monitor.reason == "IPPROCS(0) on INIT: QM1 itself must have the shared queue open"


def test_a_close_reverts_to_the_definition(store: Store) -> None:
    group = GroupTriggers(store)
    group.open(1)
    group.put(2, 0)
    close = outlook(explain(group.members[2], "SQ"), "CLOSE")
    assert (close.possible, close.would_trigger) == (True, False)
    group.put(2, 5)
    assert outlook(explain(group.members[2], "SQ"), "CLOSE").would_trigger
    group.new  # noqa: B018
    group.close(1)
    assert group.new == (1, 1, 1)


def test_uncommitted_messages_do_not_count(store: Store) -> None:
    group = GroupTriggers(store)
    group.put(1, 5, 5, unit=True)
    found = explain(group.members[1], "SQ")
    assert (found.depth, found.messages) == (2, 0)
    assert outcomes(explain(group.members[1], "SQ", PUT)) == {"QM1": True, "QM2": True, "QM3": True}


def test_a_name_that_a_member_and_the_group_have(store: Store) -> None:
    group = GroupTriggers(store, monitors=(1, 2))
    run(group.members[3], "DELETE QLOCAL(INIT)")
    run(group.members[3], "DEFINE QLOCAL(OTHER) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    run(group.members[1], "ALTER QLOCAL(SQ) QSGDISP(SHARED) INITQ(BOTH)", "DEFINE QLOCAL(BOTH)")
    run(group.members[2], "DEFINE QLOCAL(BOTH) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    [usable] = [each for each in explain(group.members[1], "SQ").conditions if each.number == 7]
    assert (
        usable.reason
        == "INITQ(BOTH) on SQ: both the queue manager and its group have a queue of that name"
    )
    [usable] = [each for each in explain(group.members[2], "SQ").conditions if each.number == 7]
    assert usable.met
