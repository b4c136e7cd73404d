"""Handles and connections close."""

from __future__ import annotations

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQOT
from mqsc.store.engine import closing, queue_removal
from mqsc.store.message import Message
from mqsc.store.sql import connections
from mqsc.store.sqlite.database import Reading, Transaction
from tests.rows import rows
from tests.scenarios.looking import happened
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import history, queue_row
from tests.store.plays import plays


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    """A queue manager with the models MODEL and TEMP."""
    create(qmgr, KINDS["QMODEL"], "MODEL", {"DEFTYPE": "PERMDYN", "MAXDEPTH": 7, "DESCR": "made"})
    create(qmgr, KINDS["QMODEL"], "TEMP", {"DEFTYPE": "TEMPDYN"})
    return qmgr


DYNAMIC = "DEFINE QMODEL(PERM) DEFTYPE(PERMDYN) · DEFINE QLOCAL(Q)"
SCENARIOS = {
    "a lock goes with its handle": """
        put m1 m2 · A: get browse-first lock => m1 · B: get => m2
        A: open Q browse as Q · disconnect · B: get => m1
    """,
    "closing the creator's handle deletes a temporary queue with its messages": """
        open TEMP output dynamic=D as D · put m1 m2 on D · close D · open D inquire => 2/2085
        history CLEAR D => dynamic · history DELETE D => dynamic
    """,
    "while others have it open it is only marked as deleted": """
        A: open TEMP output dynamic=D as D · B: open D output as D · A: close D · B: put m1 on D => 2/2052
        C: open D output => 2/2052 · history DELETE D => nothing
        B: close D · C: open D output => 2/2085 · history DELETE D => dynamic
    """,
    "closing another handle does not delete it": """
        A: open TEMP output dynamic=D as D · B: open D output as D · B: close D · A: put m1 on D · depth D => 1
    """,
    "a permanent queue stays": (
        "open PERM output dynamic=P as P · put m1 on P · close P · depth P => 1"
    ),
}

test_closing = plays(DYNAMIC, SCENARIOS)


def test_a_close_takes_its_counts_back(qmgr: QueueManager) -> None:
    Play(qmgr).run(DYNAMIC)

    def counts() -> tuple[int, int, int]:
        row = queue_row(qmgr, "Q")
        return row.input_handles, row.exclusive_handles, row.output_handles

    with qmgr.connect() as connection:
        both = connection.open("Q", MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT)
        output = connection.open("Q", MQOO.OUTPUT)
        assert counts() == (1, 1, 2)
        both.close()
        assert counts() == (0, 0, 1)
        output.close()
        assert counts() == (0, 0, 0)
    closes = [each.detail for each in history(qmgr.store, "Q") if each.kind == "CLOSE"]
    assert closes == [{"handle": both.number}, {"handle": output.number}]


def test_handles_of_other_objects_close_without_a_trace(qmgr: QueueManager) -> None:
    Play(qmgr).run("DEFINE PROCESS(P1)")
    for ends_connection in (False, True):
        connection = qmgr.connect()
        process = connection.open("P1", MQOO.INQUIRE, object_type=MQOT.PROCESS)
        if not ends_connection:
            process.close()
        connection.disconnect()
        with Reading(qmgr.store.database) as reading:
            assert connections.handle_by_id(reading, process.number) is None
    assert happened(qmgr.store, "CLOSE") == []


# (lines up to the close of a handle, the queues that trigger then)
@rows(
    ("S: open APPQ input-shared as X · S: close X", "APPQ"),
    ("S: open APPQ input-shared as X · T: open APPQ input-shared as Y · S: close X", "nothing"),
    ("S: open APPQ output as X · S: close X", "nothing"),
    ("T: open APPQ input-shared as Y · S: open APPQ browse as X · S: close X", "nothing"),
    ("S: open APPQ input-shared as X · ALTER QLOCAL(APPQ) NOTRIGGER · S: close X", "nothing"),
)
def test_closing_the_last_input_handle_triggers(
    qmgr: QueueManager,
    steps: str,
    triggered: str,
) -> None:
    TriggerPlay(qmgr).run(f"put m on APPQ · new INIT1 => APPQ · {steps} · new INIT1 => {triggered}")


def test_a_lost_program_is_backed_out_before_its_handles_close(qmgr: QueueManager) -> None:
    """Therefore the message that it had got counts when its last input handle closes (T41)."""
    TriggerPlay(qmgr).run("""
        put m on APPQ · new INIT1 => APPQ · S: get from APPQ syncpoint => m
        S: abend · new INIT1 => APPQ · on APPQ => m
    """)
    kinds = [kind for kind, *_ in happened(qmgr.store, "BACKOUT", "CLOSE", "TRIGGER")]
    assert kinds == ["TRIGGER", "BACKOUT", "CLOSE", "TRIGGER"]


def test_the_last_connection_ends_a_quiescing_queue_manager_but_no_running_one(
    qmgr: QueueManager,
) -> None:
    qmgr.connect().disconnect()
    assert qmgr.is_running
    one, other = qmgr.connect(), qmgr.connect()
    qmgr.end()
    for connection, state in ((one, "QUIESCING"), (other, "ENDED")):
        connection.disconnect()
        assert qmgr.row().state == state
    assert [row[:2] for row in happened(qmgr.store, "END")] == [("END", "controlled")]


def test_a_removed_queue_leaves_its_attributes_in_the_history(qmgr: QueueManager) -> None:
    Play(qmgr).run(DYNAMIC)
    with Transaction(qmgr.store.database, durable=False) as tx:
        call, queue = qmgr.call_context(tx), queue_row(qmgr, "Q")
        queue_removal.remove_queue(tx, call, queue, 3, cause="purge", was={"DESCR": ["old", None]})
    (event,) = (each for each in history(qmgr.store, "Q") if each.kind == "DELETE")
    assert (event.cause, event.target) == ("purge", "QLOCAL")
    assert event.detail == {"messages": 3, "DESCR": ["old", None]}
    assert [*inquire(qmgr, [KINDS["QLOCAL"]], "Q")] == []


def test_a_queue_that_is_in_use_is_marked_and_keeps_its_messages(qmgr: QueueManager) -> None:
    Play(qmgr).run(f"{DYNAMIC} · open PERM output input-shared dynamic=P as P · put m on P")
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue_removal.delete_dynamic(tx, qmgr.call_context(tx), queue_row(qmgr, "P"))
    row = queue_row(qmgr, "P")
    assert (row.logically_deleted, row.creator, row.depth) == (1, None, 1)


def test_ending_a_connection_delivers_what_its_handles_cause(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m on APPQ · new INIT1 => APPQ")
    server = qmgr.connect()
    server.open("APPQ", MQOO.INPUT_SHARED)
    server.put1("APPQ", Message(b"more"))
    with Transaction(qmgr.store.database, durable=False) as tx:
        closing.end_connection(tx, qmgr.call_context(tx), server.number, "broken")
    play.run("new INIT1 => APPQ")
