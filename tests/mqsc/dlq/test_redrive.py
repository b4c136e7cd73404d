"""Dead letters moved by hand: selection, targets, limits, rate and returned messages."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from mqsc.dlq.dead_letter import DeadLetterFilter, dead_letters_from_messages, dead_letters_on_queue
from mqsc.dlq.redrive import (
    REDRIVE_OPEN_OPTIONS,
    RedriveRequest,
    RedriveResult,
    preview_redrive,
    redrive,
)
from mqsc.dlq.rules_table import Rule
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh
from mqsc.store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HEADER, SECOND, HandlerSystem
from tests.rows import rows

RETRY = Rule((), "RETRY")
FORWARD = Rule((), "FWD", "REST")
STRIPPED = Rule((), "FWD", "REST", "", "NO")
DISCARD = Rule((), "DISCARD")


def order(rule: Rule = RETRY, **fields: Any) -> RedriveRequest:
    """Return a request for all messages, or for those that a filter selects."""
    names = ("limit", "rate", "returns")
    settings = {name: fields.pop(name) for name in names if name in fields}
    return RedriveRequest(rule, DeadLetterFilter(**fields), **settings)


def carry_out(
    system: HandlerSystem,
    order: RedriveRequest,
    *,
    most: int | None = None,
) -> list[RedriveResult]:
    """Run the request, stopping after `most` messages; return the results."""
    steps: list[RedriveResult] = []
    with system.qmgr.connect("operator") as connection:
        for step in redrive(
            connection.open(DLQ, REDRIVE_OPEN_OPTIONS),
            order,
            lambda: len(steps) == most,
        ):
            steps.append(step)
    return steps


def previewed(system: HandlerSystem, order: RedriveRequest) -> list[RedriveResult]:
    letters = dead_letters_on_queue(system.seen(DLQ))
    return list(preview_redrive(system.qmgr, DLQ, letters, order, PutPreview(system.qmgr, DLQ)))


def outcomes(steps: list[RedriveResult]) -> list[tuple[str, int]]:
    return [(step.outcome, step.reason) for step in steps]


@rows(
    (RETRY, "Q1", False, "REQUEUE"),
    (FORWARD, "REST", True, "FORWARD"),
    (STRIPPED, "REST", False, "FORWARD"),
)
def test_a_dead_letter_is_moved(
    system: HandlerSystem,
    rule: Rule,
    queue: str,
    has_header: bool,
    kind: str,
) -> None:
    system.define("Q1", "REST")
    system.put_dead_letter("x", user_identifier="alice", put_date="20240101", put_time="00000001")
    assert outcomes(carry_out(system, order(rule))) == [("moved", 0)]
    (moved,) = system.seen(queue)
    assert moved.body.startswith(b"DLH ") is has_header
    assert (moved.descriptor.user_identifier, moved.descriptor.put_date) == ("alice", "20240101")
    (event,) = system.history(kind)
    told = [event[word] for word in ("cause", "target", "rule", "application")]
    assert told == ["command", queue, None, "operator"]
    assert json.loads(event["detail"]) == {"destination": "Q1", "destination_queue_manager": "QM1"}


def test_a_message_that_another_program_has_locked_is_passed_over(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letters("a", "b")
    with system.locking(b"letter 1"):
        foreseen = previewed(system, order())
        assert [step.dead_letter.number for step in foreseen] == [2]
        assert outcomes(carry_out(system, order())) == outcomes(foreseen)
        assert system.on(DLQ) == ["a"]


def test_dead_letters_are_discarded(system: HandlerSystem) -> None:
    system.put_dead_letter("x")
    system.put(DLQ, b"odd")
    assert outcomes(carry_out(system, order(DISCARD))) == [("moved", 0)] * 2
    told = [(row["cause"], row["reason"]) for row in system.history("DISCARD")]
    assert told == [("command", 2053), ("command", None)]


@rows(
    ({}, []),
    ({"reasons": frozenset({2051})}, ["a", "c"]),
    ({"destination": "Q*"}, ["c"]),
    ({"older_than": 60_000_000}, ["c"]),
    ({"msg_id": b"letter 3"}, ["a", "b"]),
)
def test_only_selected_messages(
    system: HandlerSystem,
    wanted: dict[str, Any],
    left: list[str],
) -> None:
    system.put_dead_letter("a")
    system.put_dead_letter("b", reason=2051)
    system.clock.advance(60)
    system.put_dead_letter("c", dest_q_name="OTHER")
    assert len(previewed(system, order(DISCARD, **wanted))) == 3 - len(left)
    carry_out(system, order(DISCARD, **wanted))
    assert system.on(DLQ) == left


def test_a_failed_put_leaves_its_message_and_the_run_continues(system: HandlerSystem) -> None:
    system.define("Q1", MAXDEPTH=1)
    system.put_dead_letters("a", "b")
    system.put_dead_letter("c", dest_q_name="NOWHERE")
    system.put(DLQ, b"odd")
    expected = [("moved", 0), ("failed", 2053), ("failed", 2085), ("no header", 0)]
    assert (outcomes(previewed(system, order())), outcomes(carry_out(system, order()))) == (
        expected,
        expected,
    )
    assert (system.on("Q1"), system.on(DLQ)) == (["a"], ["b", "c", "odd"])


def test_a_preview_changes_nothing(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letter("a", expiry=10)
    system.put_dead_letter("b")
    system.clock.advance(5)
    before = [
        tuple(row.values()) for row in system.history("GET", "PUT", "BACKOUT", "EXPIRE", "OPEN")
    ]
    assert outcomes(previewed(system, order())) == [("moved", 0)]
    assert [
        tuple(row.values()) for row in system.history("GET", "PUT", "BACKOUT", "EXPIRE", "OPEN")
    ] == before
    assert len(system.seen(DLQ)) == 2


def test_a_run_continues_after_its_limit_or_a_stop(system: HandlerSystem) -> None:
    """Each message is moved in its own unit of work, so the next run begins where the previous
    one stopped.
    """
    system.define("Q1")
    system.put_dead_letters(*"01234567")
    assert (len(previewed(system, order(limit=3))), len(carry_out(system, order(limit=3)))) == (
        3,
        3,
    )
    carry_out(system, order(), most=2)
    assert (system.on("Q1"), system.on(DLQ)) == ([*"01234"], [*"567"])
    carry_out(system, order())
    assert system.on("Q1") == [*"01234567"]


def test_a_program_that_dies_in_the_middle_loses_nothing(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letters("a", "b")
    connection = system.qmgr.connect()
    steps = redrive(connection.open(DLQ, REDRIVE_OPEN_OPTIONS), order(), lambda: False)
    assert len(list(islice(steps, 1))) == 1
    connection.abend()
    assert (system.on("Q1"), system.on(DLQ)) == (["a"], ["b"])


@rows((None, 0), (1, 3), (0.5, 6))
def test_no_faster_than_the_rate(system: HandlerSystem, rate: float | None, seconds: int) -> None:
    system.define("Q1")
    system.put_dead_letters(*"0123")
    carry_out(system, order(rate=rate))
    assert system.clock.seconds == seconds


def test_a_message_that_keeps_being_returned_is_skipped(system: HandlerSystem) -> None:
    """Its consumer dead-letters it each time. After three times it stays, unless more are
    allowed.
    """
    system.define("Q1")
    system.put_dead_letter("x", msg_id=b"again", correl_id=b"c")
    for _ in range(3):
        assert outcomes(carry_out(system, order())) == [("moved", 0)]
        dead_letter_again(system)
    for steps in (previewed(system, order()), carry_out(system, order())):
        assert [(step.outcome, step.times) for step in steps] == [("returned", 3)]
    assert outcomes(carry_out(system, order(returns=4))) == [("moved", 0)]


def test_messages_with_the_same_msg_id_are_counted_by_correl_id(system: HandlerSystem) -> None:
    system.define("Q1")
    for number in range(5):
        system.put_dead_letter("x", msg_id=b"same", correl_id=b"%d" % number)
    assert outcomes(carry_out(system, order())) == [("moved", 0)] * 5


def test_a_run_ends_although_its_target_leads_back(system: HandlerSystem) -> None:
    system.define("REST", kind="QALIAS", TARGET=DLQ)
    system.put_dead_letter("x")
    assert (outcomes(carry_out(system, order(FORWARD))), system.on(DLQ)) == ([("moved", 0)], ["x"])


@pytest.mark.parametrize("seconds", [0, 1])
def test_messages_with_the_same_ids_did_not_come_back(system: HandlerSystem, seconds: int) -> None:
    """Only moves before a message's arrival, and before the run, count for it."""
    system.define("Q1")
    system.put_dead_letters(*"x" * 20, msg_id=b"same")
    system.clock.advance(seconds)
    assert outcomes(previewed(system, order(limit=10))) == [("moved", 0)] * 10
    for limit in (10, 5, 5) if seconds else (10,):
        assert outcomes(carry_out(system, order(limit=limit))) == [("moved", 0)] * limit


def test_a_put_that_would_fail_does_not_touch_the_message(system: HandlerSystem) -> None:
    """It is not got, so its BackoutCount does not change."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    assert (outcomes(carry_out(system, order())), system.history("GET", "BACKOUT")) == (
        [("failed", 2085)],
        [],
    )
    assert system.seen(DLQ)[0].descriptor.backout_count == 0


def test_a_message_for_the_queue_itself_keeps_its_header(system: HandlerSystem) -> None:
    system.define("BACK", kind="QALIAS", TARGET=DLQ)
    for destination in (DLQ, "BACK"):
        system.put_dead_letter("x", dest_q_name=destination)
    before = system.seen(DLQ)
    for steps in (previewed(system, order()), carry_out(system, order())):
        assert [step.outcome for step in steps] == ["leads back"] * 2
    assert system.seen(DLQ) == before


def test_a_message_that_cannot_be_saved_stays(system: HandlerSystem) -> None:
    """`save` gets each message complete, before it is removed."""
    saved: list[bytes] = []

    def save(message: Message) -> None:
        saved.append(message.body[-5:])
        if len(saved) == 2:
            raise OSError

    system.put_dead_letters("first", "other")
    with pytest.raises(OSError):
        carry_out(system, replace(order(DISCARD), save=save))
    assert (saved, system.on(DLQ)) == ([b"first", b"other"], ["other"])


def dead_letter_again(system: HandlerSystem) -> None:
    with system.qmgr.connect() as connection:
        connection.open("Q1", 1).get()
    system.put_dead_letter("x", msg_id=b"again", correl_id=b"c")


PUT_AT, MINUTE = 1_000 * SECOND, 60 * SECOND


def message(body: bytes = mqdlh.pack_mqdlh(HEADER) + b"hello") -> Message:
    descriptor = MessageDescriptor(msg_id=b"m", coded_char_set_id=1208)
    descriptor.put_at = PUT_AT
    return Message(body, descriptor)


@rows(
    *((wanted, True) for wanted in ({}, {"msg_id": b"m"}, {"older_than": 5 * MINUTE})),
    *(
        ({"reasons": frozenset(reasons)}, 2053 in reasons)
        for reasons in ((2053,), (2051, 2053), (2051,))
    ),
    *(({"destination": destination}, True) for destination in ("Q1", "Q*", "*")),
    *(({"destination": destination}, False) for destination in ("Q", "q1")),
    *(({"older_than": 5 * MINUTE + 1}, False), ({"msg_id": b"mm"}, False)),
    ({"destination": "Q1", "reasons": frozenset({2051})}, False),
)
def test_a_filter(wanted: dict[str, Any], takes: bool) -> None:
    (letter,) = dead_letters_from_messages([message()])
    assert DeadLetterFilter(**wanted).selects(letter, PUT_AT + 5 * MINUTE) is takes
    assert DeadLetterFilter(**wanted).selects_all is (not wanted)


@rows(
    ({}, True),
    ({"msg_id": b"m"}, True),
    ({"reasons": frozenset({2053})}, False),
    ({"destination": "*"}, False),
)
def test_a_message_without_header_has_no_reason_and_no_destination(
    wanted: dict[str, Any],
    takes: bool,
) -> None:
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
    for most in (None, mqdlh.MQDLH_LENGTH):
        (letter,) = dead_letters_on_queue(peek(system.qmgr, DLQ, most))
        assert (letter.header, letter.length, letter.fault) == (
            None,
            0,
            "not an MQDLH: 0 bytes instead of 172",
        )
