"""Triggering in a real store, by occasion; the conditions themselves are tested in
tests/store/rules/trigger.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mqsc import run
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.engine.trigger_message import loop_note
from mqsc.store.message import Message, PutMessageOptions
from tests.conftest import START
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import history, queue_row, shown

SCENARIOS = {
    "FIRST: the queue becomes non-empty": """
        put m1 on APPQ · new INIT1 => APPQ
        put m2 on APPQ · new INIT1 => nothing
    """,
    "FIRST counts only messages of TRIGMPRI or higher": """
        ALTER QLOCAL(APPQ) TRIGMPRI(5) · put low on APPQ priority=4 · new INIT1 => nothing
        put high1 on APPQ priority=5 · new INIT1 => APPQ
        put high2 on APPQ priority=9 · new INIT1 => nothing
    """,
    "EVERY: one trigger message for each message of a call, but one for a message that was "
    "split": """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY) MAXMSGL(32) · put m1 on APPQ · put m2 on APPQ · new INIT1 => APPQ APPQ
        put m3 on APPQ length=80 flags=SEGMENTATION_ALLOWED · depth APPQ => 5 · new INIT1 => APPQ
    """,
    "DEPTH: at TRIGDPTH, once, and TRIGGER is off then": """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(2) · put m1 on APPQ · new INIT1 => nothing
        put m2 on APPQ · new INIT1 => APPQ · DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        put m3 on APPQ · new INIT1 => nothing · history SET APPQ => depth
    """,
    "the interval triggers again": """
        ALTER QMGR TRIGINT(5000) · put m1 on APPQ · new INIT1 => APPQ
        advance 4.999 · put m2 on APPQ · new INIT1 => nothing
        advance 0.001 · put m3 on APPQ · new INIT1 => APPQ · history TRIGGER APPQ => put interval
    """,
    "O-OPEN: the first monitor opens the initiation queue, for every queue that names it": """
        DEFINE QLOCAL(APPQ2) TRIGGER PROCESS(P1) INITQ(INIT1) · M: close INIT1 · put m1 on APPQ · put m2 on APPQ2
        new INIT1 => nothing
        M: open INIT1 input-shared · new INIT1 => APPQ APPQ2
        M: open INIT1 input-shared as SECOND · new INIT1 => nothing
    """,
    "O-ALTER, O-GET and O-INITQ-PUT": """
        ALTER QLOCAL(APPQ) NOTRIGGER · put m1 on APPQ · ALTER QLOCAL(APPQ) TRIGGER
        ALTER QLOCAL(APPQ) GET(DISABLED) · ALTER QLOCAL(APPQ) GET(ENABLED) · ALTER QLOCAL(INIT1) PUT(DISABLED)
        ALTER QLOCAL(INIT1) PUT(ENABLED) · new INIT1 => APPQ APPQ APPQ
        history TRIGGER APPQ => alter get-enabled initq-enabled
    """,
    "no process, no initiation queue: nothing": """
        ALTER QLOCAL(APPQ) PROCESS(NONE) · put m1 on APPQ · ALTER QLOCAL(APPQ) PROCESS(P1) INITQ(NONE)
        put m2 on APPQ · new INIT1 => nothing
    """,
    "a put under syncpoint: the trigger message is readable with the commit": """
        put m1 on APPQ syncpoint · new INIT1 => nothing
        commit · new INIT1 => APPQ
    """,
    "a full initiation queue: the trigger message is a dead letter": """
        DEFINE QLOCAL(DLQ) · ALTER QMGR DEADQ(DLQ) · ALTER QLOCAL(INIT1) MAXDEPTH(0) · put m1 on APPQ
        dlq DLQ => INIT1/2053/MQTRIG
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_occasions(qmgr: QueueManager, text: str) -> None:
    play = TriggerPlay(qmgr)
    play.run(text)


def test_the_trigger_message_describes_the_queue_and_its_process(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m on APPQ")
    (told,) = play.readable("INIT1")
    assert (told.q_name, told.process_name, told.trigger_data) == ("APPQ", "P1", "for APPQ")
    assert (told.appl_id, told.env_data, told.user_data) == ("/bin/serve", "-v", "for P1")


def test_a_transmission_queue_needs_no_process(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("DEFINE QLOCAL(XQ) USAGE(XMITQ) TRIGGER INITQ(INIT1) TRIGDATA(TO.QM2) · put m on XQ")
    assert [
        (each.q_name, each.process_name, each.trigger_data) for each in play.readable("INIT1")
    ] == [
        ("XQ", "", "TO.QM2"),
    ]


def test_the_time_of_the_trigger_message_is_kept_for_the_interval(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    assert queue_row(qmgr, "APPQ").last_trigger is None
    play.run("put m on APPQ")
    assert queue_row(qmgr, "APPQ").last_trigger == START


def test_switching_trigger_off_keeps_the_date_of_alteration(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(1)")
    before = shown(qmgr, "QLOCAL", "APPQ")
    play.run("advance 60 · put1 m on APPQ")
    assert shown(qmgr, "QLOCAL", "APPQ") == {**before, "TRIGGER": "NOTRIGGER", "CURDEPTH": 1}
    assert queue_row(qmgr, "APPQ").trigger_on == 0


def test_the_history_tells_why(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m on APPQ")
    (event,) = (each for each in history(qmgr.store, "APPQ") if each.kind == "TRIGGER")
    assert (event.cause, event.target) == ("put", "INIT1")
    assert (event.detail["process"], event.detail["type"]) == ("P1", "FIRST")
    assert event.detail["conditions"]
    assert "loop" not in event.detail


def test_a_server_that_leaves_its_messages_is_noted_from_the_second_time_on(
    qmgr: QueueManager,
) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m on APPQ")
    for _ in range(3):
        play.run("S: open APPQ input-shared as X · S: close X")
    loops = [
        each.detail.get("loop") for each in history(qmgr.store, "APPQ") if each.kind == "TRIGGER"
    ]
    assert loops == [None, None, loop_note(2), loop_note(3)]


IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


def statements(store: Store, call: Callable[[], object]) -> int:
    """How many statements a call executes."""
    connection = store.database.acquire_connection()
    store.database.release_connection(connection)
    log: list[str] = []
    connection._raw.set_trace_callback(log.append)
    call()
    connection._raw.set_trace_callback(None)
    assert log
    return len(log)


def counts(store: Store, qmgr: QueueManager) -> list[int]:
    """Of a put outside and inside a unit of work, a commit, an open and a get, on a queue with
    TRIGGER.
    """
    run(
        qmgr,
        "DEFINE QLOCAL(INIT)\nDEFINE PROCESS(P)\nDEFINE QLOCAL(Q) TRIGGER PROCESS(P) INITQ(INIT)",
    )
    monitor, connection = qmgr.connect(), qmgr.connect()
    handles = [monitor.open("INIT", MQOO.INPUT_SHARED)]
    queue = connection.open("Q", MQOO.OUTPUT)
    queue.put(Message(b"first"))

    def opened() -> None:
        handles.append(connection.open("Q", MQOO.INPUT_SHARED))

    return [
        statements(store, lambda: queue.put(Message(b"x"))),
        statements(store, lambda: queue.put(Message(b"x"), IN_UNIT)),
        statements(store, connection.commit),
        statements(store, opened),
        statements(store, lambda: handles[-1].get()),
    ]


def test_a_group_costs_the_own_queues_of_its_members_no_statement(store: Store) -> None:
    alone = counts(store, store.create_queue_manager("ALONE"))
    members = [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)]
    in_group = counts(store, members[0])
    # A name may be that of a shared queue too, which MQOPEN looks for.
    opened = 3
    assert in_group[opened] <= alone[opened] + 1
    assert in_group[:opened] + in_group[opened + 1 :] == alone[:opened] + alone[opened + 1 :]
