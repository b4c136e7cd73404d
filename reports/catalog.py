"""The reports that exist, how a report is declared, which events and messages it selects, and
times as text.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import reduce
from importlib import import_module
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.reports import jobs
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.store.published import KINDS, Bound, Relation

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import Column, DataFrame


# On the command line, all reports.
DAILY = "daily"


def names() -> tuple[str, ...]:
    """The names of all reports, as on the command line. Does not load them."""
    return tuple(
        sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(jobs.__path__)),
    )


def expanded(report_names: Iterable[str]) -> list[str]:
    """The given names, each once, with those of all reports in the place of DAILY."""
    in_order = chain.from_iterable(names() if name == DAILY else (name,) for name in report_names)
    return list(dict.fromkeys(in_order))


def report(name: str) -> Report:
    """The report of that name. Raises ReportError, with all names, if there is none."""
    known = names()
    if name not in known:
        raise ReportError(f"there is no report {name!r}; the reports are {', '.join(known)}")
    declared: Report = import_module(f"{jobs.__name__}.{name.replace('-', '_')}").REPORT
    return declared


def describe(name: str) -> str:
    """The report's tables and columns, with types and meanings, as Markdown. Raises ReportError
    for an unknown name.
    """
    declared = report(name)
    lines = [f"# {declared.name}", "", declared.doc]
    for table in declared.tables:
        lines += [
            "",
            f"## {table.name}",
            "",
            table.doc,
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| {column.name} | {column.type} | {column.doc} |" for column in table.columns]
    return "\n".join(lines) + "\n"


# How a report is declared: the rows that it reads, its tables, and their documented columns.

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
    `chosen` false.

    `owner` is the Spark SQL of the queue manager that a row is about: it becomes `qmgr`, and `-m`
    selects by it. With a blank one, `-m` selects all rows.
    """

    relation: Relation
    columns: tuple[str, ...]
    where: str
    gather: Callable[..., DataFrame] | None = None
    beside: tuple[str, ...] = ()
    chosen_by: str | None = None
    owner: str = "qmgr"

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
    the messages on its queues. `order` lists the columns that the rows are sorted by. The rest is
    for HTML pages: `chart` is drawn, `curve` is drawn for some queues, every value other than 0 in
    the columns `alarms` is highlighted, `totals` are shown at the top, and rows with a high value
    in the column `worst` come first.
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

    def __post_init__(self) -> None:
        """Raise ValueError if the order, the chart or the curve names no column of the table."""
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

    def _require(self, user: str, names: tuple[str, ...], known: set[str]) -> None:
        for name in names:
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


# Selects the events and messages of a report: by period, queue manager and queue.

EXAMPLE = "2024-05-31, 2024-05-31T18:00 or 2024-05-31T18:00:00+02:00 (UTC without an offset)"


@dataclass(frozen=True, slots=True)
class ReportSelection:
    """Events from `since` up to, but not including, `until` (microseconds UTC; None is open), and
    names.

    A queue name that ends with * is generic. An empty tuple selects all. The period selects only
    events: messages still on a queue are selected whenever they were put.
    """

    since: int | None = None
    until: int | None = None
    qmgrs: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()


def select(
    since: str | int | None = None,
    until: str | int | None = None,
    qmgrs: Sequence[str] = (),
    queues: Sequence[str] = (),
) -> ReportSelection:
    """The selection for these options. Raises ReportError for a bad time or queue name, or an
    empty period.
    """
    first, last = _moment("since", since), _moment("until", until)
    if first is not None and last is not None and first >= last:
        raise ReportError(
            f"since {_moment_text(since)} is not before until {_moment_text(until)}, "
            "so no event can be between them",
        )
    for queue in queues:
        if not queue or "*" in queue[:-1]:
            raise ReportError(
                f"{queue!r} is not a queue name; only its last character may be *, as in 'APP.*'",
            )
    return ReportSelection(first, last, tuple(qmgrs), tuple(queues))


def _moment_text(moment: str | int | None) -> str:
    return iso(moment) if isinstance(moment, int) else str(moment)


def _moment(option: str, text: str | int | None) -> int | None:
    if text is None or isinstance(text, int):
        return text
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise ReportError(f"{option} {text!r} is not a moment; write it as {EXAMPLE}") from error
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH) // MICROSECOND


def condition(selection: ReportSelection, relation: str, queue: str = "queue") -> Column | None:
    """The selection as a Spark condition on rows of the relation; None if it selects all.

    `queue` is the Spark SQL that the queue names are compared with.
    """
    from pyspark.sql import functions as F

    period = (selection.since, selection.until) if relation == "event" else (None, None)
    wanted = [
        None if period[0] is None else F.col("at") >= period[0],
        None if period[1] is None else F.col("at") < period[1],
        F.col("qmgr").isin(*selection.qmgrs) if selection.qmgrs else None,
        reduce(or_, (_named(F.expr(queue), name) for name in selection.queues))
        if selection.queues
        else None,
    ]
    return (
        reduce(lambda left, right: left & right, parts)
        if (parts := [x for x in wanted if x is not None])
        else None
    )


def description(selection: ReportSelection, store: str, bound: Bound) -> list[str]:
    """Sentences that name the store, the last event, the selection and the clocks."""
    limits = (
        ("events since", [_written(selection.since)] if selection.since is not None else []),
        ("events before", [_written(selection.until)] if selection.until is not None else []),
        ("queue managers", selection.qmgrs),
        ("queues", selection.queues),
    )
    only = "; ".join(f"{word} {', '.join(names)}" for word, names in limits if names)
    clocks = [
        f"{name} {_written(at)}"
        for name, at in bound.now.items()
        if name in (selection.qmgrs or bound.now)
    ]
    return [
        f"From {store} up to event {bound.seq}; "
        f"{f'only {only}' if only else 'everything selected'}.",
        f"Clocks of the queue managers at that time (UTC): {', '.join(clocks) or 'none'}.",
    ]


def span(selection: ReportSelection, now: int | None) -> str:
    """The period in words, up to `now` if it has no end."""
    until = selection.until if selection.until is not None else now
    since = "the whole history" if selection.since is None else minutes(selection.since)
    if until is None:
        return since if selection.since is None else f"since {since} UTC"
    return f"{since} to {minutes(until)} UTC"


def _written(moment: int) -> str:
    """A time as it is shown to people."""
    return iso(moment, " ", "seconds")


def _named(queue: Column, name: str) -> Column:
    return queue.startswith(name[:-1]) if name.endswith("*") else queue == name


# Times in microseconds UTC as dates, also after the year 9999, where Python's datetime ends.
#
# A manual clock can be set near that limit, and messages then expire after it.

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# The calendar repeats itself after 400 years.
CYCLE_YEARS = 400
CYCLE = timedelta(days=146_097) // MICROSECOND


def moment(microseconds: int) -> datetime | str:
    """A time as datetime, or, if it is outside its range, as text in the same format."""
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return iso(microseconds)


def minutes(microseconds: int) -> str:
    """A time as `YYYY-MM-DD HH:MM`, UTC."""
    return iso(microseconds, " ", "minutes").removesuffix("Z")


def plain(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; times in microseconds UTC."""
    import pyarrow as pa

    return (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()  # type: ignore[no-any-return]


def iso(microseconds: int, separator: str = "T", timespec: str = "auto") -> str:
    """A time in microseconds UTC as `YYYY-MM-DDTHH:MM:SSZ`; a year after 9999 has more digits."""
    cycles, within = divmod(microseconds, CYCLE)
    # From 1970 to 2369.
    near = EPOCH + timedelta(microseconds=within)
    year = near.year + cycles * CYCLE_YEARS
    rest = near.isoformat(separator, timespec)[4:].replace("+00:00", "Z")
    return f"{year:04}{rest}"
