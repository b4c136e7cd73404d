"""expired-messages: literal rows in, rows out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.reports.catalog import report
from mqsc.store.published import KEPT_BYTES
from tests.reports.history import expire, kept, message, message_id
from tests.reports.tables import Answer, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("expired-messages")

CASES = written(
    r"""
table expired
    queue messages
no event
bytes and messages by queue and hour
    expire A 0 length=3, expire A 3599.999999 length=4, expire A 3600 length=5, expire "Ä,\"'" -0.000001 length=-
    columns queue hour messages bytes
    => A 0 2 7, A 1 1 5, "Ä,\"'" -1 1 0
one message: all four are the same
    expire A lived=12.5 late=0.25
    columns lifetime_min lifetime_median lifetime_p95 lifetime_max
    columns lateness_min lateness_median lateness_p95 lateness_max
    => 12.5 12.5 12.5 12.5 0.25 0.25 0.25 0.25
an even number: the median lies between
    expire A lived=40, expire A lived=10, expire A lived=30, expire A lived=20
    columns lifetime_min lifetime_median lifetime_p95 lifetime_max
    => 10 25 38.5 40
to the microsecond
    expire A late=0.000001, expire A late=0.000002
    columns lateness_min lateness_median lateness_max
    => 0.000001 0.000002 0.000002
a clock that ran backwards: nothing is less than 0
    expire A lived=-5 late=-3, expire A lived=1 late=1
    columns lifetime_min lifetime_median lateness_min
    => 0 0.5 0
causes and applications together
    expire A cause=get lived=1, expire A cause=refresh put_application=shop lived=3
    columns messages lifetime_min lifetime_median lifetime_max
    => 2 1 2 3
reports: asked for, put, put to the dead-letter queue, lost
    expire A detail={"report":"plain"}, expire A detail={"report":"data"}, expire A detail={"report":"full"},
    expire A detail={"other":1}, REPORT A cause=expiration target=REPLY reason=258,
    DEAD_LETTER A cause=expiration target=DLQ reason=2053, REPORT_LOST A cause=expiration target=REPLY reason=2053
    columns messages reports_asked reports_put reports_dead_lettered reports_lost
    => 4 3 1 1 1
other events do not count
    expire A, REPORT A cause=coa, DEAD_LETTER B cause=put, PUT A, GET C
    columns queue messages reports_put reports_dead_lettered
    => A 1 0 0

table expired_by_cause
    queue hour cause application messages bytes lifetime_min lifetime_median lifetime_max reports_asked
a message for another queue manager is that of its sender
    expire XQ length=432 put_application=QM1 detail={"application":"billing","length":4}, expire XQ length=3
    columns queue application messages bytes
    => XQ billing 2 7
by cause and application
    expire A cause=get lived=1 detail={"report":"data"}, expire A cause=get lived=2,
    expire A cause=get lived=9 put_application=shop, expire A cause=interval lived=4 length=6,
    REPORT A cause=expiration
    => A 0 get billing 2 20 1 1.5 2 1, A 0 get shop 1 10 9 9 9 0, A 0 interval billing 1 6 4 4 4 0

table overdue
    queue messages bytes in_units oldest_expiry longest_overdue now
by queue
    left message A expires=90.5 length=1, message A expires=50 length=2 state=GOT, message A expires=200 length=4,
    left message B expires=100 length=8 state=PUT => A 2 3 1 @50 50 @100, B 1 8 1 @100 0 @100

table overdue_messages
    overdue
a second | left message expires=99 => 1
from the very moment | left message expires=100 => 0
not a microsecond before | left message expires=100.000001
without expiry | left message
every column
    left message A expires=40 msg_id=message_id(43777) put_application=shop put_user=ann priority=4
    columns queue msg_id correl_id priority persistence length put_at expires_at overdue put_application put_user state
    => A "00000000000000000000000000000000000000000000ab01" - 4 0 10 @0 @40 60 shop ann AVAILABLE
""",
    globals(),
)


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def test_each_queue_manager_for_itself(spark: SparkSession) -> None:
    """(S43, S46) A shared queue: the scans of its owner, and what other members discarded. A
    group has no clock.
    """
    members = [("QM2", "interval"), ("QM2", "interval"), ("QM1", "interval"), ("QM1", "refresh")]
    shared = [
        expire("SQ", qmgr="QSG1", cause=cause, detail=f'{{"member": "{who}"}}')
        for who, cause in members
    ]
    own = [expire("A"), expire("A", qmgr="QM2"), expire("A", qmgr="QM2")]
    rows = {
        "event": own + shared,
        "pending": [message(expires=1, qmgr="GROUP"), message(expires=1)],
    }
    built = tables_of(spark, REPORT, rows, "expired", "expired_by_cause", "overdue_messages")
    assert shown(built["expired"], "qmgr queue messages") == [
        ("QM1", "A", 1),
        ("QM2", "A", 2),
        ("QSG1", "SQ", 4),
    ]
    assert shown(built["expired_by_cause"], "qmgr queue cause member messages") == [
        *(
            ("QM1", "A", "get", None, 1),
            ("QM2", "A", "get", None, 2),
            ("QSG1", "SQ", "interval", "QM1", 1),
        ),
        *(("QSG1", "SQ", "interval", "QM2", 2), ("QSG1", "SQ", "refresh", "QM1", 1)),
    ]
    assert shown(built["overdue_messages"], "qmgr queue") == [("QM1", "Q")]


def test_the_data_that_was_kept(spark: SparkSession) -> None:
    """As text or in base64, cut; of a message that left its queue twice as it left first; of no
    other message.
    """
    long = b"." * (KEPT_BYTES - 1) + "Ä".encode()
    bodies = [b"<b>\n", b"\xc4", b"\x1b[2J", None, b"", long, long[1:]]
    events = [
        expire("Q", number, msg_id=message_id(number), lived=1) for number in range(len(bodies) + 2)
    ]
    rows = [kept(body, number, number - 1, id=number + 1) for number, body in enumerate(bodies)]
    moved = [
        kept(b"later", 0, -1, id=99),
        kept(b"queue", 7, 6, id=90, queue="B"),
        kept(b"put", 8, 3, id=91),
    ]
    built = tables_of(spark, REPORT, {"event": events, "kept": [*rows, *moved]}, "expired_data")
    assert shown(built["expired_data"], "kept_bytes text base64") == [
        (4, "<b>\n", None),
        (1, None, "xA=="),
        (4, None, "G1sySg=="),
        (None, None, None),
        (0, "", None),
        (KEPT_BYTES + 1, "." * (KEPT_BYTES - 1), None),
        (KEPT_BYTES, "." * (KEPT_BYTES - 2) + "Ä", None),
    ]
