"""The columns and the Spark SQL that several reports share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from reports.declaration import ReportColumn
from store.published import reason_names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SECONDS = "decimal(20,6)"
# Start of the hour of an event, microseconds UTC.
HOUR = "at - pmod(at, 3600000000)"

QMGR = ReportColumn("qmgr", "string", "qmgr", "The queue manager.")


def compute(frame: DataFrame, columns: tuple[ReportColumn, ...]) -> DataFrame:
    """The columns, each computed by its SQL from those of `frame`."""
    return frame.select(*(F.expr(column.sql).cast(column.type).alias(column.name) for column in columns))


def elapsed(since: str, until: str) -> str:
    """SQL for the microseconds between two times; NULL if one of them is NULL."""
    # A clock may have run backwards, so the difference is never below 0.
    return f"CASE WHEN {until} > {since} THEN {until} - {since} WHEN {until} <= {since} THEN 0 END"


def hexadecimal(column: str) -> str:
    """SQL for an identifier as text, spelled as in the JSON of commands."""
    return f"lower(hex({column}))"


def reason_name(number: str) -> str:
    """SQL for the name of a reason or feedback code; NULL for a number without a name."""
    codes = reason_names()
    # Not str_to_map: the first use of it in a process makes tables of collations, which takes two seconds.
    names = f"map_from_arrays(split('{','.join(map(str, codes))}', ','), split('{','.join(codes.values())}', ','))"
    return f"try_element_at({names}, CAST({number} AS STRING))"
