"""Messages are stored in order."""

from __future__ import annotations

from mqsc.store.admin.defining import create
from mqsc.store.admin.expiry import refresh_expiry, scan
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.effects import REPORT, Arrival, Deliver, Placement
from mqsc.store.engine.enqueue import enqueue
from mqsc.store.message import Message
from mqsc.store.rules.expiry import TENTH
from mqsc.store.sqlite.database import Transaction
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row
from tests.store.plays import plays


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
    qmgr: QueueManager,
    calls: list[list[int]],
    expected: list[int | None],
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
    qmgr: QueueManager,
) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · open Q output as OUT")
    given = [Message(b"x", MessageDescriptor(expiry=each)) for each in (90, 10, 50)]
    play.handles["A", "OUT", "put"].put(given)
    play.run("advance 1")
    assert ([each.discarded for each in scan(qmgr)], earliest(qmgr)) == ([1], 50)
    play.run("advance 4")
    assert ([each.discarded for each in refresh_expiry(qmgr, "Q")], earliest(qmgr)) == ([1], 90)


test_order = plays(
    "DEFINE QLOCAL(Q) DEFPRTY(4)",
    {
        "by priority": (
            "put a priority=1 · put b priority=9 · put c · put d priority=9 · on Q => b d c a"
        ),
        "by arrival": (
            "ALTER QLOCAL(Q) MSGDLVSQ(FIFO) · put a priority=1 · put b priority=9 · on Q => a b"
        ),
        "in a unit of work it counts but waits for the commit": """
            put m1 syncpoint · depth Q => 1 · on Q => nothing
            commit · on Q => m1
        """,
    },
)


def test_lists_follow_one_another(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · open Q output as Q")
    for bodies in (b"abc", b"de", b"f"):
        play.handles["A", "Q", "put"].put([Message(bytes([each])) for each in bodies])
    play.run("on Q => a b c d e f")


# USAGE of the queue, report options (0x100 is MQRO_COA), number of COA reports.
@rows(("NORMAL", 0x100, 1), ("NORMAL", 0, 0), ("XMITQ", 0x100, 0))
def test_a_transmission_queue_confirms_no_arrival(
    qmgr: QueueManager,
    usage: str,
    report: int,
    reports: int,
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {"USAGE": usage})
    descriptor = MessageDescriptor(
        report=report,
        reply_to_q="R",
        reply_to_q_mgr="QM1",
        priority=0,
        persistence=0,
    )
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        effects = enqueue(tx, call, queue_row(qmgr, "Q"), [Arrival(descriptor, b"x")], Placement(7))
    assert len(effects) == reports
    for each in effects:
        assert isinstance(each, Deliver)
        assert (each.kind, each.queue, each.unit) == (REPORT, "R", 7)
