"""The handler's messages (dlq-rules §5), dead letters, and why a rule applies or does not, as
text.
"""

from __future__ import annotations

import re
from typing import Any

from mqsc.dlq.dead_letter import DeadLetter, dead_letters_from_messages
from mqsc.dlq.dead_letter_text import (
    body_of,
    dead_letter_lines,
    dead_letter_row,
    redrive_line,
    redrive_row,
    short_lines,
)
from mqsc.dlq.notices import (
    BROKEN,
    CLOSE,
    CONNECT,
    DISCONNECT,
    END,
    ENDING,
    GET,
    OPEN,
    PUT_FAILED,
    TEXTS,
    FailedCall,
    failure_notice,
    notice,
)
from mqsc.dlq.overview import overview_lines, overview_of, overview_rows
from mqsc.dlq.redrive import RedriveResult
from mqsc.dlq.table_errors import ERRORS
from mqsc.dlq.text_parts import duration_text, reason_text, target_text
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.headers import mqdlh
from mqsc.store.message import Message
from tests.mqsc.dlq.handler_system import HEADER, SECOND
from tests.rows import rows

FAILURES = [
    *((CONNECT, reason, "AMQ8741") for reason in (2035, 2058, 2059, 2161, 2162, 2102, 2071, 2063)),
    (CONNECT, 2195, "AMQ8761"),
    *(
        (OPEN, reason, "AMQ8745")
        for reason in (2001, 2017, 2035, 2042, 2063, 2071, 2082, 2085, 2101, 2102, 2161, 2162)
    ),
    (OPEN, 2195, "AMQ8765"),
    *((CLOSE, reason, "AMQ8746") for reason in (2071, 2102)),
    (CLOSE, 2195, "AMQ8766"),
    *((GET, reason, "AMQ8748") for reason in (2016, 2041, 2052, 2102, 2071)),
    (GET, 2195, "AMQ8767"),
    *((END, reason, "AMQ8749") for reason in (2071, 2102)),
    (END, 2195, "AMQ8768"),
    (DISCONNECT, 2195, "AMQ8769"),
]


@rows(*FAILURES)
def test_failed_calls(call: FailedCall, reason: int, message_id: str) -> None:
    notice = failure_notice(call, MQError(reason), "DLQ")
    assert (notice.message_id, notice.inserts["reason"]) == (message_id, reason)
    assert f"completion code 2, reason {reason} MQRC_" in notice.text


def test_the_reasons_that_are_expected() -> None:
    """Of each call, exactly these; and those of a queue manager that has ended."""
    for call in {call for call, _, _ in FAILURES}:
        assert {*map(int, call.reasons)} == {
            reason for each, reason, _ in FAILURES if each is call and reason != 2195
        }
    assert sorted(map(int, BROKEN)) == [2009, 2161, 2162, 2202, 2203]


def test_reason_codes_are_explained() -> None:
    sentence = "The queue holds MAXDEPTH messages, uncommitted ones included."
    said = notice(PUT_FAILED, line=7, target="Q1", reason=2053, name="MQRC_Q_FULL", msg_id="AB")
    assert (
        said.text
        == "The put by the rule in line 7 to Q1 failed: reason 2053 MQRC_Q_FULL, MsgId AB."
    )
    assert said.line == f"AMQ8722: {said.text} {sentence}"
    assert said.for_json == {
        "message_id": "AMQ8722",
        "text": said.text,
        **said.inserts,
        "explanation": sentence,
    }
    assert failure_notice(GET, MQError(2016), "DLQ").line == (
        "AMQ8748: Cannot get messages from DLQ: completion code 2, reason 2016 MQRC_GET_INHIBITED. "
        "The queue, or an alias used to open it, has GET(DISABLED)."
    )


def test_messages_without_a_reason_have_no_explanation() -> None:
    said = notice(ENDING)
    assert said.line == "AMQ8709: The dead-letter handler is ending."
    assert said.for_json == {"message_id": "AMQ8709", "text": said.text}


def test_ids_are_used_once() -> None:
    assert not set(TEXTS) & set(ERRORS)
    assert all(re.fullmatch(r"AMQ87\d\d|MQSC00\d\d", message_id) for message_id in TEXTS)
    assert all(text[0].isupper() and not text.endswith("..") for text in TEXTS.values())


PUT_AT = 1_000 * SECOND
NOW = PUT_AT + 90 * SECOND
MSG_ID = "6D" * 24


def letter(body: bytes = mqdlh.pack_mqdlh(HEADER) + b"hello", **fields: Any) -> DeadLetter:
    descriptor = MessageDescriptor(
        msg_id=b"m" * 24,
        coded_char_set_id=1208,
        user_identifier="alice",
    )
    descriptor.put_at, descriptor.put_date, descriptor.put_time = PUT_AT, "19700101", "00164000"
    descriptor.put_appl_name, descriptor.priority, descriptor.persistence = "orders", 4, 1
    (found,) = dead_letters_from_messages([Message(body, descriptor)])
    return found._replace(**fields)


ODD = letter(b"odd")


@rows(
    (-5, "0s"),
    (0, "0s"),
    (59.9, "59s"),
    (60, "1m"),
    (3_600, "1h"),
    (3_661, "1h1m"),
    (183_600, "2d3h"),
)
def test_a_duration_in_its_two_largest_units(seconds: float, text: str) -> None:
    assert duration_text(round(seconds * SECOND)) == text


@rows(
    (("Q", ""), "Q"),
    (("Q", "QM9"), "Q on QM9"),
    (("", ""), "(blank)"),
    (("", "QM9"), "(blank) on QM9"),
)
def test_reasons_and_targets(target: tuple[str, str], text: str) -> None:
    assert (target_text(target), reason_text(2053), reason_text(65_536)) == (
        text,
        "2053 MQRC_Q_FULL",
        "65536",
    )


def test_a_dead_letter() -> None:
    assert list(dead_letter_lines(letter(), NOW)) == [
        "1  2053 MQRC_Q_FULL, for Q1 on QM1",
        "   on this queue since 1970-01-01T00:16:40Z, 1m30s; never expires",
        "   put 1970-01-01 00:16:40.00 by orders, user alice",
        "   dead-lettered 2024-01-02 03:04:05.06 by mover",
        "   format MQSTR, 5 bytes, priority 4, persistent, backed out 0 times",
        f"   MsgId {MSG_ID}",
    ]
    assert list(short_lines(letter(), NOW)) == [
        "1  2053 MQRC_Q_FULL, for Q1 on QM1, 1m30s ago, 5 bytes",
        f"   MsgId {MSG_ID}",
    ]


def test_a_message_without_header_shows_what_is_wrong_and_all_its_data() -> None:
    first, *rest = dead_letter_lines(ODD, NOW)
    assert (first, [line for line in rest if "dead-lettered" in line]) == (f"1  {ODD.fault}", [])
    assert "3 bytes" in rest[-2]
    row = dead_letter_row(letter(), NOW)
    assert (body_of(ODD), body_of(letter()), dead_letter_row(ODD, NOW)["dead_letter"]) == (
        b"odd",
        b"hello",
        None,
    )
    assert (row["dead_letter"]["reason_name"], row["age"]) == ("MQRC_Q_FULL", 90 * SECOND)


@rows(
    ({"expires_at": NOW + 60 * SECOND}, "expires in 1m"),
    ({"expires_at": NOW - 60 * SECOND, "is_expired": True}, "expired 1m ago"),
    ({}, "never expires"),
)
def test_expiry(fields: dict[str, Any], text: str) -> None:
    assert list(dead_letter_lines(letter(**fields), NOW))[1].endswith(f"; {text}")


TARGET = ("Q1", "QM1")
FULL = "2053 MQRC_Q_FULL"
FAILED = RedriveResult(letter(), "failed", TARGET, 2051)


@rows(
    (RedriveResult(letter(), "moved", TARGET), f"{FULL} to Q1 on QM1  done"),
    (RedriveResult(letter(), "moved"), f"{FULL}  done"),
    (FAILED, f"{FULL} to Q1 on QM1  failed: 2051 MQRC_PUT_INHIBITED"),
    (
        RedriveResult(letter(), "returned", TARGET, times=3),
        f"{FULL} to Q1 on QM1  skipped: it was returned 3 times",
    ),
    (
        RedriveResult(ODD, "no header"),
        "no MQDLH  skipped: without a valid MQDLH, its destination is unknown",
    ),
    (RedriveResult(letter(), "gone"), f"{FULL}  skipped: another program removed it"),
)
def test_what_became_of_a_dead_letter_that_was_moved_by_hand(
    result: RedriveResult,
    text: str,
) -> None:
    assert redrive_line(result) == f"{MSG_ID}  {text}"


def test_what_would_become_of_it_and_the_result_as_json() -> None:
    assert redrive_line(RedriveResult(letter(), "moved", TARGET), preview=True).endswith(
        "  would be done",
    )
    assert redrive_line(FAILED, preview=True).endswith("  would fail: 2051 MQRC_PUT_INHIBITED")
    row = redrive_row(FAILED)
    assert (row["msg_id"], row["target"], row["target_queue_manager"]) == (
        MSG_ID.lower(),
        "Q1",
        "QM1",
    )
    assert (row["result"], row["put_reason"], row["times"]) == ("failed", 2051, 0)
    assert row["dead_letter"]["dest_q_name"] == "Q1"


def letters() -> list[DeadLetter]:
    """Return three dead letters for a full queue, one of them without a put time, and a message
    without an MQDLH.
    """
    full = mqdlh.pack_mqdlh(HEADER) + b"x"
    messages = [
        Message(body, MessageDescriptor(coded_char_set_id=1208))
        for body in (b"odd", full, full, full)
    ]
    for message, seconds in zip(messages, (5, 60, 90), strict=False):
        message.descriptor.put_at = NOW - seconds * SECOND
    return list(dead_letters_from_messages(messages))


def test_the_largest_group_comes_first_with_its_oldest_message() -> None:
    lines = [line.split() for line in overview_lines(overview_of(letters()), NOW, 200)]
    assert lines[0] == ["MESSAGES", "REASON", "DESTINATION", "OLDEST"]
    assert [" ".join(line) for line in lines[-2:]] == [
        "3 2053 MQRC_Q_FULL Q1 on QM1 1m30s",
        "1 no MQDLH - 5s",
    ]
    words = (
        "reason",
        "reason_name",
        "dest_q_name",
        "dest_q_mgr_name",
        "messages",
        "oldest_put_at",
        "oldest_age",
    )
    assert [
        [row[word] for word in words] for row in overview_rows(overview_of(letters()), NOW)
    ] == [
        [2053, "MQRC_Q_FULL", "Q1", "QM1", 3, NOW - 90 * SECOND, 90 * SECOND],
        [None, None, None, None, 1, NOW - 5 * SECOND, 5 * SECOND],
    ]
