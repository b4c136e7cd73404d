"""A replay of an unchanged time makes the events that are recorded; where it cannot, it says so."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import pytest

from mqsc import run
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.peeking import peek
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQCO, MQGMO, MQMO, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past import programs
from mqsc.store.past.as_of import copy_as_of, moment_of_event
from mqsc.store.past.calls import recorded_calls
from mqsc.store.past.replay import Departure, Intent, Replay, open_copy
from mqsc.store.rules.message_trace import TracedEvent
from tests.reports.history import at
from tests.reports.played import SILENT, Play
from tests.scenarios.channel_bench import Network

DEFINING = ("DEFINE", "ALTER", "SET", "DELETE")


@contextmanager
def replayed(
    store: Store,
    seq: int,
    *commands: str,
    intent: Intent | None = None,
) -> Iterator[tuple[list[TracedEvent], Replay]]:
    """The events of a replay of what happened after an event, with commands before it."""
    recorded = list(recorded_calls(events(store, EventSelection(), first=seq + 1)))
    moment = moment_of_event(store, seq)
    with copy_as_of(store, moment) as past:
        copy = open_copy(str(past.file), moment.at)
        replay = Replay(store, copy, seq, intent)
        replay.prepare(recorded)
        for command in commands:
            assert [each.completion for each in run(copy.queue_manager("QM1"), command)] == [0], (
                command
            )
        first = list(events(copy, EventSelection()))[-1].seq + 1
        with copy.database.one_transaction():
            for each in recorded:
                replay.play(each)
        yield list(events(copy, EventSelection(), first=first)), replay
        copy.close()


def told(found: list[TracedEvent]) -> Iterator[tuple[object, ...]]:
    """What is compared. The order in which a start drops messages is that of their rows, which a
    copy has anew.
    """
    for (_, cause), several in groupby(found, lambda each: (each.kind, each.cause)):
        rows = [
            (each.kind, each.queue or "", each.cause, each.msg_id or b"", each.unit, each.at)
            for each in several
        ]
        yield from sorted(rows) if cause == "nonpersistent" else rows


@pytest.mark.parametrize("seed", [5, 6, 17, 20])
def test_an_unchanged_time(seed: int, tmp_path: Path) -> None:
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    with open_store(f"sqlite:///{tmp_path / 'store.db'}", environment) as store:
        network = Network(store, environment)
        play = Play(random.Random(seed), network)
        # What is not recorded cannot be played.
        network.at2(f"ALTER QLOCAL({SILENT}) ACCTQ(QMGR)", "ALTER QLOCAL(DLQ) ACCTQ(QMGR)")
        for _ in range(40):
            play.step()
        seq = store.bound().seq
        for _ in range(60):
            play.step()
        recorded = list(events(store, EventSelection(), first=seq + 1))
        with replayed(store, seq) as (found, replay):
            assert list(told(found)) == list(told(recorded))
            assert replay.result.departures == []


def _seq(qmgr: QueueManager) -> int:
    return qmgr.store.bound().seq


def _work(qmgr: QueueManager, number: int = 3) -> int:
    """Put messages and get them, with an open unit of work before and after; the event before."""
    run(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) BOTHRESH(2) BOQNAME(A)", check=True)
    worker = qmgr.connect("worker")
    source = worker.open("A", int(MQOO.INPUT_SHARED))
    with qmgr.connect("shop") as shop:
        shop.put1("A", Message(b"before"))
        source.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
        seq = _seq(qmgr)
        target = shop.open("A", int(MQOO.OUTPUT))
        for each in range(number):
            qmgr.store.environment.clock.advance(1)
            target.put(Message(b"x", MessageDescriptor(msg_id=bytes([each + 1]) * 24)))
    worker.back()
    chosen = GetMessageOptions(
        int(MQGMO.SYNCPOINT),
        match_options=int(MQMO.MATCH_MSG_ID),
        msg_id=bytes([2]) * 24,
    )
    source.get(chosen)
    worker.commit()
    source.get(GetMessageOptions(int(MQGMO.NO_SYNCPOINT)))
    worker.disconnect()
    return seq


def _recorded(qmgr: QueueManager, seq: int) -> list[TracedEvent]:
    return list(events(qmgr.store, EventSelection(), first=seq + 1))


def test_units_and_handles_that_were_open(qmgr: QueueManager) -> None:
    seq = _work(qmgr)
    with replayed(qmgr.store, seq) as (found, replay):
        assert list(told(found)) == list(told(_recorded(qmgr, seq)))
        # Two of the gets took the first message of their queue.
        assert len(replay.intent.chosen) == 1


def _reasons(departures: list[Departure]) -> list[tuple[str, int, bytes]]:
    return [(each.event.kind, each.reason, (each.received or b"")[:1]) for each in departures]


def test_a_program_that_would_have_failed_is_no_longer_followed(qmgr: QueueManager) -> None:
    seq = _work(qmgr)
    with replayed(qmgr.store, seq) as (_, first):
        intent = first.intent
    with replayed(qmgr.store, seq, "ALTER QLOCAL(A) MAXDEPTH(1)", intent=intent) as (found, replay):
        # The message that is back in the queue leaves no room either.
        assert _reasons(replay.result.departures) == [
            ("PUT", MQRC.Q_FULL, b""),
            ("GET", MQRC.NO_MSG_AVAILABLE, b""),
        ]
        assert [each.kind for each in found].count("PUT") == 1
        assert sum(replay.result.skipped.values()) == 2


def test_a_get_that_would_have_received_another_message(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A)", check=True)
    seq = _seq(qmgr)
    with qmgr.connect("shop") as shop:
        for priority in (1, 5):
            shop.put1(
                "A",
                Message(b"x", MessageDescriptor(priority=priority, msg_id=bytes([priority]) * 24)),
            )
        shop.open("A", int(MQOO.INPUT_SHARED)).get()
    with replayed(qmgr.store, seq) as (_, first):
        pass
    with replayed(qmgr.store, seq, "ALTER QLOCAL(A) MSGDLVSQ(FIFO)", intent=first.intent) as (
        _,
        replay,
    ):
        assert _reasons(replay.result.departures) == [("GET", 0, b"\1")]


def test_an_expiry_that_was_capped_may_be_longer(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A) CAPEXPRY(100)", check=True)
    seq = _seq(qmgr)
    with qmgr.connect("shop") as shop:
        shop.put1("A", Message(b"x"))
        shop.put1("A", Message(b"x", MessageDescriptor(expiry=50)))
    with replayed(qmgr.store, seq) as (found, first):
        assert list(told(found)) == list(told(_recorded(qmgr, seq)))
    for cap, expected in ((300, [300, 50]), (20, [20, 20]), (-1, [None, 50])):
        command = f"ALTER QLOCAL(A) CAPEXPRY({cap if cap > 0 else 'NOLIMIT'})"
        with replayed(qmgr.store, seq, command, intent=first.intent) as (found, _):
            lasting = [
                each.expires_at and (each.expires_at - each.at) // 100_000
                for each in found
                if each.kind == "PUT"
            ]
            assert lasting == expected


def test_definitions_and_commands(qmgr: QueueManager) -> None:
    seq = _seq(qmgr)
    script = """DEFINE QLOCAL(A) TRIGGER TRIGTYPE(EVERY) INITQ(I)
DEFINE QLOCAL(I)
DEFINE QLOCAL(B) MAXDEPTH(3)
ALTER QLOCAL(A) DESCR('x')
ALTER QMGR DEADQ(B)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X)
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)"""
    run(qmgr, script, check=True)
    with qmgr.connect("shop") as shop:
        shop.open("I", int(MQOO.INPUT_SHARED))
        shop.put1("A", Message(b"x"), PutMessageOptions(int(MQPMO.NO_SYNCPOINT)))
    run(
        qmgr,
        "MOVE QLOCAL(A) TOQLOCAL(B)\nDEFINE QLOCAL(B) REPLACE\nCLEAR QLOCAL(B)\nDELETE QLOCAL(A)",
        check=True,
    )
    qmgr.end()
    qmgr.start()
    with replayed(qmgr.store, seq) as (found, replay):
        assert replay.result.departures == []
        assert list(told(found)) == list(told(_recorded(qmgr, seq)))
        of_definitions = [
            [e.detail for e in each if e.kind in DEFINING] for each in (found, _recorded(qmgr, seq))
        ]
        assert of_definitions[0] == of_definitions[1]


def test_data_of_messages_that_are_still_there(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A)", check=True)
    seq = _seq(qmgr)
    with qmgr.connect("shop") as shop:
        shop.put1("A", Message(b"gone"))
        shop.open("A", int(MQOO.INPUT_SHARED)).get()
        shop.put1("A", Message(b"there", MessageDescriptor(format="MQSTR")))
    with replayed(qmgr.store, seq) as (_, replay):
        assert [
            (each.body, each.descriptor.format)
            for each in peek(replay.copy.queue_manager("QM1"), "A")
        ] == [
            (b"there", "MQSTR"),
        ]


def test_a_move_brings_the_reports_of_messages_that_are_gone(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(REPLY)", check=True)

    def message(report: int) -> Message:
        return Message(
            b"x",
            MessageDescriptor(msg_id=bytes([7]) * 24, report=report, reply_to_q="REPLY"),
        )

    with qmgr.connect("shop") as shop:
        for asks in (False, True, False, True, True):
            shop.put1("A", message(asks * int(MQRO.COA)))
        seq = _seq(qmgr)
        shop.put1("A", message(int(MQRO.COA)))
    run(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)\nCLEAR QLOCAL(B)\nCLEAR QLOCAL(REPLY)", check=True)
    recorded = _recorded(qmgr, seq)
    assert [each.kind for each in recorded].count("REPORT") == 5
    with replayed(qmgr.store, seq) as (found, replay):
        assert list(told(found)) == list(told(recorded))
        assert replay.result.departures == []


BOTH = int(MQOO.INPUT_SHARED | MQOO.OUTPUT)


def assert_played_as_recorded(qmgr: QueueManager, seq: int) -> None:
    with replayed(qmgr.store, seq) as (found, replay):
        assert replay.result.departures == []
        assert list(told(found)) == list(told(_recorded(qmgr, seq)))


@pytest.mark.parametrize("is_open", [True, False])
def test_a_temporary_queue_goes_with_the_handle_that_created_it(
    qmgr: QueueManager,
    is_open: bool,
) -> None:
    """It is the same whether that was opened before the replay or in it."""
    model = "SYSTEM.DEFAULT.MODEL.QUEUE"
    before = _seq(qmgr)
    with qmgr.connect("shop") as shop:
        queue = shop.open(model, BOTH, dynamic_name="TEMPORARY")
        seq = _seq(qmgr) if is_open else before
        queue.put([Message(b"x")])
        queue.close()
        # The name is free again.
        shop.open(model, BOTH, dynamic_name="TEMPORARY").close()
    assert_played_as_recorded(qmgr, seq)


def test_a_program_that_is_put_aside_goes_on(
    qmgr: QueueManager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is not recovered as one that was abandoned; its unit of work is backed out by the end."""
    monkeypatch.setattr(programs, "MOST_PROGRAMS", 0)
    run(qmgr, "DEFINE QLOCAL(A)", check=True)
    seq = _seq(qmgr)
    shop = qmgr.connect("shop")
    for option in (MQPMO.NO_SYNCPOINT, MQPMO.SYNCPOINT):
        shop.put1("A", Message(b"x"), PutMessageOptions(int(option)))
    qmgr.end(immediate=True)
    assert_played_as_recorded(qmgr, seq)


@pytest.mark.parametrize("last", ["before", "opened", "closed"])
def test_a_temporary_queue_that_others_have_open(qmgr: QueueManager, last: str) -> None:
    model = "SYSTEM.DEFAULT.MODEL.QUEUE"
    moments = {"before": _seq(qmgr)}
    with qmgr.connect("shop") as shop, qmgr.connect("other") as other:
        queue = shop.open(model, BOTH, dynamic_name="TEMPORARY")
        source = other.open("TEMPORARY", int(MQOO.OUTPUT))
        moments["opened"] = _seq(qmgr)
        queue.close()
        moments["closed"] = _seq(qmgr)
        source.close()
        shop.open(model, BOTH, dynamic_name="TEMPORARY").close()
    assert_played_as_recorded(qmgr, moments[last])


@pytest.mark.parametrize("is_kept_open", [False, True])
def test_a_close_that_deletes_a_permanent_queue(qmgr: QueueManager, is_kept_open: bool) -> None:
    """If another program has it open, it is deleted when that closes it."""
    run(qmgr, "DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)", check=True)
    seq = _seq(qmgr)
    with qmgr.connect("shop") as shop, qmgr.connect("other") as other:
        queue = shop.open("MODEL", BOTH, dynamic_name="PERMANENT")
        queue.put([Message(b"x")])
        if is_kept_open:
            source = other.open("PERMANENT", int(MQOO.OUTPUT))
        queue.close(int(MQCO.DELETE_PURGE))
        if is_kept_open:
            source.close()
        shop.open("MODEL", BOTH, dynamic_name="PERMANENT").close()
        assert [each.kind for each in _recorded(qmgr, seq)].count("DEFINE") == 2
    assert_played_as_recorded(qmgr, seq)
