"""Messages moved in a unit of work, and backed-out messages moved by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

import mqsc
from mqsc.console.getting import get_or_none
from mqsc.dlq.dead_letter import DeadLetterFilter, dead_letters_on_queue
from mqsc.dlq.handler_run import HandlerArguments
from mqsc.dlq.moving import GET_UNDER_CURSOR, outcome_of, put_in_unit
from mqsc.dlq.planned_put import PlannedPut
from mqsc.dlq.redrive import (
    REDRIVE_OPEN_OPTIONS,
    RedriveRequest,
    RedriveResult,
    preview_redrive,
    redrive,
)
from mqsc.dlq.rules_table import Rule
from mqsc.store.admin.message_origins import MessageOrigins
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO, MQOO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.error import MQError
from mqsc.store.headers.mqdlh import DeadLetterHeader
from mqsc.store.message import GetMessageOptions, Message
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem
from tests.rows import rows
from tests.store.admin.backout_queue import BOQ, back_out, move, put

RETRY = Rule((), "RETRY")
MAY_HANDLE = f"""
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('srv') AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE({DLQ}) OBJTYPE(QUEUE) PRINCIPAL('srv') AUTHADD(GET,BROWSE,INQ,PASSALL)
SET AUTHREC PROFILE(Q1) OBJTYPE(QUEUE) PRINCIPAL('srv') AUTHADD(PASSALL)
"""


@pytest.fixture
def system(system: HandlerSystem) -> HandlerSystem:
    system.define("A", "B", BOQ)
    return system


def carry_out(system: HandlerSystem, rule: Rule = RETRY, **filter: Any) -> list[RedriveResult]:
    """Run the request after a preview, which must change nothing and have the same results;
    return the results.
    """
    request = RedriveRequest(rule, DeadLetterFilter(**filter))
    dead_letters = dead_letters_on_queue(system.seen(BOQ), MessageOrigins(system.qmgr, BOQ).of)
    before = (system.history("GET", "PUT", "BACKOUT", "OPEN"), system.seen(BOQ))
    foreseen = list(
        preview_redrive(system.qmgr, BOQ, dead_letters, request, PutPreview(system.qmgr, BOQ)),
    )
    assert (system.history("GET", "PUT", "BACKOUT", "OPEN"), system.seen(BOQ)) == before
    with system.qmgr.connect("operator") as connection:
        results = list(started(connection, request))
    assert outcomes(foreseen) == outcomes(results)
    return results


def started(
    connection: Connection,
    request: RedriveRequest | None = None,
    queue: str = BOQ,
) -> Iterator[RedriveResult]:
    request = request or RedriveRequest(RETRY, DeadLetterFilter())
    return redrive(connection.open(queue, REDRIVE_OPEN_OPTIONS), request, lambda: False)


def outcomes(results: Iterable[RedriveResult]) -> list[tuple[str, str, int]]:
    return [(each.target[0] if each.target else "", each.outcome, each.reason) for each in results]


@pytest.mark.parametrize("by_hand", [False, True])
def test_each_message_goes_back_where_it_came_from(system: HandlerSystem, by_hand: bool) -> None:
    for queue in ("A", "B", "A"):
        back_out(system.qmgr, queue, queue.lower(), by_hand=by_hand, backouts=2)
    before = system.seen(BOQ)
    assert outcomes(carry_out(system)) == [("A", "moved", 0), ("B", "moved", 0), ("A", "moved", 0)]
    assert (system.on("A"), system.on("B"), system.on(BOQ)) == (["a", "a"], ["b"], [])
    for field in ("msg_id", "correl_id", "put_appl_name", "put_time", "format", "user_identifier"):
        assert getattr(system.seen("B")[0].descriptor, field) == getattr(
            before[1].descriptor,
            field,
        ), field
    assert system.seen("A")[0].descriptor.backout_count == 0
    event = system.history("REQUEUE")[-1]
    assert (event["cause"], event["queue"], event["target"], event["reason"]) == (
        "command",
        BOQ,
        "A",
        None,
    )
    assert json.loads(event["detail"]) == {"destination": "A", "destination_queue_manager": ""}


def test_a_message_of_unknown_origin_stays(system: HandlerSystem) -> None:
    """It can be forwarded, even by a command that removes dead-letter headers, or be discarded."""
    put(system.qmgr, BOQ, "x")
    assert outcomes(carry_out(system)) == [("", "no header", 0)]
    assert (outcomes(carry_out(system, Rule((), "FWD", "A", "", "NO"))), system.on("A")) == (
        [("A", "moved", 0)],
        ["x"],
    )


@rows(
    (lambda system: system.delete("A"), ("A", "failed", 2085)),
    (lambda system: system.alter("A", PUT="DISABLED"), ("A", "failed", 2051)),
    (lambda system: system.alter("A", MAXDEPTH=0), ("A", "failed", 2053)),
    (lambda system: system.alter("A", MAXMSGL=1), ("A", "failed", 2030)),
    (lambda system: becomes(system, "QMODEL"), ("A", "failed", 2057)),
    (lambda system: becomes(system, "QALIAS", TARGET="B"), ("A", "moved", 0)),
    (lambda system: becomes(system, "QALIAS", TARGET="NONE"), ("A", "failed", 2082)),
    (lambda system: becomes(system, "QALIAS", TARGET=BOQ), ("A", "leads back", 0)),
    (lambda system: becomes(system, "QREMOTE", RNAME="A", RQMNAME="QM2"), ("A", "failed", 2087)),
)
def test_the_origin_is_not_what_it_was(
    system: HandlerSystem,
    change: Any,
    expected: tuple[str, str, int],
) -> None:
    back_out(system.qmgr, "A", "poison")
    change(system)
    assert outcomes(carry_out(system)) == [expected]
    assert (system.on(BOQ) == ["poison"]) is (expected[1] != "moved")
    assert all(each.descriptor.backout_count == 0 for each in system.seen(BOQ))


def becomes(system: HandlerSystem, kind: str, **attributes: Any) -> None:
    system.delete("A")
    system.define("A", kind=kind, **attributes)


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
    assert outcomes(carry_out(system)) == [
        ("B", "moved", 0),
        ("A", "moved", 0),
        ("", "no header", 0),
    ]
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
        assert outcomes(started(connection, queue="ASIDE")) == [("A", "moved", 0)]


def test_a_message_that_another_program_holds(system: HandlerSystem) -> None:
    """It is skipped, and the others are moved."""
    for data in ("x", "y"):
        back_out(system.qmgr, "A", data)
    with system.qmgr.connect() as other, system.qmgr.connect() as connection:
        held = started(other)
        next(held)
        assert (outcomes(started(connection)), list(held)) == ([("A", "moved", 0)], [])
    assert (system.on("A"), system.on(BOQ)) == (["x", "y"], [])


def test_rules_do_not_apply(system: HandlerSystem) -> None:
    """The handler reports messages without an MQDLH and leaves them, whatever the history says
    (trap 21).
    """
    back_out(system.qmgr, "A", "x")
    ran = system.run("WAIT(NO)\nACTION(RETRY)\n", HandlerArguments(queue=BOQ))
    assert (ran.ids, system.on(BOQ), system.on("A")) == (["AMQ8721"], ["x"], [])


def test_the_context_of_a_message_is_kept(system: HandlerSystem) -> None:
    """Including its remaining lifetime, which also decreased on the backout queue."""
    put(system.qmgr, "A", "x", expiry=600, persistence=1)
    move(system.qmgr, "A")
    system.clock.advance(20)
    carry_out(system)
    with system.qmgr.connect() as connection:
        message = connection.open("A", MQOO.INPUT_SHARED).get()
    assert (message.descriptor.expiry, message.descriptor.persistence) == (400, 1)


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


def test_a_get_returns_nothing_if_the_message_is_gone(
    queue: ObjectHandle,
    system: HandlerSystem,
) -> None:
    """One that fails otherwise raises."""
    system.take()
    assert get_or_none(queue, GET_UNDER_CURSOR) is None
    assert get_or_none(queue, BROWSE) is None
    system.alter(DLQ, GET="DISABLED")
    with pytest.raises(MQError, match="2016 MQRC_GET_INHIBITED"):
        get_or_none(queue, GET_UNDER_CURSOR)


@pytest.mark.parametrize("authority", [None, "alice", ""])
def test_the_put_and_the_get_are_one_unit_of_work(
    queue: ObjectHandle,
    system: HandlerSystem,
    authority: str | None,
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


@rows(
    ("NONE", {}, MQRC.UNKNOWN_OBJECT_NAME),
    ("FULL", {}, MQRC.Q_FULL),
    ("R", {"priority": 10}, MQRC.PRIORITY_EXCEEDS_MAXIMUM),
    ("R", {"format": "\ud800"}, MQRC.FORMAT_ERROR),
)
def test_failures_and_warnings_of_a_put(
    queue: ObjectHandle,
    system: HandlerSystem,
    target: str,
    changes: dict[str, Any],
    reason: int,
) -> None:
    """T28: a warning counts as a failure."""
    system.define("FULL", MAXDEPTH=0)
    message = get_or_none(queue, GET_UNDER_CURSOR)
    assert message is not None
    descriptor = MessageDescriptor(persistence=0, priority=changes.get("priority", 0))
    # A header's Format can hold bytes that are not text, which no descriptor accepts.
    Struct.__setattr__(descriptor, "format", changes.get("format", ""))
    assert put_in_unit(queue, replace(put_of(message, target), descriptor=descriptor)) == reason


def test_z109_the_user_of_the_message_is_asked_with_putaut_ctx(system: HandlerSystem) -> None:
    """The handler's own user may name another one only with ALTUSR; a put that is refused is one
    that failed.
    """
    system.define("Q1")
    system.put_dead_letter("m", user_identifier="app")
    system.store.add_user("srv", "a password")
    mqsc.run(system.qmgr, MAY_HANDLE, check=True)
    for grant in (
        "OBJTYPE(QMGR) PRINCIPAL('srv') AUTHADD(ALTUSR)",
        "PROFILE(Q1) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)",
    ):
        assert (
            system.run("ACTION(RETRY) RETRY(1) PUTAUT(CTX)", HandlerArguments(user="srv")).code == 0
        )
        assert (system.on(DLQ), system.on("Q1")) == (["m"], [])
        mqsc.run(system.qmgr, f"SET AUTHREC {grant}", check=True)
    assert system.run("ACTION(RETRY) RETRY(1) PUTAUT(CTX)", HandlerArguments(user="srv")).code == 0
    assert (system.on(DLQ), system.on("Q1")) == ([], ["m"])


PUT = PlannedPut("R", "QM1", MessageDescriptor(), b"")
TO = {"destination": "Q1", "destination_queue_manager": "QM2"}


@rows(
    (
        Rule((), "RETRY", line=7),
        PUT,
        2053,
        3,
        ("REQUEUE", "handler", "R", 2053, "7", {**TO, "attempt": 3}),
    ),
    (Rule((), "FWD", line=7), PUT, 2053, None, ("FORWARD", "handler", "R", 2053, "7", TO)),
    (Rule((), "DISCARD"), None, 2053, None, ("DISCARD", "handler", None, 2053, None, TO)),
    (
        Rule((), "DISCARD"),
        None,
        0,
        0,
        ("DISCARD", "handler", None, None, None, {**TO, "attempt": 0}),
    ),
)
def test_what_the_history_records(
    rule: Rule,
    put: PlannedPut | None,
    reason: int,
    attempt: int | None,
    recorded: tuple[Any, ...],
) -> None:
    header = replace(HEADER, reason=reason)
    assert outcome_of(rule, put, header, "handler", attempt) == MessageOutcome(*recorded)
