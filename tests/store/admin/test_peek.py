"""Peeking at a queue shows all its messages in delivery order and changes nothing."""

from __future__ import annotations

import pytest

from store.admin.defining import create
from store.admin.put_preview import PAGE, peek
from store.catalog import KINDS
from store.client.api import ObjectHandle, QueueManager
from store.constants import MQGMO, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions


@pytest.fixture
def handle(qmgr: QueueManager) -> ObjectHandle:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    create(qmgr, KINDS["QALIAS"], "A", {"TARGET": "Q"})
    create(qmgr, KINDS["QALIAS"], "NOWHERE", {"TARGET": "NONE"})
    create(qmgr, KINDS["QMODEL"], "M", {})
    return qmgr.connect().open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE)


def bodies(qmgr: QueueManager, queue: str = "Q", most: int | None = None) -> list[bytes]:
    return [each.body for each in peek(qmgr, queue, most)]


@pytest.mark.parametrize("count", [0, 1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE + 3])
def test_every_message_in_delivery_order(qmgr: QueueManager, handle: ObjectHandle, count: int) -> None:
    """With several priorities and pages, no message is repeated or omitted."""
    for number in range(count):
        handle.put(Message(b"%d" % number, MessageDescriptor(priority=number % 3)))
    expected = sorted(range(count), key=lambda number: (-(number % 3), number))
    assert bodies(qmgr) == [b"%d" % number for number in expected]
    assert bodies(qmgr, "A") == bodies(qmgr)


def test_the_beginning_of_the_data(qmgr: QueueManager, handle: ObjectHandle) -> None:
    handle.put([Message(b"0123456789"), Message(b"01"), Message(b"")])
    for most, bodies in ((4, [b"0123", b"01", b""]), (0, [b"", b"", b""])):
        seen = list(peek(qmgr, "Q", most))
        assert [each.body for each in seen] == bodies
        assert [each.length for each in seen] == [10, 2, 0]


def test_what_comes_meanwhile_is_left_out(qmgr: QueueManager, handle: ObjectHandle) -> None:
    """Even in front of the page to be read next."""
    for number in range(2 * PAGE):
        handle.put(Message(b"%d" % number, MessageDescriptor(priority=5)))
    seen = peek(qmgr, "Q")
    first = next(seen)
    handle.put(Message(b"new", MessageDescriptor(priority=4)))
    assert [first.body, *(each.body for each in seen)] == [b"%d" % number for number in range(2 * PAGE)]


def test_locked_and_expired_messages_are_there_uncommitted_ones_are_not(
    qmgr: QueueManager, handle: ObjectHandle, environment: Environment[FrozenClock]
) -> None:
    handle.put([Message(b"locked"), Message(b"expired", MessageDescriptor(expiry=20))])
    handle.get(GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK))
    with qmgr.connect() as other:
        other.put1("Q", Message(b"uncommitted"), PutMessageOptions(MQPMO.SYNCPOINT))
        environment.clock.advance(1.9)
        assert [(each.body, each.is_expired, each.descriptor.expiry) for each in peek(qmgr, "Q")] == [
            (b"locked", False, -1),
            (b"expired", False, 1),
        ]
        environment.clock.advance(0.1)
        assert [each.is_expired for each in peek(qmgr, "Q")] == [False, True]
        other.back()
    assert bodies(qmgr) == [b"locked", b"expired"]


@pytest.mark.parametrize(("name", "reason"), [("NONE", 2085), ("NOWHERE", 2085), ("M", 2045)])
def test_a_name_that_leads_to_no_messages(qmgr: QueueManager, handle: ObjectHandle, name: str, reason: int) -> None:
    with pytest.raises(MQError) as refused:
        list(peek(qmgr, name))
    assert refused.value.reason == reason
