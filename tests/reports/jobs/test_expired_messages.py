"""expired-messages: literal rows in, rows out."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from reports.catalog import report
from tests.reports.history import event, expire, message
from tests.reports.tables import NOW, START, Answer, Case, Cases, shown, tables_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("expired-messages")

LIFETIMES, LATENESSES = (f"{name}_min {name}_median {name}_p95 {name}_max" for name in ("lifetime", "lateness"))
EXPIRED: dict[str, Case] = {
    "no event": Case([], []),
    "bytes and messages by queue and hour": Case(
        [
            expire("A", 0, length=3),
            expire("A", 3599.999999, length=4),
            expire("A", 3600, length=5),
            expire("Ä,\"'", -0.000001, length=None),
        ],
        [("A", 0, 2, 7), ("A", 1, 1, 5), ("Ä,\"'", -1, 1, 0)],
        columns="queue hour messages bytes",
    ),
    "one message: all four are the same": Case(
        [expire("A", lived=12.5, late=0.25)],
        [(12.5, 12.5, 12.5, 12.5, 0.25, 0.25, 0.25, 0.25)],
        columns=f"{LIFETIMES} {LATENESSES}",
    ),
    "an even number: the median lies between": Case(
        [expire("A", lived=seconds) for seconds in (40, 10, 30, 20)], [(10, 25, 38.5, 40)], columns=LIFETIMES
    ),
    "to the microsecond": Case(
        [expire("A", late=seconds) for seconds in (0.000001, 0.000002)],
        [(0.000001, 0.000002, 0.000002)],
        columns="lateness_min lateness_median lateness_max",
    ),
    "a clock that ran backwards: nothing is less than 0": Case(
        [expire("A", lived=-5, late=-3), expire("A", lived=1, late=1)],
        [(0, 0.5, 0)],
        columns="lifetime_min lifetime_median lateness_min",
    ),
    "causes and applications together": Case(
        [expire("A", cause="get", lived=1), expire("A", cause="refresh", put_application="shop", lived=3)],
        [(2, 1, 2, 3)],
        columns="messages lifetime_min lifetime_median lifetime_max",
    ),
    "reports: asked for, put, put to the dead-letter queue, lost": Case(
        [
            *(expire("A", detail=f'{{"report": "{data}"}}') for data in ("plain", "data", "full")),
            expire("A", detail='{"other": 1}'),
            event("REPORT", "A", cause="expiration", target="REPLY", reason=258),
            event("DEAD_LETTER", "A", cause="expiration", target="DLQ", reason=2053),
            event("REPORT_LOST", "A", cause="expiration", target="REPLY", reason=2053),
        ],
        [(4, 3, 1, 1, 1)],
        columns="messages reports_asked reports_put reports_dead_lettered reports_lost",
    ),
    "other events do not count": Case(
        [
            expire("A"),
            event("REPORT", "A", cause="coa"),
            event("DEAD_LETTER", "B", cause="put"),
            event("PUT", "A"),
            event("GET", "C"),
        ],
        [("A", 1, 0, 0)],
        columns="queue messages reports_put reports_dead_lettered",
    ),
}
BY_CAUSE_SHOW = "queue hour cause application messages bytes lifetime_min lifetime_median lifetime_max reports_asked"
BY_CAUSE: dict[str, Case] = {
    "a message for another queue manager is that of its sender": Case(
        [
            expire("XQ", length=432, put_application="QM1", detail='{"application": "billing", "length": 4}'),
            expire("XQ", length=3),
        ],
        [("XQ", "billing", 2, 7)],
        columns="queue application messages bytes",
    ),
    "by cause and application": Case(
        [
            expire("A", cause="get", lived=1, detail='{"report": "data"}'),
            expire("A", cause="get", lived=2),
            expire("A", cause="get", lived=9, put_application="shop"),
            expire("A", cause="interval", lived=4, length=6),
            event("REPORT", "A", cause="expiration"),
        ],
        [
            ("A", 0, "get", "billing", 2, 20, 1, 1.5, 2, 1),
            ("A", 0, "get", "shop", 1, 10, 9, 9, 9, 0),
            ("A", 0, "interval", "billing", 1, 6, 4, 4, 4, 0),
        ],
    ),
}
OVERDUE: dict[str, Case] = {
    "by queue": Case(
        [],
        [
            ("A", 2, 3, 1, START + timedelta(seconds=50), 50, START + timedelta(seconds=NOW)),
            ("B", 1, 8, 1, START + timedelta(seconds=NOW), 0, START + timedelta(seconds=NOW)),
        ],
        [
            message("A", expires=90.5, length=1),
            message("A", expires=50, length=2, state="GOT"),
            message("A", expires=200, length=4),
            message("B", expires=100, length=8, state="PUT"),
        ],
    )
}
LATE = message("A", expires=40, msg_id=bytes(22) + b"\xab\x01", put_application="shop", put_user="ann", priority=4)
OVERDUE_MESSAGES: dict[str, Case] = {
    "a second": Case([], [(1,)], [message(expires=99)]),
    "from the very moment": Case([], [(0,)], [message(expires=100)]),
    "not a microsecond before": Case([], [], [message(expires=100.000001)]),
    "without expiry": Case([], [], [message()]),
    "every column": Case(
        [],
        [
            (
                *("A", "00" * 22 + "ab01", None, 4, 0, 10),
                *(START, START + timedelta(seconds=40), 60, "shop", "ann", "AVAILABLE"),
            )
        ],
        [LATE],
        columns=" ".join(column.name for column in REPORT.tables[3].columns[1:]),
    ),
}
CASES: dict[str, Cases] = {
    "expired": ("queue messages", EXPIRED),
    "expired_by_cause": (BY_CAUSE_SHOW, BY_CAUSE),
    "overdue": ("queue messages bytes in_units oldest_expiry longest_overdue now", OVERDUE),
    "overdue_messages": ("overdue", OVERDUE_MESSAGES),
}


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def test_each_queue_manager_for_itself(spark: SparkSession) -> None:
    """(S43, S46) A shared queue: the scans of its owner, and what other members discarded. A group has no clock."""
    members = [("QM2", "interval"), ("QM2", "interval"), ("QM1", "interval"), ("QM1", "refresh")]
    shared = [expire("SQ", qmgr="QSG1", cause=cause, detail=f'{{"member": "{who}"}}') for who, cause in members]
    rows = {
        "event": [expire("A"), *(expire("A", qmgr="QM2") for _ in range(2)), *shared],
        "pending": [message(expires=1, qmgr="GROUP"), message(expires=1)],
    }
    built = tables_of(spark, REPORT, rows, "expired", "expired_by_cause", "overdue_messages")
    assert shown(built["expired"], "qmgr queue messages") == [("QM1", "A", 1), ("QM2", "A", 2), ("QSG1", "SQ", 4)]
    assert shown(built["expired_by_cause"], "qmgr queue cause member messages") == [
        ("QM1", "A", "get", None, 1),
        ("QM2", "A", "get", None, 2),
        ("QSG1", "SQ", "interval", "QM1", 1),
        ("QSG1", "SQ", "interval", "QM2", 2),
        ("QSG1", "SQ", "refresh", "QM1", 1),
    ]
    assert shown(built["overdue_messages"], "qmgr queue") == [("QM1", "Q")]
