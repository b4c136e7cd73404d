"""A copy of archived events for the time of a run, with a file for each kind of event: a read opens
only the kinds that it names, and the columns that no report reads are left out.

An archive has the events in the order of the history. Each of the thirty reads of all reports would
decode all of them to find its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyarrow import parquet
from pyspark.sql.types import IntegerType

from mqsc.reports.archive.merging import ArchivedStore
from mqsc.reports.archive.place import open_place
from mqsc.reports.data_source import schema_of
from mqsc.reports.declaration import Reads
from mqsc.reports.errors import ReportFailedError, reason_of
from mqsc.reports.file_pages import arrow_schema
from mqsc.reports.held_events import STORE, archived_events
from mqsc.reports.held_rows import frame_of_held
from mqsc.store.published import EVENT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# The copy takes as long as one or two reads of everything.
FEWEST_READS = 6
# It needs about a hundred bytes of disk for each event, until the end of the run.
MOST_COPIED = 20_000_000
_FOLDER = ".events"
_TEXTS = [column.name for column in EVENT.columns if column.type == "TEXT"]


@contextmanager
def copied_by_kind(
    folder: Path,
    stores: Sequence[ArchivedStore],
    numbers: Mapping[str, int],
    reads: Sequence[Reads],
) -> Iterator[Mapping[str, str]]:
    """The URL of a file for each kind that these reads name, without those of which there is no
    event.

    They are removed at the end of the block. ReportFailedError if a file of an archive cannot be
    read, or if there is no room on the disk.
    """
    place = folder / _FOLDER
    try:
        try:
            place.mkdir()
            kinds = _copied(place, archived_events(stores, numbers, _columns_of(reads)), reads)
        except OSError as error:
            raise ReportFailedError(
                f"the archived events cannot be copied to {place}: {reason_of(error)}",
            ) from error
        url_of = open_place(str(place)).url_of
        yield {kind: url_of(_name_of(kind)) for kind in kinds}
    finally:
        rmtree(place, ignore_errors=True)


def _copied(place: Path, events: Iterable[pa.Table], reads: Sequence[Reads]) -> list[str]:
    """The kinds of which there are events, when their files are written."""
    kinds = {kind for each in reads for kind in each.kinds}
    schema = arrow_schema(EVENT, _columns_of(reads)).append(STORE)
    writers: dict[str, parquet.ParquetWriter] = {}
    with ExitStack() as opened:
        for group in events:
            for kind, rows in _by_kind(group, kinds):
                if kind not in writers:
                    writers[kind] = opened.enter_context(_writer(place / _name_of(kind), schema))
                writers[kind].write_table(rows.select(schema.names))
        return [*writers]


def _name_of(kind: str) -> str:
    return f"{kind}.parquet"


def _columns_of(reads: Sequence[Reads]) -> list[str]:
    needed = {name for each in reads for name in (*each.columns, "seq", "kind")}
    return [column.name for column in EVENT.columns if column.name in needed]


def frame_of_copy(spark: SparkSession, urls: Mapping[str, str], reads: Reads) -> DataFrame:
    """The rows of the kinds that `reads` names, with `store`."""
    schema = schema_of(EVENT.name, reads.columns).add(STORE.name, IntegerType())
    named = [urls[kind] for kind in reads.kinds if kind in urls]
    if not named:
        nothing = arrow_schema(EVENT, reads.columns).append(STORE).empty_table()
        return frame_of_held(spark, nothing, schema)
    return spark.read.schema(schema).parquet(*named)


def _by_kind(events: pa.Table, kinds: set[str]) -> Iterator[tuple[str, pa.Table]]:
    wanted = events.filter(pc.field("kind").isin(sorted(kinds)))
    for kind in pc.unique(wanted["kind"]).to_pylist():
        yield kind, wanted.filter(pc.field("kind") == kind)


def _writer(path: Path, schema: pa.Schema) -> parquet.ParquetWriter:
    return parquet.ParquetWriter(path, schema, compression="lz4", use_dictionary=_TEXTS)
