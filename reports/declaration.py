"""How a report is declared: the rows that it reads, its tables, and their documented columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from mqsc.reports.errors import ReportFailedError
from mqsc.store.published import KINDS, Relation

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


SECONDS = "decimal(20,6)"
# The condition of a read of all rows.
ALL_ROWS = "TRUE"


class Unit(Enum):
    """How pages write the numbers of a column; COUNT and SECONDS follow from the type."""

    COUNT = "count"
    SECONDS = "seconds"
    BYTES = "bytes"
    PER_SECOND = "per second"
    # A number that names something: neither rounded nor grouped.
    CODE = "code"


class ReportColumn(NamedTuple):
    """A column of a table: its name, its Spark SQL type, the SQL that computes it, and its
    meaning with the unit.
    """

    name: str
    type: str
    sql: str
    doc: str
    unit: Unit | None = None


class Reads(NamedTuple):
    """The columns and rows that a report reads of a published relation; `where` is Spark SQL.

    The condition of a read of events names every kind of event that meets it, and may name others.
    A frame can be filtered in one way only, so that several reads may be of the same events.

    With `gather`, tables and other reads get the result of `gather` instead of the rows. It is
    called once with the rows of this read and with the reads in `beside`, and its result is cached
    while the tables are built. Those in `beside` that are gathered, too, are declared before it.

    A report that relates events to each other sets `chosen_by` to the Spark SQL of the queue that
    `--queue` selects by. It then also gets the events outside the selected period and queues, with
    `chosen` false. With `apart`, `in_period` and `named` say which of the two selects a row.

    `owner` is the Spark SQL of the queue manager that a row is about: it becomes `qmgr`, and `-m`
    selects by it. With a blank one, `-m` selects all rows. `with_member` adds `member`: that of the
    detail, by the name that reports show.
    """

    relation: Relation
    columns: tuple[str, ...]
    where: str
    gather: Callable[..., DataFrame] | None = None
    beside: tuple[str, ...] = ()
    chosen_by: str | None = None
    apart: bool = False
    owner: str = "qmgr"
    with_member: bool = False

    @property
    def kinds(self) -> list[str]:
        """The kinds of events that the condition names."""
        return [kind for kind in KINDS if f"'{kind}'" in self.where]


class Chart(NamedTuple):
    """The chart of a table: the sum of one column for each hour or name in another column.

    `label` says what is summed, if the name of the column does not. `beside` is a second column to
    compare it with.
    """

    value: str
    by: str
    label: str = ""
    beside: str = ""


class Curve(NamedTuple):
    """The line of each queue over time: the greatest value in an hour, and the last one, which
    lasts until the next.

    `label` says what is drawn.
    """

    greatest: str
    last: str
    label: str


class Total(NamedTuple):
    """The sum of a column, which pages show first. Of a `problem` 0 is best: pages also rank
    queues by it.
    """

    column: str
    label: str
    problem: bool = False


class Identity(NamedTuple):
    """What must hold between sums of columns, written as in `reports.identities`, for each group of
    the columns `by`.

    One that is `whole` holds only over the whole history together with what is on the queues now.
    Groups with a value other than 0 in one of `exempt`, each as table.column, do not count.
    """

    says: str
    by: tuple[str, ...]
    whole: bool = False
    exempt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a report: a pure function `build` from the frames of its reads, in their order.

    The frames given to `build` (or to `gather` before it) have the columns that the report reads,
    typed as published (times in microseconds UTC), `now`, the time of the queue manager's clock,
    `store`, a number for each store, as units of work of several stores can have the same number,
    and `is_live`, whether the store itself is read: of another, only its archive is known, but not
    the messages on its queues. `order` lists the columns that the rows are sorted by. Without rows
    of the reads in `rows_from`, the table is empty; without rows of any read, it always is.

    The rest is for HTML pages: `chart` is drawn, `curve` is drawn for some queues, every value
    other than 0 in the columns `alarms` is highlighted, `totals` are shown at the top, and rows
    with a high value in the column `worst` come first.
    """

    name: str
    doc: str
    reads: tuple[str, ...]
    build: Callable[..., DataFrame]
    columns: tuple[ReportColumn, ...]
    order: tuple[str, ...]
    chart: Chart | None = None
    curve: Curve | None = None
    alarms: tuple[str, ...] = ()
    totals: tuple[Total, ...] = ()
    worst: str = ""
    rows_from: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError if the order, the chart or the curve names no column of the table, or if
        its rows come from what it does not read.
        """
        for name in self.rows_from:
            if name not in self.reads:
                raise ValueError(
                    f"table {self.name} has rows from {name!r}, which it does not read"
                )
        columns = {column.name for column in self.columns}
        named = [*self.order]
        if self.chart:
            named += [self.chart.value, self.chart.by]
        if self.chart and self.chart.beside:
            named.append(self.chart.beside)
        if self.curve:
            named += [self.curve.greatest, self.curve.last]
        for name in named:
            if name not in columns:
                raise ValueError(f"table {self.name} has no column {name!r}")


@dataclass(frozen=True, slots=True)
class Report:
    """A report: its name on the command line, its reads by name, its tables, and what must hold
    between these.
    """

    name: str
    doc: str
    reads: Mapping[str, Reads]
    tables: tuple[Table, ...]
    identities: tuple[Identity, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError if a table or a read uses what the report does not read, or what is
        gathered only later.
        """
        known = {name for name, reads in self.reads.items() if reads.gather is None}
        for name, reads in self.reads.items():
            self._require(name, reads.beside, known)
            known.add(name)
        for table in self.tables:
            self._require(table.name, table.reads, known)

    def _require(self, user: str, needed: tuple[str, ...], known: set[str]) -> None:
        for name in needed:
            if name not in known:
                raise ValueError(f"{user} of report {self.name} uses {name!r}, which is not read")


def checked(table: Table, frame: DataFrame) -> DataFrame:
    """Return `frame`; raise ReportFailedError with the first difference if its schema is not the
    declared one.
    """
    declared = [(column.name, column.type) for column in table.columns]
    built = list(frame.dtypes)
    if built != declared:
        wrong = next(
            (pair for pair in zip(declared, built, strict=False) if pair[0] != pair[1]),
            (declared, built),
        )
        raise ReportFailedError(
            f"table {table.name} should have {wrong[0]} where it has {wrong[1]}",
        )
    return frame
