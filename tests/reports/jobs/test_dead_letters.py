"""dead-letters: literal rows in, rows out. Each case is a queue manager of its own."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from reports.catalog import report
from tests.reports.history import Row, at, event, message, outside
from tests.reports.tables import NOW, START, Answer, Case, Cases, made, shown, tables_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("dead-letters")
Q_FULL, UNKNOWN = 2053, 2085


def letter(number: int, when: float = 0, *, reason: int = Q_FULL, cause: str = "coa", **columns: Any) -> Row:
    """Return the move of a message for APP to DLQ."""
    columns = {"queue": "APP", "target": "DLQ", "msg_id": message_id(number), **columns}
    return event("DEAD_LETTER", when=when, reason=reason, cause=cause, **columns)


def put(number: int, when: float = 0, queue: str = "DLQ", **columns: Any) -> Row:
    return event("PUT", queue, when, msg_id=message_id(number), put_at=at(when), **columns)


def left_by(kind: str, number: int, when: float, *, arrived: float = 0, **columns: Any) -> Row:
    """Return the removal of a message from DLQ by a rule; `destination` and `attempt` go into the detail."""
    told: dict[str, Any] = {key: columns.pop(key) for key in ("destination", "attempt") if key in columns}
    if "destination" in told:
        told["destination_queue_manager"] = "QM1"
    columns = {
        "cause": "handler",
        "reason": Q_FULL,
        "rule": "3",
        "detail": json.dumps(told) if told else None,
        **columns,
    }
    return event(kind, "DLQ", when, msg_id=message_id(number), put_at=at(arrived), **columns)


def gone(number: int, application: str, queue: str = "DLQ", **columns: Any) -> Row:
    """A program of ann's got a message."""
    return event("GET", queue, msg_id=message_id(number), application=application, user="ann", **columns)


def there(number: int, queue: str = "DLQ", when: float = 0, **columns: Any) -> Row:
    return {**message(queue, **columns), "msg_id": message_id(number), "put_at": at(when)}


def backed_out(unit: int, **told: Any) -> Row:
    """The backout of a unit of work that put messages on DLQ and got messages from it."""
    return event("BACKOUT", None, unit=unit, detail=json.dumps({"DLQ": {"puts": 1, "gets": 1}, **told}))


def header(destination: str) -> str:
    return json.dumps({"destination": destination, "destination_queue_manager": "QM1"})


def message_id(number: int) -> bytes:
    return number.to_bytes(24, "big")


def second(number: float) -> datetime:
    return START + timedelta(seconds=number)


FULL = (Q_FULL, "MQRC_Q_FULL")
NOTHING = (None, None, None, None)

ARRIVALS_SHOW = "queue hour reason reason_name destination destination_queue_manager cause messages"
ARRIVALS: dict[str, Case] = {
    "no dead-letter queue": Case(
        [put(1, queue="APP"), left_by("DISCARD", 2, 1, cause="nonpersistent"), event("EXPIRE", "APP", cause="get")], []
    ),
    "by queue, hour, reason and cause; the put that it was is not counted again": Case(
        [
            letter(1, -0.000001),
            put(1, -0.000001),
            letter(2, 3599),
            put(2, 3599),
            letter(3, 3600, reason=UNKNOWN),
            put(3, 3600),
            letter(4, 3600, cause="expiration", target="OTHER.DLQ"),
            letter(5, 3600),
            letter(6, 3600),
        ],
        [
            ("DLQ", -1, *FULL, None, None, "coa", 1),
            ("DLQ", 0, *FULL, None, None, "coa", 1),
            ("DLQ", 1, *FULL, None, None, "coa", 2),
            ("DLQ", 1, UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", None, None, "coa", 1),
            ("OTHER.DLQ", 1, *FULL, None, None, "expiration", 1),
        ],
    ),
    "a consumer tells of a poison message after it has put it": Case(
        [
            put(1, 1, reason=2362, detail=header("APP")),
            letter(1, 1.5, cause="poison", reason=2362),
            event("REQUEUE", "APP", 2, cause="poison", target="BACKOUT", msg_id=message_id(2)),
            put(2, 2, queue="BACKOUT"),
            put(3, 3, queue="APP"),
        ],
        [("DLQ", 0, 2362, "MQRC_BACKOUT_THRESHOLD_REACHED", "APP", "QM1", "poison", 1)],
    ),
    "the monitor tells of its letter after it has put it": Case(
        [
            put(1, 1),
            letter(1, 1.5, cause="monitor", reason=265),
            put(1, 2),
            letter(1, 2.5, cause="monitor", reason=265),
        ],
        [("DLQ", 0, 265, "MQFB_APPL_CANNOT_BE_STARTED", None, None, "monitor", 2)],
    ),
    "a channel and the command server tell of theirs after they have put them": Case(
        [
            put(1, reason=UNKNOWN, detail=header("ORDERS")),
            put(2, reason=UNKNOWN, detail=header("ORDERS")),
            letter(1, cause="channel", reason=UNKNOWN),
            letter(2, cause="channel", reason=UNKNOWN),
            put(3, reason=UNKNOWN, detail=header("REPLIES")),
            letter(3, cause="command", reason=UNKNOWN),
        ],
        [
            ("DLQ", 0, UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", "ORDERS", "QM1", "channel", 2),
            ("DLQ", 0, UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", "REPLIES", "QM1", "command", 1),
        ],
    ),
    "a channel discarded messages for other queues, which it put nowhere": Case(
        [
            put(1, queue="Q"),
            event("DISCARD", "Q", cause="channel", reason=Q_FULL, msg_id=message_id(2), detail=header("Q")),
            event("DISCARD", "X", cause="channel", reason=Q_FULL, msg_id=message_id(3), put_at=at(0), unit=7),
        ],
        [],
    ),
    "events that name their puts: two messages with one MsgId in one batch, in any order": Case(
        [
            {**put(1, 1, reason=Q_FULL, detail=header("A")), "seq": 1},
            {**put(1, 1, reason=UNKNOWN, detail=header("B")), "seq": 2},
            letter(1, 2, cause="channel", reason=UNKNOWN, detail='{"put_event": 2}', seq=3),
            letter(1, 2, cause="channel", reason=Q_FULL, detail='{"put_event": 1}', seq=4),
            # Of a queue that records no puts.
            letter(1, 3, cause="channel", reason=Q_FULL, detail='{"put_event": 0}', seq=5),
        ],
        [
            ("DLQ", 0, *FULL, "A", "QM1", "channel", 1),
            ("DLQ", 0, *FULL, None, None, "channel", 1),
            ("DLQ", 0, UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", "B", "QM1", "channel", 1),
        ],
    ),
    "the put that is named was backed out": Case(
        [
            {**put(1, unit=3, reason=Q_FULL, detail=header("A")), "seq": 1},
            letter(1, cause="command", detail='{"put_event": 1}', seq=2),
            {**backed_out(3), "seq": 3},
        ],
        [],
    ),
    "a message with the MsgId of a dead letter that was dealt with later": Case(
        [put(1, 1), put(1, 2, reason=Q_FULL, detail=header("A")), left_by("DISCARD", 1, 5, arrived=2)],
        [("DLQ", 0, *FULL, "A", "QM1", None, 1), ("DLQ", 0, *NOTHING, None, 1)],
    ),
    "MOVE QLOCAL names no messages": Case(
        [letter(1), event("MOVE", "APP", 2, target="DLQ", detail='{"messages": 3, "got": 1}')],
        [("DLQ", 0, *FULL, None, None, "coa", 1), ("DLQ", 0, *NOTHING, "move", 2)],
    ),
    "a queue for other messages, to which a rule forwards dead letters": Case(
        [
            put(1, queue="APP"),
            put(2, queue="APP", reason=Q_FULL, detail=header("ORDERS")),
            put(3, queue="APP"),
            event("EXPIRE", "APP", cause="get", msg_id=message_id(3)),
        ],
        [("APP", 0, *FULL, "ORDERS", "QM1", None, 1)],
    ),
    "a number without a name": Case([letter(1, reason=77777)], [("DLQ", 0, 77777, None, None, None, "coa", 1)]),
    "put by applications: known from what became of them": Case(
        [
            put(1),
            put(2),
            put(3, queue="APP"),
            left_by("FORWARD", 1, 5, reason=UNKNOWN, destination="ORDERS", target="X"),
        ],
        [("DLQ", 0, UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", "ORDERS", "QM1", None, 1), ("DLQ", 0, *NOTHING, None, 1)],
    ),
    "put by applications: known from the header": Case(
        [put(1, reason=UNKNOWN, detail=header("ORDERS")), put(2, queue="OTHER", reason=Q_FULL, detail=header(""))],
        [
            ("DLQ", 0, UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", "ORDERS", "QM1", None, 1),
            ("OTHER", 0, *FULL, "", "QM1", None, 1),
        ],
    ),
    "the header of what is told of twice": Case(
        [
            letter(1),
            put(1, reason=Q_FULL, detail=header("ORDERS")),
            put(2, reason=265, detail=header("INITQ")),
            letter(2, cause="monitor", reason=265),
        ],
        [
            ("DLQ", 0, 265, "MQFB_APPL_CANNOT_BE_STARTED", "INITQ", "QM1", "monitor", 1),
            ("DLQ", 0, *FULL, "ORDERS", "QM1", "coa", 1),
        ],
    ),
    "one that came back has a reason of its own": Case(
        [
            letter(1, 0),
            put(1, 0),
            left_by("REQUEUE", 1, 5, destination="ORDERS", attempt=1, target="ORDERS"),
            letter(1, 6, reason=UNKNOWN, cause="cod"),
            put(1, 6),
        ],
        [
            ("DLQ", 0, *FULL, "ORDERS", "QM1", "coa", 1),
            ("DLQ", 0, UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", None, None, "cod", 1),
        ],
    ),
    "backed out: only a trigger message of FIRST or DEPTH stays": Case(
        [
            letter(1, cause="put", unit=9, detail='{"type": "FIRST"}'),
            put(1, unit=9, reason=Q_FULL, detail=header("INIT")),
            letter(2, cause="put", unit=9, detail='{"type": "EVERY"}'),
            put(2, unit=9),
            letter(5, 3600, cause="put", unit=9, detail='{"type": "DEPTH"}'),
            put(5, 3600, unit=9),
            put(3, unit=9),
            put(4, unit=10),
            backed_out(9),
        ],
        [
            ("DLQ", 0, *FULL, "INIT", "QM1", "put", 1),
            ("DLQ", 0, *NOTHING, None, 1),
            ("DLQ", 1, *FULL, None, None, "put", 1),
        ],
    ),
    "outside the selection": Case(
        [outside(letter(1, -7200)), put(2), outside(left_by("DISCARD", 2, 7, destination="ORDERS"))],
        [("DLQ", 0, *FULL, "ORDERS", "QM1", None, 1)],
    ),
}

OUTCOMES_SHOW = (
    "queue outcome cause rule attempt target messages bytes time_spent_min time_spent_median time_spent_p95 "
    "time_spent_max removed_by application user"
)
GONE = ("DLQ", "GONE", None, None, None, None)
UNTOLD = (None, None, None, None, None)
OUTCOMES: dict[str, Case] = {
    "by rule, attempt and target": Case(
        [
            left_by("REQUEUE", 1, 10, attempt=1, target="ORDERS", length=5),
            left_by("REQUEUE", 2, 20, attempt=1, target="ORDERS", length=6),
            left_by("REQUEUE", 3, 15, attempt=2, target="ORDERS"),
            left_by("FORWARD", 4, 8, arrived=5, attempt=3, target="OTHER", rule="12"),
            left_by("DISCARD", 5, 1, cause="command", rule=None),
        ],
        [
            ("DLQ", "DISCARD", "command", None, None, None, 1, 10, 1, 1, 1, 1, None, None, None),
            ("DLQ", "FORWARD", "handler", "12", 3, "OTHER", 1, 10, 3, 3, 3, 3, None, None, None),
            ("DLQ", "REQUEUE", "handler", "3", 1, "ORDERS", 2, 11, 10, 15, 19.5, 20, None, None, None),
            ("DLQ", "REQUEUE", "handler", "3", 2, "ORDERS", 1, 10, 15, 15, 15, 15, None, None, None),
        ],
    ),
    "expired on the dead-letter queue; dropped at a restart": Case(
        [
            letter(1),
            letter(2),
            left_by("EXPIRE", 1, 4, arrived=5, reason=None, rule=None),
            left_by("DISCARD", 2, 9, cause="nonpersistent", reason=None, rule=None),
        ],
        [
            ("DLQ", "DISCARD", "nonpersistent", None, None, None, 1, 10, 9, 9, 9, 9, None, None, None),
            ("DLQ", "EXPIRE", "handler", None, None, None, 1, 10, 0, 0, 0, 0, None, None, None),
        ],
    ),
    "got by an application": Case([letter(1), put(1), letter(2)], [(*GONE, 1, *UNTOLD, None, None, None)], [there(2)]),
    "got by programs": Case(
        [
            *(letter(number) for number in (1, 2, 3, 4, 5)),
            gone(1, "shop"),
            gone(2, "shop", unit=7),
            # Backed out, and later got by somebody else.
            gone(3, "shop", unit=8),
            backed_out(8),
            gone(3, "bill", unit=9),
            # By the handler, which moved it.
            gone(4, "dlq", unit=10),
            left_by("FORWARD", 4, 4, unit=10, target="OTHER"),
            # Backed out.
            gone(5, "shop", unit=8),
            gone(1, "elsewhere", "APP"),
        ],
        [
            ("DLQ", "FORWARD", "handler", "3", None, "OTHER", 1, 10, 4, 4, 4, 4, None, None, None),
            (*GONE, 1, *UNTOLD, "GET", "bill", "ann"),
            (*GONE, 2, *UNTOLD, "GET", "shop", "ann"),
        ],
        [there(5)],
    ),
    "got by a program that backed out, but not this message": Case(
        [
            letter(1),
            letter(2),
            gone(1, "shop", unit=7),
            gone(2, "shop", unit=7),
            backed_out(7, **{"skipped message": {"msg_id": message_id(1).hex().upper(), "unit": 8}}),
        ],
        [(*GONE, 1, *UNTOLD, "GET", "shop", "ann")],
        [there(2)],
    ),
    "expired on a queue for other messages": Case(
        [
            put(1, reason=Q_FULL, detail=header("ORDERS")),
            put(2),
            left_by("EXPIRE", 1, 4, reason=None, rule=None),
            left_by("EXPIRE", 2, 4, reason=None, rule=None),
        ],
        [("DLQ", "EXPIRE", "handler", None, None, None, 1, 10, 4, 4, 4, 4, None, None, None)],
    ),
    "cleared": Case(
        [
            event("CLEAR", "DLQ", application="early", user="bob"),
            letter(1),
            letter(2),
            gone(2, "shop"),
            event("MOVE", "DLQ", application="admin", user="bob"),
            letter(3),
            event("CLEAR", "DLQ", application="late", user="bob"),
            letter(4),
        ],
        [
            (*GONE, 1, *UNTOLD, "CLEAR", "late", "bob"),
            (*GONE, 1, *UNTOLD, "GET", "shop", "ann"),
            (*GONE, 1, *UNTOLD, "MOVE", "admin", "bob"),
            (*GONE, 1, *UNTOLD, None, None, None),
        ],
    ),
    "several with one MsgId, one of which was got": Case(
        [letter(1), letter(1), letter(1), gone(1, "shop")],
        [(*GONE, 1, *UNTOLD, "GET", "shop", "ann"), (*GONE, 1, *UNTOLD, None, None, None)],
        [there(1)],
    ),
    "several with one MsgId, one of which arrived before the period": Case(
        [outside(letter(1, -7200)), letter(1)], [(*GONE, 1, *UNTOLD, None, None, None)]
    ),
    "several with one MsgId": Case(
        [letter(1), letter(1), letter(1), letter(1), left_by("DISCARD", 1, 4)],
        [
            ("DLQ", "DISCARD", "handler", "3", None, None, 1, 10, 4, 4, 4, 4, None, None, None),
            (*GONE, 2, *UNTOLD, None, None, None),
        ],
        [there(1), there(1, "APP")],
    ),
    "outside the selection": Case(
        [
            outside(letter(1)),
            letter(2),
            outside(left_by("DISCARD", 2, 4)),
            outside(letter(3)),
            left_by("DISCARD", 3, 4),
            outside(letter(4)),
        ],
        [("DLQ", "DISCARD", "handler", "3", None, None, 1, 10, 4, 4, 4, 4, None, None, None)],
    ),
}

LEFT_SHOW = (
    "queue reason reason_name destination destination_queue_manager messages bytes in_units oldest longest_stay now"
)
LEFT: dict[str, Case] = {
    "only on dead-letter queues, by what is known of the last arrival": Case(
        [letter(1), left_by("REQUEUE", 1, 1, destination="ORDERS"), letter(1, reason=UNKNOWN), letter(2), letter(3)],
        [
            ("DLQ", *FULL, None, None, 2, 6, 1, second(4), 96, second(NOW)),
            ("DLQ", UNKNOWN, "MQRC_UNKNOWN_OBJECT_NAME", None, None, 1, 1, 0, second(3), 97, second(NOW)),
            ("DLQ", *NOTHING, 1, 8, 1, second(200), 0, second(NOW)),
        ],
        [
            there(1, when=3, length=1),
            there(2, when=5, length=2),
            there(3, when=4, length=4, state="GOT"),
            there(4, when=200, length=8, state="PUT"),
            there(2, "APP"),
        ],
    ),
    "a period does not hide what is left": Case(
        [outside(letter(1))], [("DLQ", *FULL, None, None, 1, 10, 0, second(0), 100, second(NOW))], [there(1)]
    ),
    "a queue for other messages": Case(
        [put(1), put(2, reason=Q_FULL, detail=header("ORDERS"))],
        [("DLQ", *FULL, "ORDERS", "QM1", 1, 10, 0, second(0), 100, second(NOW))],
        [there(1), there(2)],
    ),
    "what the report knows no dead-letter queue of": Case([put(1)], [], [there(1)]),
}
LEFT_MESSAGES_SHOW = "queue msg_id correl_id reason destination length put_at stay expires_at put_application state"
LEFT_MESSAGES: dict[str, Case] = {
    "one by one": Case(
        [letter(1), letter(2, detail='{"destination": "ORDERS"}')],
        [
            ("DLQ", f"{1:048X}", "01" * 24, Q_FULL, None, 10, second(0), 100, None, None, "AVAILABLE"),
            ("DLQ", f"{2:048X}", None, Q_FULL, "ORDERS", 10, second(1.5), 98.5, second(60), "shop", "GOT"),
        ],
        [there(2, when=1.5, expires=60, put_application="shop", state="GOT"), there(1, correl_id=b"\1" * 24)],
    )
}

CASES: dict[str, Cases] = {
    "arrivals": (ARRIVALS_SHOW, ARRIVALS),
    "outcomes": (OUTCOMES_SHOW, OUTCOMES),
    "left": (LEFT_SHOW, LEFT),
    "left_messages": (LEFT_MESSAGES_SHOW, LEFT_MESSAGES),
}


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def test_members_back_out_what_they_did_to_a_shared_dead_letter_queue(spark: SparkSession) -> None:
    rows = {
        "event": [
            event("JOIN", None, target="QSG1"),
            *({**letter(number), "qmgr": "QSG1"} for number in (1, 2)),
            # A put that was backed out.
            {**put(3, unit=7), "qmgr": "QSG1"},
            backed_out(7),
            {**gone(1, "shop", unit=8), "qmgr": "QSG1"},
            backed_out(8),
            {**gone(1, "bill", unit=9), "qmgr": "QSG1"},
            {**gone(2, "shop", unit=10), "qmgr": "QSG1"},
        ]
    }
    built = tables_of(spark, REPORT, rows, "arrivals", "outcomes")
    assert shown(built["arrivals"], "qmgr queue messages") == [("QSG1", "DLQ", 2)]
    outcomes = shown(built["outcomes"], "qmgr outcome messages application")
    assert outcomes == [("QSG1", "GONE", 1, "bill"), ("QSG1", "GONE", 1, "shop")]


def test_poison_messages_of_a_shared_queue_are_on_the_dead_letter_queues_of_members(spark: SparkSession) -> None:
    def poison(number: int, **told: str) -> Row:
        detail = json.dumps({"member": "QM1", **told})
        return {**letter(number, cause="poison", reason=2362, detail=detail), "qmgr": "QSG1"}

    rows = {
        "event": [
            put(1, reason=2362, detail=header("APP"), qmgr="QM1"),
            poison(1, target_owner="QM1"),
            # With ACCTQ(OFF) on the dead-letter queue.
            poison(2, target_owner="QM1"),
            # A dead-letter queue that is shared itself.
            {**put(3, reason=2362, detail=header("APP")), "qmgr": "QSG1"},
            poison(3),
        ]
    }
    built = tables_of(spark, REPORT, rows, "arrivals", "outcomes")
    assert shown(built["arrivals"], "qmgr queue destination cause messages") == [
        ("QM1", "DLQ", "APP", "poison", 1),
        ("QM1", "DLQ", None, "poison", 1),
        ("QSG1", "DLQ", "APP", "poison", 1),
    ]
    assert shown(built["outcomes"], "qmgr outcome messages") == [("QM1", "GONE", 2), ("QSG1", "GONE", 1)]


def test_only_what_was_removed_is_gone_from_an_archive(spark: SparkSession) -> None:
    events = [letter(1), letter(2), gone(1, "shop")]
    rows = {"event": [{**each, "qmgr": "ARCHIVED"} for each in events]}
    assert made(spark, REPORT, "outcomes", rows, "outcome messages application") == [("GONE", 1, "shop")]
