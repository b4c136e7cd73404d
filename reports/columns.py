"""The columns of reports, and quantiles.

`jobs/<report>.csv` has a row for each column of each table, in their order:

- `kind` is a key of KINDS, `value` the SQL that the kind is made of: the name of the column if it
  is blank.
- `page` is what pages show of it, with semicolons between: see `_page`.
- A row without a column has the meaning of the table, as `kind` its reads and as `value` the order
  of its rows. Words in braces are given by the module of the report. Without a table, it has the
  meaning of the report.
- A row of the table `read` is what the report reads: `kind` is a published relation, or the name of
  a read that reports share, `value` its columns, `meaning` the condition in SQL, and `page` the
  other fields of `reports.catalog.Reads`. A frame can be filtered in one way only, so the same
  events may be read more than once. Backouts are read of all queue managers: that of a unit of work
  belongs to a member of a group, what it undid on shared queues to the group. Events of `units`
  alone are joined with losses, which can be so many that a join would move all events.
- A row of the table `identity` is one of the report: `kind` is what it is grouped by, `value` what
  it says, `page` the columns that exempt a group; a meaning says that it holds for the whole
  history only.
- A row without a kind is that of the same column without a table, here or in `jobs/shared.csv`.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import Column, DataFrame, Window, functions as F

from mqsc.reports import units
from mqsc.reports.catalog import (
    SECONDS,
    Chart,
    Curve,
    Identity,
    Reads,
    Report,
    ReportColumn,
    Table,
    Total,
    Unit,
)
from mqsc.store.published import KEPT_BYTES, reason_names

# Start of the hour of an event, microseconds UTC.
HOUR = "at - pmod(at, 3600000000)"
_FOLDER = Path(__file__).with_name("jobs")
# In SQL; all but tabs and ends of lines.
CONTROLS = r"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]"
# Of the longest character.
UTF8_BYTES = 4


def compute(frame: DataFrame, columns: tuple[ReportColumn, ...]) -> DataFrame:
    """The columns, each computed by its SQL from those of `frame`."""
    # One text each: a call of Java for every expression, cast and name would take longer than to
    # plan them.
    return frame.selectExpr(
        *(f"CAST({column.sql} AS {column.type}) AS {column.name}" for column in columns),
    )


def grouped(frame: DataFrame, by: str, *columns: str) -> DataFrame:
    """One row per group of equal values in the columns `by`, with columns of SQL such as
    `count(*) AS messages`.
    """
    return frame.groupBy(*by.split()).agg(*map(F.expr, columns))


def last_earlier(value: str, by: str) -> Column:
    """The last value that is not NULL of earlier events with equal values in the columns `by`."""
    # A join with all earlier events would have rows by the square of the history.
    earlier = (
        Window.partitionBy(*by.split()).orderBy("seq").rowsBetween(Window.unboundedPreceding, -1)
    )
    return F.last(F.expr(value), ignorenulls=True).over(earlier)


def first_later(value: str, by: str) -> Column:
    """The first value that is not NULL of later events with equal values in the columns `by`."""
    # Sorted backwards, so that the window of later events only grows.
    later = (
        Window.partitionBy(*by.split())
        .orderBy(F.desc("seq"))
        .rowsBetween(Window.unboundedPreceding, -1)
    )
    return F.last(F.expr(value), ignorenulls=True).over(later)


def with_kept_data(messages: DataFrame, kept: DataFrame) -> DataFrame:
    """The messages whose data was kept: that with which each left its queue first, as commands
    show.
    """
    message = "store qmgr queue msg_id put_at"
    first = grouped(kept, message, "min_by(struct(size, body), id) AS data")
    return messages.join(first, message.split()).select("*", "data.size", "data.body")


def elapsed(since: str, until: str) -> str:
    """SQL for the microseconds between two times; NULL if one of them is NULL."""
    # A clock may have run backwards, so the difference is never below 0.
    return f"CASE WHEN {until} > {since} THEN {until} - {since} WHEN {until} <= {since} THEN 0 END"


def reason_name(number: str) -> str:
    """SQL for the name of a reason or feedback code; NULL for a number without a name."""
    codes = reason_names()
    # Not str_to_map: the first use of it in a process makes tables of collations, which takes two
    # seconds.
    names = (
        f"map_from_arrays(split('{','.join(map(str, codes))}', ','), "
        f"split('{','.join(codes.values())}', ','))"
    )
    return f"try_element_at({names}, CAST({number} AS STRING))"


def text_of(data: str) -> str:
    """SQL for data of messages as text; NULL if it is not UTF-8, or has control characters.

    Of data that was cut, as `size` says, the last character may be incomplete.
    """
    shorter = (f"substr({data}, 1, length({data}) - {less})" for less in range(1, UTF8_BYTES))
    whole, *cut = (f"try_validate_utf8(CAST({each} AS STRING))" for each in (data, *shorter))
    text = f"coalesce({whole}, IF(size > {KEPT_BYTES}, coalesce({', '.join(cut)}), NULL))"
    return f"IF({text} RLIKE '{CONTROLS}', NULL, {text})"


class _Kind(NamedTuple):
    """A kind of columns: their Spark SQL type, the SQL for a value, and how pages write it."""

    type: str
    sql: Callable[[str], str] = str
    unit: Unit | None = None


KINDS: Mapping[str, _Kind] = {
    "text": _Kind("string"),
    # As in the JSON of commands.
    "identifier": _Kind("string", "lower(hex({}))".format),
    "reason name": _Kind("string", reason_name),
    "data as text": _Kind("string", text_of),
    "data in base64": _Kind(
        "string",
        lambda data: f"IF({text_of(data)} IS NULL, base64({data}), NULL)",
    ),
    "number": _Kind("bigint"),
    "code": _Kind("bigint", unit=Unit.CODE),
    "bytes": _Kind("bigint", unit=Unit.BYTES),
    "time": _Kind("timestamp", "timestamp_micros({})".format),
    "seconds": _Kind(SECONDS),
    "microseconds": _Kind(SECONDS, "({}) / 1e6".format),
    # The value is two times: since, until.
    "elapsed": _Kind(SECONDS, lambda value: f"({elapsed(*value.split(', ', 1))}) / 1e6"),
    "per second": _Kind(SECONDS, unit=Unit.PER_SECOND),
}
# The marks of columns that pages add up.
SUMS = ("total", "problem")
# Not one column but four, of a sketch.
PERCENTILES = "percentiles"
# Rows that are about no table.
IDENTITY, READ = "identity", "read"
EVENT = "event"


class Row(NamedTuple):
    """A row of a CSV file."""

    table: str
    column: str
    kind: str
    value: str
    meaning: str
    page: str

    def columns(self, words: Mapping[str, str]) -> tuple[ReportColumn, ...]:
        """The column, or the four of PERCENTILES."""
        value = self.value or self.column
        if self.kind == PERCENTILES:
            return span(self.column, value, self.meaning)
        kind = KINDS[self.kind]
        return (
            ReportColumn(
                self.column,
                kind.type,
                kind.sql(value),
                self.meaning.format_map(words),
                kind.unit,
            ),
        )


def declared(name: str, own: Mapping[str, Any]) -> Report:
    """A report as its file declares it.

    `own` has what the module of the report defines: functions of the names of the tables, which
    return frames from which the columns are computed, functions that gather reads, and texts for
    the words in braces.
    """
    rows, known = rows_of(name), {"BEGINNING": f"{KEPT_BYTES:,}", **vars(units), **own}
    shared = {row.column: row for row in (*rows_of("shared"), *rows) if not row.table}
    listed: dict[str, list[Row]] = {}
    for row in rows:
        listed.setdefault(row.table, []).append(row)
    bases = {row.column: row for row in rows_of("shared") if row.table == READ}
    reads = {row.column: _reads(row, known, bases) for row in listed.pop(READ)}
    identities = (
        Identity(row.value, tuple(row.kind.split()), bool(row.meaning), tuple(row.page.split()))
        for row in listed.pop(IDENTITY, ())
    )

    def table(about: Row, *others: Row) -> Table:
        whole = [row if row.kind else shared[row.column]._replace(page=row.page) for row in others]
        columns = tuple(column for row in whole for column in row.columns(known))
        return Table(
            about.table,
            about.meaning.format_map(known),
            tuple(about.kind.split()),
            lambda *frames: compute(known[about.table](*frames), columns),
            columns,
            tuple(about.value.split()),
            **_page(whole),
        )

    tables = tuple(table(*group) for name, group in listed.items() if name)
    return Report(name, shared[""].meaning, reads, tables, tuple(identities))


def _reads(row: Row, known: Mapping[str, Any], bases: Mapping[str, Row]) -> Reads:
    """What a row says is read; one of another kind than a relation adds to the shared read of
    that name.
    """
    base = bases.get(row.kind, row)
    pages = (each for page in (base.page, row.page) for each in page.split("; ") if each)
    options: dict[str, str] = dict(each.partition(" ")[::2] for each in pages)
    chosen, owner = (
        options.get("chosen", "queue" if base.kind == EVENT else ""),
        options.get("owner", "qmgr"),
    )
    return Reads(
        tuple(base.value.split()),
        base.meaning.format_map(known),
        known.get(options.get("gather", "")),
        tuple(options.get("beside", "").split()),
        base.kind,
        chosen.format_map(known) or None,
        owner.format_map(known),
    )


def rows_of(name: str) -> list[Row]:
    """The rows of a report's CSV file, or of those that reports share."""
    with (_FOLDER / f"{name.replace('-', '_')}.csv").open(encoding="utf-8", newline="") as lines:
        _, *rows = filter(None, csv.reader(lines))
    return [Row(*row) for row in rows]


def _page(rows: Sequence[Row]) -> dict[str, Any]:
    """What pages show of a table.

    `chart` draws a column, with a text if its name does not say what that is, `by` another one,
    `beside` a second one. `curve` draws it for queues, with the column of its last value and a
    text. `total` or `problem`, with a text, adds it up; `alarm` highlights it; the `worst` rows
    come first.
    """
    marks = [(row.column, *mark.partition(" ")) for row in rows for mark in row.page.split("; ")]
    marked = {word: (column, text) for column, word, _, text in marks}
    value, label = marked.get("chart", ("", ""))
    return {
        "chart": Chart(value, marked["by"][0], label, marked.get("beside", [""])[0])
        if value
        else None,
        "curve": Curve(marked["curve"][0], *marked["curve"][1].split(maxsplit=1))
        if "curve" in marked
        else None,
        "alarms": tuple(column for column, word, _, _ in marks if word == "alarm"),
        "totals": tuple(
            Total(column, text, word != "total") for column, word, _, text in marks if word in SUMS
        ),
        "worst": marked.get("worst", [""])[0],
    }


# Minimum, median, 95th percentile and maximum of times, from mergeable KLL sketches (Apache
# DataSketches, in Spark).
#
# A sketch has a bounded size, however many values it has seen. Of up to EXACT values the
# percentiles are exact and interpolated between neighbours. Of more values each is one of them, and
# its rank is wrong by at most RANK_ERROR of their number, with a probability of 99 percent; of up
# to SIZE values there is no error. Minimum and maximum are exact.

SIZE = 1024
EXACT = 256
# Of a sketch of this size, as DataSketches computes it.
RANK_ERROR = 0.0025
_SHARES = (0.5, 0.95)
# Ranks in the middle of EXACT equal parts reach each of up to EXACT values; then those of many
# values.
_NUMBERS = (*((part + 0.5) / EXACT for part in range(EXACT)), *_SHARES, 0.0, 1.0)
# In one text, as Spark would plan each of so many numbers by itself.
_RANKS = f"CAST(split('{' '.join(map(repr, _NUMBERS))}', ' ') AS ARRAY<DOUBLE>)"
_MINIMUM, _MAXIMUM = EXACT + len(_SHARES), EXACT + len(_SHARES) + 1


def sketch(value: str) -> str:
    """SQL for the sketch of a group's microseconds, without NULLs."""
    return f"kll_sketch_agg_bigint(CAST({value} AS BIGINT), {SIZE})"


def merged(sketches: str) -> str:
    """SQL for the sketch of the values of a group's sketches."""
    return f"kll_merge_agg_bigint({sketches}, {SIZE})"


def summarised(frame: DataFrame, *sketches: str) -> DataFrame:
    """The frame with each of the sketches replaced by what `span` makes its columns of; NULL if
    it has no values.
    """
    return frame.withColumns({name: F.expr(_summary(name)) for name in sketches})


def span(name: str, values: str, meaning: str) -> tuple[ReportColumn, ...]:
    """Columns for the minimum, median, 95th percentile and maximum of a summarised sketch, in
    seconds; NULL if none.
    """
    words = {"min": "minimum", "median": "median", "p95": "95th percentile", "max": "maximum"}
    return tuple(
        ReportColumn(
            f"{name}_{end}",
            SECONDS,
            f"get({values}, {place}) / 1e6",
            f"{meaning}, seconds: {word}.",
        )
        for place, (end, word) in enumerate(words.items())
    )


def _summary(sketch: str) -> str:
    found = ", ".join(
        (f"get(a.ranks, {_MINIMUM})", *map(_percentile, _SHARES), f"get(a.ranks, {_MAXIMUM})"),
    )
    number, ranks = (
        f"kll_sketch_get_n_bigint({sketch})",
        f"kll_sketch_get_quantile_bigint({sketch}, {_RANKS})",
    )
    # The function of an array of one reads the sketch only once.
    read = f"array(struct({number} AS number, {ranks} AS ranks))"
    return f"IF({number} > 0, get(transform({read}, a -> array({found})), 0), NULL)"


def _percentile(share: float) -> str:
    place = f"({share!r}D * (a.number - 1))"
    below, above = (
        f"get(a.ranks, CAST((2 * CAST({side}({place}) AS BIGINT) + 1) * {EXACT} DIV (2 * a.number) "
        "AS INT))"
        for side in ("floor", "ceil")
    )
    exact = f"{below} + ({above} - {below}) * ({place} - floor({place}))"
    return f"IF(a.number <= {EXACT}, {exact}, get(a.ranks, {EXACT + _SHARES.index(share)}))"
