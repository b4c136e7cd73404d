"""admin-audit: literal rows in, rows out; and realistic histories, computed a second time by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mqsc
import reports
from reports.catalog import report
from reports.jobs.admin_audit import _IDENTIFYING
from store import Environment
from store.catalog import KINDS
from tests.reports.history import Row, at, event
from tests.reports.realistic import realistic
from tests.reports.tables import Answer, by_sqlite, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("admin-audit")


def act(kind: str, queue: str | None = "Q", when: float = 0, **columns: Any) -> Row:
    """Return an event by user ann; a `detail` is a mapping."""
    detail = columns.pop("detail", None)
    text = None if detail is None else json.dumps(detail, ensure_ascii=False)
    return event(kind, queue, when, **{"user": "ann", "application": "mqsc", "detail": text, **columns})


CASES = written(
    r"""
table changes
    action cause type object attribute before after
what is no administration
    act PUT, act OPEN, act CHANNEL cause=batch target=C, act DEFINE cause=create target=QLOCAL,
    act DEFINE cause=dynamic target=QLOCAL, act CLEAR cause=dynamic target=QLOCAL
a row for each attribute, sorted
    act ALTER target=QLOCAL detail={"MAXDEPTH":[5000,7],"GET":["ENABLED","DISABLED"]}
    => ALTER - QLOCAL Q GET ENABLED DISABLED, ALTER - QLOCAL Q MAXDEPTH "5000" "7"
new, replaced and deleted
    act DEFINE target=QLOCAL detail={"DESCR":[null,"x"]},
    act ALTER target=QLOCAL cause=replace detail={"DESCR":["x",""]},
    act DELETE target=QLOCAL detail={"messages":3,"MAXDEPTH":[7,null]}
    => DEFINE - QLOCAL Q DESCR - x, ALTER replace QLOCAL Q DESCR x "", DELETE - QLOCAL Q MAXDEPTH "7" -
nothing differed, or nothing was told
    act ALTER target=QLOCAL, act DEFINE target=QLOCAL detail={"disposition":"COPY"}
    => ALTER - QLOCAL Q - - -, DEFINE - QLOCAL Q - - -
channels
    act CHANNEL XQ cause=starting target=C detail={"role":"sender"},
    act CHANNEL XQ cause=stopped target=C detail={"message":"[AMQ9999] ended"}
    => CHANNEL starting CHANNEL C - - -, CHANNEL stopped CHANNEL C - - -
text that is hard to read
    act ALTER "Ä'\"\n" target=QLOCAL detail={"DESCR":["a\r\nb\u0000\u001b","\u202e\ufffd=1+1"],"NAMES":[["A","B,"],[]]}
    => ALTER - QLOCAL "Ä'\"\n" DESCR "a\r\nb\u0000\u001b" "\u202e\ufffd=1+1"
    => ALTER - QLOCAL "Ä'\"\n" NAMES "[\"A\",\"B,\"]" "[]"
CLEAR and MOVE
    act CLEAR when=7199.999999 target=QLOCAL detail={"messages":4}, act MOVE when=7200 target=P detail={"messages":5}
    columns action at type to messages record disposition member user application
    => CLEAR @7199.999999 QLOCAL - 4 - - - ann mqsc, MOVE @7200 QLOCAL P 5 - - - ann mqsc
of a queue-sharing group
    act DEFINE target=QLOCAL user="" detail={"member":"QM7","disposition":"GROUP"}
    columns action at type to messages record disposition member user application
    => DEFINE @0 QLOCAL - - - GROUP QM7 "" mqsc
records
    act SET target=AUTHREC cause=command detail={"OBJTYPE":[null,"QUEUE"],"ENTITY":[null,"joe"]},
    act SET target=AUTHREC cause=command detail={"record":{"ENTITY":"joe"},"AUTHLIST":[["GET"],[]]},
    act DELETE target=CHLAUTH detail={"ADDRESS":["*",null]}, act SET target=CHLAUTH cause=command
    columns action at type to messages record disposition member user application
    => SET @0 AUTHREC - - "OBJTYPE(QUEUE) ENTITY(joe)" - - ann mqsc
    => SET @0 AUTHREC - - "OBJTYPE(QUEUE) ENTITY(joe)" - - ann mqsc
    => SET @0 AUTHREC - - ENTITY(joe) - - ann mqsc
    => DELETE @0 CHLAUTH - - ADDRESS(*) - - ann mqsc
    => SET @0 CHLAUTH - - - - - ann mqsc

table activity
    hour user application action type actions objects
by hour, user, program, action and type
    act ALTER target=QLOCAL detail={"MAXDEPTH":[1,2],"GET":["ENABLED","DISABLED"]}, act ALTER target=QLOCAL,
    act ALTER P target=QLOCAL, act ALTER when=3600 target=QLOCAL, act ALTER when=3599 target=CHANNEL,
    act ALTER target=QLOCAL user=bob, act START -, act END - cause=immediate application=endmqm
    => 0 ann endmqm END QMGR 1 1
    => 0 ann mqsc ALTER CHANNEL 1 1
    => 0 ann mqsc ALTER QLOCAL 3 2
    => 0 ann mqsc START QMGR 1 1
    => 0 bob mqsc ALTER QLOCAL 1 1
    => 1 ann mqsc ALTER QLOCAL 1 1
a clock that ran backwards, over midnight
    act START - 7200, act START - 7199.999999, act START - -1
    => -1 ann mqsc START QMGR 1 1, 1 ann mqsc START QMGR 1 1, 2 ann mqsc START QMGR 1 1
""",
    globals(),
)


def test_cases(table: str, case: str, found: dict[tuple[str, str], Answer]) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def test_the_attributes_that_tell_records_apart() -> None:
    assert KINDS["AUTHREC"].identity + KINDS["CHLAUTH"].identity == _IDENTIFYING


BY_SQLITE = {
    "changes": (
        "seq action object attribute before after user application messages to",
        """
        SELECT e.seq, kind, CASE WHEN kind IN ('CREATE', 'JOIN', 'START', 'END') THEN qmgr ELSE queue END, pair.key,
            CAST(json_extract(pair.value, '$[0]') AS TEXT), CAST(json_extract(pair.value, '$[1]') AS TEXT), user,
            application,
            json_extract(detail, '$.messages'), iif(kind IN ('MOVE', 'JOIN'), target, NULL)
        FROM event e LEFT JOIN json_each(coalesce(detail, '{}')) pair ON pair.type = 'array'
        WHERE kind IN ('CREATE', 'JOIN', 'START', 'END', 'DEFINE', 'ALTER', 'SET', 'DELETE', 'CLEAR', 'MOVE')
            AND coalesce(cause, '') <> 'dynamic'
        ORDER BY e.seq, pair.key
        """,
    ),
    "activity": (
        CASES["activity"][0],
        """
        SELECT hour, user, application, kind, type, count(*), count(DISTINCT object)
        FROM (SELECT (at - :start) / 3600000000 AS hour, user, application, kind,
                  CASE WHEN kind IN ('CREATE', 'JOIN', 'START', 'END') THEN 'QMGR' ELSE 'QLOCAL' END AS type,
                  CASE WHEN kind IN ('CREATE', 'JOIN', 'START', 'END') THEN qmgr ELSE queue END AS object, qmgr
              FROM event WHERE kind IN ('CREATE', 'JOIN', 'START', 'END', 'DEFINE', 'ALTER', 'SET', 'DELETE', 'CLEAR',
                      'MOVE') AND coalesce(cause, '') <> 'dynamic')
        GROUP BY qmgr, hour, user, application, kind, type ORDER BY qmgr, hour, user, application, kind, type
        """,
    ),
}


def test_realistic_histories_computed_twice(spark: SparkSession) -> None:
    history = realistic(20_231_114, days=5)
    rows = {"event": history.events}
    built, computed = tables_of(spark, REPORT, rows, *BY_SQLITE), by_sqlite(rows, "", BY_SQLITE)
    for table, (columns, _) in BY_SQLITE.items():
        assert len(computed[table]) > 20
        assert shown(built[table], columns) == computed[table], table


COMMANDS = """
DEFINE QLOCAL(A) DESCR('x')
ALTER QLOCAL(A) MAXDEPTH(8)
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(GET)
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('joe') AUTHADD(PUT)
CLEAR QLOCAL(A)
DELETE QLOCAL(A)
"""


def test_a_store_that_was_administered(spark: SparkSession, tmp_path: Path) -> None:
    """From commands to the file; the clock of the queue manager was moved, too."""
    path = tmp_path / "store.db"
    with mqsc.open_store(f"sqlite:///{path}", environment=Environment.frozen(at=at(0))) as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=at(0))
        mqsc.run(qmgr, COMMANDS, check=True)
        qmgr.advance_clock(2_500_000)
        bound = store.bound()
    reports.run(["admin-audit"], str(path), str(tmp_path / "out"), bound=bound)
    with (tmp_path / "out" / "admin-audit" / "changes.csv").open(newline="", encoding="utf-8") as lines:
        names = ("action", "object", "record", "attribute", "before", "after")
        rows = [tuple(row[name] for name in names) for row in csv.DictReader(lines)]
    joe = "OBJTYPE(QUEUE) ENTTYPE(PRINCIPAL) ENTITY(joe)"
    assert rows == [
        ("CREATE", "QM1", "", "", "", ""),
        ("START", "QM1", "", "", "", ""),
        ("DEFINE", "A", "", "DESCR", "", "x"),
        ("ALTER", "A", "", "MAXDEPTH", "5000", "8"),
        ("SET", "A", joe, "AUTHLIST", "", '["GET"]'),
        ("SET", "A", joe, "ENTITY", "", "joe"),
        ("SET", "A", joe, "ENTTYPE", "", "PRINCIPAL"),
        ("SET", "A", joe, "OBJTYPE", "", "QUEUE"),
        ("SET", "A", joe, "AUTHLIST", '["GET"]', '["GET","PUT"]'),
        ("CLEAR", "A", "", "", "", ""),
        ("DELETE", "A", "", "DESCR", "x", ""),
        ("DELETE", "A", "", "MAXDEPTH", "8", ""),
        ("DELETE", "A", joe, "AUTHLIST", '["GET","PUT"]', ""),
        ("DELETE", "A", joe, "ENTITY", "joe", ""),
        ("DELETE", "A", joe, "ENTTYPE", "PRINCIPAL", ""),
        ("DELETE", "A", joe, "OBJTYPE", "QUEUE", ""),
        ("CLOCK", "QM1", "", "CLOCK", "2023-11-14 22:00:00.000000Z", "2023-11-14 22:00:02.500000Z"),
    ]
