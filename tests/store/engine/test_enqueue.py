"""Messages are stored in delivery order; the queue's earliest expiry is kept; reports and trigger messages are made."""

from __future__ import annotations

from store.admin.defining import create
from store.admin.expiry import refresh_expiry, scan
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO
from store.descriptor import MessageDescriptor
from store.engine.delivery import enqueue
from store.engine.history import REPORT, TRIGGER, Arrival, CopyToStream, Deliver, Placement
from store.environment import Environment, FrozenClock
from store.message import Message
from store.rules.expiry import TENTH
from store.sqlite.database import Transaction
from tests.conftest import START
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import queue_row
from tests.store.tables import rows


def earliest(qmgr: QueueManager) -> int | None:
    """Return the earliest expiry on Q, in tenths of a second from START."""
    at = queue_row(qmgr, "Q").earliest_expiry
    return None if at is None else (at - START) // TENTH


# (Expiry values of the messages, a list for each call; the queue's earliest expiry after each call)
@rows(
    ([[-1], [50], [-1]], [None, 50, 50]),
    ([[50, 10, 30]], [10]),
    ([[10, 50]], [10]),
    ([[50], [10], [30]], [50, 10, 10]),
    ([[30], [50, -1, 20]], [30, 20]),
)
def test_the_queue_knows_its_earliest_expiry(
    qmgr: QueueManager, calls: list[list[int]], expected: list[int | None]
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    found = []
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT)
        for values in calls:
            handle.put([Message(b"x", MessageDescriptor(expiry=each)) for each in values])
            found.append(earliest(qmgr))
    assert found == expected


def test_a_scan_finds_the_message_that_expires_first_wherever_it_was_put(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT)
        handle.put([Message(b"x", MessageDescriptor(expiry=each)) for each in (90, 10, 50)])
    environment.clock.advance(1)
    assert [each.discarded for each in scan(qmgr)] == [1]
    assert earliest(qmgr) == 50
    environment.clock.advance(4)
    assert [each.discarded for each in refresh_expiry(qmgr, "Q")] == [1]
    assert earliest(qmgr) == 90


def test_delivery_order_is_by_priority_or_by_arrival(qmgr: QueueManager) -> None:
    Play(qmgr).run("""
        DEFINE QLOCAL(Q) DEFPRTY(4)
        DEFINE QLOCAL(F) MSGDLVSQ(FIFO)
        put a priority=1
        put b priority=9
        put c
        put d priority=9
        on Q => b d c a
        put a on F priority=1
        put b on F priority=9
        on F => a b
    """)


def test_lists_follow_one_another(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nopen Q output as Q")
    for bodies in (b"abc", b"de", b"f"):
        play.handles["A", "Q", "put"].put([Message(bytes([each])) for each in bodies])
    play.run("on Q => a b c d e f")


def test_a_message_in_a_unit_of_work_counts_but_waits_for_the_commit(qmgr: QueueManager) -> None:
    Play(qmgr).run("""
        DEFINE QLOCAL(Q)
        put m1 syncpoint
        depth Q => 1
        on Q => nothing
        commit
        on Q => m1
    """)


# USAGE of the queue, report options (0x100 is MQRO_COA), number of COA reports.
@rows(("NORMAL", 0x100, 1), ("NORMAL", 0, 0), ("XMITQ", 0x100, 0))
def test_a_transmission_queue_confirms_no_arrival(qmgr: QueueManager, usage: str, report: int, reports: int) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {"USAGE": usage})
    descriptor = MessageDescriptor(report=report, reply_to_q="R", reply_to_q_mgr="QM1", priority=0, persistence=0)
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        effects = enqueue(tx, call, queue_row(qmgr, "Q"), [Arrival(descriptor, b"x")], Placement(7))
    assert len(effects) == reports
    for each in effects:
        assert isinstance(each, Deliver)
        assert (each.kind, each.queue, each.unit) == (REPORT, "R", 7)


def test_a_copy_comes_before_the_other_effects_and_is_not_copied_again(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {"STREAMQ": "B"})
    arrivals = [Arrival(MessageDescriptor(report=0x100, reply_to_q="R", priority=0, persistence=0), b"x")]
    with Transaction(qmgr.store.database, durable=False) as tx:
        call, queue = qmgr.call_context(tx), queue_row(qmgr, "Q")
        copy, report = enqueue(tx, call, queue, arrivals, Placement(7, kept=True))
    assert copy == CopyToStream("B", arrivals, 7, True)
    assert isinstance(report, Deliver)
    with Transaction(qmgr.store.database, durable=False) as tx:
        effects = enqueue(tx, call, queue_row(qmgr, "Q"), arrivals, Placement(copies=True))
    assert not any(isinstance(each, CopyToStream) for each in effects)


def test_a_queue_in_the_chain_is_not_triggered_again(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr)
    arrival = Arrival(MessageDescriptor(priority=0, persistence=0), b"x")
    with Transaction(qmgr.store.database, durable=False) as tx:
        call, queue = qmgr.call_context(tx), queue_row(qmgr, "APPQ")
        assert enqueue(tx, call, queue, [arrival], Placement(chain=frozenset({"APPQ"}))) == []
    with Transaction(qmgr.store.database, durable=False) as tx:
        tx_queue = queue_row(qmgr, "APPQ")
        tx_queue.depth = 0
        how = Placement(chain=frozenset({"OTHER"}), dead_letter_triggers=False)
        (effect,) = enqueue(tx, call, tx_queue, [arrival], how)
    assert isinstance(effect, Deliver)
    assert (effect.kind, effect.queue, effect.about, effect.chain) == (
        (TRIGGER, "INIT1", "APPQ", frozenset({"APPQ", "OTHER"}))
    )
    assert not effect.dead_letter
