"""Moving a message in a unit of work: with which authority, and which results count as failures (dlq-rules §4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from mqsc.dlq.redrive import GET_UNDER_CURSOR, get_or_none, outcome_of, put_in_unit
from mqsc.dlq.rules_table import ActionPlan, PlannedPut, Rule
from store.client.api import ObjectHandle
from store.constants import MQGMO, MQOO, MQRC
from store.descriptor import MessageDescriptor
from store.engine.dequeue import MessageOutcome
from store.error import MQError
from store.headers.mqxqh import DeadLetterHeader
from store.message import GetMessageOptions, Message
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem

OPTIONS = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.SAVE_ALL_CONTEXT
BROWSE = GetMessageOptions(MQGMO.BROWSE_FIRST)
HEADER = DeadLetterHeader(2053, "Q1", "QM2", 546, 1208, "MQSTR", 6, "mover", "20240102", "03040506")


@pytest.fixture
def queue(system: HandlerSystem) -> Iterator[ObjectHandle]:
    """The dead-letter queue, with the cursor on its only message; R is another queue."""
    system.define("R", MAXDEPTH=1)
    system.put(DLQ, b"data", user_identifier="alice", persistence=0)
    with system.qmgr.connect("handler", "root") as connection:
        handle = connection.open(DLQ, OPTIONS)
        handle.get(BROWSE)
        yield handle


def put_of(message: Message, queue: str = "R", **more: Any) -> PlannedPut:
    return PlannedPut(queue, "", message.descriptor, message.body, **more)


def test_a_get_returns_nothing_if_the_message_is_gone(queue: ObjectHandle, system: HandlerSystem) -> None:
    with system.qmgr.connect() as other:
        other.open(DLQ, MQOO.INPUT_SHARED).get()
    assert get_or_none(queue, GET_UNDER_CURSOR) is None
    assert get_or_none(queue, BROWSE) is None


def test_a_get_that_fails_otherwise_raises(queue: ObjectHandle, system: HandlerSystem) -> None:
    system.alter(DLQ, GET="DISABLED")
    with pytest.raises(MQError) as refused:
        get_or_none(queue, GET_UNDER_CURSOR)
    assert refused.value.reason == MQRC.GET_INHIBITED


@pytest.mark.parametrize("authority", [None, "alice", ""])
def test_the_put_and_the_get_are_one_unit_of_work(
    queue: ObjectHandle, system: HandlerSystem, authority: str | None
) -> None:
    """Also with PUTAUT(CTX)."""
    message = get_or_none(queue, GET_UNDER_CURSOR)
    assert message is not None
    assert put_in_unit(queue, put_of(message, alternate_user=authority)) is None
    assert (len(system.seen(DLQ)), len(system.seen("R"))) == (0, 0)
    queue.connection.commit()
    (moved,) = system.seen("R")
    assert (moved.body, moved.descriptor.user_identifier, moved.descriptor.msg_id) == (
        b"data",
        "alice",
        message.descriptor.msg_id,
    )


@pytest.mark.parametrize(
    ("target", "changes", "reason"),
    [
        ("NONE", {}, MQRC.UNKNOWN_OBJECT_NAME),
        ("R", {"priority": 10}, MQRC.PRIORITY_EXCEEDS_MAXIMUM),
        ("R", {"format": "\ud800"}, MQRC.FORMAT_ERROR),
    ],
)
def test_failures_and_warnings_of_a_put(queue: ObjectHandle, target: str, changes: dict[str, Any], reason: int) -> None:
    """T28: a warning counts as a failure."""
    message = get_or_none(queue, GET_UNDER_CURSOR)
    assert message is not None
    descriptor = MessageDescriptor(persistence=0, priority=changes.get("priority", 0))
    # A header's Format can hold bytes that are not text, which no descriptor accepts.
    object.__setattr__(descriptor, "format", changes.get("format", ""))
    put = replace(put_of(message, target), descriptor=descriptor)
    assert put_in_unit(queue, put) == reason


def test_a_full_queue_refuses(queue: ObjectHandle, system: HandlerSystem) -> None:
    system.put("R", b"before", persistence=0)
    message = get_or_none(queue, GET_UNDER_CURSOR)
    assert message is not None
    assert put_in_unit(queue, put_of(message)) == MQRC.Q_FULL


PUT = PlannedPut("R", "QM1", MessageDescriptor(), b"")
TO = {"destination": "Q1", "destination_queue_manager": "QM2"}


@pytest.mark.parametrize(
    ("rule", "put", "header", "attempt", "recorded"),
    [
        (
            Rule((), "RETRY", line=7),
            PUT,
            HEADER,
            3,
            MessageOutcome("REQUEUE", "handler", "R", 2053, "7", {**TO, "attempt": 3}),
        ),
        (Rule((), "FWD", line=7), PUT, HEADER, None, MessageOutcome("FORWARD", "handler", "R", 2053, "7", TO)),
        (Rule((), "DISCARD"), None, HEADER, None, MessageOutcome("DISCARD", "handler", None, 2053, None, TO)),
        (
            Rule((), "DISCARD"),
            None,
            replace(HEADER, reason=0),
            0,
            MessageOutcome("DISCARD", "handler", None, None, None, {**TO, "attempt": 0}),
        ),
    ],
)
def test_what_the_history_records(
    rule: Rule, put: PlannedPut | None, header: DeadLetterHeader, attempt: int | None, recorded: MessageOutcome
) -> None:
    assert outcome_of(ActionPlan(rule, put, True), header, "handler", attempt) == recorded
