"""backouts: literal rows in, rows out. Each case is a queue manager of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mqsc.reports.catalog import report
from tests.reports import history
from tests.reports.history import Row, at, back, event, message, message_id
from tests.reports.tables import Answer, written

if TYPE_CHECKING:
    pass

REPORT = report("backouts")
MARK = '{"mark": "skip backout"}'


def got(
    number: int,
    unit: int,
    when: float = 0,
    queue: str = "Q",
    program: str = "billing",
    **columns: Any,
) -> Row:
    return history.got(
        number,
        when,
        queue,
        **{"put_at": at(0), "unit": unit, "application": program, **columns},
    )


def tried(number: int, first: int, last: int = 0, **columns: Any) -> list[Row]:
    """Return a get and a backout of the message for each unit, at the second of the unit's
    number.
    """
    units = range(first, (last or first) + 1)
    return [
        row
        for unit in units
        for row in (got(number, unit, unit, **columns), back(unit, unit, Q={}))
    ]


def move(
    kind: str,
    number: int,
    when: float,
    queue: str = "Q",
    *,
    count: int = 3,
    program: str = "billing",
) -> Row:
    """Return what a consumer recorded about a poison message."""
    detail = json.dumps({"backout_count": count, "threshold": 3})
    row = event(
        kind,
        queue,
        when,
        msg_id=message_id(number),
        put_at=at(0),
        application=program,
        detail=detail,
    )
    return {**row, "cause": "poison"}


def kept(number: int, unit: int, when: float) -> Row:
    detail: Any = {
        "kept message": {"queue": "Q", "msg_id": message_id(number).hex(), "backout_count": 3},
    }
    return {**back(unit, when, Q={"gets": 1}, **detail), "cause": "poison"}


def defined(threshold: int | None, queue: str = "Q", **columns: Any) -> Row:
    detail = None if threshold is None else json.dumps({"BOTHRESH": [None, threshold]})
    return event("DEFINE", queue, **{"target": "QLOCAL", "detail": detail, **columns})


def altered(before: int, after: int, queue: str = "Q", **columns: Any) -> Row:
    return event(
        "ALTER",
        queue,
        **{"target": "QLOCAL", "detail": json.dumps({"BOTHRESH": [before, after]}), **columns},
    )


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
    got 1 1 1 detail=$MARK, got 2 1 1, back 1 1 Q={"gets":0} skips=1 into=2 => Q billing 0 1 1 1 0 0 0 0
K13: backed out the second time
    got 1 1 1 detail=$MARK, back 1 1 Q={"gets":0} skips=1 into=2, back 2 2 Q={} => Q billing 0 1 1 1 0 0 0 0
another message with its MsgId does not skip it
    got 1 1 1 detail=$MARK, got 1 1 1 put_at=at(9), back 1 1 Q={"gets":1} skips=1 into=2 => Q billing 0 1 1 1 0 0 0 0
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
the last of its ends | tried 1 1 3, move REQUEUE 1 4, move DISCARD 1 5 => Q #1 billing 3 @1 @3 2 DISCARD 0
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
several that are still there | tried 1 1 3, tried 2 4 8; left there 1, there 2 => Q 2 8 5 2 @1 @8
outside the selection | outside tried 1 1 3, tried 1 4
""",
    globals(),
)


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows
