"""What a report is made of, as rows: what it reads, the tables it makes, and their documented columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from reports.fault import MakingFault

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Column(NamedTuple):
    """A column of a table: its name, its Spark SQL type and what it holds, with the unit."""

    name: str
    type: str
    doc: str


class Reads(NamedTuple):
    """What a report needs of a published relation: columns, and the rows as a Spark SQL condition.

    What `gather` makes of them (and of the rows of the reads in `beside`) is kept while the tables are made, and given
    to them in place of the rows. `relation` is the published one where that is not the name of the read.

    A report that relates events to each other names in `chosen_by` the queue (Spark SQL) that its user chooses by: then
    events outside the period and the queues that were asked for come too, with `chosen` false.
    """

    columns: tuple[str, ...]
    where: str
    gather: Callable[..., DataFrame] | None = None
    beside: tuple[str, ...] = ()
    relation: str | None = None
    chosen_by: str | None = None


class Chart(NamedTuple):
    """What the chart of a table shows: the column that is summed, by the hours or the names in another column."""

    value: str
    by: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a report: `build` makes it from the rows of some reads, in their order, and touches nothing else.

    The frames given to `build` (or to `gather` before it) have the columns that the report reads, typed as published
    (times in microseconds UTC), and `now`, the time of the queue manager's clock. `order` are the columns the rows are
    sorted by. `chart` is drawn where a report is a page.
    """

    name: str
    doc: str
    reads: tuple[str, ...]
    build: Callable[..., DataFrame]
    columns: tuple[Column, ...]
    order: tuple[str, ...]
    chart: Chart | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A report: its name on the command line, what it reads, by name, and its tables."""

    name: str
    doc: str
    reads: Mapping[str, Reads]
    tables: tuple[Table, ...]


def checked(table: Table, frame: DataFrame) -> DataFrame:
    """`frame`, when its schema is the declared one; MakingFault naming the first difference otherwise."""
    declared = [(column.name, column.type) for column in table.columns]
    made = list(frame.dtypes)
    if made != declared:
        wrong = next((pair for pair in zip(declared, made, strict=False) if pair[0] != pair[1]), (declared, made))
        raise MakingFault(f"table {table.name} should have {wrong[0]} where it has {wrong[1]}")
    return frame
