"""Dead letters moved by hand: which, whereto, how many, how fast, and how often."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest

from mqsc.dlq.dead_letters import Filter, letters_seen
from mqsc.dlq.redrive import TO_REDRIVE, Order, Step, foresee, redrive
from mqsc.dlq.rules import Rule
from store.admin.put_preview import PutPreview
from tests.mqsc.dlq.desk import DLQ, Desk

RETRY = Rule((), "RETRY")
FORWARD = Rule((), "FWD", "REST")
STRIPPED = Rule((), "FWD", "REST", "", "NO")
DISCARD = Rule((), "DISCARD")


def order(rule: Rule = RETRY, **fields: Any) -> Order:
    """An order for all letters unless a filter says otherwise."""
    names = ("limit", "rate", "returns")
    settings = {name: fields.pop(name) for name in names if name in fields}
    return Order(rule, Filter(**fields), **settings)


def carry_out(desk: Desk, order: Order, *, most: int | None = None) -> list[Step]:
    """The steps of a run; with `most` it is stopped after so many."""
    done = 0

    def stopped() -> bool:
        return done == most

    steps = []
    with desk.qmgr.connect("operator") as connection:
        for step in redrive(connection.open(DLQ, TO_REDRIVE), order, stopped):
            done += 1
            steps.append(step)
    return steps


def foreseen(desk: Desk, order: Order) -> list[Step]:
    return list(foresee(desk.qmgr, DLQ, letters_seen(desk.seen(DLQ)), order, PutPreview(desk.qmgr, DLQ)))


def outcomes(steps: list[Step]) -> list[tuple[str, int]]:
    return [(step.ended, step.reason) for step in steps]


@pytest.mark.parametrize(
    ("rule", "queue", "has_header", "kind"),
    [(RETRY, "Q1", False, "REQUEUE"), (FORWARD, "REST", True, "FORWARD"), (STRIPPED, "REST", False, "FORWARD")],
)
def test_a_letter_is_moved(desk: Desk, rule: Rule, queue: str, has_header: bool, kind: str) -> None:
    desk.define("Q1", "REST")
    desk.letter("x", user_identifier="alice", put_date="20240101", put_time="00000001")
    assert outcomes(carry_out(desk, order(rule))) == [("moved", 0)]
    (moved,) = desk.seen(queue)
    assert moved.body.startswith(b"DLH ") is has_header
    assert (moved.descriptor.user_identifier, moved.descriptor.put_date) == ("alice", "20240101")
    (event,) = desk.history(kind)
    assert (event["cause"], event["target"], event["rule"], event["application"]) == (
        "command",
        queue,
        None,
        "operator",
    )
    assert json.loads(event["detail"]) == {"destination": "Q1", "destination_queue_manager": "QM1"}


def test_letters_are_thrown_away(desk: Desk) -> None:
    desk.letter("x")
    desk.put(DLQ, b"odd")
    assert outcomes(carry_out(desk, order(DISCARD))) == [("moved", 0)] * 2
    assert [(row["cause"], row["reason"]) for row in desk.history("DISCARD")] == [("command", 2053), ("command", None)]


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
def test_only_those_that_are_meant(desk: Desk, wanted: dict[str, Any], left: list[str]) -> None:
    desk.letter("a")
    desk.letter("b", reason=2051)
    desk.clock.advance(60)
    desk.letter("c", dest_q_name="OTHER")
    assert len(foreseen(desk, order(DISCARD, **wanted))) == 3 - len(left)
    carry_out(desk, order(DISCARD, **wanted))
    assert desk.on(DLQ) == left


def test_what_cannot_be_put_stays_and_the_others_go_on(desk: Desk) -> None:
    desk.define("Q1", MAXDEPTH=1)
    for data in ("a", "b"):
        desk.letter(data)
    desk.letter("c", dest_q_name="NOWHERE")
    desk.put(DLQ, b"odd")
    expected = [("moved", 0), ("failed", 2053), ("failed", 2085), ("no header", 0)]
    assert outcomes(foreseen(desk, order())) == expected
    assert outcomes(carry_out(desk, order())) == expected
    assert (desk.on("Q1"), desk.on(DLQ)) == (["a"], ["b", "c", "odd"])


def test_foreseeing_changes_nothing(desk: Desk) -> None:
    desk.define("Q1")
    desk.letter("a", expiry=10)
    desk.letter("b")
    desk.clock.advance(5)
    before = [tuple(row.values()) for row in desk.history("GET", "PUT", "BACKOUT", "EXPIRE", "OPEN")]
    assert outcomes(foreseen(desk, order())) == [("moved", 0)]
    assert [tuple(row.values()) for row in desk.history("GET", "PUT", "BACKOUT", "EXPIRE", "OPEN")] == before
    assert len(desk.seen(DLQ)) == 2


def test_no_more_than_the_limit(desk: Desk) -> None:
    desk.define("Q1")
    for number in range(5):
        desk.letter(f"{number}")
    assert len(foreseen(desk, order(limit=3))) == 3
    assert len(carry_out(desk, order(limit=3))) == 3
    assert desk.on(DLQ) == ["3", "4"]


def test_a_run_that_was_stopped_goes_on(desk: Desk) -> None:
    """Each letter is a unit of work of its own: the next run begins where the one before ended."""
    desk.define("Q1")
    for number in range(5):
        desk.letter(f"{number}")
    carry_out(desk, order(), most=2)
    assert (desk.on("Q1"), desk.on(DLQ)) == (["0", "1"], ["2", "3", "4"])
    carry_out(desk, order())
    assert desk.on("Q1") == ["0", "1", "2", "3", "4"]


def test_a_program_that_dies_in_the_middle_loses_nothing(desk: Desk) -> None:
    desk.define("Q1")
    desk.letter("a")
    desk.letter("b")
    connection = desk.qmgr.connect()
    steps = redrive(connection.open(DLQ, TO_REDRIVE), order(), lambda: False)
    assert len(list(islice(steps, 1))) == 1
    connection.abend()
    assert (desk.on("Q1"), desk.on(DLQ)) == (["a"], ["b"])


@pytest.mark.parametrize(("rate", "seconds"), [(None, 0), (1, 3), (0.5, 6)])
def test_no_faster_than_the_rate(desk: Desk, rate: float | None, seconds: int) -> None:
    desk.define("Q1")
    for number in range(4):
        desk.letter(f"{number}")
    carry_out(desk, order(rate=rate))
    assert desk.clock.seconds == seconds


def test_a_letter_that_keeps_coming_back_is_left(desk: Desk) -> None:
    """Its consumer dead-letters it again each time: after three times it stays, until more are allowed."""
    desk.define("Q1")
    desk.letter("x", msg_id=b"again", correl_id=b"c")
    for _ in range(3):
        assert outcomes(carry_out(desk, order())) == [("moved", 0)]
        dead_letter_again(desk)
    for steps in (foreseen(desk, order()), carry_out(desk, order())):
        assert [(step.ended, step.times) for step in steps] == [("returned", 3)]
    assert outcomes(carry_out(desk, order(returns=4))) == [("moved", 0)]


def test_another_letter_with_the_same_id_is_another(desk: Desk) -> None:
    desk.define("Q1")
    for number in range(5):
        desk.letter("x", msg_id=b"same", correl_id=b"%d" % number)
    assert outcomes(carry_out(desk, order())) == [("moved", 0)] * 5


def test_one_run_does_not_go_round(desk: Desk) -> None:
    """The target is an alias of the queue itself: the run ends."""
    desk.define("REST", kind="QALIAS", TARGET=DLQ)
    desk.letter("x")
    steps = carry_out(desk, order(FORWARD))
    assert [step.ended for step in steps] == ["moved"] * 3 + ["returned"]


def dead_letter_again(desk: Desk) -> None:
    with desk.qmgr.connect() as connection:
        connection.open("Q1", 1).get()
    desk.letter("x", msg_id=b"again", correl_id=b"c")
