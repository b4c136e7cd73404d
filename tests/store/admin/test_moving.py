"""MOVE QLOCAL: all messages of one queue move to another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.clearing import BATCH
from mqsc.store.admin.defining import create
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.admin.moving import move
from mqsc.store.admin.peeking import peek
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC, MQRCCF, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import Frozen, history, put, queue_row, refused

QLOCAL = KINDS["QLOCAL"]


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    for name in ("HERE", "THERE", "LONG"):
        create(qmgr, QLOCAL, name, {})
    create(qmgr, QLOCAL, "SMALL", {"MAXDEPTH": 2, "MAXMSGL": 5})
    create(qmgr, QLOCAL, "FIFO", {"MSGDLVSQ": "FIFO", "DEFPRTY": 4})
    create(qmgr, KINDS["QALIAS"], "ALIAS", {"TARGET": "HERE"})
    return qmgr


def got(qmgr: QueueManager, queue: str) -> Iterator[Message]:
    with qmgr.connect() as connection, suppress(MQError):
        handle = connection.open(queue, MQOO.INPUT_SHARED)
        while True:
            yield handle.get(GetMessageOptions(MQGMO.NO_WAIT))


def bodies(qmgr: QueueManager, queue: str) -> list[str]:
    return [message.body.decode() for message in got(qmgr, queue)]


def test_messages_keep_everything_but_their_queue(qmgr: QueueManager, environment: Frozen) -> None:
    put(qmgr, "HERE", b"low", priority=1)
    environment.clock.advance(5)
    put(qmgr, "HERE", b"high", priority=7, expiry=600)
    assert move(qmgr, "HERE", "THERE") == 2
    here, there = queue_row(qmgr, "HERE"), queue_row(qmgr, "THERE")
    assert (here.depth, here.earliest_expiry, there.depth, there.puts, here.gets) == (
        0,
        None,
        2,
        0,
        0,
    )
    assert there.earliest_expiry is not None
    high, low = got(qmgr, "THERE")
    assert [high.body, low.body] == [b"high", b"low"]
    assert (high.descriptor.priority, high.descriptor.expiry) == (7, 600)
    assert low.descriptor.put_time < high.descriptor.put_time


def test_in_which_order_they_stand(qmgr: QueueManager) -> None:
    """Behind those that are there, and by which priority, is decided by the target."""
    put(qmgr, "HERE", b"c", b"d")
    put(qmgr, "THERE", b"a", b"b")
    assert move(qmgr, "HERE", "THERE", add=True) == 2
    put(qmgr, "THERE", b"e")
    assert bodies(qmgr, "THERE") == ["a", "b", "c", "d", "e"]
    put(qmgr, "HERE", b"low", priority=1)
    put(qmgr, "HERE", b"high", priority=7)
    move(qmgr, "HERE", "FIFO")
    assert [each.body for each in peek(qmgr, "FIFO")] == [b"low", b"high"]
    put(qmgr, "FIFO", b"later", priority=9)
    move(qmgr, "FIFO", "THERE")
    put(qmgr, "THERE", b"last", priority=1)
    assert bodies(qmgr, "THERE") == ["later", "high", "low", "last"]


def test_refused(qmgr: QueueManager) -> None:
    put(qmgr, "HERE", b"1", b"2", b"3")
    put(qmgr, "LONG", b"too long")
    for source, target, reason, name in (
        ("HERE", "HERE", MQRCCF.OBJECT_NAME_ERROR, "HERE"),
        ("HERE", "NONE", MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ("NONE", "HERE", MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ("ALIAS", "THERE", MQRCCF.OBJECT_WRONG_TYPE, "ALIAS"),
        ("HERE", "ALIAS", MQRCCF.OBJECT_WRONG_TYPE, "ALIAS"),
        ("THERE", "HERE", MQRC.Q_NOT_EMPTY, "HERE"),
        ("HERE", "SMALL", MQRC.Q_FULL, "SMALL"),
        ("LONG", "SMALL", MQRC.MSG_TOO_BIG_FOR_Q, "SMALL"),
    ):
        with refused(reason, name):
            move(qmgr, source, target)
        assert queue_row(qmgr, "HERE").depth == 3
    # Nobody may have either open.
    for opened in ("HERE", "THERE", "ALIAS"):
        with qmgr.connect() as connection, refused(MQRC.OBJECT_IN_USE):
            connection.open(opened, MQOO.BROWSE)
            move(qmgr, "HERE", "THERE")


@pytest.mark.parametrize("queue", ["HERE", "THERE"])
def test_no_unit_of_work_may_hold_messages_of_either(qmgr: QueueManager, queue: str) -> None:
    put(qmgr, "HERE", b"x")
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT)
        handle.put(Message(b"y"), PutMessageOptions(MQPMO.SYNCPOINT))
        handle.close()
        with refused(MQRC.Q_NOT_EMPTY):
            move(qmgr, "HERE", "THERE")
        connection.back()
    assert move(qmgr, "HERE", "THERE") == 1


def test_a_long_queue_moves_in_parts_and_in_order(store: Store, qmgr: QueueManager) -> None:
    count = BATCH + 10
    texts = [str(number) for number in range(count)]
    change(qmgr, QLOCAL, "LONG", {"MAXDEPTH": count})
    create(qmgr, QLOCAL, "LONGER", {"MAXDEPTH": count})
    put(qmgr, "LONG", *(text.encode() for text in texts))
    assert move(qmgr, "LONG", "LONGER") == count
    told = [
        (each.kind, each.target, each.detail)
        for each in history(store, "LONG")
        if each.kind == "MOVE"
    ]
    assert told == [("MOVE", "LONGER", {"messages": BATCH}), ("MOVE", "LONGER", {"messages": 10})]
    assert bodies(qmgr, "LONGER") == texts


def test_every_batch_finds_the_queues_as_the_one_before_left_them(qmgr: QueueManager) -> None:
    """COA reports of the first batch go to the target: it triggers only once, and is full for
    the second batch.
    """
    play = TriggerPlay(qmgr)
    for queue, most in (("HERE", BATCH + 10), ("APPQ", BATCH + 12)):
        change(qmgr, QLOCAL, queue, {"MAXDEPTH": most})
    asking = MessageDescriptor(report=int(MQRO.COA), reply_to_q="APPQ")
    with qmgr.connect() as connection:
        handle = connection.open("HERE", MQOO.OUTPUT)
        handle.put([Message(b"asks", asking.copy()) for _ in range(5)])
        handle.put([Message(b"") for _ in range(BATCH + 5)])
    assert bodies(qmgr, "APPQ") == [""] * 5
    play.run("new INIT1 => APPQ")
    with refused(MQRC.Q_FULL, "APPQ"):
        move(qmgr, "HERE", "APPQ")
    assert (queue_row(qmgr, "HERE").depth, queue_row(qmgr, "APPQ").depth) == (10, BATCH + 5)
    play.run("new INIT1 => APPQ")


def test_an_empty_queue_and_what_expires_after_a_move(
    store: Store,
    qmgr: QueueManager,
    environment: Frozen,
) -> None:
    assert move(qmgr, "HERE", "THERE") == 0
    assert [each.detail for each in history(store, "HERE") if each.kind == "MOVE"] == [
        {"messages": 0},
    ]
    put(qmgr, "HERE", b"x", expiry=10)
    move(qmgr, "HERE", "THERE")
    environment.clock.advance(2)
    assert [scan.discarded for scan in refresh_expiry(qmgr, "THERE")] == [1]


# Messages move from HERE to APPQ, which TriggerPlay defines; reports go to REPLY.
SCENARIOS = {
    "FIRST: one trigger message for all that arrive on the empty queue": """
        put1 m1 on HERE
        put1 m2 on HERE
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=2
        new INIT1 => APPQ
        history TRIGGER APPQ => put
    """,
    "FIRST: none when messages were there, until TRIGINT has passed": """
        ALTER QMGR TRIGINT(5000)
        put1 m1 on APPQ
        new INIT1 => APPQ
        put1 m2 on HERE
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) TYPE(ADD) => MOVED=1
        new INIT1 => nothing
        advance 5
        put1 m3 on HERE
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) TYPE(ADD) => MOVED=1
        new INIT1 => APPQ
        history TRIGGER APPQ => put interval
    """,
    "EVERY: one for each message of sufficient priority on the target": """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY) TRIGMPRI(5)
        put1 low on HERE priority=4
        put1 high1 on HERE priority=5
        put1 high2 on HERE priority=9
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=3
        new INIT1 => APPQ APPQ
    """,
    "EVERY: with MSGDLVSQ(FIFO) the target's DEFPRTY is the priority of every message": """
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY) TRIGMPRI(5) MSGDLVSQ(FIFO) DEFPRTY(4)
        put1 m on HERE priority=9
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=1
        new INIT1 => nothing
    """,
    "EVERY: each segment of a message counts, as when a channel puts them": """
        ALTER QLOCAL(HERE) MAXMSGL(32)
        ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)
        put1 m on HERE length=80 flags=SEGMENTATION_ALLOWED
        depth HERE => 3
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=3
        new INIT1 => APPQ APPQ APPQ
    """,
    "DEPTH: when the messages reach TRIGDPTH, and TRIGGER is off then": """
        ALTER QLOCAL(APPQ) TRIGTYPE(DEPTH) TRIGDPTH(3) TRIGMPRI(1)
        put1 low on HERE priority=0
        put1 m1 on HERE priority=1
        put1 m2 on HERE priority=2
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=3
        new INIT1 => nothing
        put1 m3 on HERE priority=1
        put1 m4 on HERE priority=1
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) TYPE(ADD) => MOVED=2
        new INIT1 => APPQ
        DISPLAY QLOCAL(APPQ) TRIGGER => TRIGGER=NOTRIGGER
        history SET APPQ => depth
    """,
    "no monitor: no trigger message, and its open makes one": """
        M: close INIT1
        put1 m on HERE
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=1
        new INIT1 => nothing
        M: open INIT1 input-shared
        new INIT1 => APPQ
    """,
    "the source does not trigger, and an empty queue triggers nothing": """
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=0
        put1 m on APPQ
        new INIT1 => APPQ
        MOVE QLOCAL(APPQ) TOQLOCAL(HERE) => MOVED=1
        new INIT1 => nothing
    """,
    "a full initiation queue: the trigger message is a dead letter": """
        DEFINE QLOCAL(DLQ)
        ALTER QMGR DEADQ(DLQ)
        ALTER QLOCAL(INIT1) MAXDEPTH(0)
        put1 m on HERE
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=1
        dlq DLQ => INIT1/2053/MQTRIG
    """,
    "COA for each message that asks, also the second time; no COD": """
        put1 m1 on HERE length=120 report=COA_WITH_DATA+COD reply_to_q=REPLY
        put1 m2 on HERE
        put1 m3 on HERE length=9 report=COA_WITH_FULL_DATA reply_to_q=REPLY
        depth REPLY => 2
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=3
        depth REPLY => 4
        history REPORT HERE => coa coa
        history REPORT APPQ => coa coa
        get from REPLY
        get from REPLY
        get from REPLY => feedback=COA msg_type=REPORT length=100
        get from REPLY => m3 feedback=COA length=9
    """,
    "COA to the queues of the move themselves": """
        put1 m on HERE report=COA reply_to_q=APPQ
        put1 n on HERE report=COA reply_to_q=HERE
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) TYPE(ADD) => MOVED=3
        depth HERE => 1
        depth APPQ => 5
        new INIT1 => APPQ
    """,
    "a reply queue that is full: the report is a dead letter": """
        DEFINE QLOCAL(DLQ)
        ALTER QMGR DEADQ(DLQ)
        put1 m on HERE report=COA reply_to_q=REPLY
        ALTER QLOCAL(REPLY) MAXDEPTH(1)
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=1
        dlq DLQ => REPLY/2053/
    """,
    "no COA on a transmission queue": """
        DEFINE QLOCAL(XQ) USAGE(XMITQ)
        put1 m on HERE report=COA reply_to_q=REPLY
        MOVE QLOCAL(HERE) TOQLOCAL(XQ) => MOVED=1
        depth REPLY => 1
    """,
    "expired messages are moved without a report, count, and are reported when a get discards "
    "them": """
        put1 m on HERE expiry=10 report=EXPIRATION reply_to_q=REPLY
        put1 n on HERE expiry=10 report=COA+PASS_DISCARD_AND_EXPIRY reply_to_q=REPLY
        get from REPLY => feedback=COA expiry=10
        advance 2
        MOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=2
        new INIT1 => APPQ
        depth APPQ => 2
        get from REPLY => feedback=COA expiry=600
        depth REPLY => 0
        get from APPQ => 2/2033
        get from REPLY => feedback=EXPIRATION
        history EXPIRE APPQ => get get
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_what_follows_from_an_arrival(qmgr: QueueManager, text: str) -> None:
    create(qmgr, QLOCAL, "REPLY", {})
    TriggerPlay(qmgr).run(text)


def test_the_move_is_recorded_before_what_it_causes(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put1 m on HERE\nMOVE QLOCAL(HERE) TOQLOCAL(APPQ) => MOVED=1")
    (moved,), (trigger,) = play.events("MOVE"), play.events("TRIGGER")
    assert moved[0] < trigger[0]
