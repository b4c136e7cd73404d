"""What is past its expiry, seen from inside: `mqsc expiry` and EXPIRED of DISPLAY QSTATUS agree with CURDEPTH."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mqsc import run
from store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions
from store.admin.expiry import preview
from store.client.api import Connection, ObjectHandle, QueueManager
from store.constants import MQGMO, MQOO, MQPMO
from store.environment import Environment, FrozenClock

OPTIONS = MQOO.BROWSE | MQOO.INPUT_SHARED | MQOO.OUTPUT
EXPIRES = Message(b"data", MessageDescriptor(expiry=10))
Deed = Callable[[Connection, ObjectHandle], object]


def got_and_backed_out(connection: Connection, queue: ObjectHandle) -> None:
    """One message, back in its place."""
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    connection.back()


DEEDS: dict[str, tuple[Deed, int, int, int]] = {
    "nothing": (lambda c, q: None, 2, 2, 2),
    "put, not committed": (lambda c, q: q.put(EXPIRES, PutMessageOptions(MQPMO.SYNCPOINT)), 3, 3, 2),
    "got, not committed": (lambda c, q: q.get(GetMessageOptions(MQGMO.SYNCPOINT)), 1, 1, 1),
    "got and backed out": (got_and_backed_out, 2, 2, 2),
    "locked": (lambda c, q: q.get(GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK)), 2, 2, 1),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_expired_is_counted_once_and_everywhere_the_same(
    qmgr: QueueManager, environment: Environment[FrozenClock], deed: str
) -> None:
    """(X6, X7, X9, X13) In a unit of work a put counts and a get does not, as in CURDEPTH; a scan takes neither."""
    do, depth, expired, scannable = DEEDS[deed]
    run(qmgr, "DEFINE QLOCAL(Q)")
    with qmgr.connect() as connection:
        queue = connection.open("Q", OPTIONS)
        queue.put([EXPIRES] * 2)
        do(connection, queue)
        (coming,) = preview(qmgr, "Q")
        assert (coming.expired, [count for _, count in coming.next]) == (0, [expired])
        environment.clock.advance(seconds=1)
        (found,) = preview(qmgr, "Q")
        assert (found.depth, found.expired, found.scan_discards, found.get_discards) == (
            depth,
            expired,
            scannable,
            scannable,
        )
        assert (found.expired_bytes, [count for *_, count in found.putters]) == (4 * expired, [expired])
        assert run(qmgr, "DISPLAY QSTATUS(Q) EXPIRED")[0].rows[0]["EXPIRED"] == expired
        (scan,) = run(qmgr, "REFRESH QMGR TYPE(EXPIRY) NAME(Q)")[0].rows
        assert scan["DISCARDED"] == scannable
        connection.back()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("APP.Q", ["APP.Q"]),
        ("APP.FRONT", ["APP.Q"]),
        ("APP.FAR", ["APP.X"]),
        ("APP.*", ["APP.Q", "APP.X"]),
        ("APP.NOWHERE", []),
        ("APP.MODEL", []),
        ("APP.NONE", []),
        ("APP", []),
        ("", []),
        ("ZZZ*", []),
    ],
)
def test_which_queues_a_name_means(qmgr: QueueManager, name: str, shown: list[str]) -> None:
    for definition in (
        "QLOCAL(APP.Q)",
        "QLOCAL(APP.X) USAGE(XMITQ)",
        "QALIAS(APP.FRONT) TARGET(APP.Q)",
        "QALIAS(APP.NOWHERE) TARGET(NONE)",
        "QREMOTE(APP.FAR) RNAME(T) RQMNAME(QM2) XMITQ(APP.X)",
        "QMODEL(APP.MODEL)",
    ):
        assert run(qmgr, f"DEFINE {definition}")[0].completion == 0
    assert [each.queue for each in preview(qmgr, name)] == shown
