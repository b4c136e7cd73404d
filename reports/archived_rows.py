"""The rows of all stores in archives, as one source for Spark.

The files of all stores are read together, and the folder of a file says whose rows it has: Spark
plans forty stores as it plans one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pyspark.sql import Column, DataFrame, SparkSession, functions as F, types as T

from mqsc.reports.archive.commit_files import STORE
from mqsc.reports.archive.content import day_of
from mqsc.reports.archive.merging import ArchivedStore, FileToRead
from mqsc.reports.data_source import schema_of
from mqsc.reports.selection import ReportSelection
from mqsc.store.published import EVENT, KEPT, KEPT_BYTES

ISO_DAY = len("2026-03-02")
# The names of folders are no columns. Changed bytes do not become figures.
READING: Mapping[str, str] = {
    "recursiveFileLookup": "true",
    "parquet.page.verify-checksum.enabled": "true",
}


def archived_frames(
    spark: SparkSession,
    stores: Sequence[ArchivedStore],
    numbers: Mapping[str, int],
    relation: str,
    columns: Sequence[str],
    selection: ReportSelection,
) -> Iterator[DataFrame]:
    """The rows of a relation in the archives of these stores, with the column `store`: the number
    of the store, in `numbers` by its UUID.

    Files of days outside the selected period are not opened; other rows outside it are not removed
    here. It is one frame, and one more for each part of which another part has the first events.
    """
    if relation == EVENT.name:
        frames = _events(spark, stores, columns, selection)
    elif relation == KEPT.name:
        frames = _kept(spark, stores, columns)
    else:
        frames = iter(())
    store = _number_of_store(numbers)
    for frame in frames:
        yield frame.select(*columns, store)


def _events(
    spark: SparkSession,
    stores: Sequence[ArchivedStore],
    columns: Sequence[str],
    selection: ReportSelection,
) -> Iterator[DataFrame]:
    schema = schema_of(EVENT.name, dict.fromkeys((*columns, "seq")))
    for after, urls in _urls_to_read(stores, selection):
        frame = spark.read.schema(schema).options(**READING).parquet(*urls)
        yield frame.where(f"seq > {after}") if after else frame


def _kept(
    spark: SparkSession,
    stores: Sequence[ArchivedStore],
    columns: Sequence[str],
) -> Iterator[DataFrame]:
    urls = [url for store in stores for url in store.kept]
    if not urls:
        return
    schema = schema_of(KEPT.name, ("qmgr", "queue", "msg_id", "put_at", "body"))
    schema = schema.add("left_at", T.LongType())
    # The times are greater than the numbers in a store, so of what both have, that of the store
    # comes first.
    computed = {
        "id": "left_at",
        "size": "CAST(length(body) AS BIGINT)",
        "body": f"substr(body, 1, {KEPT_BYTES})",
    }
    frame = spark.read.schema(schema).options(**READING).parquet(*urls)
    changed = {name: F.expr(computed[name]) for name in columns if name in computed}
    yield frame.withColumns(changed)


def may_hold(file: FileToRead, selection: ReportSelection) -> bool:
    """Whether the file can have events of the selected period."""
    first = None if selection.since is None else day_of(selection.since)
    last = None if selection.until is None else day_of(selection.until - 1)
    if len(file.day) != ISO_DAY:
        return True
    return not (first is not None and file.day < first) and not (
        last is not None and file.day > last
    )


def _urls_to_read(
    stores: Sequence[ArchivedStore],
    selection: ReportSelection,
) -> Iterator[tuple[int, list[str]]]:
    """The files to read together, and the number after which their events are to be read."""
    whole: list[str] = []
    for part in (part for store in stores for part in store.parts):
        urls = [file.url for file in part.files if may_hold(file, selection)]
        if part.after == 0:
            whole += urls
        elif urls:
            yield part.after, urls
    if whole:
        yield 0, whole


def _number_of_store(numbers: Mapping[str, int]) -> Column:
    pairs = [F.lit(value) for store, number in numbers.items() for value in (store, number)]
    # For each row, so without a regular expression.
    folder = F.substring_index("_metadata.file_path", f"/{STORE}", -1)
    return F.create_map(*pairs)[F.substring_index(folder, "/", 1)].alias("store")
