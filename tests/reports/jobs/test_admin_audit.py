"""admin-audit: literal rows in, rows out; and a history that was played, computed a second time by
SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mqsc.reports.catalog import report
from mqsc.reports.jobs.admin_audit import IDENTIFYING
from mqsc.store.catalog import KINDS
from tests.reports.history import Row, event
from tests.reports.played import played
from tests.reports.tables import Answer, by_sqlite, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("admin-audit")


def act(kind: str, queue: str | None = "Q", when: float = 0, **columns: Any) -> Row:
    """Return an event by user ann; a `detail` is a mapping."""
    detail = columns.pop("detail", None)
    text = None if detail is None else json.dumps(detail, ensure_ascii=False)
    return event(
        kind,
        queue,
        when,
        **{"user": "ann", "application": "mqsc", "detail": text, **columns},
    )


CASES = written(
    r"""
table changes
    action cause type object attribute before after
users, their groups and the mode
    act ACCESS - cause=user target=app detail={"after":"user"},
    act ACCESS - cause=group target=app detail={"before":"apps"},
    act ACCESS - cause=mode detail={"before":"auto","after":"warn"}
    columns action cause type record attribute before after security
    => ACCESS user QMGR USER(app) USER - user 1, ACCESS group QMGR USER(app) GROUP apps - 1
    => ACCESS mode QMGR - MODE auto warn 1
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
    assert KINDS["AUTHREC"].identity + KINDS["CHLAUTH"].identity == IDENTIFYING


# Acts of administration, with their objects.
ACTS = """
CREATE TEMP TABLE act AS
    SELECT *, (at - :start) / 3600000000 AS hour,
        CASE WHEN kind IN ('CREATE', 'JOIN', 'START', 'END', 'ACCESS') THEN 'QMGR' WHEN kind = 'CHANNEL' THEN kind
            WHEN kind = 'MOVE' THEN 'QLOCAL' ELSE target END AS type,
        CASE WHEN kind IN ('CREATE', 'JOIN', 'START', 'END', 'ACCESS') THEN qmgr WHEN kind = 'CHANNEL' THEN target
            ELSE queue END AS object
    FROM event WHERE coalesce(cause, '') NOT IN ('dynamic', 'create')
        AND (kind IN ('CREATE', 'JOIN', 'START', 'END', 'ACCESS', 'DEFINE', 'ALTER', 'SET', 'DELETE', 'CLEAR', 'MOVE')
            OR (kind = 'CHANNEL' AND cause IN ('starting', 'stopped')));
"""
BY_SQLITE = {
    "changes": (
        "seq action object attribute before after user application messages to",
        """
        SELECT e.seq, kind, object, pair.key, CAST(json_extract(pair.value, '$[0]') AS TEXT),
            CAST(json_extract(pair.value, '$[1]') AS TEXT), user, application,
            json_extract(detail, '$.messages'), iif(kind IN ('MOVE', 'JOIN'), target, NULL)
        FROM act e LEFT JOIN json_each(coalesce(detail, '{}')) pair ON pair.type = 'array' ORDER BY e.seq, pair.key
        """,
    ),
    "activity": (
        f"qmgr {CASES['activity'][0]}",
        """
        SELECT qmgr, hour, user, application, kind, type, count(*), count(DISTINCT object) FROM act
        GROUP BY qmgr, hour, user, application, kind, type ORDER BY qmgr, hour, user, application, kind, type
        """,
    ),
}


def test_a_played_history_computed_twice(spark: SparkSession) -> None:
    rows = {"event": played(7).event}
    built, computed = tables_of(spark, REPORT, rows, *BY_SQLITE), by_sqlite(rows, ACTS, BY_SQLITE)
    for table, (columns, _) in BY_SQLITE.items():
        assert len(computed[table]) > 8
        assert shown(built[table], columns) == computed[table], table
