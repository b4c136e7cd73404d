"""queue-activity: literal rows in, rows out; and realistic histories, computed a second time by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import mqsc
import reports
from reports.catalog import report
from store import Environment, GetMessageOptions, Message
from store.constants import MQGMO, MQOO
from tests.reports.history import Row, at, event, expire, message, outside, write_history
from tests.reports.realistic import realistic
from tests.reports.tables import START, Answer, Case, Cases, shown, tables_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("queue-activity")


def put(when: float = 0, queue: str = "Q", *, length: int | None = 10, **columns: Any) -> Row:
    return event("PUT", queue, when, **{"length": length, "msg_id": bytes(24), "put_at": at(when), **columns})


def got(when: float = 0, queue: str = "Q", *, after: float = 0, length: int = 10, **columns: Any) -> Row:
    """Return a get, `after` seconds after the put."""
    columns = {"length": length, "msg_id": bytes(24), "put_at": at(when - after), **columns}
    return event("GET", queue, when, **columns)


def back(unit: int, when: Any = 0, **detail: Any) -> Row:
    return event("BACKOUT", None, when, cause="application", unit=unit, detail=json.dumps(detail))


def count(kind: str, number: int, when: float = 0, **columns: Any) -> Row:
    return event(kind, "Q", when, **{"detail": json.dumps({"messages": number}), **columns})


def left(*queues: str) -> list[Row]:
    return [message(queue) for queue in queues]


FLOWS = "puts bytes_put gets bytes_got puts_backed_out gets_backed_out moved_in removed"
DEPTHS = "depth_start depth_end depth_high depth_low"
STAYS = "residence_min residence_median residence_p95 residence_max"
HOURS_SHOW = f"queue hour {FLOWS} {DEPTHS} residence_max"


def row(hour: int, depths: tuple[int, int, int, int], queue: str = "Q", stay: float | None = None, **flows: int) -> Any:
    return (queue, hour, *(flows.get(name, 0) for name in FLOWS.split()), *depths, stay)


HARD = "Ä,\"'\n=1"
HOURS: dict[str, Case] = {
    "nothing came or went": Case([event("OPEN"), event("TRIGGER", cause="put")], []),
    "puts, gets and bytes": Case(
        [put(1), put(2, length=0), put(3, length=None), got(4, after=3), put(5, "P")],
        [
            row(0, (0, 1, 1, 0), "P", puts=1, bytes_put=10),
            row(0, (0, 2, 3, 0), puts=3, bytes_put=10, gets=1, bytes_got=10, stay=3),
        ],
        left("Q", "Q", "P"),
    ),
    "depths over hours, one of which has no event": Case(
        [put(1), put(2), got(3), put(10_800), put(10_801)],
        [
            row(0, (0, 1, 2, 0), puts=2, bytes_put=20, gets=1, bytes_got=10, stay=0),
            row(3, (1, 3, 3, 1), puts=2, bytes_put=20),
        ],
        left("Q", "Q", "Q"),
    ),
    "a backout in a later hour": Case(
        [put(1), put(2, unit=301), got(3, unit=301), back(301, 3600, Q={"puts": 1, "gets": 1})],
        [
            row(0, (0, 1, 2, 0), puts=2, bytes_put=20, gets=1, bytes_got=10),
            row(1, (1, 1, 1, 1), puts_backed_out=1, gets_backed_out=1),
        ],
        left("Q"),
    ),
    "T04: a trigger message stays when its unit of work is backed out": Case(
        [put(1, unit=302), put(2, unit=302), back(302, 3, Q={"puts": 1, "gets": 0})],
        [row(0, (0, 1, 2, 0), puts=2, bytes_put=20, puts_backed_out=1)],
        left("Q"),
    ),
    "what else changes a depth": Case(
        [
            *(put(1) for _ in range(9)),
            expire("Q", 2),
            event("DISCARD", "Q", 3, cause="nonpersistent", put_at=at(0)),
            event("EXPIRE", "Q", 3, cause="channel"),
            event("DISCARD", "Q", 3, cause="poison", unit=303, put_at=at(0)),
            count("CLEAR", 2, 4),
            count("MOVE", 3, 5, target="P"),
        ],
        [row(0, (0, 3, 3, 0), "P", moved_in=3), row(0, (0, 2, 9, 0), puts=9, bytes_put=90, removed=7)],
        left("Q", "Q", "P", "P", "P"),
    ),
    "messages of open units of work": Case(
        [put(1), put(2, unit=304), got(3, unit=304)],
        [row(0, (0, 1, 2, 0), puts=2, bytes_put=20, gets=1, bytes_got=10, stay=0)],
        [message(state="GOT"), message(state="PUT")],
    ),
    "ARCHIVED: depths are counted from the first event": Case(
        [put(1), put(2), got(3), put(3600)],
        [
            row(0, (0, 1, 2, 0), puts=2, bytes_put=20, gets=1, bytes_got=10, stay=0),
            row(1, (1, 2, 2, 1), puts=1, bytes_put=10),
        ],
    ),
    "midnight": Case(
        [put(7199.999999), got(7200, after=0.000001)],
        [row(1, (0, 1, 1, 0), puts=1, bytes_put=10), row(2, (1, 0, 1, 0), gets=1, bytes_got=10, stay=0.000001)],
    ),
    "hours of UTC: daylight saving time repeats none and skips none": Case(
        # Around 2023-10-29 01:00 UTC and 2024-03-31 01:00 UTC, in the order of the clock.
        [put(3600 * hour) for hour in (-406, -405, -404, 3290, 3291, 3292)],
        [
            row(hour, (number, number + 1, number + 1, number), puts=1, bytes_put=10)
            for number, hour in enumerate((-406, -405, -404, 3290, 3291, 3292))
        ],
        left(*"QQQQQQ"),
    ),
    "a clock that ran backwards: depths follow the order of commits": Case(
        [put(3600), put(1), got(2, after=-5), put(3601)],
        [
            row(0, (1, 1, 2, 1), puts=1, bytes_put=10, gets=1, bytes_got=10, stay=0),
            row(1, (0, 2, 2, 0), puts=2, bytes_put=20),
        ],
        left("Q", "Q"),
    ),
    "several blocks of the history": Case(
        [put(1, seq=16_383), put(2, seq=16_384), got(3, seq=16_385), got(3600, after=1, seq=50_000)],
        [
            row(0, (0, 1, 2, 0), puts=2, bytes_put=20, gets=1, bytes_got=10, stay=0),
            row(1, (1, 0, 1, 0), gets=1, bytes_got=10, stay=1),
        ],
    ),
    "a history that does not begin with the queue": Case(
        [got(1), got(2)], [row(0, (5, 3, 5, 3), gets=2, bytes_got=20, stay=0)], left("Q", "Q", "Q")
    ),
    "outside the selection": Case(
        [outside(put(1)), outside(put(2)), got(3600, after=1), outside(put(7200))],
        [row(1, (2, 1, 2, 1), gets=1, bytes_got=10, stay=1)],
        left("Q", "Q"),
    ),
    "a name that is hard to write": Case(
        [put(1, HARD)], [row(0, (0, 1, 1, 0), HARD, puts=1, bytes_put=10)], left(HARD)
    ),
}
BUSIEST_SHOW = "queue rank minute messages puts bytes_put gets bytes_got"


def minute(number: int) -> Any:
    return START + timedelta(minutes=number)


BUSIEST: dict[str, Case] = {
    "by messages, then bytes, then time": Case(
        [
            put(0, length=1),
            put(59.999999, length=1),
            put(60, length=2),
            got(119, length=2),
            put(120, length=1),
            put(179, length=1),
            put(-0.000001),
        ],
        [
            ("Q", 1, minute(1), 2, 1, 2, 1, 2),
            ("Q", 2, minute(0), 2, 2, 2, 0, 0),
            ("Q", 3, minute(2), 2, 2, 2, 0, 0),
            ("Q", 4, minute(-1), 1, 1, 10, 0, 0),
        ],
    ),
    "no more than ten for each queue": Case(
        [put(60 * number, queue) for queue in "PQ" for number in range(12)],
        [(queue, number + 1, minute(number), 1, 1, 10, 0, 0) for queue in "PQ" for number in range(10)],
    ),
}
CASES: Mapping[str, Cases] = {"hours": (HOURS_SHOW, HOURS), "busiest_minutes": (BUSIEST_SHOW, BUSIEST)}


def test_cases(table: str, case: str, found: dict[tuple[str, str], Answer]) -> None:
    assert found[table, case] == CASES[table][1][case].rows


SECOND_COMPUTATION = """
CREATE TEMP TABLE shares AS
    SELECT b.seq, b.at, b.unit, each.key AS queue, json_extract(each.value, '$.puts') AS puts,
        json_extract(each.value, '$.gets') AS gets,
        (SELECT min(e.qmgr) FROM event e WHERE e.unit = b.unit AND e.queue = each.key) AS qmgr
    FROM event b, json_each(b.detail) each WHERE b.kind = 'BACKOUT';
CREATE TEMP TABLE step AS
    SELECT seq, at, qmgr, queue, kind, length,
        CASE kind WHEN 'PUT' THEN 1 WHEN 'GET' THEN -1 WHEN 'EXPIRE' THEN -1 WHEN 'DISCARD' THEN -1
            ELSE coalesce(json_extract(detail, '$.got'), 0) - json_extract(detail, '$.messages') END AS change,
        CASE WHEN kind = 'GET' AND NOT EXISTS
            (SELECT 1 FROM shares s WHERE s.unit = e.unit AND s.queue = e.queue AND s.gets > 0)
            THEN max(at - put_at, 0) END AS stay
    FROM event e WHERE kind IN ('PUT', 'GET', 'CLEAR', 'MOVE') OR cause IN ('interval', 'nonpersistent')
    UNION ALL SELECT seq, at, qmgr, target, 'IN', NULL, json_extract(detail, '$.messages'), NULL FROM event
        WHERE kind = 'MOVE'
    UNION ALL SELECT seq, at, qmgr, queue, 'UNPUT', NULL, -puts, NULL FROM shares
    UNION ALL SELECT seq, at, qmgr, queue, 'UNGET', NULL, gets, NULL FROM shares;
CREATE TEMP TABLE depth AS
    SELECT qmgr, queue, hour, seq, after - change AS before, after,
        row_number() OVER (PARTITION BY qmgr, queue, hour ORDER BY seq) AS first,
        row_number() OVER (PARTITION BY qmgr, queue, hour ORDER BY seq DESC) AS last
    FROM (SELECT qmgr, queue, seq, (at - :start) / 3600000000 AS hour, sum(change) AS change,
              sum(sum(change)) OVER (PARTITION BY qmgr, queue ORDER BY seq) AS after
          FROM step GROUP BY qmgr, queue, seq, hour);
CREATE TEMP TABLE stay AS
    SELECT qmgr, queue, (at - :start) / 3600000000 AS hour, stay,
        row_number() OVER (PARTITION BY qmgr, queue, (at - :start) / 3600000000 ORDER BY stay) - 1 AS place,
        count(*) OVER (PARTITION BY qmgr, queue, (at - :start) / 3600000000) - 1 AS last
    FROM step WHERE stay IS NOT NULL;
"""
BY_SQLITE = {
    "hours": (
        f"qmgr queue hour {FLOWS} {DEPTHS} {STAYS}",
        """
        SELECT qmgr, queue, hour, sum(kind = 'PUT'), coalesce(sum(length) FILTER (WHERE kind = 'PUT'), 0),
            sum(kind = 'GET'), coalesce(sum(length) FILTER (WHERE kind = 'GET'), 0),
            -coalesce(sum(change) FILTER (WHERE kind = 'UNPUT'), 0),
            coalesce(sum(change) FILTER (WHERE kind = 'UNGET'), 0),
            coalesce(sum(change) FILTER (WHERE kind = 'IN'), 0),
            -coalesce(sum(change) FILTER (WHERE kind IN ('EXPIRE', 'DISCARD', 'CLEAR', 'MOVE')), 0),
            d.begins, d.ends, max(d.high, d.begins), min(d.low, d.begins), r.least, r.median, r.p95, r.most
        FROM (SELECT *, (at - :start) / 3600000000 AS hour FROM step)
        JOIN (SELECT qmgr, queue, hour, max(before) FILTER (WHERE first = 1) AS begins,
                  max(after) FILTER (WHERE last = 1) AS ends, max(after) AS high, min(after) AS low
              FROM depth GROUP BY qmgr, queue, hour) d USING (qmgr, queue, hour)
        LEFT JOIN (SELECT qmgr, queue, hour, min(stay) / 1e6 AS least, max(stay) / 1e6 AS most,
                  sum(stay * max(0, 1 - abs(place - 0.5 * last))) / 1e6 AS median,
                  sum(stay * max(0, 1 - abs(place - 0.95 * last))) / 1e6 AS p95
              FROM stay GROUP BY qmgr, queue, hour) r USING (qmgr, queue, hour)
        GROUP BY qmgr, queue, hour ORDER BY qmgr, queue, hour
        """,
    ),
    "busiest_minutes": (
        "qmgr queue rank messages puts gets bytes_put bytes_got",
        """
        SELECT qmgr, queue, place, puts + gets, puts, gets, put, got
        FROM (SELECT *, row_number() OVER (PARTITION BY qmgr, queue ORDER BY puts + gets DESC, put + got DESC, minute)
                  AS place
              FROM (SELECT qmgr, queue, at / 60000000 AS minute, sum(kind = 'PUT') AS puts, sum(kind = 'GET') AS gets,
                        sum(iif(kind = 'PUT', length, 0)) AS put, sum(iif(kind = 'GET', length, 0)) AS got
                    FROM event WHERE kind IN ('PUT', 'GET') GROUP BY qmgr, queue, minute))
        WHERE place <= 10 ORDER BY qmgr, queue, place
        """,
    ),
}


def test_realistic_histories_computed_twice(spark: SparkSession, tmp_path: Path) -> None:
    """SQLite adds up depths from the first event, Spark from the messages that are there."""
    history = realistic(20_231_114, days=5)
    path = write_history(tmp_path / "store.db", history.events)
    rows = {"event": history.events, "pending": history.pending}
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SECOND_COMPUTATION.replace(":start", str(at(0))))
        built = tables_of(spark, REPORT, rows, *BY_SQLITE)
        for table, (columns, query) in BY_SQLITE.items():
            computed = connection.execute(query.replace(":start", str(at(0)))).fetchall()
            found = shown(built[table], columns)
            assert len(found) == len(computed) > 50
            for one, other in zip(found, computed, strict=True):
                # One rounds half a microsecond up, the other down.
                near = (pytest.approx(each, abs=1.1e-6) if isinstance(each, float) else each for each in other)
                assert one == tuple(near)


def test_a_store_in_which_programs_worked(spark: SparkSession, tmp_path: Path) -> None:
    """From the calls of programs to the files."""
    path = tmp_path / "store.db"
    environment = Environment.frozen(at=at(0))
    with mqsc.open_store(f"sqlite:///{path}", environment=environment) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(P)", check=True)
        with qmgr.connect() as connection:
            handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
            handle.put([Message(b"\xff\x00\xfe"), Message(b"ab")])
            environment.clock.advance(3600)
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.back()
            handle.get()
        mqsc.run(qmgr, "MOVE QLOCAL(Q) TOQLOCAL(P)", check=True)
        bound = store.bound()
    reports.run(["queue-activity"], str(path), str(tmp_path / "out"), bound=bound, queues=["P", "Q"])
    folder = tmp_path / "out" / "queue-activity"
    hours = [f"2023-11-14T{hour}:00:00Z" for hour in (22, 23)]
    assert (folder / "hours.csv").read_text("utf-8").splitlines()[1:] == [
        f"QM1,P,{hours[1]},0,0,0,0,0,0,1,0,0,1,1,0,0,,,,",
        f"QM1,Q,{hours[0]},2,5,0,0,0,0,0,0,0,2,2,0,0,,,,",
        f"QM1,Q,{hours[1]},0,0,2,6,0,1,0,1,2,0,2,0,0,3600.000000,3600.000000,3600.000000,3600.000000",
    ]
    assert (folder / "busiest_minutes.csv").read_text("utf-8").splitlines()[1:] == [
        f"QM1,Q,1,{hours[1]},2,0,0,2,6",
        f"QM1,Q,2,{hours[0]},2,2,5,0,0",
    ]
