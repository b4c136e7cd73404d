"""Messages of a backout queue moved by hand: back to their origin, or the reason why not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mqsc.dlq.handler_run import HandlerArguments
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
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.history import MessageOrigins
from store.admin.put_preview import PutPreview
from store.catalog import KINDS
from store.constants import MQOO
from tests.mqsc.dlq.handler_system import HandlerSystem
from tests.store.admin.backout_queue import BOQ, back_out, move, put

RETRY = Rule((), "RETRY")


@pytest.fixture
def system(system: HandlerSystem) -> HandlerSystem:
    system.define("A", "B", BOQ)
    return system


def carry_out(system: HandlerSystem, rule: Rule = RETRY, **filter: Any) -> list[RedriveResult]:
    """Run the request after a preview, which must change nothing and have the same results; return the results."""
    request = RedriveRequest(rule, DeadLetterFilter(**filter))
    dead_letters = dead_letters_on_queue(system.seen(BOQ), MessageOrigins(system.qmgr, BOQ).of)
    before = (system.history("GET", "PUT", "BACKOUT", "OPEN"), system.seen(BOQ))
    foreseen = list(preview_redrive(system.qmgr, BOQ, dead_letters, request, PutPreview(system.qmgr, BOQ)))
    assert (system.history("GET", "PUT", "BACKOUT", "OPEN"), system.seen(BOQ)) == before
    with system.qmgr.connect("operator") as connection:
        results = list(redrive(connection.open(BOQ, REDRIVE_OPEN_OPTIONS), request, lambda: False))
    assert outcomes(foreseen) == outcomes(results)
    return results


def outcomes(results: list[RedriveResult]) -> list[tuple[str, str, int]]:
    return [(each.target[0] if each.target else "", each.outcome, each.reason) for each in results]


@pytest.mark.parametrize("by_hand", [False, True])
def test_each_message_goes_back_where_it_came_from(system: HandlerSystem, by_hand: bool) -> None:
    for queue in ("A", "B", "A"):
        back_out(system.qmgr, queue, queue.lower(), by_hand=by_hand, backouts=2)
    before = system.seen(BOQ)
    assert outcomes(carry_out(system)) == [("A", "moved", 0), ("B", "moved", 0), ("A", "moved", 0)]
    assert (system.on("A"), system.on("B"), system.on(BOQ)) == (["a", "a"], ["b"], [])
    for field in ("msg_id", "correl_id", "put_appl_name", "put_time", "format", "user_identifier"):
        assert getattr(system.seen("B")[0].descriptor, field) == getattr(before[1].descriptor, field), field
    assert system.seen("A")[0].descriptor.backout_count == 0
    event = system.history("REQUEUE")[-1]
    assert (event["cause"], event["queue"], event["target"], event["reason"]) == ("command", BOQ, "A", None)
    assert json.loads(event["detail"]) == {"destination": "A", "destination_queue_manager": ""}


def test_a_message_of_unknown_origin_stays(system: HandlerSystem) -> None:
    """It can be forwarded, even by a command that removes dead-letter headers, or be discarded."""
    put(system.qmgr, BOQ, "x")
    assert outcomes(carry_out(system)) == [("", "no header", 0)]
    assert outcomes(carry_out(system, Rule((), "FWD", "A", "", "NO"))) == [("A", "moved", 0)]
    assert system.on("A") == ["x"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda system: delete(system.qmgr, KINDS["QLOCAL"], "A"), ("A", "failed", 2085)),
        (lambda system: system.alter("A", PUT="DISABLED"), ("A", "failed", 2051)),
        (lambda system: fill(system, depth=1), ("A", "failed", 2053)),
        (lambda system: system.alter("A", MAXMSGL=1), ("A", "failed", 2030)),
        (lambda system: becomes(system, "QMODEL"), ("A", "failed", 2057)),
        (lambda system: becomes(system, "QALIAS", TARGET="B"), ("A", "moved", 0)),
        (lambda system: becomes(system, "QALIAS", TARGET="NONE"), ("A", "failed", 2082)),
        (lambda system: becomes(system, "QALIAS", TARGET=BOQ), ("A", "leads back", 0)),
        (lambda system: becomes(system, "QREMOTE", RNAME="A", RQMNAME="QM2"), ("A", "failed", 2087)),
    ],
)
def test_the_origin_is_not_what_it_was(system: HandlerSystem, change: Any, expected: tuple[str, str, int]) -> None:
    back_out(system.qmgr, "A", "poison")
    change(system)
    assert outcomes(carry_out(system)) == [expected]
    assert (system.on(BOQ) == ["poison"]) is (expected[1] != "moved")
    assert all(each.descriptor.backout_count == 0 for each in system.seen(BOQ))


def fill(system: HandlerSystem, depth: int) -> None:
    system.alter("A", MAXDEPTH=depth)
    put(system.qmgr, "A", "y")


def becomes(system: HandlerSystem, kind: str, **attributes: Any) -> None:
    delete(system.qmgr, KINDS["QLOCAL"], "A")
    create(system.qmgr, KINDS[kind], "A", attributes)


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_message_that_comes_back_three_times_stays(system: HandlerSystem, by_hand: bool) -> None:
    put(system.qmgr, "A", "poison")
    for _ in range(3):
        move(system.qmgr, "A", by_hand=by_hand)
        system.clock.advance(1)
        assert outcomes(carry_out(system)) == [("A", "moved", 0)]
    move(system.qmgr, "A", by_hand=by_hand)
    (result,) = carry_out(system)
    assert (result.outcome, result.times) == ("returned", 3)


def test_dead_letters_among_them(system: HandlerSystem) -> None:
    """Dead letters go where their header says, the others where the history says."""
    system.put_dead_letter("letter", BOQ, dest_q_name="B")
    back_out(system.qmgr, "A", "plain")
    system.put(BOQ, b"damaged", format="MQDEAD")
    assert outcomes(carry_out(system)) == [("B", "moved", 0), ("A", "moved", 0), ("", "no header", 0)]
    assert (system.on("A"), system.on("B"), system.on(BOQ)) == (["plain"], ["letter"], ["damaged"])
    assert outcomes(carry_out(system, Rule((), "FWD", "A", "", "NO"))) == [("", "no header", 0)]


def test_messages_are_selected_by_their_origin(system: HandlerSystem) -> None:
    for queue in ("A", "B"):
        back_out(system.qmgr, queue, queue)
    put(system.qmgr, BOQ, "x")
    assert outcomes(carry_out(system, destination="B*")) == [("B", "moved", 0)]
    assert carry_out(system, reasons=frozenset({2362})) == []


def test_back_from_where_it_was_set_aside(system: HandlerSystem) -> None:
    """The origin of a forwarded message is still known."""
    system.define("ASIDE")
    back_out(system.qmgr, "A", "x")
    assert outcomes(carry_out(system, Rule((), "FWD", "ASIDE"))) == [("ASIDE", "moved", 0)]
    with system.qmgr.connect() as connection:
        queue = connection.open("ASIDE", REDRIVE_OPEN_OPTIONS)
        assert outcomes(list(redrive(queue, RedriveRequest(RETRY, DeadLetterFilter()), lambda: False))) == [
            ("A", "moved", 0)
        ]


def test_a_message_that_another_program_holds(system: HandlerSystem) -> None:
    """It is skipped, and the others are moved."""
    for data in ("x", "y"):
        back_out(system.qmgr, "A", data)
    with system.qmgr.connect() as other:
        held = redrive(other.open(BOQ, REDRIVE_OPEN_OPTIONS), RedriveRequest(RETRY, DeadLetterFilter()), lambda: False)
        next(held)
        with system.qmgr.connect() as connection:
            queue = connection.open(BOQ, REDRIVE_OPEN_OPTIONS)
            results = list(redrive(queue, RedriveRequest(RETRY, DeadLetterFilter()), lambda: False))
        assert outcomes(results) == [("A", "moved", 0)]
        assert list(held) == []
    assert (system.on("A"), system.on(BOQ)) == (["x", "y"], [])


def test_rules_do_not_apply(system: HandlerSystem) -> None:
    """The handler reports messages without an MQDLH and leaves them, whatever the history says (trap 21)."""
    back_out(system.qmgr, "A", "x")
    ran = system.run("WAIT(NO)\nACTION(RETRY)\n", HandlerArguments(queue=BOQ))
    assert (set(ran.ids), system.on(BOQ), system.on("A")) == ({"AMQ8721"}, ["x"], [])


def test_the_context_of_a_message_is_kept(system: HandlerSystem) -> None:
    """Including its remaining lifetime, which also decreased on the backout queue."""
    put(system.qmgr, "A", "x", expiry=600, persistence=1)
    move(system.qmgr, "A")
    system.clock.advance(20)
    carry_out(system)
    with system.qmgr.connect() as connection:
        message = connection.open("A", MQOO.INPUT_SHARED).get()
    assert (message.descriptor.expiry, message.descriptor.persistence) == (400, 1)
