"""Every report is declared completely and found by its name; periods, moments and queue names that are chosen."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from reports import catalog
from reports.catalog import EPOCH, MICROSECOND, ReportColumn, ReportSelection, checked, condition, description
from reports.errors import ReportError, ReportFailedError
from store.published import RELATIONS, Bound

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SENTENCE = r"[A-Z0-9].+\."
TYPES = {"string", "bigint", "timestamp", "decimal(20,6)"}


def test_the_reports_there_are() -> None:
    assert catalog.names() == (
        "admin-audit",
        "backouts",
        "channels",
        "dead-letters",
        "expired-messages",
        "message-lifetimes",
        "queue-activity",
        "trigger-history",
    )


def test_daily_stands_for_all_reports() -> None:
    assert catalog.expanded(["daily"]) == list(catalog.names())
    assert catalog.expanded(["channels", "daily", "channels"])[:2] == ["channels", catalog.names()[0]]
    assert sorted(catalog.expanded(["channels", "daily"])) == list(catalog.names())
    assert catalog.expanded(["channels", "no-report"]) == ["channels", "no-report"]


UNKNOWN = [
    ("expired-message", "did you mean expired-messages?"),
    ("Expired-Messages", "did you mean expired-messages?"),
    ("xyz", f"the reports are {', '.join(catalog.names())}"),
    ("dayly", "did you mean daily?"),
    ("dead-letter", "did you mean dead-letters?"),
]


@pytest.mark.parametrize(("name", "says"), UNKNOWN)
def test_an_unknown_report_is_answered_with_the_nearest(name: str, says: str) -> None:
    with pytest.raises(ReportError) as caught:
        catalog.report(name)
    assert str(caught.value) == f"there is no report {name!r}; {says}"


@pytest.mark.parametrize("name", catalog.names())
def test_every_report_is_declared_completely(name: str) -> None:
    report = catalog.report(name)
    assert report.name == name
    assert re.fullmatch(SENTENCE, report.doc)
    assert len({table.name for table in report.tables}) == len(report.tables)
    for read, reads in report.reads.items():
        assert set(reads.columns) <= {column.name for column in RELATIONS[reads.relation or read].columns}
        assert set(reads.beside) <= set(report.reads)
    for table in report.tables:
        names = [column.name for column in table.columns]
        assert re.fullmatch(SENTENCE, table.doc), table.name
        assert set(table.order) <= set(names), table.name
        assert len(set(names)) == len(names), table.name
        assert set(table.reads) <= set(report.reads)
        for column in table.columns:
            assert column.type in TYPES, column
            assert re.fullmatch(SENTENCE, column.doc), column


@pytest.mark.parametrize("name", catalog.names())
def test_a_description_tells_every_column(name: str) -> None:
    text = catalog.describe(name)
    for table in catalog.report(name).tables:
        assert f"## {table.name}\n" in text
        assert all(f"| {column.name} | {column.type} | {column.doc} |\n" in text for column in table.columns)


COLUMNS = (ReportColumn("queue", "string", "queue", "The queue."), ReportColumn("depth", "bigint", "depth", "Depth."))
TABLE = catalog.Table("depths", "Depths of queues.", ("event",), lambda frame: frame, COLUMNS, ("queue",))


def test_a_frame_as_declared_is_returned(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 'Q' AS queue, 3L AS depth")
    assert checked(TABLE, frame) is frame


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ("'Q' AS queue, 3 AS depth", "table depths should have ('depth', 'bigint') where it has ('depth', 'int')"),
        ("3L AS depth, 'Q' AS queue", "table depths should have ('queue', 'string') where it has ('depth', 'bigint')"),
        (
            "'Q' AS queue",
            "table depths should have [('queue', 'string'), ('depth', 'bigint')] where it has [('queue', 'string')]",
        ),
    ],
)
def test_another_frame_is_an_error(spark: SparkSession, columns: str, error: str) -> None:
    with pytest.raises(ReportFailedError) as caught:
        checked(TABLE, spark.sql(f"SELECT {columns}"))
    assert str(caught.value) == error


MOMENTS = [
    ("2023-11-14", 1_699_920_000_000_000),
    ("2023-11-14T22:13:20", 1_700_000_000_000_000),
    ("2023-11-14 22:13:20.000001", 1_700_000_000_000_001),
    ("2023-11-14T22:13:20Z", 1_700_000_000_000_000),
    ("2023-11-15T00:13:20+02:00", 1_700_000_000_000_000),
    (" 1969-12-31T23:59:59 ", -1_000_000),
]


@pytest.mark.parametrize(("text", "microseconds"), MOMENTS)
def test_moments(text: str, microseconds: int) -> None:
    assert catalog.select(since=text).since == microseconds


REFUSED = [
    ({"since": "yesterday"}, "since 'yesterday' is not a moment; write it as 2024-05-31"),
    ({"until": "2023-02-30"}, "until '2023-02-30' is not a moment"),
    ({"until": ""}, "until '' is not a moment"),
    ({"since": "2023-11-14", "until": "2023-11-14"}, "is not before until"),
    ({"since": 253_402_300_800_000_000, "until": 0}, "since 10000-01-01T00:00:00Z is not before until 1970-01-01"),
    ({"since": "2023-11-14T12:00", "until": "2023-11-14T13:00+02:00"}, "is not before until"),
    ({"queues": ["A*B"]}, "'A*B' is not a queue name"),
    ({"queues": [""]}, "'' is not a queue name"),
]


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_refusals(options: dict[str, str], says: str) -> None:
    with pytest.raises(ReportError) as caught:
        catalog.select(**options)
    assert says in str(caught.value)


TOLD = [
    (
        ReportSelection(),
        "From shop.db up to event 7; everything selected.",
        "QM1 1970-01-01 00:00:00Z, QM2 1970-01-01 00:01:00Z",
    ),
    (
        ReportSelection(since=0, until=60_000_000, queues=("A", "B*")),
        "From shop.db up to event 7; only events since 1970-01-01 00:00:00Z; events before 1970-01-01 00:01:00Z; "
        "queues A, B*.",
        "QM1 1970-01-01 00:00:00Z, QM2 1970-01-01 00:01:00Z",
    ),
    (
        ReportSelection(qmgrs=("QM2",)),
        "From shop.db up to event 7; only queue managers QM2.",
        "QM2 1970-01-01 00:01:00Z",
    ),
]


@pytest.mark.parametrize(("selection", "only", "clocks"), TOLD)
def test_what_was_selected_in_words(selection: ReportSelection, only: str, clocks: str) -> None:
    sentences = description(selection, "shop.db", Bound(7, 3, {"QM1": 0, "QM2": 60_000_000}))
    assert sentences == [only, f"Clocks of the queue managers at that time (UTC): {clocks}."]


def test_a_store_without_queue_managers_in_words() -> None:
    assert description(ReportSelection(), "shop.db", Bound(0, 0, {}))[1].endswith(": none.")


ROWS = [
    (1, "QM1", "APP.A"),
    (2, "QM1", "APP.B"),
    (3, "QM2", "APP.A"),
    (4, "QM1", "app.a"),
    (5, "QM1", "APP"),
    (6, "QM1", None),
]
SELECTIONS = [
    (ReportSelection(), "event", [1, 2, 3, 4, 5, 6]),
    (ReportSelection(since=3), "event", [3, 4, 5, 6]),
    (ReportSelection(until=3), "event", [1, 2]),
    (ReportSelection(since=2, until=4), "event", [2, 3]),
    (ReportSelection(since=2, until=4), "pending", [1, 2, 3, 4, 5, 6]),
    (ReportSelection(qmgrs=("QM1",)), "pending", [1, 2, 4, 5, 6]),
    (ReportSelection(queues=("APP.A",)), "event", [1, 3]),
    (ReportSelection(queues=("APP.*",)), "event", [1, 2, 3]),
    (ReportSelection(queues=("APP*",)), "event", [1, 2, 3, 5]),
    (ReportSelection(queues=("*",)), "event", [1, 2, 3, 4, 5]),
    (ReportSelection(queues=("app.*", "APP")), "event", [4, 5]),
    (ReportSelection(qmgrs=("QM2", "QM1"), queues=("APP.A",), since=2), "event", [3]),
]


@pytest.mark.parametrize(("selection", "relation", "chosen"), SELECTIONS)
def test_what_is_selected(spark: SparkSession, selection: ReportSelection, relation: str, chosen: list[int]) -> None:
    frame = spark.createDataFrame(ROWS, "at bigint, qmgr string, queue string")
    wanted = condition(selection, relation)
    assert [row["at"] for row in (frame if wanted is None else frame.where(wanted)).collect()] == chosen


def test_an_event_may_be_chosen_by_another_queue(spark: SparkSession) -> None:
    frame = spark.createDataFrame(ROWS, "at bigint, qmgr string, queue string")
    wanted = condition(ReportSelection(queues=("APP.C",)), "event", "IF(at = 2, 'APP.C', queue)")
    assert wanted is not None
    assert [row["at"] for row in frame.where(wanted).collect()] == [2]


DAY = 86_400_000_000
LAST = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // MICROSECOND
FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND

TEXTS = [
    (0, "1970-01-01T00:00:00Z"),
    (1, "1970-01-01T00:00:00.000001Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (LAST, "9999-12-31T23:59:59.999999Z"),
    (LAST + 1, "10000-01-01T00:00:00Z"),
    # 10000 is a leap year.
    (LAST + 1 + 59 * DAY, "10000-02-29T00:00:00Z"),
    (FIRST, "0001-01-01T00:00:00Z"),
    (FIRST - 1, "0000-12-31T23:59:59.999999Z"),
    ((1 << 63) - 1, "294247-01-10T04:00:54.775807Z"),
]


@pytest.mark.parametrize(("microseconds", "text"), TEXTS)
def test_times_as_text(microseconds: int, text: str) -> None:
    assert catalog.iso(microseconds) == text
    found = catalog.moment(microseconds)
    assert found == (EPOCH + timedelta(microseconds=microseconds) if FIRST <= microseconds <= LAST else text)


def test_times_as_text_for_people() -> None:
    assert catalog.iso(LAST + 1, " ", "seconds") == "10000-01-01 00:00:00Z"
