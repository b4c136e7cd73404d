"""Where messages came from, according to the history that real calls leave."""

from __future__ import annotations

import pytest

from store.admin import history
from store.admin.altering import change
from store.admin.defining import create
from store.admin.history import MessageOrigins
from store.admin.put_preview import peek
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQPMO
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.backout_queue import BOQ, back_out, move, put


@pytest.fixture(autouse=True)
def queues(qmgr: QueueManager) -> None:
    for name in ("A", "B", BOQ):
        create(qmgr, KINDS["QLOCAL"], name, {})
    create(qmgr, KINDS["QALIAS"], "BOQ.ALIAS", {"TARGET": BOQ})


def found(qmgr: QueueManager, queue: str = BOQ) -> list[str | None]:
    """Return the origin of each message, or the reason why it is unknown."""
    origins = MessageOrigins(qmgr, queue)
    each_origin = [origins.of(each.descriptor) for each in peek(qmgr, queue)]
    return [None if each is None else each.unknown or each.queue for each in each_origin]


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("target", [BOQ, "BOQ.ALIAS"])
def test_moved(qmgr: QueueManager, by_hand: bool, target: str) -> None:
    for queue in ("A", "B"):
        back_out(qmgr, queue, queue, by_hand=by_hand, target=target)
    assert found(qmgr) == ["A", "B"]


@pytest.mark.parametrize(
    ("off", "by_hand", "expected"),
    [
        (("A",), False, "A"),
        ((BOQ,), False, "A"),
        (("A", BOQ), False, "A"),
        (("A",), True, "put"),
        ((BOQ,), True, "unrecorded"),
    ],
)
def test_without_puts_and_gets_in_the_history(
    qmgr: QueueManager, off: tuple[str, ...], by_hand: bool, expected: str
) -> None:
    for name in off:
        change(qmgr, KINDS["QLOCAL"], name, {"ACCTQ": "OFF"})
    back_out(qmgr, "A", "x", by_hand=by_hand, target="BOQ.ALIAS")
    assert found(qmgr) == [expected]


def test_a_program_that_skips_the_backout(qmgr: QueueManager) -> None:
    """MARK_SKIP_BACKOUT: the message is put on the backout queue in the unit of work after the one that got it."""
    put(qmgr, "A", "x")
    with qmgr.connect("batch", "ann") as connection:
        source = connection.open("A", MQOO.INPUT_SHARED)
        message = source.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT))
        connection.back()
        connection.put1(BOQ, message, PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()
    (message_on_queue,) = peek(qmgr, BOQ)
    origin = MessageOrigins(qmgr, BOQ).of(message_on_queue.descriptor)
    assert origin is not None
    assert origin.backouts is not None
    assert (origin.queue, origin.application, origin.backouts.times) == ("A", "batch", 1)


@pytest.mark.parametrize("format", ["MQDEAD", "MQXMIT"])
def test_a_message_with_a_header_of_its_own(qmgr: QueueManager, format: str) -> None:
    put(qmgr, "A", "not a header")
    with qmgr.connect() as connection:
        source = connection.open("A", MQOO.INPUT_SHARED)
        message = source.get(GetMessageOptions(MQGMO.SYNCPOINT))
        message.descriptor.format = format
        connection.put1(BOQ, message, PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()
    assert found(qmgr) == [None]


def test_a_message_that_arrives_during_a_run(qmgr: QueueManager) -> None:
    """New events are read when a message is asked for that was not on the queue before."""
    origins = MessageOrigins(qmgr, BOQ)
    for queue in ("A", "B"):
        back_out(qmgr, queue, queue)
        *_, last = peek(qmgr, BOQ)
        origin = origins.of(last.descriptor)
        assert origin is not None
        assert origin.queue == queue


def test_a_copy_for_a_stream_queue(qmgr: QueueManager) -> None:
    """The copy has the identifiers of the moved message, but was itself never on another queue."""
    change(qmgr, KINDS["QLOCAL"], "B", {"STREAMQ": BOQ})
    put(qmgr, "A", "x")
    move(qmgr, "A", "B", by_hand=True)
    assert found(qmgr) == ["copy"]


def test_a_long_history(qmgr: QueueManager, monkeypatch: pytest.MonkeyPatch) -> None:
    """The history is read in ranges; a unit of work may extend over several."""
    monkeypatch.setattr(history, "RANGE", 2)
    for number in range(3):
        back_out(qmgr, "A", f"{number}", backouts=2, by_hand=True)
    with qmgr.connect() as connection:
        connection.put1(BOQ, Message(b"x"))
    assert found(qmgr) == ["A", "A", "A", "put"]
