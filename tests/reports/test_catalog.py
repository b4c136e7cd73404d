"""Every report is declared completely and found by its name; periods, moments and queue names
that are chosen.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from mqsc.reports import catalog, declaration, selection, times
from mqsc.reports.declaration import ReportColumn, checked
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.selection import ReportSelection, condition, description
from mqsc.reports.times import EPOCH, MICROSECOND
from mqsc.store.published import Bound
from tests.rows import rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SENTENCE = r"[A-Z0-9].+\."
TYPES = {"string", "bigint", "timestamp", "decimal(20,6)"}


def test_the_reports_there_are_and_daily_for_all_of_them() -> None:
    names = (
        "admin-audit authority backouts channels dead-letters expired-messages message-lifetimes "
        "queue-activity "
        "trigger-history"
    )
    assert catalog.names() == tuple(names.split())
    assert catalog.expanded(["daily"]) == list(catalog.names())
    assert catalog.expanded(["channels", "daily", "channels"])[:2] == [
        "channels",
        catalog.names()[0],
    ]
    assert sorted(catalog.expanded(["channels", "daily"])) == list(catalog.names())
    assert catalog.expanded(["channels", "no-report"]) == ["channels", "no-report"]


def test_an_unknown_report_is_answered_with_all_names() -> None:
    with pytest.raises(ReportError) as caught:
        catalog.report("expired-message")
    known = ", ".join(catalog.names())
    assert str(caught.value) == f"there is no report 'expired-message'; the reports are {known}"


@pytest.mark.parametrize("name", catalog.names())
def test_every_report_is_declared_and_described_completely(name: str) -> None:
    report = catalog.report(name)
    assert report.name == name
    assert re.fullmatch(SENTENCE, report.doc)
    assert len({table.name for table in report.tables}) == len(report.tables)
    for reads in report.reads.values():
        assert set(reads.columns) <= {column.name for column in reads.relation.columns}
        assert set(reads.beside) <= set(report.reads)
    text = catalog.describe(name)
    for table in report.tables:
        names = [column.name for column in table.columns]
        assert f"## {table.name}\n" in text
        assert re.fullmatch(SENTENCE, table.doc), table.name
        assert set(table.order) <= set(names), table.name
        assert len(set(names)) == len(names), table.name
        assert set(table.reads) <= set(report.reads)
        for column in table.columns:
            assert column.type in TYPES, column
            assert re.fullmatch(SENTENCE, column.doc), column
            assert f"| {column.name} | {column.type} | {column.doc} |\n" in text


COLUMNS = (
    ReportColumn("queue", "string", "queue", "The queue."),
    ReportColumn("depth", "bigint", "depth", "Depth."),
)
TABLE = declaration.Table(
    "depths",
    "Depths of queues.",
    ("event",),
    lambda frame: frame,
    COLUMNS,
    ("queue",),
)


OTHERS = {
    "'Q' AS queue, 3 AS depth": "('depth', 'bigint') where it has ('depth', 'int')",
    "3L AS depth, 'Q' AS queue": "('queue', 'string') where it has ('depth', 'bigint')",
    "'Q' AS queue": "[('queue', 'string'), ('depth', 'bigint')] where it has [('queue', 'string')]",
}


def test_a_frame_as_declared_is_returned_and_another_is_an_error(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 'Q' AS queue, 3L AS depth")
    assert checked(TABLE, frame) is frame
    for columns, wrong in OTHERS.items():
        with pytest.raises(
            ReportFailedError,
            match=rf"^table depths should have {re.escape(wrong)}\Z",
        ):
            checked(TABLE, spark.sql(f"SELECT {columns}"))


MOMENTS = {
    "2023-11-14": 1_699_920_000_000_000,
    "2023-11-14T22:13:20": 1_700_000_000_000_000,
    "2023-11-14 22:13:20.000001": 1_700_000_000_000_001,
    "2023-11-14T22:13:20Z": 1_700_000_000_000_000,
    "2023-11-15T00:13:20+02:00": 1_700_000_000_000_000,
    " 1969-12-31T23:59:59 ": -1_000_000,
}


def test_moments() -> None:
    assert {text: selection.select(since=text).since for text in MOMENTS} == MOMENTS


@rows(
    ({"since": "yesterday"}, "since 'yesterday' is not a moment; write it as 2024-05-31"),
    ({"until": "2023-02-30"}, "until '2023-02-30' is not a moment"),
    ({"until": ""}, "until '' is not a moment"),
    ({"since": "2023-11-14", "until": "2023-11-14"}, "is not before until"),
    (
        {"since": 253_402_300_800_000_000, "until": 0},
        "since 10000-01-01T00:00:00Z is not before until 1970-01-01",
    ),
    ({"since": "2023-11-14T12:00", "until": "2023-11-14T13:00+02:00"}, "is not before until"),
    ({"queues": ["A*B"]}, "'A*B' is not a queue name"),
    ({"queues": [""]}, "'' is not a queue name"),
)
def test_refusals(options: dict[str, str], says: str) -> None:
    with pytest.raises(ReportError, match=re.escape(says)):
        selection.select(**options)


BOTH = "QM1 1970-01-01 00:00:00Z, QM2 1970-01-01 00:01:00Z"
PERIOD = "events since 1970-01-01 00:00:00Z; events before 1970-01-01 00:01:00Z"


@rows(
    (ReportSelection(), "everything selected", BOTH),
    (
        ReportSelection(since=0, until=60_000_000, queues=("A", "B*")),
        f"only {PERIOD}; queues A, B*",
        BOTH,
    ),
    (ReportSelection(qmgrs=("QM2",)), "only queue managers QM2", "QM2 1970-01-01 00:01:00Z"),
)
def test_what_was_selected_in_words(selection: ReportSelection, only: str, clocks: str) -> None:
    sentences = description(selection, "shop.db", Bound(7, 3, {"QM1": 0, "QM2": 60_000_000}))
    told = f"Clocks of the queue managers at that time (UTC): {clocks}."
    assert sentences == [f"From shop.db up to event 7; {only}.", told]
    assert description(ReportSelection(), "shop.db", Bound(0, 0, {}))[1].endswith(": none.")


ROWS = [
    (1, "QM1", "APP.A"),
    (2, "QM1", "APP.B"),
    (3, "QM2", "APP.A"),
    (4, "QM1", "app.a"),
    (5, "QM1", "APP"),
]
SELECTIONS = [
    *(
        (ReportSelection(), "event", [1, 2, 3, 4, 5, 6]),
        (ReportSelection(since=3), "event", [3, 4, 5, 6]),
    ),
    *(
        (ReportSelection(until=3), "event", [1, 2]),
        (ReportSelection(since=2, until=4), "event", [2, 3]),
    ),
    (ReportSelection(since=2, until=4), "pending", [1, 2, 3, 4, 5, 6]),
    (ReportSelection(qmgrs=("QM1",)), "pending", [1, 2, 4, 5, 6]),
    (ReportSelection(queues=("APP.A",)), "event", [1, 3]),
    (ReportSelection(queues=("APP.*",)), "event", [1, 2, 3]),
    (ReportSelection(queues=("APP*",)), "event", [1, 2, 3, 5]),
    (ReportSelection(queues=("*",)), "event", [1, 2, 3, 4, 5]),
    (ReportSelection(queues=("app.*", "APP")), "event", [4, 5]),
    (ReportSelection(qmgrs=("QM2", "QM1"), queues=("APP.A",), since=2), "event", [3]),
]


def test_what_is_selected(spark: SparkSession) -> None:
    """An event may also be chosen by another queue than its own."""
    wanted = [condition(selection, relation) for selection, relation, _ in SELECTIONS]
    wanted.append(
        condition(ReportSelection(queues=("APP.C",)), "event", "IF(at = 2, 'APP.C', queue)"),
    )
    frame = spark.createDataFrame([*ROWS, (6, "QM1", None)], "at bigint, qmgr string, queue string")
    found = frame.select(
        "at",
        *(frame.at > 0 if each is None else each for each in wanted),
    ).collect()
    chosen = [[row[0] for row in found if row[number]] for number in range(1, len(wanted) + 1)]
    assert chosen == [*(each for *_, each in SELECTIONS), [2]]


DAY = 86_400_000_000
LAST = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // MICROSECOND
FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND


@rows(
    *(
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
    ),
    *((LAST, "9999-12-31T23:59:59.999999Z"), (LAST + 1, "10000-01-01T00:00:00Z")),
    # 10000 is a leap year.
    *((LAST + 1 + 59 * DAY, "10000-02-29T00:00:00Z"), (FIRST, "0001-01-01T00:00:00Z")),
    *((FIRST - 1, "0000-12-31T23:59:59.999999Z"), ((1 << 63) - 1, "294247-01-10T04:00:54.775807Z")),
)
def test_times_as_text(microseconds: int, text: str) -> None:
    assert (times.iso(microseconds), times.iso(LAST + 1, " ", "seconds")) == (
        text,
        "10000-01-01 00:00:00Z",
    )
    is_date = FIRST <= microseconds <= LAST
    assert times.moment(microseconds) == (
        EPOCH + timedelta(microseconds=microseconds) if is_date else text
    )
