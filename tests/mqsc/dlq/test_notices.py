"""What the handler says (dlq-rules §5)."""

from __future__ import annotations

import re

import pytest

from mqsc.dlq.errors import ERRORS
from mqsc.dlq.notices import (
    CLOSE,
    CONNECT,
    DISCONNECT,
    END,
    GET,
    OPEN,
    PUT_FAILED,
    TEXTS,
    Call,
    notice,
    of_failure,
)
from store.error import MQError


@pytest.mark.parametrize(
    ("call", "reason", "message_id"),
    [
        *((CONNECT, reason, "AMQ8741") for reason in (2035, 2058, 2059, 2161, 2162, 2102, 2071, 2063)),
        (CONNECT, 2195, "AMQ8761"),
        *(
            (OPEN, reason, "AMQ8745")
            for reason in (2001, 2017, 2035, 2042, 2063, 2071, 2082, 2085, 2101, 2102, 2161, 2162)
        ),
        (OPEN, 2195, "AMQ8765"),
        (CLOSE, 2195, "AMQ8766"),
        *((GET, reason, "AMQ8748") for reason in (2016, 2041, 2052, 2102, 2071)),
        (GET, 2195, "AMQ8767"),
        (END, 2195, "AMQ8768"),
        (END, 2102, "AMQ8749"),
        (DISCONNECT, 2195, "AMQ8769"),
    ],
)
def test_a_call_that_fails(call: Call, reason: int, message_id: str) -> None:
    said = of_failure(call, MQError(reason), "DLQ")
    assert said.message_id == message_id
    assert f"completion code 2, reason {reason} MQRC_" in said.text
    assert said.about["reason"] == reason


def test_a_put_that_fails() -> None:
    said = notice(PUT_FAILED, line=7, target="Q1", reason=2053, name="MQRC_Q_FULL", msg_id="AB")
    assert said.text == "The put of the rule in line 7 to Q1 failed: reason 2053 MQRC_Q_FULL, MsgId AB."


def test_ids_are_used_once() -> None:
    assert not set(TEXTS) & set(ERRORS)
    assert all(re.fullmatch(r"AMQ87\d\d|MQSC00\d\d", message_id) for message_id in TEXTS)
    assert all(text[0].isupper() and not text.endswith("..") for text in TEXTS.values())
