"""Copies for stream queues."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import stream_copies
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.name_resolution import Size
from mqsc.store.sqlite.database import Reading
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

STREAMED = """
    DEFINE QLOCAL(B) MAXDEPTH(2) MAXMSGL(3) · DEFINE TOPIC(T) TOPICSTR(t) · DEFINE QALIAS(A.B) TARGET(B)
    DEFINE QALIAS(A.A) TARGET(A.B) · DEFINE QALIAS(A.NONE) TARGET(NONE)
    DEFINE QALIAS(A.TOPIC) TARGET(T) TARGTYPE(TOPIC) · DEFINE QLOCAL(FULL) MAXDEPTH(0)
    DEFINE QLOCAL(CLOSED) PUT(DISABLED)
"""


# (stream queue, reason why its name does not resolve, queue that receives the copies)
@rows(
    *(("B", 0, "B"), ("A.B", 0, "B"), ("NONE", 2085, ""), ("A.NONE", 2082, ""), ("A.A", 2001, "")),
    # A copy would be published, but this queue manager does not publish.
    ("A.TOPIC", 0, ""),
)
def test_where_the_copies_go(
    qmgr: QueueManager,
    stream_queue: str,
    reason: int,
    queue: str,
) -> None:
    Play(qmgr).run(STREAMED)
    with Reading(qmgr.store.database) as reading:
        found, destination = stream_copies.stream_destination(reading, qmgr.row(), stream_queue)
    assert (found, destination.queue.name if destination else "") == (reason, queue)


# (stream queue, lengths of the messages, reason of MUSTDUP to refuse the put, index of the message
# refused)
@rows(
    *(
        ("B", [1, 3], 0, None),
        ("B", [1, 4], 2030, 1),
        ("B", [1, 1, 1], 2053, 2),
        ("FULL", [1], 2053, 0),
    ),
    *(("CLOSED", [1], 2051, None), ("NONE", [1], 2085, None), ("A.TOPIC", [1], 0, None)),
)
def test_mustdup_refuses_a_put_whose_copies_have_no_room(
    qmgr: QueueManager,
    stream_queue: str,
    lengths: list[int],
    reason: int,
    message: int | None,
) -> None:
    Play(qmgr).run(STREAMED + f"DEFINE QLOCAL(A) STREAMQ({stream_queue}) STRMQOS(MUSTDUP)")
    sizes = [Size(0, length, 0) for length in lengths]
    with Reading(qmgr.store.database) as reading:
        refused = stream_copies.refusal(reading, qmgr.row(), queue_row(qmgr, "A"), sizes)
    assert (refused.reason if refused else 0, refused.message if refused else None) == (
        reason,
        message,
    )


def test_bestef_never_refuses_a_put(qmgr: QueueManager) -> None:
    Play(qmgr).run(STREAMED + "DEFINE QLOCAL(A) STREAMQ(FULL)")
    with Reading(qmgr.store.database) as reading:
        assert (
            stream_copies.refusal(reading, qmgr.row(), queue_row(qmgr, "A"), [Size(0, 1, 0)])
            is None
        )


def test_copies_that_have_no_room_are_left_out(qmgr: QueueManager) -> None:
    Play(qmgr).run(STREAMED)
    arrivals = [
        Arrival(MessageDescriptor(persistence=0), body) for body in (b"1", b"long", b"2", b"3")
    ]
    with Reading(qmgr.store.database) as reading:
        _, destination = stream_copies.stream_destination(reading, qmgr.row(), "B")
    assert destination is not None
    copies = stream_copies.stream_copies(qmgr.row(), destination, arrivals)
    assert ([each.body for each in copies.fitting], copies.reason) == ([b"1", b"2"], 2030)
