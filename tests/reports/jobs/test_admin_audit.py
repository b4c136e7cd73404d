"""admin-audit: literal rows in, rows out; and realistic histories, computed a second time by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mqsc
import reports
from reports.catalog import report
from reports.jobs.admin_audit import _IDENTIFYING
from store import Environment
from store.catalog import KINDS
from tests.reports.history import Row, at, event, write_history
from tests.reports.realistic import realistic
from tests.reports.tables import START, Answer, Case, Cases, made, shown, tables_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("admin-audit")


def act(kind: str, queue: str | None = "Q", when: float = 0, **columns: Any) -> Row:
    """Return an event by user ann; a `detail` is a mapping."""
    detail = columns.pop("detail", None)
    text = None if detail is None else json.dumps(detail, ensure_ascii=False)
    return event(kind, queue, when, **{"user": "ann", "application": "mqsc", "detail": text, **columns})


CHANGES_SHOW = "action cause type object attribute before after"
CHANGES: dict[str, Case] = {
    "what is no administration": Case(
        [
            act("PUT"),
            act("OPEN"),
            act("CHANNEL", cause="batch", target="C"),
            act("DEFINE", cause="create", target="QLOCAL"),
            act("DEFINE", cause="dynamic", target="QLOCAL"),
            act("CLEAR", cause="dynamic", target="QLOCAL"),
        ],
        [],
    ),
    "a row for each attribute, sorted": Case(
        [act("ALTER", target="QLOCAL", detail={"MAXDEPTH": [5000, 7], "GET": ["ENABLED", "DISABLED"]})],
        [
            ("ALTER", None, "QLOCAL", "Q", "GET", "ENABLED", "DISABLED"),
            ("ALTER", None, "QLOCAL", "Q", "MAXDEPTH", "5000", "7"),
        ],
    ),
    "new, replaced and deleted": Case(
        [
            act("DEFINE", target="QLOCAL", detail={"DESCR": [None, "x"]}),
            act("ALTER", target="QLOCAL", cause="replace", detail={"DESCR": ["x", ""]}),
            act("DELETE", target="QLOCAL", detail={"messages": 3, "MAXDEPTH": [7, None]}),
        ],
        [
            ("DEFINE", None, "QLOCAL", "Q", "DESCR", None, "x"),
            ("ALTER", "replace", "QLOCAL", "Q", "DESCR", "x", ""),
            ("DELETE", None, "QLOCAL", "Q", "MAXDEPTH", "7", None),
        ],
    ),
    "nothing differed, or nothing was told": Case(
        [act("ALTER", target="QLOCAL"), act("DEFINE", target="QLOCAL", detail={"disposition": "COPY"})],
        [("ALTER", None, "QLOCAL", "Q", None, None, None), ("DEFINE", None, "QLOCAL", "Q", None, None, None)],
    ),
    "channels": Case(
        [
            act("CHANNEL", "XQ", cause="starting", target="C", detail={"role": "sender"}),
            act("CHANNEL", "XQ", cause="stopped", target="C", detail={"message": "[AMQ9999] ended"}),
        ],
        [
            ("CHANNEL", "starting", "CHANNEL", "C", None, None, None),
            ("CHANNEL", "stopped", "CHANNEL", "C", None, None, None),
        ],
    ),
    "text that is hard to read": Case(
        [
            act(
                "ALTER",
                "Ä'\"\n",
                target="QLOCAL",
                detail={"DESCR": ["a\r\nb\x00\x1b", "\u202e\ufffd=1+1"], "NAMES": [["A", "B,"], []]},
            )
        ],
        [
            ("ALTER", None, "QLOCAL", "Ä'\"\n", "DESCR", "a\r\nb\x00\x1b", "\u202e\ufffd=1+1"),
            ("ALTER", None, "QLOCAL", "Ä'\"\n", "NAMES", '["A","B,"]', "[]"),
        ],
    ),
}
ABOUT_SHOW = "action at type to messages record disposition member user application"
ABOUT: dict[str, Case] = {
    "CLEAR and MOVE": Case(
        [
            act("CLEAR", when=7199.999999, target="QLOCAL", detail={"messages": 4}),
            act("MOVE", when=7200, target="P", detail={"messages": 5}),
        ],
        [
            ("CLEAR", START + timedelta(seconds=7199.999999), "QLOCAL", None, 4, None, None, None, "ann", "mqsc"),
            ("MOVE", START + timedelta(seconds=7200), "QLOCAL", "P", 5, None, None, None, "ann", "mqsc"),
        ],
    ),
    "of a queue-sharing group": Case(
        [act("DEFINE", target="QLOCAL", user="", detail={"member": "QM7", "disposition": "GROUP"})],
        [("DEFINE", START, "QLOCAL", None, None, None, "GROUP", "QM7", "", "mqsc")],
    ),
    "records": Case(
        [
            act("SET", target="AUTHREC", cause="command", detail={"OBJTYPE": [None, "QUEUE"], "ENTITY": [None, "joe"]}),
            act(
                "SET",
                target="AUTHREC",
                cause="command",
                detail={"record": {"ENTITY": "joe"}, "AUTHLIST": [["GET"], []]},
            ),
            act("DELETE", target="CHLAUTH", detail={"ADDRESS": ["*", None]}),
            act("SET", target="CHLAUTH", cause="command"),
        ],
        [
            ("SET", START, "AUTHREC", None, None, "OBJTYPE(QUEUE) ENTITY(joe)", None, None, "ann", "mqsc"),
            ("SET", START, "AUTHREC", None, None, "OBJTYPE(QUEUE) ENTITY(joe)", None, None, "ann", "mqsc"),
            ("SET", START, "AUTHREC", None, None, "ENTITY(joe)", None, None, "ann", "mqsc"),
            ("DELETE", START, "CHLAUTH", None, None, "ADDRESS(*)", None, None, "ann", "mqsc"),
            ("SET", START, "CHLAUTH", None, None, None, None, None, "ann", "mqsc"),
        ],
    ),
}
ACTIVITY_SHOW = "hour user application action type actions objects"
ACTIVITY: dict[str, Case] = {
    "by hour, user, program, action and type": Case(
        [
            act("ALTER", target="QLOCAL", detail={"MAXDEPTH": [1, 2], "GET": ["ENABLED", "DISABLED"]}),
            act("ALTER", target="QLOCAL"),
            act("ALTER", "P", target="QLOCAL"),
            act("ALTER", when=3600, target="QLOCAL"),
            act("ALTER", when=3599, target="CHANNEL"),
            act("ALTER", target="QLOCAL", user="bob"),
            act("START", None),
            act("END", None, cause="immediate", application="endmqm"),
        ],
        [
            (0, "ann", "endmqm", "END", "QMGR", 1, 1),
            (0, "ann", "mqsc", "ALTER", "CHANNEL", 1, 1),
            (0, "ann", "mqsc", "ALTER", "QLOCAL", 3, 2),
            (0, "ann", "mqsc", "START", "QMGR", 1, 1),
            (0, "bob", "mqsc", "ALTER", "QLOCAL", 1, 1),
            (1, "ann", "mqsc", "ALTER", "QLOCAL", 1, 1),
        ],
    ),
    "a clock that ran backwards, over midnight": Case(
        [act("START", None, 7200), act("START", None, 7199.999999), act("START", None, -1)],
        [(hour, "ann", "mqsc", "START", "QMGR", 1, 1) for hour in (-1, 1, 2)],
    ),
}
CASES: Mapping[str, Cases] = {"changes": (CHANGES_SHOW, CHANGES), "activity": (ACTIVITY_SHOW, ACTIVITY)}


def test_cases(table: str, case: str, found: dict[tuple[str, str], Answer]) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def test_what_is_told_about_each(spark: SparkSession) -> None:
    each = [{**row, "qmgr": name} for name, case in ABOUT.items() for row in case.events]
    rows = made(spark, REPORT, "changes", {"event": each}, f"qmgr {ABOUT_SHOW}")
    assert {name: [row[1:] for row in rows if row[0] == name] for name in ABOUT} == {
        name: case.rows for name, case in ABOUT.items()
    }


def test_the_attributes_that_tell_records_apart() -> None:
    assert KINDS["AUTHREC"].identity + KINDS["CHLAUTH"].identity == _IDENTIFYING


BY_SQLITE = {
    "changes": (
        "seq action object attribute before after user application messages to",
        """
        SELECT e.seq, kind, CASE WHEN kind IN ('CREATE', 'JOIN', 'START', 'END') THEN qmgr ELSE queue END, pair.key,
            json_extract(pair.value, '$[0]'), json_extract(pair.value, '$[1]'), user, application,
            json_extract(detail, '$.messages'), iif(kind IN ('MOVE', 'JOIN'), target, NULL)
        FROM event e LEFT JOIN json_each(coalesce(detail, '{}')) pair ON pair.type = 'array'
        WHERE kind IN ('CREATE', 'JOIN', 'START', 'END', 'DEFINE', 'ALTER', 'SET', 'DELETE', 'CLEAR', 'MOVE')
            AND coalesce(cause, '') <> 'dynamic'
        ORDER BY e.seq, pair.key
        """,
    ),
    "activity": (
        ACTIVITY_SHOW,
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


def test_realistic_histories_computed_twice(spark: SparkSession, tmp_path: Path) -> None:
    history = realistic(20_231_114, days=5)
    path = write_history(tmp_path / "store.db", history.events)
    built = tables_of(spark, REPORT, {"event": history.events}, *BY_SQLITE)
    with closing(sqlite3.connect(path)) as connection:
        for table, (columns, query) in BY_SQLITE.items():
            rows = connection.execute(query, {"start": at(0)} if ":start" in query else {}).fetchall()
            computed = [
                tuple(
                    str(value) if name in ("before", "after") and value is not None else value
                    for name, value in zip(columns.split(), row, strict=True)
                )
                for row in rows
            ]
            assert len(computed) > 20
            assert shown(built[table], columns) == computed, table


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
        rows = [
            tuple(row[name] for name in "action object record attribute before after".split())
            for row in csv.DictReader(lines)
        ]
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
