"""How a report is declared: the rows that it reads, its tables, and their documented columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from reports.errors import ReportFailedError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


SECONDS = "decimal(20,6)"


class Unit(Enum):
    """How pages write the numbers of a column; COUNT and SECONDS follow from the type."""

    COUNT = "count"
    SECONDS = "seconds"
    BYTES = "bytes"
    PER_SECOND = "per second"
    # A number that names something: neither rounded nor grouped.
    CODE = "code"


class ReportColumn(NamedTuple):
    """A column of a table: its name, its Spark SQL type, the SQL that computes it, and its meaning with the unit."""

    name: str
    type: str
    sql: str
    doc: str
    unit: Unit | None = None


class Reads(NamedTuple):
    """The columns and rows that a report reads of a published relation; `where` is Spark SQL.

    With `gather`, tables and other reads get the result of `gather` instead of the rows. It is called once with the
    rows of this read and with the reads in `beside`, which are declared before it, and its result is cached while the
    tables are built. `relation` is the published relation if its name differs from that of the read.

    A report that relates events to each other sets `chosen_by` to the Spark SQL of the queue that `--queue` selects by.
    It then also gets the events outside the selected period and queues, with `chosen` false.

    `owner` is the Spark SQL of the queue manager that a row is about: it becomes `qmgr`, and `-m` selects by it. With
    a blank one, `-m` selects all rows.
    """

    columns: tuple[str, ...]
    where: str
    gather: Callable[..., DataFrame] | None = None
    beside: tuple[str, ...] = ()
    relation: str | None = None
    chosen_by: str | None = None
    owner: str = "qmgr"


def history(
    columns: str,
    where: str,
    gather: Callable[..., DataFrame] | None = None,
    beside: str = "",
    *,
    chosen_by: str | None = "queue",
    owner: str = "qmgr",
) -> Reads:
    """Reads of the history, with the names of columns, and of other reads, in one text."""
    return Reads(tuple(columns.split()), where, gather, tuple(beside.split()), "event", chosen_by, owner)


class Chart(NamedTuple):
    """The chart of a table: the sum of one column for each hour or name in another column.

    `label` says what is summed, if the name of the column does not. `beside` is a second column to compare it with.
    """

    value: str
    by: str
    label: str = ""
    beside: str = ""


class Total(NamedTuple):
    """The sum of a column, which pages show first. Of a `problem` 0 is best: pages also rank queues by it."""

    column: str
    label: str
    problem: bool = False


class Identity(NamedTuple):
    """What must hold between sums of columns, written as in `reports.identities`, for each group of the columns `by`.

    One that is `whole` holds only over the whole history together with what is on the queues now. Groups with a value
    other than 0 in one of `exempt`, each as table.column, do not count.
    """

    says: str
    by: tuple[str, ...]
    whole: bool = False
    exempt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a report: a pure function `build` from the frames of its reads, in their order.

    The frames given to `build` (or to `gather` before it) have the columns that the report reads, typed as published
    (times in microseconds UTC), `now`, the time of the queue manager's clock, `store`, a number for each store, as
    units of work of several stores can have the same number, and `is_live`, whether the store itself is read: of
    another, only its archive is known, but not the messages on its queues. `order` lists the columns that the rows are
    sorted by. The rest is for HTML pages: `chart` is drawn, every value other than 0 in the columns `alarms` is
    highlighted, `totals` are shown at the top, and rows with a high value in the column `worst` come first.
    """

    name: str
    doc: str
    reads: tuple[str, ...]
    build: Callable[..., DataFrame]
    columns: tuple[ReportColumn, ...]
    order: tuple[str, ...]
    chart: Chart | None = None
    alarms: tuple[str, ...] = ()
    totals: tuple[Total, ...] = ()
    worst: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A report: its name on the command line, its reads by name, its tables, and what must hold between these."""

    name: str
    doc: str
    reads: Mapping[str, Reads]
    tables: tuple[Table, ...]
    identities: tuple[Identity, ...] = ()


def checked(table: Table, frame: DataFrame) -> DataFrame:
    """Return `frame`; raise ReportFailedError with the first difference if its schema is not the declared one."""
    declared = [(column.name, column.type) for column in table.columns]
    built = list(frame.dtypes)
    if built != declared:
        wrong = next((pair for pair in zip(declared, built, strict=False) if pair[0] != pair[1]), (declared, built))
        raise ReportFailedError(f"table {table.name} should have {wrong[0]} where it has {wrong[1]}")
    return frame
