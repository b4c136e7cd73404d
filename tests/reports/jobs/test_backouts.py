"""backouts: literal rows in, rows out; and a generated history, computed a second time by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mqsc
from reports.catalog import report
from store import Environment, GetMessageOptions, Message
from store.constants import MQGMO, MQOO
from tests.reports.history import Row, at, event, message, outside, write_history
from tests.reports.parts import in_forms
from tests.reports.tables import START, Answer, Case, Cases, shown, tables_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("backouts")
MOVES = ("REQUEUE", "DEAD_LETTER", "DISCARD")


def message_id(number: int) -> bytes:
    return number.to_bytes(24, "big")


def got(number: int, unit: int, when: float = 0, queue: str = "Q", program: str = "billing", **columns: Any) -> Row:
    identity = {"msg_id": message_id(number), "put_at": at(0), "unit": unit, "application": program}
    return event("GET", queue, when, **{**identity, **columns})


def back(unit: int, when: float = 0, **detail: Any) -> Row:
    """Return the backout of a unit of work."""
    return event("BACKOUT", None, when, cause="application", unit=unit, detail=json.dumps(detail or {"Q": {}}))


def tried(number: int, units: range, **columns: Any) -> list[Row]:
    """Return a get and a backout of the message for each unit, at the second of the unit's number."""
    return [row for unit in units for row in (got(number, unit, unit, **columns), back(unit, unit))]


def move(kind: str, number: int, when: float, queue: str = "Q", *, count: int = 3, program: str = "billing") -> Row:
    """Return what a consumer recorded about a poison message."""
    detail = json.dumps({"backout_count": count, "threshold": 3})
    row = event(kind, queue, when, msg_id=message_id(number), put_at=at(0), application=program, detail=detail)
    return {**row, "cause": "poison"}


def skipped(number: int, unit: int, into: int) -> Row:
    return back(unit, unit, **{"Q": {"gets": 0}, "skipped message": {"msg_id": message_id(number).hex(), "unit": into}})


def kept(number: int, unit: int, when: float) -> Row:
    detail = {"queue": "Q", "msg_id": message_id(number).hex(), "backout_count": 3}
    return {**back(unit, when, **{"Q": {"gets": 1}, "kept message": detail}), "cause": "poison"}


def defined(threshold: int | None, queue: str = "Q", **columns: Any) -> Row:
    detail = None if threshold is None else json.dumps({"BOTHRESH": [None, threshold]})
    return event("DEFINE", queue, **{"target": "QLOCAL", "detail": detail, **columns})


def altered(before: int, after: int, queue: str = "Q", **columns: Any) -> Row:
    return event("ALTER", queue, **{"target": "QLOCAL", "detail": json.dumps({"BOTHRESH": [before, after]}), **columns})


def there(number: int, queue: str = "Q") -> Row:
    return {**message(queue), "msg_id": message_id(number), "put_at": at(0)}


def second(number: float) -> datetime:
    return START + timedelta(seconds=number)


BACKOUTS_SHOW = (
    "queue application hour gets_backed_out messages highest_backout_count requeued dead_lettered discarded kept"
)
BACKOUTS: dict[str, Case] = {
    "only what was backed out": Case([got(1, 1), event("COMMIT", None, unit=1), got(2, 2)], []),
    "by queue, program and hour": Case(
        [
            *tried(1, range(1, 3)),
            *tried(2, range(3, 4), program="web"),
            *tried(1, range(3600, 3601)),
            *tried(1, range(3601, 3602), queue="P"),
        ],
        [
            ("P", "billing", 1, 1, 1, 1, 0, 0, 0, 0),
            ("Q", "billing", 0, 2, 1, 2, 0, 0, 0, 0),
            ("Q", "billing", 1, 1, 1, 3, 0, 0, 0, 0),
            ("Q", "web", 0, 1, 1, 1, 0, 0, 0, 0),
        ],
    ),
    "several messages in a unit": Case([got(1, 1), got(2, 1), back(1)], [("Q", "billing", 0, 2, 2, 1, 0, 0, 0, 0)]),
    "another message with that MsgId begins at 0": Case(
        [*tried(1, range(1, 3)), *tried(1, range(3, 4), put_at=at(2.5))], [("Q", "billing", 0, 3, 2, 2, 0, 0, 0, 0)]
    ),
    "K10, K12: skipped a backout, and committed then": Case(
        [got(1, 1, 1), got(2, 1, 1), skipped(1, 1, 2)], [("Q", "billing", 0, 1, 1, 1, 0, 0, 0, 0)]
    ),
    "K13: backed out the second time": Case(
        [got(1, 1, 1), skipped(1, 1, 2), back(2, 2)], [("Q", "billing", 0, 1, 1, 1, 0, 0, 0, 0)]
    ),
    "what consumers did": Case(
        [
            *tried(1, range(1, 4)),
            move("REQUEUE", 1, 5, count=7),
            move("DEAD_LETTER", 2, 6),
            move("DEAD_LETTER", 3, 6),
            move("DISCARD", 4, 3700, program="web"),
            event("REQUEUE", "Q", 8, cause="command"),
            got(5, 9, 9),
            got(6, 9, 9),
            kept(5, 9, 9),
        ],
        [("Q", "billing", 0, 5, 3, 7, 1, 2, 0, 1), ("Q", "web", 1, 0, 0, 3, 0, 0, 1, 0)],
    ),
    "counts begin before the selection": Case(
        [*map(outside, tried(1, range(1, 3))), *tried(1, range(3, 4))], [("Q", "billing", 0, 1, 1, 3, 0, 0, 0, 0)]
    ),
}
LOOPS_SHOW = "queue msg_id application backouts since last lasted outcome threshold"
ONE = f"{1:048X}"
LOOPS: dict[str, Case] = {
    "once is no loop": Case(tried(1, range(1, 2)), []),
    "by message and program": Case(
        [*tried(1, range(1, 4)), *tried(1, range(4, 6), program="web"), *tried(2, range(7, 8))],
        [
            ("Q", ONE, "billing", 3, second(1), second(3), 2, "THERE", 0),
            ("Q", ONE, "web", 2, second(4), second(5), 1, "THERE", 0),
        ],
        [there(1)],
    ),
    "its end": Case(
        [defined(3), *tried(1, range(1, 4)), move("REQUEUE", 1, 4)],
        [("Q", ONE, "billing", 3, second(1), second(3), 2, "REQUEUE", 3)],
        [there(1, "BACKOUT.QUEUE")],
    ),
    "got for good": Case(tried(1, range(1, 3)), [("Q", ONE, "billing", 2, second(1), second(2), 1, None, 0)]),
}
SPINNING_SHOW = "queue messages gets_backed_out highest_backout_count there since last"
SPINS = [("Q", 1, 3, 3, 1, second(1), second(3))]
SPINNING: dict[str, Case] = {
    "without a threshold": Case([defined(None), *tried(1, range(1, 4)), *tried(2, range(5, 6))], SPINS, [there(1)]),
    "nothing known of the queue": Case(tried(1, range(1, 4)), SPINS, [there(1)]),
    "ARCHIVED: nobody knows what is there": Case(tried(1, range(1, 4)), [("Q", 1, 3, 3, None, second(1), second(3))]),
    "with a threshold": Case([defined(3), *tried(1, range(1, 4))], [], [there(1)]),
    "switched off": Case([defined(3), altered(3, 0), *tried(1, range(1, 4))], SPINS, [there(1)]),
    "switched on since": Case([defined(None), *tried(1, range(1, 4)), altered(0, 3)], [], [there(1)]),
    "defined again": Case([defined(3), defined(None), *tried(1, range(1, 4))], SPINS, [there(1)]),
    "dynamic, with the threshold of its model then": Case(
        [
            defined(3, "MODEL", target="QMODEL"),
            defined(None, cause="dynamic", rule="MODEL"),
            altered(3, 0, "MODEL", target="QMODEL"),
            defined(None, "D", cause="dynamic", rule="MODEL"),
            *tried(1, range(1, 4)),
            *tried(1, range(4, 6), queue="D"),
        ],
        [("D", 1, 2, 2, 0, second(4), second(5))],
    ),
    "several messages": Case(
        [*tried(1, range(1, 4)), *tried(2, range(4, 9))], [("Q", 2, 8, 5, 1, second(1), second(8))], [there(2)]
    ),
    "outside the selection": Case([*map(outside, tried(1, range(1, 4))), *tried(1, range(4, 5))], []),
}
CASES: dict[str, Cases] = {
    "backouts": (BACKOUTS_SHOW, BACKOUTS),
    "loops": (LOOPS_SHOW, LOOPS),
    "spinning": (SPINNING_SHOW, SPINNING),
}


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows


# The same tables computed by SQLite. Units have numbers, so that skips and backouts can be joined by them too.
SECOND_COMPUTATION = """
CREATE TEMP TABLE ended AS
    SELECT e.*, coalesce((SELECT json_extract(b.detail, '$."skipped message".unit') FROM event b
        WHERE b.kind = 'BACKOUT' AND b.unit = e.unit
        AND json_extract(b.detail, '$."skipped message".msg_id') = lower(hex(e.msg_id))), e.unit) AS last_unit
    FROM event e WHERE e.kind = 'GET' AND e.unit IS NOT NULL;
CREATE TEMP TABLE backed AS
    SELECT g.*, (SELECT count(*) FROM ended h JOIN event c ON c.kind = 'BACKOUT' AND c.unit = h.last_unit
        WHERE h.queue = g.queue AND h.msg_id = g.msg_id AND h.put_at = g.put_at AND h.seq <= g.seq) AS number
    FROM ended g WHERE EXISTS (SELECT 1 FROM event b WHERE b.kind = 'BACKOUT' AND b.unit = g.last_unit);
"""
BY_SQLITE = {
    "backouts": (
        BACKOUTS_SHOW,
        """
        SELECT queue, application, hour, sum(got), count(DISTINCT CASE WHEN got THEN hex(msg_id) || put_at END),
            max(number), sum(kind = 'REQUEUE'), sum(kind = 'DEAD_LETTER'), sum(kind = 'DISCARD'), sum(kept)
        FROM (SELECT kind, queue, application, (at - :start) / 3600000000 AS hour, 1 AS got, msg_id, put_at, number,
                  EXISTS (SELECT 1 FROM event b WHERE b.kind = 'BACKOUT' AND b.unit = last_unit AND
                      json_extract(b.detail, '$."kept message".queue') = backed.queue AND
                      json_extract(b.detail, '$."kept message".msg_id') = lower(hex(backed.msg_id))) AS kept FROM backed
              UNION ALL
              SELECT kind, queue, application, (at - :start) / 3600000000, 0, msg_id, put_at,
                  json_extract(detail, '$.backout_count'), 0
              FROM event WHERE kind IN ('REQUEUE', 'DEAD_LETTER', 'DISCARD') AND cause = 'poison')
        GROUP BY queue, application, hour ORDER BY queue, application, hour
        """,
    ),
    "loops": (
        "queue msg_id application backouts outcome threshold",
        """
        SELECT queue, lower(hex(msg_id)), application, count(*),
            CASE WHEN EXISTS (SELECT 1 FROM published_message p WHERE p.queue = b.queue AND p.msg_id = b.msg_id
                     AND p.put_at = b.put_at) THEN 'THERE'
                 ELSE (SELECT kind FROM event m WHERE m.kind IN ('REQUEUE', 'DEAD_LETTER', 'DISCARD')
                     AND m.cause = 'poison' AND m.queue = b.queue AND m.msg_id = b.msg_id AND m.put_at = b.put_at
                     ORDER BY seq DESC LIMIT 1) END,
            (SELECT json_extract(detail, '$.BOTHRESH[1]') FROM event d WHERE d.kind IN ('DEFINE', 'ALTER')
                AND d.queue = b.queue ORDER BY seq DESC LIMIT 1)
        FROM backed b GROUP BY queue, msg_id, put_at, application HAVING count(*) > 1
        ORDER BY queue, put_at, msg_id, application
        """,
    ),
    "spinning": (
        "queue messages gets_backed_out highest_backout_count there",
        """
        SELECT queue, count(*), sum(times), max(highest), sum(there)
        FROM (SELECT queue, count(*) AS times, max(number) AS highest,
                  EXISTS (SELECT 1 FROM published_message p WHERE p.queue = b.queue AND p.msg_id = b.msg_id
                      AND p.put_at = b.put_at) AS there
              FROM backed b GROUP BY queue, msg_id, put_at HAVING count(*) > 1) AS loop
        WHERE (SELECT json_extract(detail, '$.BOTHRESH[1]') FROM event d WHERE d.kind IN ('DEFINE', 'ALTER')
                  AND d.queue = loop.queue ORDER BY seq DESC LIMIT 1) = 0
        GROUP BY queue ORDER BY queue
        """,
    ),
}


def generated(seed: int) -> tuple[list[Row], list[Row]]:
    """Generate events and remaining messages of three programs on three queues."""
    chance = random.Random(seed)
    queues, units = ("A", "B", "C"), iter(range(1, 10_000))
    events = [defined(threshold, queue) for queue, threshold in zip(queues, (0, 3, 0), strict=True)]
    for step in range(400):
        queue, when, unit = chance.choice(queues), step * 30, next(units)
        who = {"queue": queue, "program": chance.choice(("billing", "web", "night"))}
        numbers = chance.sample(range(1, 30), chance.randint(1, 3))
        events += [got(number, unit, when, put_at=at(number % 2), **who) for number in numbers]
        match chance.randrange(6):
            case 0:
                events.append(event("COMMIT", None, when, unit=unit))
            case 1:
                events.append(skipped(numbers[0], unit, carried := next(units)))
                events.append(chance.choice((back(carried, when), event("COMMIT", None, when, unit=carried))))
            case 2:
                of_queue = {"queue": queue, "msg_id": message_id(numbers[-1]).hex()}
                events.append({**back(unit, when, **{"kept message": of_queue}), "cause": "poison"})
            case _:
                events.append(back(unit, when))
        if chance.random() < 0.2:
            events.append(move(chance.choice(MOVES), numbers[0], when, count=chance.randint(1, 9), **who))
        if chance.random() < 0.02:
            events.append(altered(0, chance.choice((0, 5)), queue))
    messages: list[Row] = [
        {**there(number, chance.choice(queues)), "put_at": at(number % 2)} for number in range(1, 30, 2)
    ]
    return events, messages


def test_a_generated_history_computed_twice(spark: SparkSession, tmp_path: Path) -> None:
    events, messages = generated(20_231_114)
    events = [{"seq": number, **row} for number, row in enumerate(events, 1)]
    path = write_history(tmp_path / "store.db", events, messages)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SECOND_COMPUTATION)
        built = tables_of(spark, REPORT, {"event": events, "pending": messages}, *BY_SQLITE)
        for table, (columns, query) in BY_SQLITE.items():
            computed = connection.execute(query, {"start": at(0)} if ":start" in query else {}).fetchall()
            assert computed
            assert shown(built[table], columns) == computed, table


def test_a_store_in_which_programs_backed_out(spark: SparkSession, tmp_path: Path) -> None:
    """From the calls of programs to the files: the report reads what the store records."""
    path = tmp_path / "store.db"
    with mqsc.open_store(f"sqlite:///{path}", environment=Environment.frozen(at=at(0))) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(SPUN)\nDEFINE QLOCAL(GUARDED) BOTHRESH(3)\nALTER QLOCAL(GUARDED) BOTHRESH(5)")
        for queue, times in (("SPUN", 3), ("GUARDED", 2)):
            with qmgr.connect(application="billing") as connection:
                handle = connection.open(queue, MQOO.INPUT_SHARED | MQOO.OUTPUT)
                handle.put(Message(b"nonsense"))
                for _ in range(times):
                    handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
                    connection.back()
                handle.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT))
                connection.back()
                connection.abend()
        bound = store.bound()
    in_forms(spark, "backouts", path, bound, ("csv", "html"), tmp_path)
    lines = {
        table: (tmp_path / "csv" / "backouts" / f"{table}.csv").read_text("utf-8").splitlines()[1:]
        for table in ("backouts", "loops", "spinning")
    }
    hour = "2023-11-14T22:00:00Z"
    assert lines["backouts"] == [f"QM1,GUARDED,billing,{hour},3,1,3,0,0,0,0", f"QM1,SPUN,billing,{hour},4,1,4,0,0,0,0"]
    assert [line.split(",", 3)[3] for line in lines["loops"]] == [
        f"billing,3,{hour},{hour},0.000000,{hour},THERE,5",
        f"billing,4,{hour},{hour},0.000000,{hour},THERE,0",
    ]
    assert lines["spinning"] == [f"QM1,SPUN,1,4,4,1,{hour},{hour}"]
    page = (tmp_path / "html" / "backouts.html").read_text("utf-8")
    assert all(f'id="backouts.{table}"' in page for table in lines)
    assert "<svg" in page
