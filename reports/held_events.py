"""Events held in memory, and those of archives as Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyarrow import parquet

from mqsc.reports.archive.merging import ArchivedPart, ArchivedStore, FileToRead
from mqsc.reports.archived_rows import may_hold
from mqsc.reports.declaration import Reads
from mqsc.reports.earlier_rows import STORE
from mqsc.reports.errors import ArchiveError, ReportFailedError
from mqsc.reports.file_pages import arrow_schema
from mqsc.reports.selection import EVERYTHING, ReportSelection
from mqsc.store.published import EVENT

_ALL = tuple(column.name for column in EVENT.columns)


def archived_events(
    stores: Sequence[ArchivedStore],
    numbers: Mapping[str, int],
    columns: Sequence[str] = _ALL,
    period: ReportSelection = EVERYTHING,
) -> Iterator[pa.Table]:
    """The events of these stores with these columns and `store`, the number of the store: a group
    of rows after the other. Files of days outside the period are not opened. ReportFailedError if
    a file cannot be read.
    """
    schema = arrow_schema(EVENT, dict.fromkeys((*columns, "seq")))
    for store in stores:
        for part in store.parts:
            yield from (
                with_store(events, numbers[store.store])
                for events in _of_part(part, schema, period)
            )


def of_kinds(rows: pa.Table, reads: Reads) -> pa.Table:
    """The rows of the kinds of events that the condition names: Arrow leaves out the others much
    faster than Spark does each time that it reads the rows.
    """
    if reads.relation.name != EVENT.name or not reads.kinds:
        return rows
    return rows.filter(pc.field("kind").isin(reads.kinds))


def with_store(rows: pa.Table, number: int) -> pa.Table:
    """The rows with the column `store`."""
    return rows.append_column(STORE, pa.repeat(pa.scalar(number, STORE.type), rows.num_rows))


def _of_part(
    part: ArchivedPart,
    schema: pa.Schema,
    period: ReportSelection,
) -> Iterator[pa.Table]:
    for file in (file for file in part.files if may_hold(file, period)):
        for group in _groups_of(file, schema.names):
            events = _typed(group, schema)
            later = pc.field("seq") > part.after
            yield events.filter(later) if part.after else events


def _groups_of(file: FileToRead, names: list[str]) -> Iterator[pa.Table]:
    try:
        with file.place.reading(file.path) as source:
            opened = parquet.ParquetFile(source, page_checksum_verification=True)
            for group in range(opened.num_row_groups):
                yield opened.read_row_group(group, columns=names)
    except ArchiveError as error:
        at = file.place.at(file.path)
        why = str(error).removeprefix(f"{at}: ")
        raise ReportFailedError(f"the file {at} was changed, or cannot be read: {why}") from error


def _typed(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """The columns as they are published; those that an earlier version did not write are NULL."""
    names = set(rows.column_names)
    columns = [
        rows.column(field.name).cast(field.type)
        if field.name in names
        else pa.nulls(rows.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)
