"""How a report declares its tables: the columns of each, with the kind of their values and what
pages show of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from mqsc.reports import declaration
from mqsc.reports.declaration import Chart, Curve, ReportColumn, Table, Total, Unit
from mqsc.reports.quantiles import span

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Kind(NamedTuple):
    """What the values of a column are: their Spark SQL type, the SQL that makes one from what a
    report has computed, and how pages write it.
    """

    type: str
    sql: Callable[[str], str] = str
    unit: Unit | None = None


TEXT = Kind("string")
# As in the JSON of commands.
IDENTIFIER = Kind("string", "lower(hex({}))".format)
NUMBER = Kind("bigint")
CODE = Kind("bigint", unit=Unit.CODE)
BYTES = Kind("bigint", unit=Unit.BYTES)
# These two are computed in microseconds.
TIME = Kind("timestamp", "timestamp_micros({})".format)
MICROSECONDS = Kind(declaration.SECONDS, "({}) / 1e6".format)
SECONDS = Kind(declaration.SECONDS)
PER_SECOND = Kind(declaration.SECONDS, unit=Unit.PER_SECOND)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name, the kind of its values, and its meaning with the unit.

    `sql` computes the value from the frame of the table; if it is blank, the frame has a column of
    the same name. The rest is for HTML pages. `total` is the label of the sum of the column, and
    `problem` that of a sum that should be 0. Every value other than 0 in an `alarm` is highlighted.
    Rows with a high value in the column that is `worst` come first.
    """

    name: str
    kind: Kind
    meaning: str
    _: KW_ONLY
    sql: str = ""
    total: str = ""
    problem: str = ""
    alarm: bool = False
    worst: bool = False

    @property
    def built(self) -> tuple[ReportColumn, ...]:
        """The column as the table has it."""
        sql = self.kind.sql(self.sql or self.name)
        return (ReportColumn(self.name, self.kind.type, sql, self.meaning, self.kind.unit),)

    @property
    def totals(self) -> tuple[Total, ...]:
        """The sums of the column that pages show."""
        sums = (Total(self.name, self.total), Total(self.name, self.problem, problem=True))
        return tuple(each for each in sums if each.label)


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Four columns, in seconds: minimum, median, 95th percentile and maximum of the summarised
    list in the column `of`.
    """

    name: str
    meaning: str
    _: KW_ONLY
    of: str

    @property
    def built(self) -> tuple[ReportColumn, ...]:
        """The columns as the table has them."""
        return span(self.name, self.of, self.meaning)


def table(
    name: str,
    meaning: str,
    *,
    build: Callable[..., DataFrame],
    reads: tuple[str, ...],
    order: tuple[str, ...],
    columns: tuple[Column | Percentiles, ...],
    chart: Chart | None = None,
    curve: Curve | None = None,
    rows_from: tuple[str, ...] = (),
) -> Table:
    """The table of these columns, which are computed from the frame that `build` makes of the
    reads. Its rows come from those in `rows_from`, or from all. Raises ValueError if it names a
    column or a read that is not one of them, or if several columns are worst.
    """
    single = [column for column in columns if isinstance(column, Column)]
    worst = [column.name for column in single if column.worst]
    if len(worst) > 1:
        raise ValueError(f"table {name} has several columns that are worst: {', '.join(worst)}")
    built = tuple(chain.from_iterable(column.built for column in columns))
    return Table(
        name,
        meaning,
        reads,
        lambda *frames: compute(build(*frames), built),
        built,
        order,
        chart,
        curve,
        alarms=tuple(column.name for column in single if column.alarm),
        totals=tuple(chain.from_iterable(column.totals for column in single)),
        worst=worst[0] if worst else "",
        rows_from=rows_from,
    )


def compute(frame: DataFrame, columns: tuple[ReportColumn, ...]) -> DataFrame:
    """The columns, each computed by its SQL from those of `frame`."""
    # One text each: a call of Java for every expression, cast and name would take longer than to
    # plan them.
    return frame.selectExpr(
        *(f"CAST({column.sql} AS {column.type}) AS {column.name}" for column in columns),
    )
