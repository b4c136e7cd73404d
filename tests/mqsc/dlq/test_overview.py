"""Dead letters counted by reason and destination."""

from __future__ import annotations

from mqsc.dlq.dead_letter_text import overview_lines, overview_of, overview_rows
from mqsc.dlq.redrive import DeadLetter, dead_letters_from_messages
from store.descriptor import MessageDescriptor
from store.headers import mqxqh
from store.message import Message
from tests.mqsc.dlq.handler_system import HEADER, SECOND

NOW = 1_000 * SECOND


def letters() -> list[DeadLetter]:
    """Return three dead letters for a full queue, one of them without a put time, and a message without an MQDLH."""
    full = mqxqh.pack_mqdlh(HEADER) + b"x"
    messages = [Message(body, MessageDescriptor(coded_char_set_id=1208)) for body in (b"odd", full, full, full)]
    for message, seconds in zip(messages, (5, 60, 90), strict=False):
        message.descriptor.put_at = NOW - seconds * SECOND
    return list(dead_letters_from_messages(messages))


def test_the_largest_group_comes_first_with_its_oldest_message() -> None:
    lines = [line.split() for line in overview_lines(overview_of(letters()), NOW, 200)]
    assert lines[0] == ["MESSAGES", "REASON", "DESTINATION", "OLDEST"]
    assert [" ".join(line) for line in lines[-2:]] == ["3 2053 MQRC_Q_FULL Q1 on QM1 1m 30s", "1 no MQDLH - 5s"]


def test_as_json() -> None:
    full, odd = overview_rows(overview_of(letters()), NOW)
    assert (full["reason"], full["reason_name"]) == (2053, "MQRC_Q_FULL")
    assert (full["dest_q_name"], full["dest_q_mgr_name"]) == ("Q1", "QM1")
    assert {odd[word] for word in ("reason", "reason_name", "dest_q_name", "dest_q_mgr_name")} == {None}
    assert [(each["messages"], each["oldest_put_at"], each["oldest_age"]) for each in (full, odd)] == [
        (3, NOW - 90 * SECOND, 90 * SECOND),
        (1, NOW - 5 * SECOND, 5 * SECOND),
    ]
