"""authority: literal rows in, rows out; and a history that was played (Z110).

Each case is a queue manager of its own.
"""

from __future__ import annotations

import json
from typing import Any

from reports.catalog import report
from tests.reports.history import Row, event
from tests.reports.tables import Answer, written

REPORT = report("authority")


def refuse(queue: str | None = "Q", when: float = 0, missing: str = "PUT QUEUE Q", **columns: Any) -> Row:
    """A refusal of user ann, by default of MQOPEN."""
    detail = {"call": "MQOPEN" if queue else "MQCONN", "missing": [missing], **columns.pop("detail", {})}
    who = {"user": "ann", "application": "shop", "cause": "authority", **columns}
    return event("REFUSE", queue, when, detail=json.dumps(detail), **who)


def opens(queue: str, when: float, user: str = "ann") -> Row:
    return event("OPEN", queue, when, user=user, detail="{}")


CASES = written(
    r"""
table refusals
    hour user call object cause missing refusals last cured_at
nothing was refused
    opens Q 0
counted ones too, by hour
    refuse, refuse when=9 detail={"repeated":4}, refuse when=3600
    => 0 ann MQOPEN Q authority "PUT QUEUE Q" 5 @9 -, 1 ann MQOPEN Q authority "PUT QUEUE Q" 1 @3600 -
Z110: the same object and user, later
    opens Q 1, refuse when=2, opens P 3, opens Q 4 bob, opens Q 5, opens Q 6
    => 0 ann MQOPEN Q authority "PUT QUEUE Q" 1 @2 @5
a connection
    refuse - 2 "CONNECT QMGR self", opens P 3
    => 0 ann MQCONN - authority "CONNECT QMGR self" 1 @2 @3

table users
    user cause refusals objects programs since last
by user and cause
    refuse, refuse P 1 detail={"repeated":2}, refuse when=3 user=bob cause=would-refuse application=x
    => ann authority 3 2 1 @0 @1, bob would-refuse 1 1 1 @3 @3
""",
    globals(),
)


def test_cases(table: str, case: str, found: dict[tuple[str, str], Answer]) -> None:
    assert found[table, case] == CASES[table][1][case].rows
