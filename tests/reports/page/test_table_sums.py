"""What a page needs of a table: its worst rows, and sums of its numbers, taken from all rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.declaration import Chart, Curve, ReportColumn, Table
from mqsc.reports.page import table_sums
from mqsc.reports.page.charts import MOST_POINTS, draw_lines, steps_of
from mqsc.reports.page.table_sums import HOUR, Line, Sum, charted, lines

START = datetime(2023, 11, 14, 22, tzinfo=UTC)
START_MICROSECONDS = 1_700_000_000_000_000 - 800_000_000
TYPES = {
    **{"qmgr": ("string", pa.string()), "queue": ("string", pa.string())},
    **{"hour": ("timestamp", pa.timestamp("us", "UTC")), "messages": ("bigint", pa.int64())},
    "lasted": ("decimal(20,6)", pa.decimal128(20, 6)),
}
COLUMNS = tuple(ReportColumn(name, type, "", "") for name, (type, _) in TYPES.items())
TABLE = Table("it", "It.", (), lambda frame: frame, COLUMNS, ("queue",), Chart("messages", "hour"))
LATER = START + timedelta(hours=1)
ONE, MORE = Decimal(1), Decimal("1.5")
VALUES = [
    ("B", START, 5, MORE),
    ("A", START, -2, None),
    ("A", LATER, None, None),
    (None, None, 1, ONE),
]
ROWS = pa.Table.from_pylist(
    [{"qmgr": "QM1", **dict(zip([*TYPES][1:], row, strict=True))} for row in VALUES],
    schema=pa.schema([(name, type) for name, (_, type) in TYPES.items()]),
)


def test_sums_of_a_column() -> None:
    found = table_sums.summed(TABLE, ROWS, "messages")
    assert (found.total, found.by_hour) == (
        4,
        {START_MICROSECONDS: 3, START_MICROSECONDS + HOUR: 0},
    )
    assert found.by_queue == {("QM1", "A"): 2, ("QM1", "B"): 5}
    assert table_sums.summed(TABLE, ROWS.slice(0, 0), "messages") == (0, {}, {})


def test_sums_for_a_chart() -> None:
    sums = [Sum("", 1), Sum(START_MICROSECONDS, 3), Sum(START_MICROSECONDS + HOUR, 0)]
    assert sorted(charted(TABLE, ROWS), key=str) == sums
    by_name = replace(TABLE, chart=Chart("lasted", "queue", beside="messages"))
    assert sorted(charted(by_name, ROWS)) == [Sum("", 1.0, 1), Sum("A", 0.0, -2), Sum("B", 1.5, 5)]
    assert charted(replace(TABLE, chart=None), ROWS) == []


def test_the_worst_rows_come_first() -> None:
    def queues(table: Table) -> list[str | None]:
        return table_sums.worst_first(table, ROWS)["queue"].to_pylist()  # type: ignore[no-any-return]

    assert queues(TABLE) == ["A", "A", "B", None]
    assert queues(replace(TABLE, worst="messages")) == ["B", None, "A", "A"]
    assert queues(replace(TABLE, alarms=("messages",))) == ["B", "A", None, "A"]
    assert table_sums.worst_first(replace(TABLE, alarms=("messages",)), ROWS).schema == ROWS.schema


def test_lines_of_the_queues_with_the_greatest_values() -> None:
    hour, curve = START_MICROSECONDS, Curve("messages", "messages", "depth")
    found = lines(replace(TABLE, curve=curve), ROWS)
    assert found == [Line("B", "QM1", {hour: 5, hour + HOUR: 5})]
    several = pa.concat_tables(
        [ROWS.set_column(0, "qmgr", [[f"QM{number}"] * 4]) for number in range(9)],
    )
    assert [each.qmgr for each in lines(replace(TABLE, curve=curve), several)] == [
        "QM0",
        "QM1",
        "QM2",
        "QM3",
    ]
    assert lines(TABLE, ROWS) == []
    assert lines(replace(TABLE, curve=curve), ROWS.slice(0, 0)) == []


def test_a_line_is_drawn_in_steps_with_the_greatest_value_of_each() -> None:
    assert draw_lines([], "depth") is None
    drawn = [Line("A", "QM1", {0: 3, HOUR: 1}), Line("B", "QM1", {HOUR: 7, 3 * HOUR: 0})]
    drawing = draw_lines(drawn, "greatest depth")
    assert drawing is not None
    assert drawing.title == "Greatest depth, 1970-01-01 00:00 to 1970-01-01 03:00 UTC"
    assert drawing.facts == ["A of QM1: at most 3", "B of QM1: at most 7"]
    assert sorted(drawing.svg) == ["narrow", "wide"]
    many = {number * HOUR: number % 1000 for number in range(5000)}
    found = dict(steps_of(many, 0, 5000 * HOUR))
    assert len(found) <= MOST_POINTS + 1
    assert max(found.values()) == 999
    # A value that lasts from before a step counts in it.
    assert [*steps_of({0: 9, HOUR: 1}, 0, 2 * HOUR)] == [(0, 9), (HOUR, 1), (2 * HOUR, 1)]
