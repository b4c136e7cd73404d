"""What a page needs of a table: its worst rows, and sums of its numbers, taken from all rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.reports.declaration import Table
from mqsc.reports.times import plain

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


HOUR = 3_600_000_000


MOST_LINES = 4


HOUR_COLUMN = "hour"
QUEUE = ("qmgr", "queue")


class Sum(NamedTuple):
    """The sum of one hour (its start in microseconds UTC) or one name, and that of the column
    beside it.
    """

    label: int | str
    value: int | float
    beside: int | float = 0


class Line(NamedTuple):
    """A value of one queue over time: from each moment (microseconds UTC) until the next one."""

    queue: str
    qmgr: str
    points: Mapping[int, int]


class Summed(NamedTuple):
    """The sum of a column over all rows, by hour (microseconds UTC), and by queue manager and
    queue.

    The last two are empty if the table has no such columns. A sum by queue counts what is below 0
    as if it were above, so that opposite signs do not cancel out.
    """

    total: int = 0
    by_hour: Mapping[int, int] = {}
    by_queue: Mapping[tuple[str, str], int] = {}


def worst_first(table: Table, rows: pa.Table) -> pa.Table:
    """The rows in the order in which a page shows them: alarms, then by the column `worst`, then
    as declared.
    """
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    keys = [(name, "ascending") for name in table.order]
    if table.worst:
        keys.insert(0, (table.worst, "descending"))
    if not table.alarms or not rows.num_rows:
        return rows.sort_by(keys) if keys else rows
    numbers = (pc.abs(pc.fill_null(rows[name], 0)) for name in table.alarms)
    alarms = reduce(pc.add, numbers)
    ordered = rows.append_column("alarms", alarms).sort_by([("alarms", "descending"), *keys])
    return ordered.drop_columns(["alarms"])


def charted(table: Table, rows: pa.Table) -> list[Sum]:
    """The sums for the table's chart."""
    if table.chart is None:
        return []
    columns = [name for name in (table.chart.value, table.chart.beside) if name]
    summed = rows.group_by(table.chart.by).aggregate([(name, "sum") for name in columns])
    values = (_numbers(summed[f"{name}_sum"]) for name in columns)
    return [
        Sum("" if label is None else label, *numbers)
        for label, *numbers in zip(plain(summed[table.chart.by]), *values, strict=True)
    ]


def lines(table: Table, rows: pa.Table) -> list[Line]:
    """The table's curve for the queues with the greatest values, without those that had none
    above 0.
    """
    if table.curve is None:
        return []
    greatest: dict[tuple[str, str], int] = {}
    points: dict[tuple[str, str], dict[int, int]] = {}
    columns = (plain(rows[name]) for name in (*QUEUE, HOUR_COLUMN, *table.curve[:2]))
    ordered = sorted(each for each in zip(*columns, strict=True) if None not in each)
    for qmgr, queue, hour, high, last in ordered:
        greatest[qmgr, queue] = max(greatest.get((qmgr, queue), 0), high)
        # The last value lasts, unless the next hour has one of its own.
        points.setdefault((qmgr, queue), {}).update({hour: high, hour + HOUR: last})
    most = sorted(
        (key for key, high in greatest.items() if high > 0),
        key=lambda key: (-greatest[key], key),
    )
    return [Line(queue, qmgr, points[qmgr, queue]) for qmgr, queue in most[:MOST_LINES]]


def summed(table: Table, rows: pa.Table, column: str) -> Summed:
    """The sums of a column of numbers."""
    import pyarrow.compute as pc

    names = [column.name for column in table.columns]
    total = pc.sum(rows[column]).as_py() or 0
    by_hour = _by(rows, (HOUR_COLUMN,), rows[column]) if HOUR_COLUMN in names else {}
    of_queues = _by(rows, QUEUE, pc.abs(rows[column])) if set(QUEUE) <= set(names) else {}
    hours = {hour: number for (hour,), number in by_hour.items() if hour is not None}
    return Summed(
        total,
        hours,
        {key: number for key, number in of_queues.items() if None not in key},
    )


def _by(
    rows: pa.Table,
    names: tuple[str, ...],
    values: pa.ChunkedArray,
) -> dict[tuple[Any, ...], int]:
    grouped = (
        rows.select(names)
        .append_column("number", values)
        .group_by(list(names))
        .aggregate([("number", "sum")])
    )
    keys = zip(*(plain(grouped[name]) for name in names), strict=True)
    return {
        key: number or 0
        for key, number in zip(keys, grouped["number_sum"].to_pylist(), strict=True)
    }


def _numbers(column: pa.ChunkedArray) -> list[int | float]:
    return [value if isinstance(value, int) else float(value or 0) for value in column.to_pylist()]
