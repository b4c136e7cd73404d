"""What a page needs of a table: its worst rows, and sums of its numbers, taken from all rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from reports.declaration import Table
from reports.moments import plain

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

HOUR = "hour"
QUEUE = ("qmgr", "queue")


class Sum(NamedTuple):
    """The sum of one hour (its start in microseconds UTC) or one name, and that of the column beside it."""

    label: int | str
    value: int | float
    beside: int | float = 0


class Summed(NamedTuple):
    """The sum of a column over all rows, by hour (microseconds UTC), and by queue manager and queue.

    The last two are empty if the table has no such columns. A sum by queue counts what is below 0 as if it were above,
    so that opposite signs do not cancel out.
    """

    total: int = 0
    by_hour: Mapping[int, int] = {}
    by_queue: Mapping[tuple[str, str], int] = {}


def worst_first(table: Table, rows: pa.Table) -> pa.Table:
    """The rows in the order in which a page shows them: alarms, then by the column `worst`, then as declared."""
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


def summed(table: Table, rows: pa.Table, column: str) -> Summed:
    """The sums of a column of numbers."""
    import pyarrow.compute as pc

    names = [each.name for each in table.columns]
    total = pc.sum(rows[column]).as_py() or 0
    by_hour = _by(rows, (HOUR,), rows[column]) if HOUR in names else {}
    of_queues = _by(rows, QUEUE, pc.abs(rows[column])) if set(QUEUE) <= set(names) else {}
    hours = {hour: number for (hour,), number in by_hour.items() if hour is not None}
    return Summed(total, hours, {key: number for key, number in of_queues.items() if None not in key})


def _by(rows: pa.Table, names: tuple[str, ...], values: pa.ChunkedArray) -> dict[tuple[Any, ...], int]:
    grouped = rows.select(names).append_column("number", values).group_by(list(names)).aggregate([("number", "sum")])
    keys = zip(*(plain(grouped[name]) for name in names), strict=True)
    return {key: number or 0 for key, number in zip(keys, grouped["number_sum"].to_pylist(), strict=True)}


def _numbers(column: pa.ChunkedArray) -> list[int | float]:
    return [value if isinstance(value, int) else float(value or 0) for value in column.to_pylist()]
