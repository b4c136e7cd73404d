"""expired-messages: literal rows in, rows out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from reports.catalog import report
from tests.reports import tables
from tests.reports.history import Row, event, expire, message
from tests.reports.tables import START, Answer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("expired-messages")

# (name of the case, events, columns of the table `expired`, expected rows)
EXPIRED: list[tuple[str, list[Row], str, list[tuple[Any, ...]]]] = [
    ("no event", [], "queue messages", []),
    (
        "bytes and messages by queue and hour",
        [
            expire("A", 0, length=3),
            expire("A", 3599.999999, length=4),
            expire("A", 3600, length=5),
            expire("Ä,\"'", -0.000001, length=None),
        ],
        "queue hour messages bytes",
        [("A", 0, 2, 7), ("A", 1, 1, 5), ("Ä,\"'", -1, 1, 0)],
    ),
    (
        "each queue manager for itself",
        [expire("A"), expire("A", qmgr="QM2"), expire("A", qmgr="QM2")],
        "qmgr queue messages",
        [("QM1", "A", 1), ("QM2", "A", 2)],
    ),
    (
        "one message: all four are the same",
        [expire("A", lived=12.5, late=0.25)],
        "lifetime_min lifetime_median lifetime_p95 lifetime_max lateness_min lateness_median lateness_p95 lateness_max",
        [(12.5, 12.5, 12.5, 12.5, 0.25, 0.25, 0.25, 0.25)],
    ),
    (
        "an even number: the median lies between",
        [expire("A", lived=seconds) for seconds in (40, 10, 30, 20)],
        "lifetime_min lifetime_median lifetime_p95 lifetime_max",
        [(10, 25, 38.5, 40)],
    ),
    (
        "to the microsecond",
        [expire("A", late=seconds) for seconds in (0.000001, 0.000002)],
        "lateness_min lateness_median lateness_max",
        [(0.000001, 0.000002, 0.000002)],
    ),
    (
        "a clock that ran backwards: nothing is less than 0",
        [expire("A", lived=-5, late=-3), expire("A", lived=1, late=1)],
        "lifetime_min lifetime_median lateness_min",
        [(0, 0.5, 0)],
    ),
    (
        "causes and applications together",
        [expire("A", cause="get", lived=1), expire("A", cause="refresh", put_application="shop", lived=3)],
        "messages lifetime_min lifetime_median lifetime_max",
        [(2, 1, 2, 3)],
    ),
    (
        "reports: asked for, put, put to the dead-letter queue, lost",
        [
            *(expire("A", detail=f'{{"report": "{data}"}}') for data in ("plain", "data", "full")),
            expire("A", detail='{"other": 1}'),
            event("REPORT", "A", cause="expiration", target="REPLY", reason=258),
            event("DEAD_LETTER", "A", cause="expiration", target="DLQ", reason=2053),
            event("REPORT_LOST", "A", cause="expiration", target="REPLY", reason=2053),
        ],
        "messages reports_asked reports_put reports_dead_lettered reports_lost",
        [(4, 3, 1, 1, 1)],
    ),
    (
        "other events do not count",
        [
            expire("A"),
            event("REPORT", "A", cause="coa"),
            event("DEAD_LETTER", "B", cause="put"),
            event("PUT", "A"),
            event("GET", "C"),
        ],
        "queue messages reports_put reports_dead_lettered",
        [("A", 1, 0, 0)],
    ),
]


@pytest.mark.parametrize(("events", "names", "rows"), [case[1:] for case in EXPIRED], ids=[case[0] for case in EXPIRED])
def test_expired(spark: SparkSession, events: list[Row], names: str, rows: list[tuple[Any, ...]]) -> None:
    assert made(spark, "expired", events, names) == rows


def test_a_message_for_another_queue_manager_is_that_of_its_sender(spark: SparkSession) -> None:
    told = '{"application": "billing", "length": 4}'
    behind_a_header = [expire("XQ", length=432, put_application="QM1", detail=told), expire("XQ", length=3)]
    names = "queue application messages bytes"
    assert made(spark, "expired_by_cause", behind_a_header, names) == [("XQ", "billing", 2, 7)]


def test_expired_by_cause(spark: SparkSession) -> None:
    events = [
        expire("A", cause="get", lived=1, detail='{"report": "data"}'),
        expire("A", cause="get", lived=2),
        expire("A", cause="get", lived=9, put_application="shop"),
        expire("A", cause="interval", lived=4, length=6),
        event("REPORT", "A", cause="expiration"),
    ]
    names = "queue hour cause application messages bytes lifetime_min lifetime_median lifetime_max reports_asked"
    assert made(spark, "expired_by_cause", events, names) == [
        ("A", 0, "get", "billing", 2, 20, 1, 1.5, 2, 1),
        ("A", 0, "get", "shop", 1, 10, 9, 9, 9, 0),
        ("A", 0, "interval", "billing", 1, 6, 4, 4, 4, 0),
    ]


def test_messages_of_a_shared_queue_are_told_by_the_member_that_discarded_them(spark: SparkSession) -> None:
    """(S43, S46) The scans of their owner, and what other members discarded."""
    members = [("QM2", "interval"), ("QM2", "interval"), ("QM1", "interval"), ("QM1", "refresh")]
    events = [expire("SQ", qmgr="QSG1", cause=cause, detail=f'{{"member": "{who}"}}') for who, cause in members]
    names = "qmgr queue cause member messages"
    assert made(spark, "expired_by_cause", [*events, expire("A")], names) == [
        ("QM1", "A", "get", None, 1),
        ("QSG1", "SQ", "interval", "QM1", 1),
        ("QSG1", "SQ", "interval", "QM2", 2),
        ("QSG1", "SQ", "refresh", "QM1", 1),
    ]


OVERDUE_BY = [(99, [1]), (100, [0]), (100.000001, []), (None, [])]


@pytest.mark.parametrize(("expires", "overdue"), OVERDUE_BY)
def test_a_message_is_overdue_from_the_very_moment(
    spark: SparkSession, expires: float | None, overdue: list[float]
) -> None:
    assert made(spark, "overdue_messages", [message(expires=expires)], "overdue") == [(each,) for each in overdue]


def test_a_queue_manager_without_a_clock_has_nothing_overdue(spark: SparkSession) -> None:
    assert made(spark, "overdue_messages", [message(expires=1, qmgr="GROUP")], "queue") == []


def test_overdue_by_queue(spark: SparkSession) -> None:
    messages = [
        message("A", expires=90.5, length=1),
        message("A", expires=50, length=2, state="GOT"),
        message("A", expires=200, length=4),
        message("B", expires=100, length=8, state="PUT"),
    ]
    names = "qmgr queue messages bytes in_units oldest_expiry longest_overdue now"
    seconds = [START + timedelta(seconds=number) for number in (50, 100)]
    assert made(spark, "overdue", messages, names) == [
        ("QM1", "A", 2, 3, 1, seconds[0], 50, seconds[1]),
        ("QM1", "B", 1, 8, 1, seconds[1], 0, seconds[1]),
    ]


def test_overdue_messages_one_by_one(spark: SparkSession) -> None:
    late = message("A", expires=40, msg_id=bytes(22) + b"\xab\x01", put_application="shop", put_user="ann", priority=4)
    (row,) = made(spark, "overdue_messages", [late], " ".join(column.name for column in REPORT.tables[3].columns))
    assert row[:7] == ("QM1", "A", "00" * 22 + "AB01", None, 4, 0, 10)
    assert row[7:] == (START, START + timedelta(seconds=40), 60, "shop", "ann", "AVAILABLE")


def made(spark: SparkSession, name: str, rows: Iterable[Row], names: str) -> Answer:
    (table,) = (each for each in REPORT.tables if each.name == name)
    return tables.made(spark, REPORT, name, {table.reads[0]: rows}, names)
