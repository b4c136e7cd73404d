"""The origin of a message, derived from events."""

from __future__ import annotations

import json
from typing import Any

from mqsc.store.rules import message_origin
from mqsc.store.rules.message_origin import MOST_UNITS, MoveRecord, MovingEvent
from mqsc.store.sql.search import MOVING_COLUMNS
from tests.rows import rows
from tests.store.tables import giving

ID, OTHER, CORREL = b"1" * 24, b"2" * 24, b"c" * 24
ARRIVED = 50
EMPTY = dict.fromkeys(MovingEvent._fields)


def event(kind: str, queue: str | None = None, unit: int | None = 7, **columns: Any) -> MovingEvent:
    given: dict[str, Any] = {"msg_id": ID, "at": 10, "application": "app", "user": "ann", **columns}
    return MovingEvent(**{**EMPTY, "kind": kind, "queue": queue, "unit": unit, **given})


def put(**columns: Any) -> MovingEvent:
    return event("PUT", **{"queue": "BOQ", "put_at": ARRIVED, **columns})


def get(queue: str = "A", **columns: Any) -> MovingEvent:
    return event("GET", queue, **columns)


def poison(queue: str = "A", target: str = "BOQ", **columns: Any) -> MovingEvent:
    return event("REQUEUE", queue, **{"target": target, "cause": "poison", "at": 60, **columns})


def by_command(kind: str, detail: str | None) -> MovingEvent:
    return event(kind, "DLQ", target="BOQ", cause="command", detail=detail)


MEANT = '{"destination": "A", "destination_queue_manager": ""}'
MARKED = '{"mark": "skip backout"}'
BACK = event("BACKOUT", msg_id=None)


def skipped(unit: int, into: int) -> MovingEvent:
    told = {"skipped message": {"msg_id": ID.hex(), "unit": into}}
    return event("BACKOUT", None, unit, msg_id=None, detail=json.dumps(told))


@rows(
    # A consumer, with its events in either order, and without those of a queue that does not record
    # puts, or gets.
    *giving(
        "A",
        [get(), put(), poison()],
        [get(), poison(), put()],
        [get(), poison()],
        [put(), poison()],
    ),
    *giving("A", [poison(target="BOQ.ALIAS")], [get(), put(), poison(target="OLD.ALIAS")]),
    ([poison(target="ELSEWHERE")], "unrecorded"),
    ([poison(), poison("B")], "ambiguous"),
    # It arrived after that move.
    ([poison(at=ARRIVED - 1)], "unrecorded"),
    # A program that moves messages itself, in one unit of work.
    *giving(
        "A",
        [get(), put()],
        [get(correl_id=CORREL), put()],
        [get("B", correl_id=CORREL), get(), put()],
    ),
    ([get("A", correl_id=CORREL), get("B", correl_id=OTHER), put()], "ambiguous"),
    # The get skipped the backout of its unit of work, which moved it to the next unit.
    ([get(detail=MARKED), skipped(7, 8), put(unit=8)], "A"),
    ([get(detail=MARKED), skipped(7, 8), event("BACKOUT", unit=8), put(unit=8)], "put"),
    # Another message with its MsgId did not skip that backout, or skips the next one, which returns
    # the first.
    ([get("B"), get(detail=MARKED), get("C"), skipped(7, 8), put(unit=8)], "A"),
    (
        [
            get(detail=MARKED),
            skipped(7, 8),
            get("B", unit=8, detail=MARKED),
            skipped(8, 9),
            put(unit=9),
        ],
        "B",
    ),
    *giving(
        "put",
        [get(), BACK, put()],
        [get(unit=6), put()],
        [get(msg_id=OTHER), put()],
        [get("BOQ"), put()],
    ),
    *giving("put", [get(unit=None), put(unit=None)], [put()]),
    ([get(), put(cause="stream")], "copy"),
    ([], "unrecorded"),
    ([put(msg_id=OTHER), put(put_at=ARRIVED - 1), put(queue="B")], "unrecorded"),
    # Moved by hand or by a rule: its destination is the same as before.
    ([get("DLQ"), put(), by_command("FORWARD", MEANT)], "A"),
    ([get("DLQ"), put(), by_command("FORWARD", None)], "sent"),
    ([get("DLQ"), put(), by_command("REQUEUE", MEANT)], "sent"),
    # On a manual clock, a message can return at the same time at which it arrived before.
    (
        [
            get(),
            put(),
            poison(),
            event("FORWARD", "BOQ", put_at=ARRIVED),
            get("B", unit=9),
            put(unit=9),
        ],
        "B",
    ),
    (
        [get(), put(), event("DISCARD", "B", put_at=ARRIVED), get("B", unit=9), put(unit=9)],
        "ambiguous",
    ),
    ([get(), put(), get(unit=9), put(unit=9)], "A"),
)
def test_the_origin(events: list[MovingEvent], expected: str) -> None:
    found = learned(events).origin(ID, None, ARRIVED)
    assert (found.unknown or found.queue) == expected
    assert bool(found.queue) is (found.unknown is None)


def test_who_backed_it_out_last() -> None:
    """Backouts on the queue that it came from count; the last one names the program."""
    events = []
    for unit, application in enumerate(("first", "second"), 1):
        events += [
            get(unit=unit),
            event("BACKOUT", None, unit, application=application, at=unit, cause="abend"),
        ]
    events += [
        get("B", unit=5),
        event("BACKOUT", None, 5),
        event("BACKOUT", None, 6),
        get(),
        put(),
        poison(),
    ]
    found = learned(events).origin(ID, None, ARRIVED).backouts
    assert found is not None
    assert (found.times, found.application, found.user, found.at, found.cause) == (
        2,
        "second",
        "ann",
        2,
        "abend",
    )


def test_no_recorded_backout() -> None:
    assert learned([put(), poison()]).origin(ID, None, ARRIVED) == message_origin.Origin(
        "A",
        "",
        "app",
        "ann",
        60,
    )


def test_many_units_of_work() -> None:
    """If many messages share a MsgId, only the units that can matter are kept."""
    events = [get(unit=1), put(unit=1)]
    events += [get("B", unit=unit) for unit in range(2, 2 * MOST_UNITS)]
    record = learned([*events, get(unit=0), put(unit=0, put_at=ARRIVED + 1)])
    assert [record.origin(ID, None, at).queue for at in (ARRIVED, ARRIVED + 1)] == ["A", "A"]
    assert len(record._taken) < MOST_UNITS + 10


def test_the_columns() -> None:
    assert list(MovingEvent._fields) == MOVING_COLUMNS


def learned(events: list[MovingEvent]) -> MoveRecord:
    record = MoveRecord("BOQ", lambda name: name in ("BOQ", "BOQ.ALIAS"))
    for each in events:
        record.learn(each)
    return record
