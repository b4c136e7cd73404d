"""message-lifetimes: literal rows in, rows out; and realistic histories, computed a second time by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mqsc
from reports.catalog import ReportSelection, report
from reports.sources import Sources
from store import Environment, GetMessageOptions, Message, MessageDescriptor, PutMessageOptions
from store.admin.queue_managers import delete_queue_manager
from store.constants import MQGMO, MQOO, MQPMO
from tests.reports.history import Row, at, event, got, message, message_id
from tests.reports.parts import in_forms, rows_of
from tests.reports.realistic import balance_of, realistic
from tests.reports.tables import Answer, by_sqlite, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from store.client.api import Connection, QueueManager
    from store.environment import FrozenClock

REPORT = report("message-lifetimes")


def outcome(kind: str, cause: str, number: int, unit: int, when: float = 0, *, after: float = 0) -> Row:
    columns = {"cause": cause, "msg_id": message_id(number), "put_at": at(when - after), "unit": unit}
    return event(kind, "Q", when, **columns)


def hourly(first: int, last: int) -> list[Row]:
    """Return a get in each of these hours."""
    return [got(3, 3600 * hour) for hour in range(first, last + 1)]


def there(queue: str = "Q", state: str = "AVAILABLE", **columns: Any) -> Row:
    return message(queue, state=state, **columns)


NO_TIMES = (None,) * 4
AWKWARD_ID = bytes(range(232, 256))
CASES = written(
    r"""
table balance
    queue put=0 streamed=0 moved_in=0 backed_out=0 got=0 requeued=0 forwarded=0
    dead_lettered=0 discarded=0 dropped=0 expired=0 moved_out=0 cleared=0 there=0 held=0 lost=0 surplus=0
nothing happened | OPEN, TRIGGER cause=put
put and got, or still there
    put 1, put 2, put 3, got 1, put 4 queue=P; left there, there, there P => P put=1 there=1, Q put=3 got=1 there=2
a message that vanished | put 1, put 2, got 1 => Q put=2 got=1 lost=1
more got than recorded as put | got 1 => Q got=1 surplus=1
only messages: nothing was recorded | left there, there, there state=GOT => Q there=2 held=1 surplus=3
ACCTQ(OFF), now or once, also of the model of a dynamic queue
    DEFINE A target=QLOCAL detail={"ACCTQ":[null,"OFF"]}, ALTER B target=QLOCAL detail={"ACCTQ":["OFF","QMGR"]},
    DEFINE C target=QLOCAL detail={"ACCTQ":[null,"ON"]}, DEFINE M target=QMODEL detail={"ACCTQ":[null,"OFF"]},
    DEFINE D.1 cause=dynamic rule=M; left there A, there B, there C, there D.1
    columns queue lost surplus unrecorded
    => A - - 1, B - - 1, C 0 1 0, D.1 - - 1
open units of work
    put 1, put 2, put 3 unit=101, got 1 unit=101, got 2 unit=101
    left there state=PUT, there state=GOT, there state=GOT => Q put=3 there=1 held=2
backed out
    put 1, put 2 unit=102, put 3 unit=102, got 1 unit=102, back 102 Q={"puts":2,"gets":1}; left there
    => Q put=3 backed_out=2 there=1
T04: a trigger message stays when its unit of work is backed out
    put 1 unit=103, put 2 unit=103, back 103 Q={"puts":1,"gets":0}; left there => Q put=2 backed_out=1 there=1
K10: a message that skipped the backout is got
    put 1, put 2, got 1 unit=104, got 2 unit=104, back 104 Q={"puts":0,"gets":1} skips=1 into=105,
    COMMIT - unit=105; left there => Q put=2 got=1 there=1
K13: backed out the second time
    put 1, got 1 unit=106, back 106 Q={"puts":0,"gets":0} skips=1 into=107,
    back 107 Q={"puts":0,"gets":1}; left there => Q put=1 there=1
outcomes of gets
    put 1, put 2, put 3, put 4, put 5, got 1 unit=111, got 2 unit=112, got 3 unit=113, got 4 unit=114, got 5 unit=115,
    outcome REQUEUE poison 1 111, outcome FORWARD handler 2 112, outcome DEAD_LETTER channel 3 113,
    outcome DISCARD command 4 114, outcome EXPIRE channel 5 115
    => Q put=5 requeued=1 forwarded=1 dead_lettered=1 discarded=1 expired=1
what a channel carried was on no queue here
    put 1, EXPIRE cause=channel msg_id=message_id(9), DISCARD cause=channel msg_id=message_id(9),
    DEAD_LETTER cause=channel msg_id=message_id(9); left there => Q put=1 there=1
discarded where they were
    put 1, put 2, expire, DISCARD cause=nonpersistent put_at=at(0) => Q put=2 expired=1 dropped=1
CLEAR and MOVE
    put 1, put 2, put 3, count CLEAR 1, count MOVE 2 target=P, count MOVE 0 target=P; left there P, there P
    => P moved_in=2 there=2, Q put=3 moved_out=2 cleared=1
a dynamic queue goes with what a unit of work has got; its backout returns nothing
    put 1, put 2, got 1 unit=120, count CLEAR 2 got=1 cause=dynamic, back 120 P={"puts":0,"gets":1}
    => Q put=2 got=1 cleared=1
two queues of one name in a unit of work: the first was deleted
    put 1, got 1 unit=121, count CLEAR 1 got=1 cause=dynamic, put 2, got 2 unit=121, back 121 Q={"puts":0,"gets":1}
    left there => Q put=2 got=1 there=1
copies for a stream queue
    put 1, put 1 queue=COPY cause=stream; left there, there COPY => COPY put=1 streamed=1 there=1, Q put=1 there=1
the whole history, if an event is chosen
    outside put 1, outside put 2, got 2, outside put 3 queue=P; left there => Q put=2 got=1 there=1
the same unit of another queue manager, backed out
    put 1 unit=99, back 99 Q={"puts":1,"gets":0} => Q put=1 backed_out=1
the same unit of another queue manager, committed | put 1 unit=99, got 1 unit=99 => Q put=1 got=1
ARCHIVED: what is still there is not known
    put 1, put 2, got 1
    columns put got there held lost surplus
    => 2 1 - - - -

table endings
    queue ending cause hour messages bytes lifetime_min lifetime_median lifetime_p95 lifetime_max
a put is no ending | put 1
by ending, cause and hour
    got 1 10 after=1 length=3, got 2 20 after=3 length=4, got 3 3600 after=8, expire when=5 lived=4 cause=get,
    expire when=6 lived=2 cause=interval, expire when=7 lived=4 cause=interval => Q expired get 0 1 10 4 4 4 4
    => Q expired interval 0 2 20 2 3 3.9 4
    => Q got - 0 2 7 1 2 2.9 3
    => Q got - 1 1 10 8 8 8 8
midnight, and the hour that a daylight saving time would repeat or skip
    # 2023-11-15 00:00 UTC, and hour after hour around 2024-03-31 01:00 UTC and 2023-10-29 01:00 UTC.
    got 1 7199.999999, got 2 7200, hourly 3290 3292, hourly -406 -404
    => Q got - -406 1 10 0 0 0 0, Q got - -405 1 10 0 0 0 0, Q got - -404 1 10 0 0 0 0, Q got - 1 1 10 0 0 0 0
    => Q got - 2 1 10 0 0 0 0, Q got - 3290 1 10 0 0 0 0, Q got - 3291 1 10 0 0 0 0, Q got - 3292 1 10 0 0 0 0
a clock that ran backwards: nothing lived less than 0 seconds
    got 1 10 after=-5, got 2 10 after=2 => Q got - 0 2 20 0 1 1.9 2
counts have no lifetimes; backouts count at the backout
    put 1 unit=201, back 201 3600 Q={"puts":1,"gets":0}, count CLEAR 2, count CLEAR 0, count CLEAR 3 cause=purge,
    count MOVE 4 3600 target=P => Q "backed out" application 1 1 - $NO_TIMES
    => Q cleared purge 0 3 - $NO_TIMES
    => Q cleared - 0 2 - $NO_TIMES
    => Q moved - 1 4 - $NO_TIMES
a get that was backed out is no ending
    got 1 1 unit=202, back 202 2 Q={"puts":0,"gets":1}, got 1 3 after=3 => Q got - 0 1 10 3 3 3 3
outcomes by cause
    got 1 5 after=5 unit=203, outcome DISCARD poison 1 203 5 after=5 => Q discarded poison 0 1 10 5 5 5 5
still there, up to the time of the clock
    left there, there state=PUT, there state=GOT => Q there - - 2 20 100 100 100 100
outside the selection | outside got 1
names and data that are hard to write | got 1 queue="Ä,\"'\n" msg_id=$AWKWARD_ID => "Ä,\"'\n" got - 0 1 10 0 0 0 0
""",
    globals(),
)


SUMS = CASES["balance"][0].removeprefix("queue ")


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows


SECOND_COMPUTATION = """
CREATE TEMP TABLE shares AS
    SELECT b.unit, b.at, b.cause, each.key AS queue, json_extract(each.value, '$.puts') AS puts,
        json_extract(each.value, '$.gets') AS gets
    FROM event b, json_each(b.detail) each WHERE b.kind = 'BACKOUT';
CREATE TEMP TABLE gone AS
    SELECT qmgr, queue, 'got' AS ending, NULL AS cause, at, put_at, length FROM event e
    WHERE kind = 'GET' AND NOT EXISTS (SELECT 1 FROM shares s WHERE s.unit = e.unit AND s.queue = e.queue AND gets > 0)
        AND NOT EXISTS (SELECT 1 FROM event d WHERE d.kind IN ('REQUEUE', 'FORWARD', 'DISCARD', 'DEAD_LETTER')
            AND d.unit = e.unit AND d.queue = e.queue AND d.msg_id = e.msg_id)
    UNION ALL
    SELECT qmgr, queue, CASE kind WHEN 'REQUEUE' THEN 'requeued' WHEN 'FORWARD' THEN 'forwarded'
        WHEN 'DISCARD' THEN 'discarded' ELSE 'dead-lettered' END, cause, at, put_at, length
    FROM event WHERE kind IN ('REQUEUE', 'FORWARD', 'DISCARD', 'DEAD_LETTER') AND unit IS NOT NULL
    UNION ALL
    SELECT qmgr, queue, iif(kind = 'EXPIRE', 'expired', 'dropped'), cause, at, put_at, length
    FROM event WHERE kind IN ('EXPIRE', 'DISCARD') AND cause IN ('interval', 'nonpersistent');
CREATE TEMP TABLE counted AS
    SELECT qmgr, queue, ending, cause, at - at % 3600000000 AS hour, count(*) AS messages, sum(length) AS bytes,
        max(max(at - put_at, 0)) / 1e6 AS longest
    FROM gone GROUP BY qmgr, queue, ending, cause, hour
    UNION ALL
    SELECT qmgr, queue, iif(kind = 'CLEAR', 'cleared', 'moved'), cause, at - at % 3600000000,
        sum(json_extract(detail, '$.messages') - coalesce(json_extract(detail, '$.got'), 0)) AS messages, NULL, NULL
    FROM event WHERE kind IN ('CLEAR', 'MOVE') GROUP BY qmgr, queue, kind, cause, at - at % 3600000000
    HAVING messages > 0
    UNION ALL
    SELECT (SELECT min(qmgr) FROM event p WHERE p.unit = s.unit AND p.queue = s.queue), queue, 'backed out', cause,
        at - at % 3600000000, sum(puts), NULL, NULL
    FROM shares s WHERE puts > 0 GROUP BY 1, queue, cause, at - at % 3600000000
    UNION ALL
    SELECT qmgr, queue, 'there', NULL, NULL, count(*), sum(length), max(max(:now - put_at, 0)) / 1e6
    FROM published_message WHERE state <> 'GOT' GROUP BY qmgr, queue;
"""


def test_realistic_histories_computed_twice(spark: SparkSession) -> None:
    """Every message of several days is accounted for, by Spark, by SQLite and by the history that was played."""
    history = realistic(20_231_114, days=5)
    rows = {"event": history.events, "pending": history.pending}
    query = (
        "SELECT qmgr, queue, ending, cause, (hour - :start) / 3600000000, messages, bytes, longest FROM counted "
        "ORDER BY qmgr, queue, ending, cause NULLS LAST, hour NULLS LAST"
    )
    computed = by_sqlite(rows, SECOND_COMPUTATION, {"endings": ("", query)})["endings"]
    assert len({each[2] for each in computed}) == 11
    built = tables_of(spark, REPORT, rows, "endings", "balance")
    assert shown(built["endings"], "qmgr queue ending cause hour messages bytes lifetime_max") == computed
    found = shown(built["balance"], f"qmgr queue {SUMS}")
    words = dict(zip(SUMS.split(), _WORDS, strict=True))
    counted = balance_of(history)
    assert found == [(*key, *(counted[key].get(words[name], 0) for name in SUMS.split())) for key in sorted(counted)]


_WORDS = (
    *("put", "streamed", "moved in", "backed out", "got", "requeued", "forwarded", "dead-lettered", "discarded"),
    *("dropped", "expired", "moved", "cleared", "there", "held", "lost", "surplus"),
)
SETUP = """
ALTER QMGR DEADQ(DLQ) PERFMEV(ENABLED) CONFIGEV(ENABLED)
DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(COPIES) DEFPSIST(YES)
DEFINE QLOCAL(INIT)
DEFINE PROCESS(P) APPLICID('/bin/true')
DEFINE QLOCAL(ORDERS) DEFPSIST(YES) STREAMQ(COPIES) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P) +
  QDEPTHHI(1) QDPHIEV(ENABLED)
DEFINE QLOCAL(PLAIN)
DEFINE QLOCAL(OLD)
DEFINE QLOCAL(SHORT)
DEFINE QLOCAL(DOOMED)
DEFINE QMODEL(PERMANENT) DEFTYPE(PERMDYN)
DEFINE QLOCAL(UNSEEN) ACCTQ(OFF)
DEFINE CFSTRUCT(CF1)
DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(CF1)
DEFINE QLOCAL(SQ2) QSGDISP(SHARED) CFSTRUCT(CF1)
"""
IN_UNIT, PUT_IN_UNIT = GetMessageOptions(MQGMO.SYNCPOINT), PutMessageOptions(MQPMO.SYNCPOINT)
BOTH = MQOO.INPUT_SHARED | MQOO.OUTPUT


def _put(connection: Connection, queue: str, number: int = 1, expiry: int = -1, options: Any = None) -> None:
    for _ in range(number):
        connection.put1(queue, Message(b"\xff\x00", MessageDescriptor(expiry=expiry)), options)


def _play(qmgr: QueueManager, clock: FrozenClock) -> None:
    """Messages come to queues and leave them in every way that there is, by calls of programs and by commands."""
    mqsc.run(qmgr, SETUP, check=True)
    with qmgr.connect() as one:
        _put(one, "ORDERS", 3, options=PUT_IN_UNIT)
        one.back()
        _put(one, "ORDERS", 5)
        _put(one, "UNSEEN", 2)
        _put(one, "SHORT", 2, expiry=1)
        for queue in ("SQ", "PLAIN", "DOOMED"):
            _put(one, queue, 6)
        orders, shared = one.open("ORDERS", BOTH), one.open("SQ", BOTH)
        for handle in (orders, shared):
            handle.get(IN_UNIT)
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT) if handle is orders else IN_UNIT)
        one.back()
        one.commit()
        shared.get(IN_UNIT)
        _put(one, "SQ", 2, options=PUT_IN_UNIT)
        one.commit()
        orders.close()
        shared.close()
        for model in ("SYSTEM.DEFAULT.MODEL.QUEUE", "PERMANENT"):
            dynamic = one.open(model, BOTH, dynamic_name="D.*")
            _put(one, dynamic.name, 3)
            dynamic.get(IN_UNIT)
            dynamic.put(Message(b"x"), PUT_IN_UNIT)
            dynamic.close()
            one.back()
    clock.advance(10)
    moves = "MOVE QLOCAL(ORDERS) TOQLOCAL(OLD)\nMOVE QLOCAL(SQ) QSGDISP(SHARED) TOQLOCAL(SQ2)"
    clears = "MOVE QLOCAL(PLAIN) TOQLOCAL(SQ)\nCLEAR QLOCAL(DOOMED)\nCLEAR QLOCAL(SQ2) QSGDISP(SHARED)"
    mqsc.run(qmgr, f"REFRESH QMGR TYPE(EXPIRY) NAME(*)\n{moves}\n{clears}", check=True)
    with qmgr.connect() as two:
        _put(two, "PLAIN", 2)
        _put(two, "DOOMED", 4)
        two.open("DOOMED", MQOO.INPUT_SHARED).get(IN_UNIT)
        _put(two, "DOOMED", 1, options=PUT_IN_UNIT)
        two.prepare("XA", "1")
    mqsc.run(qmgr, "DELETE QLOCAL(INIT) PURGE", check=True)
    qmgr.end()
    qmgr.start()


def test_a_store_in_which_everything_happened(spark: SparkSession, tmp_path: Path) -> None:
    """Nothing is left over, except on the queue whose puts are not recorded; a deleted queue manager has nothing."""
    path = tmp_path / "store.db"
    environment = Environment.frozen(at=at(0))
    with mqsc.open_store(f"sqlite:///{path}", environment=environment) as store:
        _play(store.create_queue_manager("QM1", group="QSG1"), environment.clock)
        alone = store.create_queue_manager("QM2")
        mqsc.run(alone, "DEFINE QLOCAL(Q)", check=True)
        with alone.connect() as one:
            _put(one, "Q", 5)
            one.open("Q", MQOO.INPUT_SHARED).get(IN_UNIT)
            _put(one, "Q", 2, options=PUT_IN_UNIT)
            one.prepare("XA", "2")
        alone.end()
        delete_queue_manager(store, "QM2")
        bound = store.bound()
    in_forms(spark, "message-lifetimes", path, bound, ("csv", "html"), tmp_path)
    with (tmp_path / "csv" / "message-lifetimes" / "balance.csv").open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    counts = {(each["qmgr"], each["queue"]): {name: int(each[name] or 0) for name in SUMS.split()} for each in rows}
    assert {key for key, each in counts.items() if each["lost"] or each["surplus"]} == set()
    not_known = {each["queue"]: (each["lost"], each["surplus"]) for each in rows if each["unrecorded"] == "1"}
    assert not_known == {"UNSEEN": ("", "")}
    assert {key: each["there"] + each["held"] for key, each in counts.items()} == {
        **dict.fromkeys(counts, 0),
        **_messages(path),
    }
    assert {name for each in counts.values() for name in SUMS.split() if each[name]} >= {
        *("put", "streamed", "moved_in", "backed_out", "got", "dropped", "expired", "moved_out", "cleared", "held")
    }
    assert counts["QM2", "Q"] == {**dict.fromkeys(SUMS.split(), 0), "put": 7, "got": 1, "cleared": 6}
    page = (tmp_path / "html" / "message-lifetimes.html").read_text("utf-8")
    assert '<td class="n alarm"><strong>' not in page
    balances = [tuple(each.values()) for each in rows if each["qmgr"] == "QSG1"]
    assert [each[1] for each in balances] == ["SQ", "SQ2"]
    # Backouts belong to members of the group, and a MOVE to the owner of its source.
    read, of_group = Sources(path, bound), ReportSelection(qmgrs=("QSG1",))
    selected = rows_of(spark, "message-lifetimes", "balance", " ".join(rows[0]), read, of_group)
    assert [tuple(map(str, row)) for row in selected] == balances
    columns = "qmgr queue application gets_backed_out messages"
    assert rows_of(spark, "backouts", "backouts", columns, read, of_group) == [("QSG1", "SQ", "mqsc", 2, 2)]


def _messages(path: Path) -> dict[tuple[str, str], int]:
    """How many messages each queue has, by the store's own count."""
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT qmgr, queue, count(*) FROM published_message GROUP BY qmgr, queue"
        return {(qmgr, queue): number for qmgr, queue, number in connection.execute(query)}
