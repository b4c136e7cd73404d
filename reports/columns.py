"""What the columns of reports are made of: the Spark SQL beside the name, the type and the meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import functions as F

from reports.declaration import Column, Reads
from store.published import reason_names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SECONDS = "decimal(20,6)"
# Start of the hour of an event, microseconds UTC.
HOUR = "at - pmod(at, 3600000000)"
# Units of work that were backed out, as `qmgr` and `unit`.
BACKOUTS = Reads(("at", "qmgr", "kind", "queue", "unit"), "kind = 'BACKOUT'", relation="event", chosen_by="queue")


class Made(NamedTuple):
    """A column with the Spark SQL that makes it."""

    name: str
    type: str
    sql: str
    doc: str


QMGR = Made("qmgr", "string", "qmgr", "The queue manager.")


def made(frame: DataFrame, columns: tuple[Made, ...]) -> DataFrame:
    """The columns, made of those of `frame`."""
    return frame.select(*(F.expr(column.sql).cast(column.type).alias(column.name) for column in columns))


def declared(columns: tuple[Made, ...]) -> tuple[Column, ...]:
    """The columns as a table declares them."""
    return tuple(Column(column.name, column.type, column.doc) for column in columns)


def elapsed(since: str, until: str) -> str:
    """SQL for the microseconds between two moments: never less than 0, NULL when one of them is not known."""
    # A clock may have run backwards.
    return f"CASE WHEN {until} > {since} THEN {until} - {since} WHEN {until} <= {since} THEN 0 END"


def span(name: str, values: str, meaning: str) -> tuple[Made, ...]:
    """Least, median, 95th percentile and greatest of sorted microseconds, in seconds; NULL where there are none."""
    return (
        Made(f"{name}_min", SECONDS, _quantile(values, "0"), f"{meaning}, seconds: the least."),
        Made(f"{name}_median", SECONDS, _quantile(values, "0.5D"), f"{meaning}, seconds: the median."),
        Made(f"{name}_p95", SECONDS, _quantile(values, "0.95D"), f"{meaning}, seconds: 95 of 100 are not above it."),
        Made(f"{name}_max", SECONDS, _quantile(values, "1"), f"{meaning}, seconds: the greatest."),
    )


def _quantile(values: str, share: str) -> str:
    """SQL for the seconds below which `share` of the sorted microseconds lie, in between two of them if need be."""
    place = f"({share} * (size({values}) - 1))"
    below, above = (f"get({values}, CAST({side}({place}) AS INT))" for side in ("floor", "ceil"))
    return f"({below} + ({above} - {below}) * ({place} - floor({place}))) / 1e6"


def reason_name(number: str) -> str:
    """SQL for the name of a reason or feedback code; NULL for a number that has none."""
    pairs = ",".join(f"{code}:{name}" for code, name in reason_names().items())
    return f"try_element_at(str_to_map('{pairs}'), CAST({number} AS STRING))"
