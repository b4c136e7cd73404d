"""What changed, which queues are worst, and the sums that say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.declaration import Chart, Curve, ReportColumn, Table, Total
from mqsc.reports.page import overview, table_sums
from mqsc.reports.page.charts import MOST_POINTS, draw_lines, steps_of
from mqsc.reports.page.overview import DAY, Change, Figure, Period, change, ranked
from mqsc.reports.page.table_sums import HOUR, Line, Sum, Summed, charted, lines
from tests.rows import rows
from tests.store.tables import verdicts

EXPIRED, LOST, PUT = (
    Total("messages", "expired", True),
    Total("lost", "lost", True),
    Total("puts", "put"),
)


def figure(
    total: Total,
    by_queue: Mapping[tuple[str, str], int],
    before: int | None = None,
) -> Figure:
    return Figure("some-report", total, Summed(sum(by_queue.values()), {}, by_queue), before)


test_what_is_compared = verdicts(
    overview.compared,
    *((10, 15, 99, Period(5, 10, 15, True)), (10, None, 15, Period(5, 10, 15, True))),
    *((10, None, None, None), (10, None, 10, None), (None, None, None, None)),
    (None, None, 3 * DAY + 1, Period(DAY + HOUR, 2 * DAY + HOUR, 3 * DAY + HOUR, False)),
    (None, 3 * DAY, 9 * DAY, Period(DAY, 2 * DAY, 3 * DAY, False)),
)


LAST_DAY = Period(0, DAY, 2 * DAY, False)


@rows(
    ({0: 1, DAY - HOUR: 2, DAY: 4, 2 * DAY - HOUR: 8, 2 * DAY: 16, -HOUR: 32}, Change(12, 3)),
    *(({0: 1}, Change(0, 1)), ({DAY: 1}, None), ({}, None)),
)
def test_a_change_by_the_hours(by_hour: Mapping[int, int], found: Change | None) -> None:
    """Without hours before the last day there is nothing to compare it with."""
    assert change(Figure("r", PUT, Summed(9, by_hour)), LAST_DAY) == found


def test_a_change_of_a_selected_period() -> None:
    selected = Period(0, 5, 10, True)
    assert change(Figure("r", PUT, Summed(9), 4), selected) == Change(9, 4)
    assert change(Figure("r", PUT, Summed(9), None), selected) is None
    assert change(Figure("r", PUT, Summed(9), 4), None) is None
    assert overview.described(selected._replace(middle=HOUR, end=2 * HOUR)) == (
        "Changes compare the period, 1970-01-01 01:00 to 1970-01-01 02:00, with the same time "
        "before it, "
        "from 1970-01-01 00:00."
    )


def test_queues_rank_by_their_shares_of_all_problems() -> None:
    figures = [
        figure(PUT, {("QM1", "BUSY"): 1_000_000}),
        figure(EXPIRED, {("QM1", "A"): 60, ("QM1", "B"): 40, ("QM1", "C"): 0}),
        figure(LOST, {("QM1", "B"): 1, ("QM2", "B"): 1}),
        figure(Total("none", "none", True), {}),
    ]
    shown, queues, number = ranked(figures)
    assert [each.total.label for each in shown] == ["expired", "lost"]
    assert [tuple(each) for each in queues] == [
        ("QM1", "B", (40, 1)),
        ("QM1", "A", (60, 0)),
        ("QM2", "B", (0, 1)),
    ]
    assert number == 3


def test_only_the_worst_queues_are_named() -> None:
    _, queues, number = ranked([figure(EXPIRED, {("QM1", f"Q{n:03}"): 1 for n in range(100)})])
    assert (len(queues), queues[0].queue, number) == (10, "Q000", 100)


def test_a_problem_that_adds_up_to_zero_is_one() -> None:
    """One queue has two messages too many, the other two too few."""
    remainder = Figure("r", EXPIRED, Summed(0, {}, {("QM1", "A"): 2, ("QM1", "B"): 2}))
    assert overview.problems([remainder]) == [remainder]


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
