"""The messages of the handler (dlq-rules §5)."""

from __future__ import annotations

import re

from mqsc.dlq.entry import ERRORS
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
from store.error import MQError

FAILURES = [
    *((CONNECT, reason, "AMQ8741") for reason in (2035, 2058, 2059, 2161, 2162, 2102, 2071, 2063)),
    (CONNECT, 2195, "AMQ8761"),
    *((OPEN, reason, "AMQ8745") for reason in (2001, 2017, 2035, 2042, 2063, 2071, 2082, 2085, 2101, 2102, 2161, 2162)),
    (OPEN, 2195, "AMQ8765"),
    *((CLOSE, reason, "AMQ8746") for reason in (2071, 2102)),
    (CLOSE, 2195, "AMQ8766"),
    *((GET, reason, "AMQ8748") for reason in (2016, 2041, 2052, 2102, 2071)),
    (GET, 2195, "AMQ8767"),
    *((END, reason, "AMQ8749") for reason in (2071, 2102)),
    (END, 2195, "AMQ8768"),
    (DISCONNECT, 2195, "AMQ8769"),
]


def is_reported(call: FailedCall, reason: int, message_id: str) -> bool:
    notice = failure_notice(call, MQError(reason), "DLQ")
    has_text = f"completion code 2, reason {reason} MQRC_" in notice.text
    return (notice.message_id, notice.inserts["reason"], has_text) == (message_id, reason, True)


def test_failed_calls() -> None:
    """For each call, exactly these reasons are expected."""
    assert [row for row in FAILURES if not is_reported(*row)] == []
    expected = {
        call: {reason for each, reason, _ in FAILURES if each is call and reason != 2195} for call, _, _ in FAILURES
    }
    assert {call: set(map(int, call.reasons)) for call in expected} == expected


def test_the_reasons_of_a_queue_manager_that_has_ended() -> None:
    assert sorted(map(int, BROKEN)) == [2009, 2161, 2162, 2202, 2203]


def test_a_put_that_fails() -> None:
    said = notice(PUT_FAILED, line=7, target="Q1", reason=2053, name="MQRC_Q_FULL", msg_id="AB")
    assert said.text == "The put by the rule in line 7 to Q1 failed: reason 2053 MQRC_Q_FULL, MsgId AB."


def test_reason_codes_are_explained() -> None:
    sentence = "The queue holds MAXDEPTH messages, uncommitted ones included."
    said = notice(PUT_FAILED, line=7, target="Q1", reason=2053, name="MQRC_Q_FULL", msg_id="AB")
    assert said.line == f"AMQ8722: {said.text} {sentence}"
    assert said.row == {"message_id": "AMQ8722", "text": said.text, **said.inserts, "explanation": sentence}
    assert failure_notice(GET, MQError(2016), "DLQ").line == (
        "AMQ8748: Cannot get messages from DLQ: completion code 2, reason 2016 MQRC_GET_INHIBITED. "
        "The queue, or an alias used to open it, has GET(DISABLED)."
    )


def test_messages_without_a_reason_have_no_explanation() -> None:
    said = notice(ENDING)
    assert said.line == "AMQ8709: The dead-letter handler is ending."
    assert said.row == {"message_id": "AMQ8709", "text": said.text}


def test_ids_are_used_once() -> None:
    assert not set(TEXTS) & set(ERRORS)
    assert all(re.fullmatch(r"AMQ87\d\d|MQSC00\d\d", message_id) for message_id in TEXTS)
    assert all(text[0].isupper() and not text.endswith("..") for text in TEXTS.values())
