"""backouts: literal rows in, rows out; and a generated history, computed a second time by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mqsc
from reports.catalog import report
from store import Environment, GetMessageOptions, Message
from store.constants import MQGMO, MQOO
from tests.reports import history
from tests.reports.history import Row, at, back, event, message, message_id
from tests.reports.parts import in_forms, lines_of
from tests.reports.tables import Answer, by_sqlite, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("backouts")
MOVES = ("REQUEUE", "DEAD_LETTER", "DISCARD")


def got(number: int, unit: int, when: float = 0, queue: str = "Q", program: str = "billing", **columns: Any) -> Row:
    return history.got(number, when, queue, **{"put_at": at(0), "unit": unit, "application": program, **columns})


def tried(number: int, first: int, last: int = 0, **columns: Any) -> list[Row]:
    """Return a get and a backout of the message for each unit, at the second of the unit's number."""
    units = range(first, (last or first) + 1)
    return [row for unit in units for row in (got(number, unit, unit, **columns), back(unit, unit, Q={}))]


def move(kind: str, number: int, when: float, queue: str = "Q", *, count: int = 3, program: str = "billing") -> Row:
    """Return what a consumer recorded about a poison message."""
    detail = json.dumps({"backout_count": count, "threshold": 3})
    row = event(kind, queue, when, msg_id=message_id(number), put_at=at(0), application=program, detail=detail)
    return {**row, "cause": "poison"}


def kept(number: int, unit: int, when: float) -> Row:
    detail: Any = {"kept message": {"queue": "Q", "msg_id": message_id(number).hex(), "backout_count": 3}}
    return {**back(unit, when, Q={"gets": 1}, **detail), "cause": "poison"}


def defined(threshold: int | None, queue: str = "Q", **columns: Any) -> Row:
    detail = None if threshold is None else json.dumps({"BOTHRESH": [None, threshold]})
    return event("DEFINE", queue, **{"target": "QLOCAL", "detail": detail, **columns})


def altered(before: int, after: int, queue: str = "Q", **columns: Any) -> Row:
    return event("ALTER", queue, **{"target": "QLOCAL", "detail": json.dumps({"BOTHRESH": [before, after]}), **columns})


def there(number: int, queue: str = "Q") -> Row:
    return {**message(queue), "msg_id": message_id(number), "put_at": at(0)}


CASES = written(
    r"""
table backouts
    queue application hour gets_backed_out messages highest_backout_count requeued dead_lettered discarded kept
only what was backed out | got 1 1, COMMIT - unit=1, got 2 2
by queue, program and hour
    tried 1 1 2, tried 2 3 program=web, tried 1 3600, tried 1 3601 queue=P
    => P billing 1 1 1 1 0 0 0 0, Q billing 0 2 1 2 0 0 0 0, Q billing 1 1 1 3 0 0 0 0, Q web 0 1 1 1 0 0 0 0
several messages in a unit | got 1 1, got 2 1, back 1 Q={} => Q billing 0 2 2 1 0 0 0 0
another message with that MsgId begins at 0 | tried 1 1 2, tried 1 3 put_at=at(2.5) => Q billing 0 3 2 2 0 0 0 0
K10, K12: skipped a backout, and committed then
    got 1 1 1, got 2 1 1, back 1 1 Q={"gets":0} skips=1 into=2 => Q billing 0 1 1 1 0 0 0 0
K13: backed out the second time
    got 1 1 1, back 1 1 Q={"gets":0} skips=1 into=2, back 2 2 Q={} => Q billing 0 1 1 1 0 0 0 0
what consumers did
    tried 1 1 3, move REQUEUE 1 5 count=7, move DEAD_LETTER 2 6, move DEAD_LETTER 3 6,
    move DISCARD 4 3700 program=web, REQUEUE Q 8 cause=command, got 5 9 9, got 6 9 9, kept 5 9 9
    => Q billing 0 5 3 7 1 2 0 1, Q web 1 0 0 3 0 0 1 0
counts begin before the selection | outside tried 1 1 2, tried 1 3 => Q billing 0 1 1 3 0 0 0 0

table loops
    queue msg_id application backouts since last lasted outcome threshold
once is no loop | tried 1 1
by message and program
    tried 1 1 3, tried 1 4 5 program=web, tried 2 7; left there 1
    => Q #1 billing 3 @1 @3 2 THERE 0, Q #1 web 2 @4 @5 1 THERE 0
its end | defined 3, tried 1 1 3, move REQUEUE 1 4; left there 1 BACKOUT.QUEUE => Q #1 billing 3 @1 @3 2 REQUEUE 3
got for good | tried 1 1 2 => Q #1 billing 2 @1 @2 1 - 0

table spinning
    queue messages gets_backed_out highest_backout_count there since last
without a threshold | defined -, tried 1 1 3, tried 2 5; left there 1 => Q 1 3 3 1 @1 @3
nothing known of the queue | tried 1 1 3; left there 1 => Q 1 3 3 1 @1 @3
ARCHIVED: nobody knows what is there | tried 1 1 3 => Q 1 3 3 - @1 @3
with a threshold | defined 3, tried 1 1 3; left there 1
switched off | defined 3, altered 3 0, tried 1 1 3; left there 1 => Q 1 3 3 1 @1 @3
switched on since | defined -, tried 1 1 3, altered 0 3; left there 1
defined again | defined 3, defined -, tried 1 1 3; left there 1 => Q 1 3 3 1 @1 @3
dynamic, with the threshold of its model then
    defined 3 MODEL target=QMODEL, defined - cause=dynamic rule=MODEL, altered 3 0 MODEL target=QMODEL,
    defined - D cause=dynamic rule=MODEL, tried 1 1 3, tried 1 4 5 queue=D => D 1 2 2 0 @4 @5
several messages | tried 1 1 3, tried 2 4 8; left there 2 => Q 2 8 5 1 @1 @8
outside the selection | outside tried 1 1 3, tried 1 4
""",
    globals(),
)


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
        CASES["backouts"][0],
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
                events.append(back(unit, unit, Q={"gets": 0}, skips=numbers[0], into=(carried := next(units))))
                events.append(chance.choice((back(carried, when, Q={}), event("COMMIT", None, when, unit=carried))))
            case 2:
                of_queue: Any = {"kept message": {"queue": queue, "msg_id": message_id(numbers[-1]).hex()}}
                events.append({**back(unit, when, **of_queue), "cause": "poison"})
            case _:
                events.append(back(unit, when, Q={}))
        if chance.random() < 0.2:
            events.append(move(chance.choice(MOVES), numbers[0], when, count=chance.randint(1, 9), **who))
        if chance.random() < 0.02:
            events.append(altered(0, chance.choice((0, 5)), queue))
    return events, [{**there(number, chance.choice(queues)), "put_at": at(number % 2)} for number in range(1, 30, 2)]


def test_a_generated_history_computed_twice(spark: SparkSession) -> None:
    events, messages = generated(20_231_114)
    events = [{"seq": number, **row} for number, row in enumerate(events, 1)]
    rows = {"event": events, "pending": messages}
    built, computed = tables_of(spark, REPORT, rows, *BY_SQLITE), by_sqlite(rows, SECOND_COMPUTATION, BY_SQLITE)
    for table, (columns, _) in BY_SQLITE.items():
        assert shown(built[table], columns) == computed[table] != [], table


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
    lines = lines_of(tmp_path / "csv", "backouts")
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
