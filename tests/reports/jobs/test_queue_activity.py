"""queue-activity: literal rows in, rows out; and a history that was played, computed a second time
by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from mqsc.reports.catalog import report
from mqsc.store.past.depths import change_of
from mqsc.store.rules.message_trace import TracedEvent, event_of
from tests.reports import history
from tests.reports.history import Row, at
from tests.reports.played import SILENT, played, published_rows
from tests.reports.tables import Answer, by_sqlite, shown, tables_of, written
from tests.store.publication_history import History

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("queue-activity")


def put(when: float = 0, queue: str = "Q", **columns: Any) -> Row:
    return history.put(0, when, queue, **columns)


def got(when: float = 0, queue: str = "Q", **columns: Any) -> Row:
    return history.got(0, when, queue, **columns)


def every(seconds: int, first: int, last: int, queue: str = "Q") -> list[Row]:
    return [put(seconds * number, queue) for number in range(first, last + 1)]


FLOWS = "puts bytes_put gets bytes_got puts_backed_out gets_backed_out moved_in removed"
DEPTHS = "depth_start depth_end depth_high depth_low"
STAYS = "residence_min residence_median residence_p95 residence_max"
HARD = "Ä,\"'\n=1"
CASES = written(
    r"""
table hours
    queue hour depth_start depth_end depth_high depth_low puts=0 bytes_put=0 gets=0 bytes_got=0 puts_backed_out=0
    gets_backed_out=0 moved_in=0 removed=0 residence_max=-
nothing came or went | OPEN, TRIGGER cause=put
puts, gets and bytes
    put 1, put 2 length=0, put 3 length=-, got 4 after=3, put 5 P; left message Q, message Q, message P
    => P 0 0 1 1 0 puts=1 bytes_put=10, Q 0 0 2 3 0 puts=3 bytes_put=10 gets=1 bytes_got=10 residence_max=3
copies of publications are puts, and the publication itself is none
    PUBLISH - target=prices detail={"matched":2,"delivered":2},
    put 1 cause=publication detail={"subscription":"S","publication":1},
    put 1 P cause=publication detail={"subscription":"T","publication":1},
    got 4 after=3; left message P
    => P 0 0 1 1 0 puts=1 bytes_put=10, Q 0 0 0 1 0 puts=1 bytes_put=10 gets=1 bytes_got=10 residence_max=3
depths over hours, one of which has no event
    put 1, put 2, got 3, put 10800, put 10801; left message Q, message Q, message Q
    => Q 0 0 1 2 0 puts=2 bytes_put=20 gets=1 bytes_got=10 residence_max=0, Q 3 1 3 3 1 puts=2 bytes_put=20
imported: what else came and went is not known, so the depth is not
    got 1 detail={"source":"amqsevt","line":1}
    columns queue depth_start depth_end depth_high depth_low gets imported
    => Q - - - - 1 1
imported: a put that was backed out
    put 1 unit=309 detail={"source":"amqsevt"}, BACKOUT - unit=309 detail={"source":"amqsevt","Q":{"puts":1,"gets":0}}
    columns queue depth_start depth_end depth_high depth_low puts puts_backed_out imported
    => Q - - - - 1 1 1
imported: what expired in an earlier hour
    EXPIRE Q 0 put_at=at(0) detail={"source":"amqsevt","line":1}, put 7200
    columns queue hour depth_start depth_end puts removed imported
    => Q 0 - - 0 1 1, Q 2 - - 1 0 1
a backout in a later hour
    put 1, put 2 unit=301, got 3 unit=301, back 301 3600 Q={"puts":1,"gets":1}; left message Q
    => Q 0 0 1 2 0 puts=2 bytes_put=20 gets=1 bytes_got=10, Q 1 1 1 1 1 puts_backed_out=1 gets_backed_out=1
T04: a trigger message stays when its unit of work is backed out
    put 1 unit=302, put 2 unit=302, back 302 3 Q={"puts":1,"gets":0}; left message Q
    => Q 0 0 1 2 0 puts=2 bytes_put=20 puts_backed_out=1
what else changes a depth
    every 0 1 9, expire Q 2, DISCARD Q 3 cause=nonpersistent put_at=at(0), EXPIRE Q 3 cause=channel,
    DISCARD Q 3 cause=poison unit=303 put_at=at(0), count CLEAR 2 4, count MOVE 3 5 target=P
    left message Q, message Q, message P, message P, message P
    => P 0 0 3 3 0 moved_in=3, Q 0 0 2 9 0 puts=9 bytes_put=90 removed=7
messages of open units of work
    put 1, put 2 unit=304, got 3 unit=304; left message state=GOT, message state=PUT
    => Q 0 0 1 2 0 puts=2 bytes_put=20 gets=1 bytes_got=10 residence_max=0
ARCHIVED: depths are counted from the first event
    put 1, put 2, got 3, put 3600
    => Q 0 0 1 2 0 puts=2 bytes_put=20 gets=1 bytes_got=10 residence_max=0, Q 1 1 2 2 1 puts=1 bytes_put=10
midnight
    put 7199.999999, got 7200 after=0.000001
    => Q 1 0 1 1 0 puts=1 bytes_put=10, Q 2 1 0 1 0 gets=1 bytes_got=10 residence_max=0.000001
hours of UTC: daylight saving time repeats none and skips none
    # Around 2023-10-29 01:00 UTC and 2024-03-31 01:00 UTC, in the order of the clock.
    every 3600 -406 -404, every 3600 3290 3292; left message Q, message Q, message Q, message Q, message Q, message Q
    => Q -406 0 1 1 0 puts=1 bytes_put=10
    => Q -405 1 2 2 1 puts=1 bytes_put=10
    => Q -404 2 3 3 2 puts=1 bytes_put=10
    => Q 3290 3 4 4 3 puts=1 bytes_put=10
    => Q 3291 4 5 5 4 puts=1 bytes_put=10
    => Q 3292 5 6 6 5 puts=1 bytes_put=10
a clock that ran backwards: depths follow the order of commits
    put 3600, put 1, got 2 after=-5, put 3601; left message Q, message Q
    => Q 0 1 1 2 1 puts=1 bytes_put=10 gets=1 bytes_got=10 residence_max=0, Q 1 0 2 2 0 puts=2 bytes_put=20
several blocks of the history
    put 1 seq=16383, put 2 seq=16384, got 3 seq=16385, got 3600 after=1 seq=50000
    => Q 0 0 1 2 0 puts=2 bytes_put=20 gets=1 bytes_got=10 residence_max=0
    => Q 1 1 0 1 0 gets=1 bytes_got=10 residence_max=1
a history that does not begin with the queue
    got 1, got 2; left message Q, message Q, message Q => Q 0 5 3 5 3 gets=2 bytes_got=20 residence_max=0
outside the selection
    outside put 1, outside put 2, got 3600 after=1, outside put 7200; left message Q, message Q
    => Q 1 2 1 2 1 gets=1 bytes_got=10 residence_max=1
the period begins and ends within the hour
    outside put 1, put 2, put 3, got 4 after=1, outside got 5, outside put 6; left message Q, message Q
    => Q 0 1 2 3 1 puts=2 bytes_put=20 gets=1 bytes_got=10 residence_max=1
a backout of the period undoes what is before it
    outside put 1 unit=1, outside put 2, back 1 3 Q={"puts":1}, outside put 4; left message Q, message Q
    => Q 0 2 1 2 1 puts_backed_out=1
a backout after the period has no hour
    put 1 unit=1, outside back 1 3600 Q={"puts":1} => Q 0 0 1 1 0 puts=1 bytes_put=10
a name that is hard to write | put 1 $HARD; left message $HARD => $HARD 0 0 1 1 0 puts=1 bytes_put=10

table busiest_minutes
    queue rank minute messages puts bytes_put gets bytes_got
by messages, then bytes, then time
    put 0 length=1, put 59.999999 length=1, put 60 length=2, got 119 length=2, put 120 length=1, put 179 length=1,
    put -0.000001 => Q 1 @60 2 1 2 1 2, Q 2 @0 2 2 2 0 0, Q 3 @120 2 2 2 0 0, Q 4 @-60 1 1 10 0 0
no more than ten for each queue
    every 60 0 11 P, every 60 0 11 Q
    => P 1 @0 1 1 10 0 0, P 2 @60 1 1 10 0 0, P 3 @120 1 1 10 0 0, P 4 @180 1 1 10 0 0, P 5 @240 1 1 10 0 0
    => P 6 @300 1 1 10 0 0, P 7 @360 1 1 10 0 0, P 8 @420 1 1 10 0 0, P 9 @480 1 1 10 0 0, P 10 @540 1 1 10 0 0
    => Q 1 @0 1 1 10 0 0, Q 2 @60 1 1 10 0 0, Q 3 @120 1 1 10 0 0, Q 4 @180 1 1 10 0 0, Q 5 @240 1 1 10 0 0
    => Q 6 @300 1 1 10 0 0, Q 7 @360 1 1 10 0 0, Q 8 @420 1 1 10 0 0, Q 9 @480 1 1 10 0 0, Q 10 @540 1 1 10 0 0
""",
    globals(),
)


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
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
    FROM event e WHERE kind IN ('PUT', 'GET', 'CLEAR', 'MOVE')
        OR (kind IN ('EXPIRE', 'DISCARD') AND unit IS NULL AND put_at IS NOT NULL)
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


def test_a_played_history_computed_three_times(spark: SparkSession) -> None:
    """SQLite adds up depths from the first event, Spark from the messages that are there; `mqsc
    depth` has its rule.
    """
    recorded = played(7, 300)._asdict().items()
    rows = {name: [each for each in rows if each["queue"] != SILENT] for name, rows in recorded}
    for computed in assert_computed_alike(spark, rows).values():
        assert len(computed) > 50


def test_copies_of_publications_computed_three_times(spark: SparkSession) -> None:
    """Depths and residence of the queues of subscribers, in units of work and without."""
    publications = History(11)
    publications.live(300)
    rows = {name: [*rows] for name, rows in published_rows(publications.store)._asdict().items()}
    publications.close_store()
    computed = assert_computed_alike(spark, rows)
    queues = {row["queue"] for row in rows["event"] if row["cause"] == "publication"}
    assert len(queues) > 3
    assert [row for row in computed["hours"] if row[1] in queues and row[-1]]


def assert_computed_alike(
    spark: SparkSession, rows: dict[str, list[Row]]
) -> dict[str, list[tuple[Any, ...]]]:
    """The tables are the same by Spark and by SQLite, and changes of depths by the command, too."""
    built, computed = (
        tables_of(spark, REPORT, rows, *BY_SQLITE),
        by_sqlite(rows, SECOND_COMPUTATION, BY_SQLITE),
    )
    for table, (columns, _) in BY_SQLITE.items():
        # One rounds half a microsecond up, the other down.
        assert shown(built[table], columns) == [
            pytest.approx(row, abs=1.1e-6) for row in computed[table]
        ]
    hours = shown(built["hours"], "qmgr queue hour depth_start depth_end")
    changes = {
        (qmgr, queue, hour): end - start for qmgr, queue, hour, start, end in hours if end != start
    }
    assert changes == by_the_command([event_of([*each.values()]) for each in rows["event"]])
    return computed


def by_the_command(events: list[TracedEvent]) -> dict[tuple[str, str, int], int]:
    """How much the depth of each queue changed in each hour, by the rule of `mqsc depth`."""
    queues = {queue for event in events for queue in (event.queue, event.target) if queue}
    found: Counter[tuple[str, str, int]] = Counter()
    for event in events:
        for queue in queues:
            found[event.qmgr, queue, (event.at - at(0)) // 3_600_000_000] += change_of(event, queue)
    return {key: change for key, change in found.items() if change}
