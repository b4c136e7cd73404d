"""MQBEGIN, MQCMIT, MQBACK, MQDISC and an abend; messages that skip a backout; what is on disk
when a call returns.
"""

from __future__ import annotations

import json

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sql.rows import UNIT_BITS
from mqsc.store.sqlite.database import Reading
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row
from tests.store.plays import plays

IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.mark.parametrize("before", [0, 1 << 24, (1 << UNIT_BITS) - 2])
def test_units_are_the_connections_own_however_many_there_were(
    qmgr: QueueManager,
    before: int,
) -> None:
    with qmgr.connect() as connection:
        other = qmgr.connect()
        connection.unit.serial += before
        handle = connection.open("Q", MQOO.OUTPUT)
        handle.put(Message(b"m"), IN_UNIT)
        other.abend()
        assert queue_row(qmgr, "Q").depth == 1
        connection.back()
        assert queue_row(qmgr, "Q").depth == 0


SCENARIOS = {
    "begin opens a unit of work, once": """
        begin => 1/2121 · begin => 2/2128
        put m1 syncpoint · commit · begin => 1/2121
        back · begin => 1/2121
    """,
    "a syncpoint call opens one too": (
        "put m1 syncpoint · begin => 2/2128 · commit · begin => 1/2121"
    ),
    "without a unit of work commit and back do nothing": "put m1 · commit · back · on Q => m1",
    "a marked message joins the next unit of work": """
        put m1 · get syncpoint mark-skip-backout => m1
        back · begin => 2/2128 · depth Q => 0
        commit · depth Q => 0 · begin => 1/2121
    """,
    "and returns with the second backout, which counts once": """
        put m1 · get syncpoint mark-skip-backout => m1 · back · back · get => m1 bc=1
    """,
    "the marked message is the first of MAXUMSGS": """
        ALTER QMGR MAXUMSGS(2) · put m1 · get syncpoint mark-skip-backout => m1
        back · put m2 syncpoint · put m3 syncpoint => 2/2024
    """,
    "disconnecting commits, an abend backs out": """
        put m1 syncpoint · disconnect · on Q => m1 · get syncpoint => m1
        put m2 syncpoint · abend · on Q => m1 · history OPEN Q => None None None · history CLOSE Q => None None None
    """,
    "a unit of work holds MAXUMSGS messages, put or got": """
        ALTER QMGR MAXUMSGS(2) · put m1 m2 · get syncpoint => m1
        put m3 syncpoint · put m4 syncpoint => 2/2024 · get syncpoint => 2/2024
        put m5 · commit · put m6 syncpoint · back · depth Q => 3
    """,
    # Whether the limit is exceeded is known only after the reports were made; the put then has no
    # effect.
    "messages that a put causes count too": """
        DEFINE QLOCAL(R) · ALTER QMGR MAXUMSGS(3)
        put m1 syncpoint report=COA reply_to_q=R · put m2 syncpoint report=COA reply_to_q=R => 2/2024
        depth Q => 1 · depth R => 1
        put m3 syncpoint · commit · depth Q => 2
    """,
    "a connection that was broken cannot commit": (
        "put m1 syncpoint · broken · commit => 2/2009 · back => 2/2009"
    ),
}

test_units_of_work = plays("", SCENARIOS)


@pytest.mark.parametrize("end", ["commit", "back"])
def test_the_number_of_a_unit_of_work_is_never_used_again(qmgr: QueueManager, end: str) -> None:
    with qmgr.connect() as connection:
        numbers = []
        for _ in range(3):
            connection.put1("Q", Message(b"m"), IN_UNIT)
            numbers.append(connection.unit.number)
            getattr(connection, end)()
            assert not connection.unit.is_open
    assert len(set(numbers)) == 3


_EVENTS = text_of(
    event.select()
    .with_only_columns(event.c.kind, event.c.unit, event.c.detail)
    .order_by(event.c.seq),
)


def told(qmgr: QueueManager, *kinds: str) -> list[tuple[str, int | None, object]]:
    with Reading(qmgr.store.database) as reading:
        rows = reading.all(_EVENTS)
    return [
        (kind, unit, detail and json.loads(detail)) for kind, unit, detail in rows if kind in kinds
    ]


def test_a_marked_message_and_its_new_unit_of_work_are_recorded(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        first, _ = queue.put([Message(b"marked"), Message(b"other")])
        queue.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT))
        queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
        unit = connection.unit.number
        connection.back()
        connection.commit()
    marked, plain, backout, commit = told(qmgr, "GET", "BACKOUT", "COMMIT")
    assert (marked, plain) == (("GET", unit, {"mark": "skip backout"}), ("GET", unit, None))
    skipped = {"msg_id": first.msg_id.hex(), "unit": unit + 1}
    assert backout == ("BACKOUT", unit, {"Q": {"puts": 0, "gets": 1}, "skipped message": skipped})
    assert commit == ("COMMIT", unit + 1, None)


# Values of PRAGMA synchronous: COMMIT syncs the log, or leaves that to a later sync.
SYNCED, LATER = 2, 1
OBJECTS = """
    DEFINE QLOCAL(R) · DEFINE QLOCAL(KEPT) DEFPSIST(YES) · DEFINE QALIAS(AL) TARGET(Q) DEFPSIST(YES)
    DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)
"""
# (the steps before, the mode of the transaction of each of the calls that follow)
CALLS = [
    (
        "",
        SYNCED,
        "put m persistence=1, put m on KEPT, put m on AL, put1 m on KEPT, put1 m persistence=1",
    ),
    (
        "",
        LATER,
        "put m persistence=0, put m, put m on KEPT persistence=0, put1 m, put m persistence=1 "
        "syncpoint",
    ),
    ("", LATER, "open Q output as X, open TEMP output dynamic=D as D, set R INHIBIT_PUT=1"),
    ("", LATER, "DEFINE QLOCAL(NEW), ALTER QLOCAL(Q) MAXDEPTH(7)"),
    ("put m · ALTER QLOCAL(Q) DEFPSIST(YES)", SYNCED, "put m"),
    # Still synced: the handle notices the new default only during this put.
    ("put m on KEPT · ALTER QLOCAL(KEPT) DEFPSIST(NO)", SYNCED, "put m on KEPT"),
    ("put m on KEPT · ALTER QLOCAL(KEPT) DEFPSIST(NO) · put m on KEPT", LATER, "put m on KEPT"),
    ("put m persistence=1 syncpoint", SYNCED, "commit, back, disconnect, abend"),
    ("put m1 syncpoint · put m2 persistence=1 syncpoint · put m3 syncpoint", SYNCED, "commit"),
    ("put m syncpoint", LATER, "commit, back, disconnect"),
    ("put m persistence=1 syncpoint · commit · put m syncpoint", LATER, "commit"),
    ("put m persistence=1", SYNCED, "get => m"),
    ("put m persistence=1", LATER, "get syncpoint => m, get syncpoint-if-persistent => m"),
    ("put m persistence=1", LATER, "get browse-first => m, get browse-first lock => m"),
    ("put m", LATER, "get => m, get syncpoint-if-persistent => m"),
    ("put m1 · put m2 persistence=1 · get => m1", SYNCED, "get => m2"),
    ("put m1 persistence=1 · put m2 · get => m1", SYNCED, "get => m2"),
    ("put m1 persistence=1 · put m2 m3 · get => m1 · get => m2", LATER, "get => m3"),
    ("put m persistence=1 · get syncpoint => m", SYNCED, "commit, back, disconnect"),
    ("put m persistence=1 · get syncpoint mark-skip-backout => m · back", SYNCED, "commit"),
    ("put m · get syncpoint => m", LATER, "commit"),
    ("put m persistence=1 · get browse-first => m", SYNCED, "get msg-under-cursor => m"),
    ("open Q output as X", LATER, "close X"),
    ("put m", SYNCED, "CLEAR QLOCAL(R), end, restart"),
    ("put m expiry=1 · advance 1", LATER, "REFRESH QMGR TYPE(EXPIRY)"),
    ("put m · disconnect", SYNCED, "end"),
]
EACH_CALL = [
    (before, expected, call) for before, expected, calls in CALLS for call in calls.split(", ")
]


def mode(qmgr: QueueManager) -> int:
    """Return the synchronous mode of the last transaction."""
    database = qmgr.store.database
    connection = database.acquire_connection()
    found = int(connection.execute("PRAGMA synchronous").fetchone()[0])
    database.release_connection(connection)
    return found


@rows(*EACH_CALL)
def test_what_is_synced(qmgr: QueueManager, before: str, expected: int, call: str) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + before)
    play.run(call)
    assert mode(qmgr) == expected


@rows(((0, 0), LATER), ((0, 1), SYNCED), ((1, 0), SYNCED))
def test_a_list_is_synced_for_any_of_its_messages(
    qmgr: QueueManager,
    given: tuple[int, int],
    expected: int,
) -> None:
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT)
        queue.put([Message(b"m", MessageDescriptor(persistence=each)) for each in given])
        assert mode(qmgr) == expected
