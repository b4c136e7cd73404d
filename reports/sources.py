"""The data that reports read: a live store and archives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession, types as T

from mqsc.reports.data_source import FORMAT, schema_of
from mqsc.reports.declaration import Reads
from mqsc.reports.errors import ReportError
from mqsc.reports.file_pages import arrow_schema
from mqsc.reports.held_rows import KeyRange, frame_of_held, held_rows
from mqsc.reports.selection import ReportSelection
from mqsc.store.published import AUTHORITY, KEPT, KEPT_BYTES, RELATIONS, Bound

if TYPE_CHECKING:
    from mqsc.reports.archive.merging import ArchivedStore


ISO_DAY = len("2026-03-02")
# The names of folders are no columns. Changed bytes do not become figures.
ARCHIVE_OPTIONS: Mapping[str, str] = {
    "recursiveFileLookup": "true",
    "parquet.page.verify-checksum.enabled": "true",
}


class Archived(NamedTuple):
    """How far a live store is archived: its UUID in archives, and up to which event it has been
    pruned.
    """

    store: str = ""
    pruned: int = 0


@dataclass(frozen=True, slots=True)
class Sources:
    """The live store at `path`, if there is one, up to `bound`, and the stores in archives.

    Events of the live store numbered up to `after` are read from archives. `renamed` are the queue
    managers whose name several stores have: by the UUID of the store, blank for a live one that is
    in no archive. `held` are rows of the live store that are in this process, by their relation,
    and `gathered` what reports gathered from these.
    """

    path: Path | None
    bound: Bound
    live: str = ""
    after: int = 0
    archives: tuple[ArchivedStore, ...] = ()
    renamed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    held: Mapping[str, pa.Table] = field(default_factory=dict)
    gathered: dict[ReportSelection, dict[object, DataFrame]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """About how many rows there are to read."""
        return max(self.bound.seq - self.after, self.bound.message) + sum(
            archive.last for archive in self.archives
        )

    @property
    def qmgrs(self) -> list[str]:
        """The queue managers and queue-sharing groups, by the names that reports show."""
        known = {archive.store: set(archive.qmgrs) for archive in self.archives}
        if self.path is not None:
            known.setdefault(self.live, set()).update(self.bound.now)
        renamed = ((self.renamed.get(store, {}), names) for store, names in known.items())
        return sorted({new.get(name, name) for new, names in renamed for name in names})

    @property
    def names(self) -> str:
        """The stores, for people."""
        archived = [f"the archive of {archive.name}" for archive in self.archives]
        return " and ".join([*([self.path.name] if self.path else []), *archived])


def sources(
    path: Path | None,
    bound: Bound,
    archives: Sequence[str] = (),
    archived: Archived | None = None,
) -> Sources:
    """The sources of a run. ReportError when an archive cannot be used, or does not have what
    the store has pruned.
    """
    if not archives:
        if path is None:
            raise ReportError("name a store or an archive to read from")
        return Sources(path, bound)
    from mqsc.reports.archive.merging import merged

    known = archived or Archived()
    archived_stores = merged(archives)
    of_live = next(
        (
            archive
            for archive in archived_stores
            if path is not None and archive.store == known.store
        ),
        None,
    )
    after = of_live.last if of_live else 0
    if path is not None and after < known.pruned:
        raise ReportError(
            f"{path} has pruned its events up to {known.pruned}, but {', '.join(archives)} has "
            f"them only up to {after}",
        )
    combined = Sources(path, bound, known.store, after, tuple(archived_stores))
    return replace(combined, renamed=_renamed(combined))


def _renamed(sources: Sources) -> Mapping[str, Mapping[str, str]]:
    """New names for the queue managers whose name several stores have: that of the store is
    added.
    """
    from mqsc.reports.archive.merging import labels

    names = {archive.store: archive.name for archive in sources.archives}
    qmgrs = {archive.store: set(archive.qmgrs) for archive in sources.archives}
    if sources.path is not None:
        names.setdefault(sources.live, sources.path.stem)
        qmgrs.setdefault(sources.live, set()).update(sources.bound.now)
    times = Counter(name for names_there in qmgrs.values() for name in names_there)
    shown = labels(names.items())
    return {
        store: {name: f"{name}@{shown[store]}" for name in sorted(each) if times[name] > 1}
        for store, each in qmgrs.items()
    }


def clocks(sources: Sources) -> Mapping[str, int]:
    """The time of each queue manager of the live store, by the name that reports show."""
    renamed = sources.renamed.get(sources.live, {})
    return {renamed.get(name, name): at for name, at in sources.bound.now.items()}


def rows_of(
    spark: SparkSession,
    sources: Sources,
    relation: str,
    reads: Reads,
    selection: ReportSelection,
) -> DataFrame:
    """The rows of a relation from all sources that a report reads, of the selected queue managers.

    The column `store` tells the stores apart. Files of days outside the selected period are not
    opened; other rows outside it are not removed here.
    """
    from pyspark.sql import functions as F

    def of_store(frame: DataFrame, store: str) -> DataFrame:
        return _of_store(
            frame,
            stores.index(store),
            sources.renamed.get(store, {}),
            selection,
            reads.owner,
        )

    columns = reads.columns
    stores = list(dict.fromkeys((sources.live, *(archive.store for archive in sources.archives))))
    frames = []
    if sources.path is not None:
        frames.append(of_store(_live(spark, sources, relation, reads), sources.live))
    if relation == "event":
        for store in sources.archives:
            for part in store.parts:
                files = [file.url for file in part.files if _may_hold(file.day, selection)]
                if files:
                    schema = schema_of(relation, dict.fromkeys((*columns, "seq", "qmgr")))
                    reader = spark.read.schema(schema).options(**ARCHIVE_OPTIONS)
                    frame = reader.parquet(*files)
                    frames.append(
                        of_store(frame.where(f"seq > {part.after}").select(*columns), store.store),
                    )
    if relation == KEPT.name:
        frames += [
            of_store(_archived_kept(spark, archive, columns), archive.store)
            for archive in sources.archives
            if archive.kept
        ]
    if not frames:
        nothing = (
            F.lit(None).cast(absent.dataType).alias(absent.name)
            for absent in schema_of(relation, columns)
        )
        # Spark plans nothing for what it knows to be empty.
        return of_store(spark.range(0).select(*nothing).limit(0), sources.live)
    together = frames[0]
    for frame in frames[1:]:
        together = together.unionByName(frame)
    return together.where(reads.where)


def _archived_kept(spark: SparkSession, store: ArchivedStore, columns: Sequence[str]) -> DataFrame:
    """The rows of the relation `kept` in the files of an archive."""
    # The times are greater than the numbers in a store, so of what both have, that of the store
    # comes first.
    computed = {
        "id": "left_at",
        "size": "CAST(length(body) AS BIGINT)",
        "body": f"substr(body, 1, {KEPT_BYTES})",
    }
    schema = schema_of(KEPT.name, ("qmgr", "queue", "msg_id", "put_at", "body")).add(
        "left_at",
        T.LongType(),
    )
    frame = spark.read.schema(schema).options(**ARCHIVE_OPTIONS).parquet(*store.kept)
    return frame.selectExpr(*(f"{computed.get(name, name)} AS {name}" for name in columns))


def faults(sources: Sources, selection: ReportSelection) -> list[str]:
    """What is wrong with the files of archives that have events of the selected period."""
    files = [file for store in sources.archives for part in store.parts for file in part.files]
    return [file.fault for file in files if file.fault and _may_hold(file.day, selection)]


def holding(sources: Sources, relations: Collection[str]) -> Sources:
    """The same, with the rows of these relations of the live store in this process, which must
    not be many.
    """
    if sources.path is None:
        return sources
    in_file = [relation for relation in relations if RELATIONS[relation].table]
    ranges = [_range_of(sources, relation) for relation in in_file]
    return replace(
        sources,
        held=dict(zip(in_file, held_rows(sources.path, ranges), strict=True)),
        gathered={},
    )


def _live(spark: SparkSession, sources: Sources, relation: str, reads: Reads) -> DataFrame:
    schema = schema_of(relation, reads.columns)
    if relation == AUTHORITY.name:
        names = [column.name for column in AUTHORITY.columns]
        rows = [dict(zip(names, row, strict=True)) for row in sources.bound.authorities]
        return frame_of_held(
            spark,
            pa.Table.from_pylist(rows, arrow_schema(AUTHORITY, reads.columns)),
            schema,
        )
    if relation in sources.held:
        held = sources.held[relation]
        # Arrow leaves out the others much faster than Spark does each time that it reads the rows.
        of_kinds = (
            held.filter(pc.field("kind").isin(reads.kinds))
            if relation == "event" and reads.kinds
            else held
        )
        return frame_of_held(spark, of_kinds.select(reads.columns), schema)
    keys = _range_of(sources, relation)
    options = {
        "path": keys.path,
        "relation": relation,
        "first": str(keys.first),
        "last": str(keys.last),
        "partitions": str(spark.sparkContext.defaultParallelism),
    }
    return spark.read.format(FORMAT).schema(schema).options(**options).load()


def _range_of(sources: Sources, relation: str) -> KeyRange:
    """Where the rows of a relation of the live store are."""
    if relation == "event":
        return KeyRange(relation, str(sources.path), sources.after, sources.bound.seq)
    # What changes was frozen together with the bound.
    last = sources.bound.kept or 0 if relation == KEPT.name else sources.bound.message
    return KeyRange(relation, sources.bound.frozen or str(sources.path), 0, last)


def _of_store(
    frame: DataFrame,
    number: int,
    renamed: Mapping[str, str],
    selection: ReportSelection,
    owner: str,
) -> DataFrame:
    """The rows of the selected queue managers, with the names that reports show, and the number
    of their store.
    """
    from pyspark.sql import functions as F

    owned = {"qmgr": F.expr(owner)} if owner not in ("", "qmgr") else {}
    frame = frame.withColumns({"store": F.lit(number), **owned})
    if selection.qmgrs and owner:
        frame = frame.where(F.col("qmgr").isin(*selection.qmgrs))
    if not renamed or "qmgr" not in frame.columns:
        return frame
    pairs = [F.lit(text) for pair in renamed.items() for text in pair]
    return frame.withColumn("qmgr", F.coalesce(F.create_map(*pairs)[F.col("qmgr")], F.col("qmgr")))


def _may_hold(day: str, selection: ReportSelection) -> bool:
    """Whether a file of that day can have events of the selected period."""
    from mqsc.reports.archive.content import day_of

    first = None if selection.since is None else day_of(selection.since)
    last = None if selection.until is None else day_of(selection.until - 1)
    if len(day) != ISO_DAY:
        return True
    return not (first is not None and day < first) and not (last is not None and day > last)
