"""Dead letters, and the results of moving them, as text."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.dlq.dead_letter_text import (
    body_of,
    dead_letter_lines,
    dead_letter_row,
    duration_text,
    reason_text,
    redrive_line,
    redrive_row,
    short_lines,
    target_text,
)
from mqsc.dlq.redrive import DeadLetter, RedriveResult, dead_letters_from_messages
from store.descriptor import MessageDescriptor
from store.headers import mqxqh
from store.message import Message
from tests.mqsc.dlq.handler_system import HEADER, SECOND

PUT_AT = 1_000 * SECOND
NOW = PUT_AT + 90 * SECOND
MSG_ID = "6D" * 24


def letter(body: bytes = mqxqh.pack_mqdlh(HEADER) + b"hello", **fields: Any) -> DeadLetter:
    descriptor = MessageDescriptor(msg_id=b"m" * 24, coded_char_set_id=1208, user_identifier="alice")
    descriptor.put_at, descriptor.put_date, descriptor.put_time = PUT_AT, "19700101", "00164000"
    descriptor.put_appl_name, descriptor.priority, descriptor.persistence = "orders", 4, 1
    (found,) = dead_letters_from_messages([Message(body, descriptor)])
    return found._replace(**fields)


ODD = letter(b"odd")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-5, "0s"), (0, "0s"), (59.9, "59s"), (60, "1m 0s"), (3_600, "1h 0m"), (3_661, "1h 1m"), (183_600, "2d 3h")],
)
def test_a_duration_in_its_two_largest_units(seconds: float, text: str) -> None:
    assert duration_text(round(seconds * SECOND)) == text


def test_reasons_and_targets() -> None:
    assert reason_text(2053) == "2053 MQRC_Q_FULL"
    assert reason_text(65_536) == "65536"
    assert [target_text(each) for each in (("Q", ""), ("Q", "QM9"), ("", ""), ("", "QM9"))] == [
        *("Q", "Q on QM9"),
        *("(blank)", "(blank) on QM9"),
    ]


def test_a_dead_letter() -> None:
    assert list(dead_letter_lines(letter(), NOW)) == [
        "1  2053 MQRC_Q_FULL, for Q1 on QM1",
        "   on this queue since 1970-01-01T00:16:40Z, 1m 30s; never expires",
        "   put 1970-01-01 00:16:40.00 by orders, user alice",
        "   dead-lettered 2024-01-02 03:04:05.06 by mover",
        "   format MQSTR, 5 bytes, priority 4, persistent, backed out 0 times",
        f"   MsgId {MSG_ID}",
    ]
    assert list(short_lines(letter(), NOW)) == [
        "1  2053 MQRC_Q_FULL, for Q1 on QM1, 1m 30s ago, 5 bytes",
        f"   MsgId {MSG_ID}",
    ]


def test_a_message_without_header_shows_what_is_wrong_and_all_its_data() -> None:
    first, *rest = dead_letter_lines(ODD, NOW)
    assert first == f"1  {ODD.fault}"
    assert [line for line in rest if "dead-lettered" in line] == []
    assert "3 bytes" in rest[-2]
    assert (body_of(ODD), body_of(letter())) == (b"odd", b"hello")
    assert dead_letter_row(ODD, NOW)["dead_letter"] is None
    assert dead_letter_row(letter(), NOW)["dead_letter"]["reason_name"] == "MQRC_Q_FULL"
    assert dead_letter_row(letter(), NOW)["age"] == 90 * SECOND


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"expires_at": NOW + 60 * SECOND}, "expires in 1m 0s"),
        ({"expires_at": NOW - 60 * SECOND, "is_expired": True}, "expired 1m 0s ago"),
        ({}, "never expires"),
    ],
)
def test_expiry(fields: dict[str, Any], text: str) -> None:
    assert list(dead_letter_lines(letter(**fields), NOW))[1].endswith(f"; {text}")


TARGET = ("Q1", "QM1")
RESULTS = [
    (RedriveResult(letter(), "moved", TARGET), "2053 MQRC_Q_FULL to Q1 on QM1  done"),
    (RedriveResult(letter(), "moved"), "2053 MQRC_Q_FULL  done"),
    (RedriveResult(letter(), "failed", TARGET, 2051), "2053 MQRC_Q_FULL to Q1 on QM1  failed: 2051 MQRC_PUT_INHIBITED"),
    (
        RedriveResult(letter(), "returned", TARGET, times=3),
        "2053 MQRC_Q_FULL to Q1 on QM1  skipped: it was returned 3 times",
    ),
    (RedriveResult(ODD, "no header"), "no MQDLH  skipped: without a valid MQDLH, its destination is unknown"),
    (RedriveResult(letter(), "gone"), "2053 MQRC_Q_FULL  skipped: another program removed it"),
]


@pytest.mark.parametrize(("result", "text"), RESULTS)
def test_what_became_of_a_dead_letter_that_was_moved_by_hand(result: RedriveResult, text: str) -> None:
    assert redrive_line(result) == f"{MSG_ID}  {text}"


def test_a_preview_says_what_would_become_of_it() -> None:
    moved, _, failed, *_ = (redrive_line(result, preview=True) for result, _ in RESULTS)
    assert moved.endswith("  would be done")
    assert failed.endswith("  would fail: 2051 MQRC_PUT_INHIBITED")


def test_the_result_as_json() -> None:
    row = redrive_row(RESULTS[2][0])
    assert (row["msg_id"], row["target"], row["target_queue_manager"]) == (MSG_ID.lower(), "Q1", "QM1")
    assert (row["result"], row["put_reason"], row["times"]) == ("failed", 2051, 0)
    assert row["dead_letter"]["dest_q_name"] == "Q1"
