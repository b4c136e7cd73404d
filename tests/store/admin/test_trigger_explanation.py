"""Explanations of triggering against a real store: they agree with what happens next, and change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.trigger_explanation import Hypothetical, explain, is_initiation_queue
from store.client.api import QueueManager
from store.constants import MQRC
from store.error import MQError
from tests.conftest import START
from tests.scenarios.trigger_play import TriggerPlay

SIMPLE = Hypothetical()
# (lines that lead to a state, the conditions that then keep a put of default priority from triggering)
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
def test_it_foretells_what_a_put_does(qmgr: QueueManager, text: str, obstacles: tuple[int, ...]) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)
    play.new_events("TRIGGER")
    found = explain(qmgr, "APPQ", SIMPLE)
    assert tuple(each.number for each in found.decision.obstacles) == obstacles
    assert found.forecast is not None
    play.run("put next on APPQ")
    assert bool(play.new_events("TRIGGER")) is not bool(obstacles)
    assert found.forecast.triggers is not bool(obstacles)


# (lines that lead to a state, put, attributes of the forecast)
FORECASTS: tuple[tuple[str, Hypothetical, dict[str, Any]], ...] = (
    ("", SIMPLE, {"reason": 0, "triggers": True, "cause": "put", "lands_on": "INIT1", "visible": "at once"}),
    ("", Hypothetical(syncpoint=True), {"visible": "at the commit", "kept": True, "trigger_off": False}),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)", Hypothetical(syncpoint=True), {"visible": "at the commit", "kept": False}),
    ("ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH)", SIMPLE, {"triggers": True, "trigger_off": True, "kept": False}),
    ("ALTER QLOCAL(APPQ) PUT(DISABLED)", SIMPLE, {"reason": 2051, "triggers": False, "lands_on": "", "visible": ""}),
    ("ALTER QLOCAL(APPQ) MAXDEPTH(0)", SIMPLE, {"reason": 2053, "triggers": False}),
    ("ALTER QLOCAL(APPQ) MAXMSGL(10)", Hypothetical(length=11), {"reason": 2030}),
    ("ALTER QLOCAL(APPQ) STREAMQ(NONE) STRMQOS(MUSTDUP)", SIMPLE, {"reason": 2085, "triggers": False}),
    ("ALTER QLOCAL(APPQ) STREAMQ(NONE) STRMQOS(BESTEF)", SIMPLE, {"reason": 0, "triggers": True}),
    ("ALTER QMGR MAXMSGL(32768)", Hypothetical(length=32769), {"reason": 2031}),
    ("ALTER QLOCAL(APPQ) MAXMSGL(10)", Hypothetical(length=10), {"reason": 0}),
    ("ALTER QLOCAL(APPQ) TRIGMPRI(5)", Hypothetical(priority=5), {"counts_as": 5, "triggers": True}),
    ("ALTER QLOCAL(APPQ) TRIGMPRI(5)", Hypothetical(priority=4), {"counts_as": 4, "triggers": False}),
    ("", Hypothetical(priority=12), {"counts_as": 9, "triggers": True}),
    ("ALTER QLOCAL(APPQ) MSGDLVSQ(FIFO) DEFPRTY(3)", Hypothetical(priority=9), {"counts_as": 3}),
    ("ALTER QLOCAL(APPQ) DEFPRTY(6)", SIMPLE, {"counts_as": 6}),
    (
        "ALTER QLOCAL(INIT1) MAXDEPTH(0)",
        SIMPLE,
        {"triggers": True, "lands_on": "", "delivery_reason": 2053, "visible": ""},
    ),
    (
        "DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(INIT1) MAXMSGL(683)",
        SIMPLE,
        {"lands_on": "DLQ", "delivery_reason": 2030, "visible": "at once"},
    ),
    ("ALTER QLOCAL(APPQ) NOTRIGGER", SIMPLE, {"triggers": False, "trigger_off": True}),
)


@pytest.mark.parametrize(("text", "put", "expected"), FORECASTS)
def test_what_a_put_would_come_to(qmgr: QueueManager, text: str, put: Hypothetical, expected: dict[str, Any]) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)
    forecast = explain(qmgr, "APPQ", put).forecast
    assert {name: getattr(forecast, name) for name in expected} == expected


def test_it_changes_nothing(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ")
    before = qmgr.store.database.data_version()
    explain(qmgr, "APPQ", Hypothetical(priority=5, persistence=1, syncpoint=True))
    assert qmgr.store.database.data_version() == before


def test_the_state_of_the_queue(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("ALTER QLOCAL(APPQ) TRIGMPRI(5)\nput m*3 on APPQ priority=1\nput n*2 on APPQ priority=6")
    found = explain(qmgr, "APPQ")
    assert (found.asked_for, found.queue, found.notes, found.at) == ("APPQ", "APPQ", (), START)
    assert (found.depth, found.messages, found.last_trigger, found.loop) == (5, 2, START, "")
    assert [each.number for each in found.conditions] == list(range(1, 15))
    assert found.forecast is None


def test_names_lead_to_the_local_queue(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("""
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
    assert behind.notes == ("BEHIND is an alias of FAR", "FAR is a remote queue, whose messages wait on TO.QM2")


def test_a_closed_loop_is_named(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ")
    found = []
    for _ in range(3):
        play.run("S: open APPQ input-shared\nS: close APPQ")
        found.append(explain(qmgr, "APPQ").loop)
    told = "{} trigger messages in a row at a close, without the depth falling"
    assert found == ["", told.format(2), told.format(3)]


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("", "NOQ", MQRC.UNKNOWN_OBJECT_NAME),
        ("DEFINE QALIAS(FRONT) TARGET(NOQ)", "FRONT", MQRC.UNKNOWN_ALIAS_BASE_Q),
        ("", "SYSTEM.DEFAULT.MODEL.QUEUE", 2057),
    ],
)
def test_a_name_that_leads_nowhere(qmgr: QueueManager, text: str, name: str, reason: int) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)
    with pytest.raises(MQError) as refused:
        explain(qmgr, name)
    assert refused.value.reason == reason


def test_a_queue_manager_that_has_ended(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr)
    qmgr.end(immediate=True)
    with pytest.raises(MQError) as refused:
        explain(qmgr, "APPQ")
    assert refused.value.reason == MQRC.Q_MGR_NOT_AVAILABLE


@pytest.mark.parametrize(("name", "named"), [("INIT1", True), ("DOOR", True), ("APPQ", False), ("NOQ", False)])
def test_which_queue_is_an_initiation_queue(qmgr: QueueManager, name: str, named: bool) -> None:
    play = TriggerPlay(qmgr)
    play.run("DEFINE QALIAS(DOOR) TARGET(INIT1)")
    assert is_initiation_queue(qmgr, name) is named
