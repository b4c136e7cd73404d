"""Tables that are known to be empty without Spark: a small store has none of the events or messages
that they read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.declaration import SECONDS, Report, Table
from mqsc.reports.frames import origin
from mqsc.reports.held_events import of_kinds

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from mqsc.reports.sources import Sources

_ARROW_TYPES = {
    "string": pa.string(),
    "bigint": pa.int64(),
    "timestamp": pa.timestamp("us", "UTC"),
    SECONDS: pa.decimal128(20, 6),
}


def is_known_empty(
    sources: Sources,
    report: Report,
    table: Table,
    gathered: Mapping[object, DataFrame],
) -> bool:
    """Whether this process holds what the rows of a table come from, and that has no rows. What is
    gathered from nothing is nothing.
    """
    return all(
        _is_nothing(sources, report, name, gathered) for name in table.rows_from or table.reads
    )


def _is_nothing(
    sources: Sources,
    report: Report,
    name: str,
    gathered: Mapping[object, DataFrame],
) -> bool:
    reads = report.reads[name]
    if gathered.get(origin(report, name)) in sources.empty:
        return True
    held = sources.held.get(reads.relation.name)
    if held is None or of_kinds(held, reads).num_rows:
        return False
    return all(_is_nothing(sources, report, beside, gathered) for beside in reads.beside)


def no_rows(table: Table) -> pa.Table:
    """The table without rows."""
    columns = [(column.name, _ARROW_TYPES[column.type]) for column in table.columns]
    return pa.schema(columns).empty_table()
