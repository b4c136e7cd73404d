"""Dead letters moved by hand: selection, targets, limits, rate and returned messages."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from mqsc.dlq.redrive import (
    REDRIVE_OPEN_OPTIONS,
    DeadLetterFilter,
    RedriveRequest,
    RedriveResult,
    dead_letters_on_queue,
    preview_redrive,
    redrive,
)
from mqsc.dlq.rules_table import Rule
from store.admin.put_preview import PutPreview
from store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem

RETRY = Rule((), "RETRY")
FORWARD = Rule((), "FWD", "REST")
STRIPPED = Rule((), "FWD", "REST", "", "NO")
DISCARD = Rule((), "DISCARD")


def order(rule: Rule = RETRY, **fields: Any) -> RedriveRequest:
    """Return a request for all messages, or for those that a filter selects."""
    names = ("limit", "rate", "returns")
    settings = {name: fields.pop(name) for name in names if name in fields}
    return RedriveRequest(rule, DeadLetterFilter(**fields), **settings)


def carry_out(system: HandlerSystem, order: RedriveRequest, *, most: int | None = None) -> list[RedriveResult]:
    """Run the request, stopping after `most` messages; return the results."""
    done = 0

    def stopped() -> bool:
        return done == most

    steps = []
    with system.qmgr.connect("operator") as connection:
        for step in redrive(connection.open(DLQ, REDRIVE_OPEN_OPTIONS), order, stopped):
            done += 1
            steps.append(step)
    return steps


def previewed(system: HandlerSystem, order: RedriveRequest) -> list[RedriveResult]:
    return list(
        preview_redrive(system.qmgr, DLQ, dead_letters_on_queue(system.seen(DLQ)), order, PutPreview(system.qmgr, DLQ))
    )


def outcomes(steps: list[RedriveResult]) -> list[tuple[str, int]]:
    return [(step.outcome, step.reason) for step in steps]


@pytest.mark.parametrize(
    ("rule", "queue", "has_header", "kind"),
    [(RETRY, "Q1", False, "REQUEUE"), (FORWARD, "REST", True, "FORWARD"), (STRIPPED, "REST", False, "FORWARD")],
)
def test_a_dead_letter_is_moved(system: HandlerSystem, rule: Rule, queue: str, has_header: bool, kind: str) -> None:
    system.define("Q1", "REST")
    system.put_dead_letter("x", user_identifier="alice", put_date="20240101", put_time="00000001")
    assert outcomes(carry_out(system, order(rule))) == [("moved", 0)]
    (moved,) = system.seen(queue)
    assert moved.body.startswith(b"DLH ") is has_header
    assert (moved.descriptor.user_identifier, moved.descriptor.put_date) == ("alice", "20240101")
    (event,) = system.history(kind)
    assert (event["cause"], event["target"], event["rule"], event["application"]) == (
        "command",
        queue,
        None,
        "operator",
    )
    assert json.loads(event["detail"]) == {"destination": "Q1", "destination_queue_manager": "QM1"}


def test_dead_letters_are_discarded(system: HandlerSystem) -> None:
    system.put_dead_letter("x")
    system.put(DLQ, b"odd")
    assert outcomes(carry_out(system, order(DISCARD))) == [("moved", 0)] * 2
    assert [(row["cause"], row["reason"]) for row in system.history("DISCARD")] == [
        ("command", 2053),
        ("command", None),
    ]


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        ({}, []),
        ({"reasons": frozenset({2051})}, ["a", "c"]),
        ({"destination": "Q*"}, ["c"]),
        ({"older_than": 60_000_000}, ["c"]),
        ({"msg_id": b"letter 3"}, ["a", "b"]),
    ],
)
def test_only_selected_messages(system: HandlerSystem, wanted: dict[str, Any], left: list[str]) -> None:
    system.put_dead_letter("a")
    system.put_dead_letter("b", reason=2051)
    system.clock.advance(60)
    system.put_dead_letter("c", dest_q_name="OTHER")
    assert len(previewed(system, order(DISCARD, **wanted))) == 3 - len(left)
    carry_out(system, order(DISCARD, **wanted))
    assert system.on(DLQ) == left


def test_a_failed_put_leaves_its_message_and_the_run_continues(system: HandlerSystem) -> None:
    system.define("Q1", MAXDEPTH=1)
    for data in ("a", "b"):
        system.put_dead_letter(data)
    system.put_dead_letter("c", dest_q_name="NOWHERE")
    system.put(DLQ, b"odd")
    expected = [("moved", 0), ("failed", 2053), ("failed", 2085), ("no header", 0)]
    assert outcomes(previewed(system, order())) == expected
    assert outcomes(carry_out(system, order())) == expected
    assert (system.on("Q1"), system.on(DLQ)) == (["a"], ["b", "c", "odd"])


def test_a_preview_changes_nothing(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letter("a", expiry=10)
    system.put_dead_letter("b")
    system.clock.advance(5)
    before = [tuple(row.values()) for row in system.history("GET", "PUT", "BACKOUT", "EXPIRE", "OPEN")]
    assert outcomes(previewed(system, order())) == [("moved", 0)]
    assert [tuple(row.values()) for row in system.history("GET", "PUT", "BACKOUT", "EXPIRE", "OPEN")] == before
    assert len(system.seen(DLQ)) == 2


def test_no_more_than_the_limit(system: HandlerSystem) -> None:
    system.define("Q1")
    for number in range(5):
        system.put_dead_letter(f"{number}")
    assert len(previewed(system, order(limit=3))) == 3
    assert len(carry_out(system, order(limit=3))) == 3
    assert system.on(DLQ) == ["3", "4"]


def test_a_run_continues_after_a_stop(system: HandlerSystem) -> None:
    """Each message is moved in its own unit of work, so the next run begins where the previous one stopped."""
    system.define("Q1")
    for number in range(5):
        system.put_dead_letter(f"{number}")
    carry_out(system, order(), most=2)
    assert (system.on("Q1"), system.on(DLQ)) == (["0", "1"], ["2", "3", "4"])
    carry_out(system, order())
    assert system.on("Q1") == ["0", "1", "2", "3", "4"]


def test_a_program_that_dies_in_the_middle_loses_nothing(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letter("a")
    system.put_dead_letter("b")
    connection = system.qmgr.connect()
    steps = redrive(connection.open(DLQ, REDRIVE_OPEN_OPTIONS), order(), lambda: False)
    assert len(list(islice(steps, 1))) == 1
    connection.abend()
    assert (system.on("Q1"), system.on(DLQ)) == (["a"], ["b"])


@pytest.mark.parametrize(("rate", "seconds"), [(None, 0), (1, 3), (0.5, 6)])
def test_no_faster_than_the_rate(system: HandlerSystem, rate: float | None, seconds: int) -> None:
    system.define("Q1")
    for number in range(4):
        system.put_dead_letter(f"{number}")
    carry_out(system, order(rate=rate))
    assert system.clock.seconds == seconds


def test_a_message_that_keeps_being_returned_is_skipped(system: HandlerSystem) -> None:
    """Its consumer dead-letters it each time. After three times it stays, unless more are allowed."""
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
    steps = carry_out(system, order(FORWARD))
    assert [step.outcome for step in steps] == ["moved"]
    assert system.on(DLQ) == ["x"]


@pytest.mark.parametrize("seconds", [0, 1])
def test_messages_with_the_same_ids_did_not_come_back(system: HandlerSystem, seconds: int) -> None:
    """Only moves before a message's arrival, and before the run, count for it."""
    system.define("Q1")
    for _ in range(10):
        system.put_dead_letter("x", msg_id=b"same")
    system.clock.advance(seconds)
    assert outcomes(previewed(system, order())) == [("moved", 0)] * 10
    assert outcomes(carry_out(system, order())) == [("moved", 0)] * 10


def test_messages_with_the_same_ids_in_several_runs(system: HandlerSystem) -> None:
    system.define("Q1")
    for _ in range(10):
        system.put_dead_letter("x", msg_id=b"same")
    system.clock.advance(1)
    for _ in range(2):
        assert outcomes(carry_out(system, order(limit=5))) == [("moved", 0)] * 5


def test_a_put_that_would_fail_does_not_touch_the_message(system: HandlerSystem) -> None:
    """It is not got, so its BackoutCount does not change."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    assert outcomes(carry_out(system, order())) == [("failed", 2085)]
    assert system.history("GET", "BACKOUT") == []
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

    for data in ("first", "other"):
        system.put_dead_letter(data)
    with pytest.raises(OSError):
        carry_out(system, replace(order(DISCARD), save=save))
    assert (saved, system.on(DLQ)) == ([b"first", b"other"], ["other"])


def dead_letter_again(system: HandlerSystem) -> None:
    with system.qmgr.connect() as connection:
        connection.open("Q1", 1).get()
    system.put_dead_letter("x", msg_id=b"again", correl_id=b"c")
