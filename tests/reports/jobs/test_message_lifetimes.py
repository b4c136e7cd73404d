"""message-lifetimes: literal rows in, rows out. Each case is a queue manager of its own."""

from __future__ import annotations

from typing import Any

from mqsc.reports.catalog import report
from tests.reports.history import Row, at, event, got, message, message_id
from tests.reports.tables import Answer, written

REPORT = report("message-lifetimes")
MARK = '{"mark": "skip backout"}'


def outcome(
    kind: str,
    cause: str,
    number: int,
    unit: int,
    when: float = 0,
    *,
    after: float = 0,
) -> Row:
    columns = {
        "cause": cause,
        "msg_id": message_id(number),
        "put_at": at(when - after),
        "unit": unit,
    }
    return event(kind, "Q", when, **columns)


def hourly(first: int, last: int) -> list[Row]:
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
imported: more may have happened, and what a backout undid is beside where it is from
    PUT Q unit=301 msg_id=message_id(1) put_at=at(0) detail={"source":"amqsevt","inferred":true},
    BACKOUT - unit=301 detail={"source":"amqsevt","line":2,"Q":{"puts":1,"gets":0}}
    columns queue put backed_out lost surplus unrecorded
    => Q 1 1 - - 1
open units of work
    put 1, put 2, put 3 unit=101, got 1 unit=101, got 2 unit=101
    left there state=PUT, there state=GOT, there state=GOT => Q put=3 there=1 held=2
backed out
    put 1, put 2 unit=102, put 3 unit=102, got 1 unit=102, back 102 Q={"puts":2,"gets":1}; left there
    => Q put=3 backed_out=2 there=1
T04: a trigger message stays when its unit of work is backed out
    put 1 unit=103, put 2 unit=103, back 103 Q={"puts":1,"gets":0}; left there => Q put=2 backed_out=1 there=1
K10: a message that skipped the backout is got
    put 1, put 2, got 1 unit=104 detail=$MARK, got 2 unit=104, back 104 Q={"puts":0,"gets":1} skips=1 into=105,
    COMMIT - unit=105; left there => Q put=2 got=1 there=1
K13: backed out the second time
    put 1, got 1 unit=106 detail=$MARK, back 106 Q={"puts":0,"gets":0} skips=1 into=107,
    back 107 Q={"puts":0,"gets":1}; left there => Q put=1 there=1
another message with its MsgId does not skip the backout
    put 1, put 1, got 1 unit=108 detail=$MARK, got 1 unit=108, back 108 Q={"puts":0,"gets":1} skips=1 into=109,
    COMMIT - unit=109; left there => Q put=2 got=1 there=1
outcomes of gets
    put 1, put 2, put 3, put 4, put 5, got 1 unit=111, got 2 unit=112, got 3 unit=113, got 4 unit=114, got 5 unit=115,
    outcome REQUEUE poison 1 111, outcome FORWARD handler 2 112, outcome DEAD_LETTER channel 3 113,
    outcome DISCARD command 4 114, outcome EXPIRE channel 5 115
    => Q put=5 requeued=1 forwarded=1 dead_lettered=1 discarded=1 expired=1
an outcome without the time of the put names no message
    put 1, got 1 unit=116 put_at=-, REQUEUE cause=poison msg_id=message_id(1) unit=116, put 2, put 3, put 4
    left there, there, there => Q put=4 got=1 there=3
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


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows
