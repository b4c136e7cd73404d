"""Sums of the rows of a table, and its worst rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pyarrow as pa  # type: ignore[import-untyped]

from reports.catalog import Chart, ReportColumn, Table
from reports.page.overview import Sum, charted, summed, worst_first

START = datetime(2023, 11, 14, 22, tzinfo=UTC)
START_MICROSECONDS = 1_700_000_000_000_000 - 800_000_000
HOUR = 3_600_000_000
COLUMNS = (
    ReportColumn("qmgr", "string", "", ""),
    ReportColumn("queue", "string", "", ""),
    ReportColumn("hour", "timestamp", "", ""),
    ReportColumn("messages", "bigint", "", ""),
    ReportColumn("lasted", "decimal(20,6)", "", ""),
)
TABLE = Table("it", "It.", (), lambda frame: frame, COLUMNS, ("queue",), Chart("messages", "hour"))
SCHEMA = pa.schema(
    [
        ("qmgr", pa.string()),
        ("queue", pa.string()),
        ("hour", pa.timestamp("us", "UTC")),
        ("messages", pa.int64()),
        ("lasted", pa.decimal128(20, 6)),
    ]
)
ROWS = pa.Table.from_pylist(
    [
        {"qmgr": "QM1", "queue": "B", "hour": START, "messages": 5, "lasted": Decimal("1.5")},
        {"qmgr": "QM1", "queue": "A", "hour": START, "messages": -2, "lasted": None},
        {"qmgr": "QM1", "queue": "A", "hour": START + timedelta(hours=1), "messages": None, "lasted": None},
        {"qmgr": "QM1", "queue": None, "hour": None, "messages": 1, "lasted": Decimal(1)},
    ],
    schema=SCHEMA,
)


def test_sums_of_a_column() -> None:
    found = summed(TABLE, ROWS, "messages")
    assert found.total == 4
    assert found.by_hour == {START_MICROSECONDS: 3, START_MICROSECONDS + HOUR: 0}
    assert found.by_queue == {("QM1", "A"): 2, ("QM1", "B"): 5}
    assert summed(TABLE, ROWS.slice(0, 0), "messages") == (0, {}, {})


def test_sums_for_a_chart() -> None:
    assert sorted(charted(TABLE, ROWS), key=str) == [
        Sum("", 1),
        Sum(START_MICROSECONDS, 3),
        Sum(START_MICROSECONDS + HOUR, 0),
    ]
    by_name = replace(TABLE, chart=Chart("lasted", "queue", beside="messages"))
    assert sorted(charted(by_name, ROWS)) == [Sum("", 1.0, 1), Sum("A", 0.0, -2), Sum("B", 1.5, 5)]
    assert charted(replace(TABLE, chart=None), ROWS) == []


def test_the_worst_rows_come_first() -> None:
    def queues(table: Table) -> list[str | None]:
        return worst_first(table, ROWS)["queue"].to_pylist()  # type: ignore[no-any-return]

    assert queues(TABLE) == ["A", "A", "B", None]
    assert queues(replace(TABLE, worst="messages")) == ["B", None, "A", "A"]
    assert queues(replace(TABLE, alarms=("messages",))) == ["B", "A", None, "A"]
    assert worst_first(replace(TABLE, alarms=("messages",)), ROWS).schema == ROWS.schema
