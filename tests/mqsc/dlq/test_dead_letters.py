"""The dead letters on a queue, and their selection."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.dlq.redrive import DeadLetterFilter, dead_letters_from_messages, dead_letters_on_queue
from store.admin.put_preview import peek
from store.descriptor import MessageDescriptor
from store.headers import mqxqh
from store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HEADER, SECOND, HandlerSystem

PUT_AT = 1_000 * SECOND
MINUTE = 60 * SECOND


def message(body: bytes = mqxqh.pack_mqdlh(HEADER) + b"hello") -> Message:
    descriptor = MessageDescriptor(msg_id=b"m", coded_char_set_id=1208)
    descriptor.put_at = PUT_AT
    return Message(body, descriptor)


@pytest.mark.parametrize(
    ("wanted", "takes"),
    [
        ({}, True),
        ({"reasons": frozenset({2053})}, True),
        ({"reasons": frozenset({2051, 2053})}, True),
        ({"reasons": frozenset({2051})}, False),
        ({"destination": "Q1"}, True),
        ({"destination": "Q*"}, True),
        ({"destination": "*"}, True),
        ({"destination": "Q"}, False),
        ({"destination": "q1"}, False),
        ({"older_than": 5 * MINUTE}, True),
        ({"older_than": 5 * MINUTE + 1}, False),
        ({"msg_id": b"m"}, True),
        ({"msg_id": b"mm"}, False),
        ({"destination": "Q1", "reasons": frozenset({2051})}, False),
    ],
)
def test_a_filter(wanted: dict[str, Any], takes: bool) -> None:
    (letter,) = dead_letters_from_messages([message()])
    assert DeadLetterFilter(**wanted).selects(letter, PUT_AT + 5 * MINUTE) is takes
    assert DeadLetterFilter(**wanted).selects_all is (not wanted)


@pytest.mark.parametrize(
    ("wanted", "takes"),
    [({}, True), ({"msg_id": b"m"}, True), ({"reasons": frozenset({2053})}, False), ({"destination": "*"}, False)],
)
def test_a_message_without_header_has_no_reason_and_no_destination(wanted: dict[str, Any], takes: bool) -> None:
    (letter,) = dead_letters_from_messages([message(b"no header")])
    assert letter.header is None
    assert letter.fault.startswith("not an MQDLH")
    assert DeadLetterFilter(**wanted).selects(letter, PUT_AT) is takes


def test_dead_letters_on_a_queue(system: HandlerSystem) -> None:
    system.put_dead_letter("a", reason=2051)
    system.put(DLQ, b"odd")
    system.put_dead_letter("b", expiry=10)
    system.clock.advance(2)
    first, second, third = dead_letters_on_queue(system.seen(DLQ))
    assert [each.number for each in (first, second, third)] == [1, 2, 3]
    assert first.header is not None
    assert (first.header.reason, first.length, first.expires_at) == (2051, 173, None)
    assert (second.header, second.length) == (None, 3)
    assert (third.is_expired, third.expires_at) == (True, system.clock.began + SECOND)


def test_an_empty_message(system: HandlerSystem) -> None:
    system.put(DLQ, b"")
    for most in (None, mqxqh.MQDLH_LENGTH):
        (letter,) = dead_letters_on_queue(peek(system.qmgr, DLQ, most))
        assert (letter.header, letter.length, letter.fault) == (None, 0, "not an MQDLH: 0 bytes instead of 172")
