"""trigger-history: literal rows in, rows out. Each case is a queue manager of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mqsc.reports.catalog import report
from mqsc.store.constants import MQOO
from tests.reports.history import Row, event, message_id
from tests.reports.tables import Answer, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("trigger-history")


def trigger(
    number: int,
    when: float = 0,
    queue: str = "A",
    *,
    kind: str = "TRIGGER",
    **columns: Any,
) -> Row:
    """Return trigger message `number` of type FIRST for process P. `type`, `process` and `loop`
    go into the detail.
    """
    told = {"process": "P", "type": "FIRST", "conditions": ["C3 IPPROCS(0) on A"]}
    told |= {key: columns.pop(key) for key in ("type", "process", "loop") if key in columns}
    columns = {"cause": "put", "msg_id": message_id(number), "detail": json.dumps(told), **columns}
    return event(kind, queue, when, **columns)


def loop(times: int) -> str:
    return f"{times} trigger messages in a row at a close, without the depth falling"


def opened(when: float, options: str = "INPUT_AS_Q_DEF", queue: str = "A") -> Row:
    numbers = [int(MQOO[option]) for option in options.split("|")]
    return event("OPEN", queue, when, detail=json.dumps({"handle": 1, "options": sum(numbers)}))


def got(when: float, queue: str = "A") -> Row:
    return event("GET", queue, when, msg_id=message_id(99))


def program(
    number: int,
    when: float,
    cause: str,
    queue: str = "A",
    *,
    reason: int | None = None,
    **told: Any,
) -> Row:
    told = {"process": "P", "program": "serve", **told}
    return event(
        "PROGRAM",
        queue,
        when,
        cause=cause,
        msg_id=message_id(number),
        reason=reason,
        detail=json.dumps(told),
    )


def ended(
    number: int,
    process_id: int,
    when: float,
    *,
    status: int,
    seconds: float,
    **told: Any,
) -> Row:
    run_time = round(seconds * 1_000_000)
    return program(
        number,
        when,
        "ended",
        process_id=process_id,
        exit_status=status,
        run_time=run_time,
        **told,
    )


def ran(
    number: int,
    when: float,
    process_id: int,
    *,
    status: int,
    seconds: float,
    **told: Any,
) -> tuple[Row, Row]:
    started = program(number, when, "started", process_id=process_id)
    return started, ended(
        number,
        process_id,
        when + seconds,
        status=status,
        seconds=seconds,
        **told,
    )


def refused(number: int, when: float, queue: str = "A") -> Row:
    return event(
        "DEAD_LETTER",
        queue,
        when,
        cause="monitor",
        target="DLQ",
        msg_id=message_id(number),
        reason=265,
    )


NEVER = (0, None, None, None, None)
CASES = written(
    r"""
table triggers
    queue process hour type cause trigger_messages backed_out dead_lettered refused lost duplicates looped longest_loop
    uncommitted
nothing triggered | opened 0, got 1, DEAD_LETTER A cause=expiration target=DLQ
by queue, process, hour, type and cause
    trigger 1 -0.000001, opened 0, trigger 2 3599 cause=close, opened 3599,
    trigger 3 3600 type=EVERY process="" cause=monitor-opened, trigger 4 3600 B
    => A "" 1 EVERY monitor-opened 1 0 0 0 0 0 0 - 0
    => A P -1 FIRST put 1 0 0 0 0 0 0 - 0
    => A P 0 FIRST close 1 0 0 0 0 0 0 - 0
    => B P 1 FIRST put 1 0 0 0 0 0 0 - 0
to the dead-letter queue instead of the initiation queue, or lost
    trigger 1 kind=DEAD_LETTER target=DLQ reason=2053, trigger 2 kind=TRIGGER_LOST reason=2053,
    trigger 3 kind=TRIGGER_LOST reason=2053 => A P 0 FIRST put 0 0 1 0 2 0 0 - 0
refused by the monitor an hour later: counted where it was made
    trigger 1, program 1 3700 failed reason=265, refused 1 3700 => A P 0 FIRST put 1 0 0 1 0 0 0 - 0
what is no trigger message, refused
    PROGRAM INITQ cause=failed msg_id=message_id(1) detail={}, refused 1 0 INITQ => INITQ - 0 - - 0 0 0 1 0 0 0 - 0
T04, T05: FIRST stays at a backout, EVERY goes
    trigger 1 unit=7, trigger 2 queue=B type=EVERY unit=7, trigger 3 queue=B type=EVERY unit=8,
    trigger 4 queue=B type=EVERY unit=7 kind=DEAD_LETTER target=DLQ, back 7, COMMIT unit=8
    => A P 0 FIRST put 1 0 0 0 0 0 0 - 0, B P 0 EVERY put 1 2 0 0 0 0 0 - 0
under syncpoint, and the unit of work is still open
    trigger 1 unit=7, trigger 2 queue=B type=EVERY unit=7, trigger 3 queue=B type=EVERY unit=8,
    trigger 4 queue=B type=EVERY unit=7 kind=DEAD_LETTER target=DLQ, trigger 5 unit=8
    left message INIT1 msg_id=message_id(1) state=PUT, message INIT1 msg_id=message_id(2) state=PUT,
    left message INIT1 msg_id=message_id(3), message DLQ msg_id=message_id(4) state=PUT,
    left message INIT1 msg_id=message_id(5) state=GOT
    => A P 0 FIRST put 1 0 0 0 0 0 0 - 1, B P 0 EVERY put 1 0 0 0 0 0 0 - 2
duplicates: nobody opened or got since the one before
    trigger 1 1, trigger 2 2 cause=interval, trigger 3 3 B cause=interval, opened 3 BROWSE|OUTPUT,
    trigger 4 4 cause=interval, opened 5, trigger 5 6 cause=interval, got 7, trigger 6 8 cause=interval,
    trigger 7 9 kind=TRIGGER_LOST cause=interval, trigger 8 10 cause=interval
    => A P 0 FIRST interval 5 0 0 0 1 3 0 - 0
    => A P 0 FIRST put 1 0 0 0 0 0 0 - 0
    => B P 0 FIRST interval 1 0 0 0 0 0 0 - 0
EVERY makes one for each message: none of them is a duplicate
    trigger 1 type=EVERY, trigger 2 type=EVERY, trigger 3, trigger 4 type=DEPTH
    => A P 0 DEPTH put 1 0 0 0 0 1 0 - 0, A P 0 EVERY put 2 0 0 0 0 0 0 - 0, A P 0 FIRST put 1 0 0 0 0 1 0 - 0
one that was backed out is no duplicate, nor is the one after it
    trigger 1 unit=3 type=EVERY, back 3, trigger 2
    => A P 0 EVERY put 0 1 0 0 0 0 0 - 0, A P 0 FIRST put 1 0 0 0 0 0 0 - 0
loops
    trigger 1 cause=close, opened 0, trigger 2 cause=close loop=loop(2), opened 0, trigger 3 cause=close loop=loop(3),
    opened 0, trigger 4 cause=close loop=loop(2) => A P 0 FIRST close 4 0 0 0 0 0 3 3 0
outside the selection: not counted, but it was there before
    outside trigger 1, trigger 2, refused 1 9 => A P 0 FIRST put 1 0 0 0 0 1 0 - 0

table responses
    queue process trigger_messages opened to_open_min to_open_median to_open_p95 to_open_max got to_get_min
    to_get_median to_get_p95 to_get_max
nobody came | opened 0, got 0, trigger 1 1, opened 2 queue=B => A P 1 $NEVER $NEVER
the first of each that came after
    trigger 1 1, opened 2.5, opened 3, got 4, got 5 => A P 1 1 1.5 1.5 1.5 1.5 1 3 3 3 3
several
    trigger 1 0, trigger 2 10, opened 20, trigger 3 30, opened 30.000001, trigger 4 40, got 44
    => A P 4 3 0.000001 10 19 20 4 4 24 42.5 44
an open for browse, output or set serves nobody
    trigger 1 0, opened 1 BROWSE, opened 1 OUTPUT, opened 1 SET|INQUIRE => A P 1 $NEVER $NEVER
every open for input does
    trigger 1 0 X, opened 1 INPUT_EXCLUSIVE|FAIL_IF_QUIESCING X, trigger 2 0 S,
    opened 2 INPUT_SHARED|BROWSE S => S P 1 1 2 2 2 2 $NEVER, X P 1 1 1 1 1 1 $NEVER
a clock that ran backwards: nothing is less than 0 | trigger 1 5, opened 1, got 2 => A P 1 1 0 0 0 0 1 0 0 0 0
what came after lies outside the selection
    trigger 1 5, outside opened 6, outside trigger 2 7 => A P 1 1 1 1 1 1 $NEVER
what never reached the initiation queue is not waited for
    trigger 1 0 kind=DEAD_LETTER target=DLQ, trigger 2 type=EVERY unit=4, back 4, opened 3
one whose unit of work is still open is not waited for
    trigger 1 0 unit=4 type=EVERY, opened 3; left message INIT1 msg_id=message_id(1) state=PUT

table programs
    queue process program started ended ended_badly timed_out failed run_time_min run_time_median run_time_max

table program_runs
    queue at waited state process_id exit_status run_time reason reason_name why
one that ended well, one badly, one by a signal
    trigger 1 0, ran 1 0.25 4 status=0 seconds=1.5, trigger 2 10, ran 2 11 4 status=3 seconds=2, trigger 3 20,
    ran 3 20 5 status=-9 seconds=60 timed_out=true
    => programs: A P serve 3 3 2 1 0 1.5 2 60
    => A @0.25 0.25 ended 4 0 1.5 - - -, A @11 1 ended 4 3 2 - - -, A @20 0 "timed out" 5 -9 60 - - -
two programs of one trigger message, whose end nobody saw
    program 1 1 started process_id=4, program 1 2 started process_id=5
    => programs: A P serve 2 0 0 0 0 - - -
    => A @1 - started 4 - - - - -, A @2 - started 5 - - - - -
could not be started
    trigger 1 1, program 1 3 failed reason=265 why="serve: not found", refused 1 3
    => programs: A P serve 0 0 0 0 1 - - -
    => A @3 2 failed - - - 265 MQFB_APPL_CANNOT_BE_STARTED "serve: not found"
a shell that found nothing
    ran 1 1 4 status=127 seconds=0.5, program 1 2 failed reason=265 why="?"
    => programs: A P serve 1 1 1 0 1 0.5 0.5 0.5
    => A @1 - ended 4 127 0.5 - - -, A @2 - failed - - - 265 MQFB_APPL_CANNOT_BE_STARTED "?"
started outside the selection
    => programs:
    trigger 1, outside program 1 1 started process_id=4, ended 1 4 2 status=0 seconds=1
started in the selection, ended after it
    outside trigger 1, program 1 1 started process_id=4, outside ended 1 4 2 status=0 seconds=1
    => programs: A P serve 1 1 0 0 0 1 1 1
    => A @1 1 ended 4 0 1 - - -
""",
    globals(),
)


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def of_member(member: str, row: Row) -> Row:
    """An event of a shared queue: it belongs to the group, and its detail names the member."""
    return {
        **row,
        "qmgr": "QSG1",
        "detail": json.dumps({"member": member, **json.loads(row.get("detail") or "{}")}),
    }


def test_a_shared_queue_by_member(spark: SparkSession) -> None:
    rows = {
        "event": [
            *(of_member(name, trigger(number)) for number, name in ((1, "QM1"), (2, "QM2"))),
            # A monitor of another member can get the message from a shared initiation queue.
            *(
                of_member("QM3", program(1, 1, "started", process_id=4)),
                of_member("QM3", opened(2)),
            ),
            *(of_member("QM2", trigger(3, 3)), of_member("QM2", trigger(4, 4))),
            # The dead-letter queues are the members' own.
            {**trigger(5, 5, kind="DEAD_LETTER", target="DLQ", reason=2053), "qmgr": "QM1"},
            of_member("QM2", trigger(6, 5)),
            {**refused(6, 6), "qmgr": "QM3"},
        ],
    }
    built = tables_of(spark, REPORT, rows, "triggers", "responses", "program_runs")
    columns = "qmgr queue trigger_messages duplicates dead_lettered refused"
    assert shown(built["triggers"], columns) == [("QM1", "A", 1, 0, 1, 0), ("QM2", "A", 4, 2, 0, 1)]
    assert shown(built["responses"], "qmgr trigger_messages opened") == [
        ("QM1", 1, 1),
        ("QM2", 4, 1),
    ]
    assert shown(built["program_runs"], "qmgr queue waited") == [("QM3", "A", 1)]


def test_shared_queues_of_two_stores_that_chose_the_same_msg_id(spark: SparkSession) -> None:
    first = of_member("QM1", trigger(1))
    second = {**of_member("QM2", trigger(1, 3600)), "qmgr": "QSG2", "store": 1}
    built = tables_of(spark, REPORT, {"event": [first, second]}, "triggers")
    assert shown(built["triggers"], "qmgr hour trigger_messages") == [("QM1", 0, 1), ("QM2", 1, 1)]


def test_every_input_option_counts_as_an_open_for_input() -> None:
    """The report tests bits of the MQOPEN options; these are the options that count for IPPROCS."""
    assert MQOO.INPUT_AS_Q_DEF | MQOO.INPUT_SHARED | MQOO.INPUT_EXCLUSIVE == 7
