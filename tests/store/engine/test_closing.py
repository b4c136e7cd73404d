"""Handles and connections close; what dead programs left behind is recovered; dynamic queues
come and go.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.types import Stored
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import MQCA, MQGMO, MQIA, MQOO, MQOT
from mqsc.store.engine import units
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.sql import connections
from mqsc.store.sqlite.database import Reading, Transaction
from tests.rows import rows
from tests.scenarios.looking import happened
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import history, queue_row, shown
from tests.store.mqi.calls import reason_of
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
        units.remove_queue(tx, call, queue, 3, cause="purge", was={"DESCR": ["old", None]})
    (event,) = (each for each in history(qmgr.store, "Q") if each.kind == "DELETE")
    assert (event.cause, event.target) == ("purge", "QLOCAL")
    assert event.detail == {"messages": 3, "DESCR": ["old", None]}
    assert [*inquire(qmgr, [KINDS["QLOCAL"]], "Q")] == []


def test_a_queue_that_is_in_use_is_marked_and_keeps_its_messages(qmgr: QueueManager) -> None:
    Play(qmgr).run(f"{DYNAMIC} · open PERM output input-shared dynamic=P as P · put m on P")
    with Transaction(qmgr.store.database, durable=False) as tx:
        units.delete_dynamic(tx, qmgr.call_context(tx), queue_row(qmgr, "P"))
    row = queue_row(qmgr, "P")
    assert (row.logically_deleted, row.creator, row.depth) == (1, None, 1)


def test_ending_a_connection_delivers_what_its_handles_cause(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m on APPQ · new INIT1 => APPQ")
    server = qmgr.connect()
    server.open("APPQ", MQOO.INPUT_SHARED)
    server.put1("APPQ", Message(b"more"))
    with Transaction(qmgr.store.database, durable=False) as tx:
        units.end_connection(tx, qmgr.call_context(tx), server.number, "broken")
    play.run("new INIT1 => APPQ")


def made(qmgr: QueueManager, wanted: str, model: str = "TEMP") -> str:
    """Create a queue from the model in a program that then ends; return its name."""
    with qmgr.connect() as connection:
        return connection.open(model, MQOO.OUTPUT, dynamic_name=wanted).name


@rows(
    ("REPLY", "REPLY"),
    ("AMQ.*", r"AMQ\.[0-9A-F]{16}"),
    ("*", "[0-9A-F]{16}"),
    ("A" * 32 + "*", "A{32}[0-9A-F]{16}"),
    ("a/b%c_1.", r"a/b%c_1\."),
)
def test_names(qmgr: QueueManager, wanted: str, pattern: str) -> None:
    assert re.fullmatch(pattern, made(qmgr, wanted))


def test_a_name_made_unique_is_never_made_again(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        together = {
            connection.open("TEMP", MQOO.OUTPUT, dynamic_name="D.*").name for _ in range(20)
        }
    one_by_one = {made(qmgr, "D.*") for _ in range(20)}
    assert len(together | one_by_one) == 40


# A prefix of more than 32 characters leaves no room for the 16 that make the name unique.
@rows(
    *((name, 2011) for name in ("", "A B", "Ä", "A*B", "A" * 49, "A" * 33 + "*", "A" * 47 + "*")),
    *((name, 2100) for name in ("TEMP", "MODEL")),
)
def test_names_that_are_refused(qmgr: QueueManager, wanted: str, reason: int) -> None:
    assert reason_of(lambda: made(qmgr, wanted)) == reason


BACKOUT: Mapping[str, Stored] = {"BOTHRESH": 3, "BOQNAME": "POISON"}


@pytest.mark.parametrize("hardened", ["HARDENBO", "NOHARDENBO"])
@pytest.mark.parametrize(
    "model",
    [
        "MODEL",
        "TEMP",
        "SYSTEM.JMS.MODEL.QUEUE",
        "SYSTEM.DURABLE.MODEL.QUEUE",
        "SYSTEM.NDURABLE.MODEL.QUEUE",
    ],
)
def test_it_has_the_backout_attributes_of_its_model(
    qmgr: QueueManager,
    model: str,
    hardened: str,
) -> None:
    """Including the models of subscriptions (B3). DISPLAY and MQINQ agree."""
    change(qmgr, KINDS["QMODEL"], model, {**BACKOUT, "HARDENBO": hardened})
    selectors: list[int] = [
        MQIA.BACKOUT_THRESHOLD,
        MQCA.BACKOUT_REQ_Q_NAME,
        MQIA.HARDEN_GET_BACKOUT,
    ]
    with qmgr.connect() as connection:
        handle = connection.open(model, MQOO.INQUIRE, dynamic_name="D")
        inquired = handle.inquire(*selectors)
        found = shown(qmgr, "QLOCAL", "D")
    assert [inquired[each] for each in selectors] == [3, "POISON", int(hardened == "HARDENBO")]
    assert {word: found[word] for word in (*BACKOUT, "HARDENBO")} == {
        **BACKOUT,
        "HARDENBO": hardened,
    }


def test_it_has_the_attributes_of_its_model_which_changes_too_late_for_it(
    qmgr: QueueManager,
) -> None:
    change(qmgr, KINDS["QMODEL"], "MODEL", BACKOUT)
    made(qmgr, "D", "MODEL")
    change(qmgr, KINDS["QMODEL"], "MODEL", {"BOTHRESH": 9})
    found = shown(qmgr, "QLOCAL", "D")
    assert [found[word] for word in ("DEFTYPE", "MAXDEPTH", "DESCR", "BOTHRESH")] == [
        "PERMDYN",
        7,
        "made",
        3,
    ]


def test_the_history_knows_its_model_and_its_end(qmgr: QueueManager) -> None:
    made(qmgr, "D")
    kinds = [(each.kind, each.cause) for each in history(qmgr.store, "D")]
    assert kinds == [("DEFINE", "dynamic"), ("OPEN", None), ("CLOSE", None), ("DELETE", "dynamic")]


def test_the_history_knows_the_messages_that_went_with_it(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("TEMP", MQOO.OUTPUT, dynamic_name="D")
        handle.put(Message(b"x"))
        handle.close()
    ended = [(each.kind, each.cause, each.detail) for each in history(qmgr.store, "D")][-2:]
    assert ended == [("CLEAR", "dynamic", {"messages": 1}), ("DELETE", "dynamic", {"messages": 1})]


def test_the_history_tells_the_messages_that_a_unit_of_work_had_got(qmgr: QueueManager) -> None:
    """Their gets are in the history too."""
    with qmgr.connect() as connection:
        handle = connection.open("TEMP", MQOO.OUTPUT | MQOO.INPUT_SHARED, dynamic_name="D")
        handle.put([Message(b"x"), Message(b"y")])
        handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        handle.close()
    (cleared,) = [each.detail for each in history(qmgr.store, "D") if each.kind == "CLEAR"]
    assert cleared == {"messages": 2, "got": 1}


def test_a_temporary_queue_goes_with_a_restart(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    connection.open("TEMP", MQOO.OUTPUT, dynamic_name="D")
    qmgr.end(immediate=True)
    qmgr.start()
    with qmgr.connect() as other:
        assert reason_of(lambda: other.open("D", MQOO.OUTPUT)) == 2085
