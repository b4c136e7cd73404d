"""Expired messages: scans by command and by interval, and previews that agree with them and with
CURDEPTH.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.expiry import (
    BATCH,
    ExpiryScan,
    ScanTimer,
    expiry_preview,
    refresh_expiry,
    scan,
    scan_queue,
    timer,
)
from mqsc.store.admin.statistics import queue_status
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.store.admin.looking import Frozen, queue_row, refused

QLOCAL = KINDS["QLOCAL"]
OPTIONS = MQOO.BROWSE | MQOO.INPUT_SHARED | MQOO.OUTPUT
EXPIRES = Message(b"data", MessageDescriptor(expiry=10))
Deed = Callable[[Connection, ObjectHandle], object]


def got_and_backed_out(connection: Connection, queue: ObjectHandle) -> None:
    """Get a message under syncpoint and back out."""
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    connection.back()


DEEDS: dict[str, tuple[Deed, int, int, int]] = {
    "nothing": (lambda c, q: None, 2, 2, 2),
    "put, not committed": (
        lambda c, q: q.put(EXPIRES, PutMessageOptions(MQPMO.SYNCPOINT)),
        3,
        3,
        2,
    ),
    "got, not committed": (lambda c, q: q.get(GetMessageOptions(MQGMO.SYNCPOINT)), 1, 1, 1),
    "got and backed out": (got_and_backed_out, 2, 2, 2),
    "locked": (lambda c, q: q.get(GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK)), 2, 2, 1),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_expired_is_counted_everywhere_the_same(
    qmgr: QueueManager,
    environment: Frozen,
    deed: str,
) -> None:
    """(X6, X7, X9, X13) As in CURDEPTH, uncommitted puts count and uncommitted gets do not. A
    scan discards neither.
    """
    do, depth, expired, scannable = DEEDS[deed]
    create(qmgr, QLOCAL, "Q", {})
    with qmgr.connect() as connection:
        queue = connection.open("Q", OPTIONS)
        queue.put([EXPIRES] * 2)
        do(connection, queue)
        (coming,) = expiry_preview(qmgr, "Q")
        assert (coming.expired, [count for _, count in coming.next]) == (0, [expired])
        environment.clock.advance(seconds=1)
        (found,) = expiry_preview(qmgr, "Q")
        counted = (found.depth, found.expired, found.scan_discards, found.get_discards)
        assert counted == (depth, expired, scannable, scannable)
        assert (found.expired_bytes, [count for *_, count in found.putters]) == (
            4 * expired,
            [expired],
        )
        assert [row["EXPIRED"] for row in queue_status(qmgr, "Q")] == [expired]
        assert [each.discarded for each in refresh_expiry(qmgr, "Q")] == [scannable]
        connection.back()


def test_which_queues_a_name_means(qmgr: QueueManager) -> None:
    for kind, defined, attributes in (
        *(
            ("QLOCAL", "APP.Q", {}),
            ("QLOCAL", "APP.X", {"USAGE": "XMITQ"}),
            ("QMODEL", "APP.MODEL", {}),
        ),
        *(
            ("QALIAS", "APP.FRONT", {"TARGET": "APP.Q"}),
            ("QALIAS", "APP.NOWHERE", {"TARGET": "NONE"}),
        ),
        ("QREMOTE", "APP.FAR", {"RNAME": "T", "RQMNAME": "QM2", "XMITQ": "APP.X"}),
    ):
        create(qmgr, KINDS[kind], defined, attributes)
    meant = {
        "APP.Q": ["APP.Q"],
        "APP.FRONT": ["APP.Q"],
        "APP.FAR": ["APP.X"],
        "APP.*": ["APP.Q", "APP.X"],
    }
    for name in (*meant, "APP.NOWHERE", "APP.MODEL", "APP.NONE", "APP", "", "ZZZ*"):
        assert [each.queue for each in expiry_preview(qmgr, name)] == meant.get(name, []), name


_CAUSER = (event.c.cause, event.c.application, event.c.user, event.c.connection)
_PUTTER = (event.c.put_application, event.c.put_user)
_EXPIRED = text_of(
    select(*_CAUSER, *_PUTTER).where(event.c.kind == "EXPIRE").order_by(event.c.seq.desc()),
)


@pytest.mark.parametrize("report", [MQRO.NONE, MQRO.EXPIRATION])
def test_a_scan_that_comes_by_itself_is_caused_by_nobody(
    qmgr: QueueManager,
    environment: Frozen,
    report: int,
) -> None:
    for name in ("Q", "R"):
        create(qmgr, QLOCAL, name, {})
    causers = []
    for by_itself in (True, False):
        with qmgr.connect(application="billing", user="alice") as connection:
            connection.put1(
                "Q",
                Message(b"x", MessageDescriptor(expiry=10, report=report, reply_to_q="R")),
            )
        environment.clock.advance(seconds=2)
        _ = scan(qmgr) if by_itself else refresh_expiry(qmgr, "Q")
        with Reading(qmgr.store.database) as reading:
            cause, application, user, number, *putter = reading.all(_EXPIRED)[0]
        assert (number, putter) == (None, ["billing", "alice"])
        causers.append((cause, application, user))
    assert causers == [("interval", "", ""), ("refresh", environment.application, environment.user)]


def put(qmgr: QueueManager, queue: str, *expiries: int, report: int = 0) -> None:
    """Put a message for each Expiry, given in tenths of a second."""
    with qmgr.connect() as connection:
        descriptors = [
            MessageDescriptor(expiry=each, report=report, reply_to_q="R") for each in expiries
        ]
        connection.open(queue, MQOO.OUTPUT).put([Message(b"data", each) for each in descriptors])


@pytest.mark.parametrize(
    ("number", "report"),
    [(BATCH, 0), (2 * BATCH + 1, 0), (BATCH + 1, int(MQRO.EXPIRATION))],
)
def test_a_scan_discards_batch_by_batch(
    qmgr: QueueManager,
    environment: Frozen,
    number: int,
    report: int,
) -> None:
    create(qmgr, QLOCAL, "Q", {})
    create(qmgr, QLOCAL, "R", {})
    put(qmgr, "Q", -1, *[10] * number, 50, report=report)
    environment.clock.advance(1)
    assert refresh_expiry(qmgr, "Q") == [
        ExpiryScan("Q", number + 2, number, number if report else 0),
    ]
    row, reported = queue_row(qmgr, "Q"), number if report else 0
    assert (row.depth, row.earliest_expiry, queue_row(qmgr, "R").depth) == (
        2,
        START + 5_000_000,
        reported,
    )
    assert refresh_expiry(qmgr, "Q") == [ExpiryScan("Q", 2, 0, 0)]


def test_a_scan_by_interval_looks_only_at_queues_with_expired_messages(
    qmgr: QueueManager,
    environment: Frozen,
) -> None:
    for name, expiries in (("A", (10,)), ("B", (20,)), ("C", (-1,)), ("D", ())):
        create(qmgr, QLOCAL, name, {})
        put(qmgr, name, *expiries)
    found = []
    for seconds in (0.9, 0.1, 1, 1):
        environment.clock.advance(seconds)
        found.append([each.queue for each in scan(qmgr)])
    assert found == [[], ["A"], ["B"], []]
    assert [each.queue for each in refresh_expiry(qmgr, "?") + refresh_expiry(qmgr, "A*")] == ["A"]


def test_when_the_next_scan_is_due(qmgr: QueueManager, environment: Frozen) -> None:
    """EXPRYINT after the last scan was due, or after the start. Setting the clock back does not
    delay it.
    """
    assert timer(qmgr) == ScanTimer(None, None)
    change_queue_manager(qmgr, {"EXPRYINT": 5})
    assert timer(qmgr) == ScanTimer(5, START + 5_000_000)
    environment.clock.advance(7)
    scan(qmgr)
    assert timer(qmgr) == ScanTimer(5, START + 10_000_000)
    environment.clock.set(START + 1)
    assert timer(qmgr) == ScanTimer(5, START + 5_000_000)
    environment.clock.set(START - 1)
    assert timer(qmgr) == ScanTimer(5, START - 1)


def test_scans_of_a_queue_manager_that_has_ended(qmgr: QueueManager, environment: Frozen) -> None:
    create(qmgr, QLOCAL, "Q", {"NPMCLASS": "HIGH"})
    put(qmgr, "Q", 10)
    qmgr.end()
    environment.clock.advance(1)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        refresh_expiry(qmgr)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        scan_queue(qmgr, queue_row(qmgr, "Q"), "refresh")
    assert scan_queue(qmgr, queue_row(qmgr, "Q"), "restart", running=False).discarded == 1


def test_queues_without_expired_messages_cost_no_transaction(qmgr: QueueManager) -> None:
    """The scan succeeds even while another program holds the writer lock."""
    create(qmgr, QLOCAL, "Q1", {})
    create(qmgr, QLOCAL, "Q2", {})
    put(qmgr, "Q2", 10)
    with (
        open_store(f"sqlite:///{qmgr.store.path}") as other,
        Transaction(other.database, durable=False),
    ):
        qmgr.store.database.busy_timeout = 0
        assert refresh_expiry(qmgr, "Q*") == [ExpiryScan("Q1", 0, 0, 0), ExpiryScan("Q2", 1, 0, 0)]


def test_a_preview_tells_what_comes_next_and_who_put_it(
    qmgr: QueueManager,
    environment: Frozen,
) -> None:
    create(qmgr, QLOCAL, "Q", {})
    create(qmgr, QLOCAL, "R", {})
    with qmgr.connect(application="billing", user="alice") as connection:
        for expiry, report in ((10, MQRO.EXPIRATION), (10, 0), (-1, 0), (10, 0), (30, 0), (30, 0)):
            descriptor = MessageDescriptor(expiry=expiry, report=int(report), reply_to_q="R")
            connection.put1("Q", Message(b"data", descriptor))
    environment.clock.advance(1.5)
    (found,) = expiry_preview(qmgr, "Q")
    assert (found.now, found.depth, found.expired, found.expired_bytes) == (
        START + 1_500_000,
        6,
        3,
        12,
    )
    assert (found.expired_since, found.next) == (START + 1_000_000, ((START + 3_000_000, 2),))
    assert (found.get_discards, found.get_finds, found.scan_discards, found.scan_reports) == (
        2,
        True,
        3,
        1,
    )
    assert found.putters == (("billing", "alice", 3),)


def test_a_preview_of_a_queue_without_expiry(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    for depth, finds in ((0, False), (1, True)):
        assert [(each.depth, each.get_finds, each.next) for each in expiry_preview(qmgr, "Q")] == [
            (depth, finds, ()),
        ]
        put(qmgr, "Q", -1)


def test_a_preview_of_a_shared_queue_names_the_member_that_scans_it(store: Store) -> None:
    first, second = (store.create_queue_manager(name, group="QSG1") for name in ("QM1", "QM2"))
    create(first, KINDS["CFSTRUCT"], "A", {})
    create(first, QLOCAL, "SQ", {"CFSTRUCT": "A"}, disposition="SHARED")
    create(first, QLOCAL, "Q", {})

    def told() -> list[tuple[str, str, int | None]]:
        found = [each for name in ("SQ", "Q") for each in expiry_preview(first, name)]
        return [(each.group, each.scanned_by, each.interval) for each in found]

    assert told() == [("QSG1", "", None), ("", "", None)]
    change_queue_manager(second, {"EXPRYINT": 9})
    change_queue_manager(first, {"EXPRYINT": 5})
    assert told() == [("QSG1", "QM2", 9), ("", "QM1", 5)]
