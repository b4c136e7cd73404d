"""dead-letters: literal rows in, rows out. Each case is a queue manager of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mqsc.reports.catalog import report
from tests.reports import history
from tests.reports.history import Row, at, back, event, kept, message, message_id
from tests.reports.tables import Answer, rows_written, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("dead-letters")
MARK = '{"mark": "skip backout"}'
Q_FULL, UNKNOWN = 2053, 2085


def letter(
    number: int,
    when: float = 0,
    *,
    reason: int = Q_FULL,
    cause: str = "coa",
    **columns: Any,
) -> Row:
    columns = {"queue": "APP", "target": "DLQ", "msg_id": message_id(number), **columns}
    return event("DEAD_LETTER", when=when, reason=reason, cause=cause, **columns)


def put(number: int, when: float = 0, queue: str = "DLQ", **columns: Any) -> Row:
    return history.put(number, when, queue, **columns)


def left_by(kind: str, number: int, when: float, *, arrived: float = 0, **columns: Any) -> Row:
    """Return the removal of a message from DLQ by a rule; `destination` and `attempt` go into
    the detail.
    """
    told: dict[str, Any] = {
        key: columns.pop(key) for key in ("destination", "attempt") if key in columns
    }
    if "destination" in told:
        told["destination_queue_manager"] = "QM1"
    detail = json.dumps(told) if told else None
    columns = {"cause": "handler", "reason": Q_FULL, "rule": "3", "detail": detail, **columns}
    return event(kind, "DLQ", when, msg_id=message_id(number), put_at=at(arrived), **columns)


def gone(number: int, application: str, queue: str = "DLQ", **columns: Any) -> Row:
    return event(
        "GET",
        queue,
        msg_id=message_id(number),
        application=application,
        user="ann",
        **columns,
    )


def there(number: int, queue: str = "DLQ", when: float = 0, **columns: Any) -> Row:
    return {**message(queue, **columns), "msg_id": message_id(number), "put_at": at(when)}


def backed_out(unit: int, **told: Any) -> Row:
    """The backout of a unit of work that put messages on DLQ and got messages from it."""
    return back(unit, DLQ={"puts": 1, "gets": 1}, **told)


def header(destination: str) -> str:
    return json.dumps({"destination": destination, "destination_queue_manager": "QM1"})


FULL = (Q_FULL, "MQRC_Q_FULL")
NOTHING = (None, None, None, None)
GONE = ("DLQ", "GONE", None, None, None, None)
UNTOLD = (None, None, None, None, None)

CASES = written(
    r"""
table arrivals
    queue hour reason reason_name destination destination_queue_manager cause messages
no dead-letter queue | put 1 queue=APP, left_by DISCARD 2 1 cause=nonpersistent, EXPIRE APP cause=get
by queue, hour, reason and cause; the put that it was is not counted again
    letter 1 -0.000001, put 1 -0.000001, letter 2 3599, put 2 3599, letter 3 3600 reason=$UNKNOWN, put 3 3600,
    letter 4 3600 cause=expiration target=OTHER.DLQ, letter 5 3600, letter 6 3600 => DLQ -1 $FULL - - coa 1
    => DLQ 0 $FULL - - coa 1
    => DLQ 1 $FULL - - coa 2
    => DLQ 1 $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME - - coa 1
    => OTHER.DLQ 1 $FULL - - expiration 1
a consumer tells of a poison message after it has put it
    put 1 1 reason=2362 detail=header(APP), letter 1 1.5 cause=poison reason=2362,
    REQUEUE APP 2 cause=poison target=BACKOUT msg_id=message_id(2), put 2 2 queue=BACKOUT, put 3 3 queue=APP
    => DLQ 0 2362 MQRC_BACKOUT_THRESHOLD_REACHED APP QM1 poison 1
the monitor tells of its letter after it has put it
    put 1 1, letter 1 1.5 cause=monitor reason=265, put 1 2, letter 1 2.5 cause=monitor reason=265
    => DLQ 0 265 MQFB_APPL_CANNOT_BE_STARTED - - monitor 2
a channel and the command server tell of theirs after they have put them
    put 1 reason=$UNKNOWN detail=header(ORDERS), put 2 reason=$UNKNOWN detail=header(ORDERS),
    letter 1 cause=channel reason=$UNKNOWN, letter 2 cause=channel reason=$UNKNOWN,
    put 3 reason=$UNKNOWN detail=header(REPLIES), letter 3 cause=command reason=$UNKNOWN
    => DLQ 0 $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME ORDERS QM1 channel 2
    => DLQ 0 $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME REPLIES QM1 command 1
a channel discarded messages for other queues, which it put nowhere
    put 1 queue=Q, DISCARD Q cause=channel reason=$Q_FULL msg_id=message_id(2) detail=header(Q),
    DISCARD X cause=channel reason=$Q_FULL msg_id=message_id(3) put_at=at(0) unit=7
events that name their puts: two messages with one MsgId in one batch, in any order
    put 1 1 reason=$Q_FULL detail=header(A) seq=1, put 1 1 reason=$UNKNOWN detail=header(B) seq=2,
    letter 1 2 cause=channel reason=$UNKNOWN detail={"put_event":2} seq=3,
    letter 1 2 cause=channel reason=$Q_FULL detail={"put_event":1} seq=4,
    # Of a queue that records no puts.
    letter 1 3 cause=channel reason=$Q_FULL detail={"put_event":0} seq=5
    => DLQ 0 $FULL A QM1 channel 1, DLQ 0 $FULL - - channel 1, DLQ 0 $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME B QM1 channel 1
the put that is named was backed out
    put 1 unit=3 reason=$Q_FULL detail=header(A) seq=1, letter 1 cause=command detail={"put_event":1} seq=2,
    backed_out 3 seq=3
a message with the MsgId of a dead letter that was dealt with later
    put 1 1, put 1 2 reason=$Q_FULL detail=header(A), left_by DISCARD 1 5 arrived=2
    => DLQ 0 $FULL A QM1 - 1, DLQ 0 $NOTHING - 1
MOVE QLOCAL names no messages
    letter 1, MOVE APP 2 target=DLQ detail={"messages":3,"got":1} => DLQ 0 $FULL - - coa 1, DLQ 0 $NOTHING move 2
a queue for other messages, to which a rule forwards dead letters
    put 1 queue=APP, put 2 queue=APP reason=$Q_FULL detail=header(ORDERS), put 3 queue=APP,
    EXPIRE APP cause=get msg_id=message_id(3) => APP 0 $FULL ORDERS QM1 - 1
a number without a name | letter 1 reason=77777 => DLQ 0 77777 - - - coa 1
put by applications: known from what became of them
    put 1, put 2, put 3 queue=APP, left_by FORWARD 1 5 reason=$UNKNOWN destination=ORDERS target=X
    => DLQ 0 $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME ORDERS QM1 - 1, DLQ 0 $NOTHING - 1
put by applications: known from the header
    put 1 reason=$UNKNOWN detail=header(ORDERS), put 2 queue=OTHER reason=$Q_FULL detail=header("")
    => DLQ 0 $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME ORDERS QM1 - 1, OTHER 0 $FULL "" QM1 - 1
the header of what is told of twice
    letter 1, put 1 reason=$Q_FULL detail=header(ORDERS), put 2 reason=265 detail=header(INITQ),
    letter 2 cause=monitor reason=265
    => DLQ 0 265 MQFB_APPL_CANNOT_BE_STARTED INITQ QM1 monitor 1, DLQ 0 $FULL ORDERS QM1 coa 1
one that came back has a reason of its own
    letter 1 0, put 1 0, left_by REQUEUE 1 5 destination=ORDERS attempt=1 target=ORDERS,
    letter 1 6 reason=$UNKNOWN cause=cod, put 1 6
    => DLQ 0 $FULL ORDERS QM1 coa 1, DLQ 0 $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME - - cod 1
backed out: only a trigger message of FIRST or DEPTH stays
    letter 1 cause=put unit=9 detail={"type":"FIRST"}, put 1 unit=9 reason=$Q_FULL detail=header(INIT),
    letter 2 cause=put unit=9 detail={"type":"EVERY"}, put 2 unit=9,
    letter 5 3600 cause=put unit=9 detail={"type":"DEPTH"}, put 5 3600 unit=9, put 3 unit=9, put 4 unit=10,
    backed_out 9 => DLQ 0 $FULL INIT QM1 put 1, DLQ 0 $NOTHING - 1, DLQ 1 $FULL - - put 1
outside the selection
    outside letter 1 -7200, put 2, outside left_by DISCARD 2 7 destination=ORDERS => DLQ 0 $FULL ORDERS QM1 - 1

table outcomes
    queue outcome cause rule attempt target messages bytes time_spent_min time_spent_median time_spent_p95
    time_spent_max removed_by application user
by rule, attempt and target
    left_by REQUEUE 1 10 attempt=1 target=ORDERS length=5, left_by REQUEUE 2 20 attempt=1 target=ORDERS length=6,
    left_by REQUEUE 3 15 attempt=2 target=ORDERS, left_by FORWARD 4 8 arrived=5 attempt=3 target=OTHER rule="12",
    left_by DISCARD 5 1 cause=command rule=- => DLQ DISCARD command - - - 1 10 1 1 1 1 - - -
    => DLQ FORWARD handler "12" 3 OTHER 1 10 3 3 3 3 - - -
    => DLQ REQUEUE handler "3" 1 ORDERS 2 11 10 15 19.5 20 - - -
    => DLQ REQUEUE handler "3" 2 ORDERS 1 10 15 15 15 15 - - -
expired on the dead-letter queue; dropped at a restart
    letter 1, letter 2, left_by EXPIRE 1 4 arrived=5 reason=- rule=-,
    left_by DISCARD 2 9 cause=nonpersistent reason=- rule=-
    => DLQ DISCARD nonpersistent - - - 1 10 9 9 9 9 - - -, DLQ EXPIRE handler - - - 1 10 0 0 0 0 - - -
got by an application | letter 1, put 1, letter 2; left there 2 => $GONE 1 $UNTOLD - - -
got by programs
    letter 1, letter 2, letter 3, letter 4, letter 5, gone 1 shop, gone 2 shop unit=7,
    # Backed out, and later got by somebody else; got by the handler, which moved it; backed out.
    gone 3 shop unit=8, backed_out 8, gone 3 bill unit=9, gone 4 dlq unit=10,
    left_by FORWARD 4 4 unit=10 target=OTHER, gone 5 shop unit=8, gone 1 elsewhere APP; left there 5
    => DLQ FORWARD handler "3" - OTHER 1 10 4 4 4 4 - - -, $GONE 1 $UNTOLD GET bill ann, $GONE 2 $UNTOLD GET shop ann
got by a program that backed out, but not this message
    letter 1, letter 2, gone 1 shop unit=7 detail=$MARK, gone 2 shop unit=7,
    backed_out 7 skips=1 into=8; left there 2 => $GONE 1 $UNTOLD GET shop ann
expired on a queue for other messages
    put 1 reason=$Q_FULL detail=header(ORDERS), put 2, left_by EXPIRE 1 4 reason=- rule=-,
    left_by EXPIRE 2 4 reason=- rule=- => DLQ EXPIRE handler - - - 1 10 4 4 4 4 - - -
cleared
    CLEAR DLQ application=early user=bob, letter 1, letter 2, gone 2 shop, MOVE DLQ application=admin user=bob,
    letter 3, CLEAR DLQ application=late user=bob, letter 4 => $GONE 1 $UNTOLD CLEAR late bob
    => $GONE 1 $UNTOLD GET shop ann
    => $GONE 1 $UNTOLD MOVE admin bob
    => $GONE 1 $UNTOLD - - -
several with one MsgId, one of which was got
    letter 1, letter 1, letter 1, gone 1 shop; left there 1 => $GONE 1 $UNTOLD GET shop ann, $GONE 1 $UNTOLD - - -
several with one MsgId, one of which arrived before the period
    outside letter 1 -7200, letter 1 => $GONE 1 $UNTOLD - - -
several with one MsgId
    letter 1, letter 1, letter 1, letter 1, left_by DISCARD 1 4; left there 1, there 1 APP
    => DLQ DISCARD handler "3" - - 1 10 4 4 4 4 - - -, $GONE 2 $UNTOLD - - -
outside the selection
    outside letter 1, letter 2, outside left_by DISCARD 2 4, outside letter 3, left_by DISCARD 3 4, outside letter 4
    => DLQ DISCARD handler "3" - - 1 10 4 4 4 4 - - -
ARCHIVED: only what was removed is gone
    letter 1, letter 2, gone 1 shop
    columns outcome messages application
    => GONE 1 shop

table left
    queue reason reason_name destination destination_queue_manager messages bytes in_units oldest longest_stay now
only on dead-letter queues, by what is known of the last arrival
    letter 1, left_by REQUEUE 1 1 destination=ORDERS, letter 1 reason=$UNKNOWN, letter 2, letter 3
    left there 1 when=3 length=1, there 2 when=5 length=2, there 3 when=4 length=4 state=GOT,
    left there 4 when=200 length=8 state=PUT, there 2 APP => DLQ $FULL - - 2 6 1 @4 96 @100
    => DLQ $UNKNOWN MQRC_UNKNOWN_OBJECT_NAME - - 1 1 0 @3 97 @100
    => DLQ $NOTHING 1 8 1 @200 0 @100
a period does not hide what is left | outside letter 1; left there 1 => DLQ $FULL - - 1 10 0 @0 100 @100
a queue for other messages
    put 1, put 2 reason=$Q_FULL detail=header(ORDERS); left there 1, there 2
    => DLQ $FULL ORDERS QM1 1 10 0 @0 100 @100
what the report knows no dead-letter queue of | put 1; left there 1

table left_messages
    queue msg_id correl_id reason destination length put_at stay expires_at put_application state
one by one
    letter 1, letter 2 detail={"destination":"ORDERS"}
    left there 2 when=1.5 expires=60 put_application=shop state=GOT, there 1 correl_id=message_id(7)
    => DLQ #1 #7 $Q_FULL - 10 @0 100 - - AVAILABLE, DLQ #2 - $Q_FULL ORDERS 10 @1.5 98.5 @60 shop GOT
""",
    globals(),
)


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def poison(number: int, qmgr: str = "QSG2", **told: str) -> Row:
    """A member of QSG2 told of a poison message of a shared queue."""
    return letter(
        number,
        cause="poison",
        reason=2362,
        detail=json.dumps({"member": "QM2", **told}),
        qmgr=qmgr,
    )


SHARED = """
    JOIN - target=QSG1, letter 1 qmgr=QSG1, letter 2 qmgr=QSG1, put 3 unit=7 qmgr=QSG1, backed_out 7,
    gone 1 shop unit=8 qmgr=QSG1, backed_out 8, gone 1 bill unit=9 qmgr=QSG1, gone 2 shop unit=10 qmgr=QSG1,
    put 1 reason=2362 detail=header(APP) qmgr=QM2, poison 1 target_owner=QM2, poison 2 target_owner=QM2,
    put 3 reason=2362 detail=header(APP) qmgr=QSG2, poison 3
"""


def test_shared_queues(spark: SparkSession) -> None:
    """Members back out what they did to a shared dead-letter queue; poison messages are on those of
    members.

    The put of the second poison message was not recorded; the third one is on a dead-letter queue
    that is shared.
    """
    built = tables_of(
        spark,
        REPORT,
        {"event": rows_written(SHARED, globals())},
        "arrivals",
        "outcomes",
    )
    assert shown(built["arrivals"], "qmgr queue destination cause messages") == [
        *(
            ("QM2", "DLQ", "APP", "poison", 1),
            ("QM2", "DLQ", None, "poison", 1),
            ("QSG1", "DLQ", None, "coa", 2),
        ),
        ("QSG2", "DLQ", "APP", "poison", 1),
    ]
    assert shown(built["outcomes"], "qmgr outcome messages application") == [
        *(("QM2", "GONE", 2, None), ("QSG1", "GONE", 1, "bill"), ("QSG1", "GONE", 1, "shop")),
        ("QSG2", "GONE", 1, None),
    ]


def test_the_data_that_was_kept(spark: SparkSession) -> None:
    """Of dead letters that are no longer on the queue, whatever took them, also if all data is
    masked.
    """
    letters = (
        letter(1, detail='{"put_event": 2}'),
        put(1),
        put(2, detail=header("APP"), reason=UNKNOWN),
    )
    events = [*letters, letter(3, 5), put(3, 5)]
    bodies = [(b"one", "DLQ"), (None, "DLQ"), (b"three", "APP")]
    rows = [
        kept(body, number, id=number, queue=queue) for number, (body, queue) in enumerate(bodies, 1)
    ]
    built = tables_of(spark, REPORT, {"event": events, "kept": rows}, "dead_letter_data")
    assert shown(built["dead_letter_data"], "queue reason_name destination kept_bytes text") == [
        ("DLQ", "MQRC_Q_FULL", None, 3, "one"),
        ("DLQ", "MQRC_UNKNOWN_OBJECT_NAME", "APP", None, None),
    ]
