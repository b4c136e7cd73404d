"""The data that reports read: a live store and archives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakSet

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import IntegerType

from mqsc.reports.archived_rows import archived_frames, may_hold
from mqsc.reports.data_source import FORMAT, StoreSource, schema_of
from mqsc.reports.declaration import Reads
from mqsc.reports.earlier_rows import EARLIER, NOTHING_EARLIER, READABLE, Earlier, schema_with_store
from mqsc.reports.errors import ReportError
from mqsc.reports.file_pages import arrow_schema
from mqsc.reports.held_events import archived_events, of_kinds, with_store
from mqsc.reports.held_rows import KeyRange, frame_of_held, held_rows
from mqsc.reports.selection import EVERYTHING, ReportSelection
from mqsc.reports.units import in_detail
from mqsc.store.published import AUTHORITY, EVENT, KEPT, Bound, removed_events

if TYPE_CHECKING:
    from mqsc.reports.archive.merging import ArchivedStore


# The bound of a run that reads archives alone.
NO_LIVE_STORE = Bound(0, 0, {})
# The sessions in which Spark knows how to read stores.
_REGISTERED: WeakSet[SparkSession] = WeakSet()


class Archived(NamedTuple):
    """How far a live store is archived: its UUID in archives, up to which event it has been
    pruned, and the archive that has these events.

    `is_missed`: some of them may be of the period of the reports. `doubts` are sentences on what
    else is uncertain without them. `last` is the last event that it has archived or begun to
    archive, None if that is not known.
    """

    store: str = ""
    pruned: int = 0
    url: str = ""
    is_missed: bool = True
    doubts: tuple[str, ...] = ()
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Sources:
    """The live store at `path`, if there is one, up to `bound`, and the stores in archives.

    Events of the live store numbered up to `after` are read from archives. `renamed` are the queue
    managers whose name several stores have: by the UUID of the store, blank for a live one that is
    in no archive. `held` are the rows of relations that are in this process, with the column
    `store`, and `gathered` what reports gathered from these. `few` are frames of rows in this
    process, `empty` those that were gathered and have none. `earlier` has what is read of events
    before the files of the archives. Of the period, events up to `removed` are missing, because
    they are only in the archive `elsewhere`. `doubts` are sentences on what else is uncertain.
    """

    path: Path | None
    bound: Bound
    live: str = ""
    after: int = 0
    archives: tuple[ArchivedStore, ...] = ()
    renamed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    held: Mapping[str, pa.Table] = field(default_factory=dict)
    gathered: dict[ReportSelection, dict[object, DataFrame]] = field(default_factory=dict)
    few: WeakSet[DataFrame] = field(default_factory=WeakSet)
    empty: WeakSet[DataFrame] = field(default_factory=WeakSet)
    earlier: Earlier = NOTHING_EARLIER
    removed: int = 0
    elsewhere: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Sentences on what of the period is missing, what would add it, and what is uncertain
        without it.
        """
        if not self.removed:
            return self.doubts
        period = (
            f"{removed_events(self.removed)}, and are not in these reports; add "
            f"--archive {self.elsewhere} to include them"
        )
        return (period, *self.doubts)

    @property
    def rows(self) -> int:
        """About how many rows there are to read."""
        live = max(self.bound.seq - self.after, self.bound.message)
        archived = sum(archive.rows for archive in self.archives)
        return live + archived + int(self.earlier.events.num_rows)

    @property
    def qmgrs(self) -> list[str]:
        """The queue managers and queue-sharing groups, by the names that reports show."""
        known = {archive.store: set(archive.qmgrs) for archive in self.archives}
        if self.path is not None:
            known.setdefault(self.live, set()).update(self.bound.now)
        renamed = ((self.renamed.get(store, {}), names) for store, names in known.items())
        return sorted({new.get(name, name) for new, names in renamed for name in names})

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each store in frames, by its UUID. The live store is the first one."""
        uuids = (self.live, *(archive.store for archive in self.archives))
        return {store: number for number, store in enumerate(dict.fromkeys(uuids))}

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
    known = archived or Archived()
    if not archives:
        if path is None:
            raise ReportError("name a store or an archive to read from")
        removed = known.pruned if known.is_missed else 0
        return Sources(
            path,
            bound,
            removed=removed,
            elsewhere=known.url,
            doubts=known.doubts,
        )
    from mqsc.reports.archive.merging import merged

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
    doubts = known.doubts
    if known.last is not None and after > known.last:
        doubts += (
            f"the archive has events of this store up to {after}, but the store archived only up "
            f"to {known.last}: it was restored from a backup, or is a copy, and events with the "
            "same numbers are read from the archive alone",
        )
    combined = Sources(path, bound, known.store, after, tuple(archived_stores), doubts=doubts)
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
    together = reduce(DataFrame.unionByName, _frames(spark, sources, relation, reads, selection))
    numbers, renamed = sources.numbers, sources.renamed
    return _shown(together, numbers, renamed, selection, reads).where(reads.where)


def _frames(
    spark: SparkSession,
    sources: Sources,
    relation: str,
    reads: Reads,
    selection: ReportSelection,
) -> list[DataFrame]:
    from pyspark.sql import functions as F

    numbers, columns = sources.numbers, reads.columns
    schema = schema_of(relation, columns).add("store", IntegerType(), nullable=False)
    if relation in sources.held:
        rows = of_kinds(sources.held[relation], reads).select([*columns, "store"])
        return [frame_of_held(spark, rows, schema)]
    earlier = _earlier(sources, relation)
    if relation == EARLIER.name:
        return [frame_of_held(spark, earlier.select([*columns, "store"]), schema)]
    frames = [*archived_frames(spark, sources.archives, numbers, relation, columns, selection)]
    if earlier.num_rows:
        frames.append(
            frame_of_held(spark, of_kinds(earlier, reads).select([*columns, "store"]), schema)
        )
    if sources.path is not None:
        live = _live(spark, sources, relation, reads)
        frames.insert(0, live.withColumn("store", F.lit(numbers[sources.live])))
    if not frames:
        nothing = (F.lit(None).cast(field.dataType).alias(field.name) for field in schema)
        # Spark plans nothing for what it knows to be empty.
        frames.append(spark.range(0).select(*nothing).limit(0))
    return frames


def faults(sources: Sources, selection: ReportSelection) -> list[str]:
    """What is wrong with the files of archives that have events of the selected period."""
    files = [file for store in sources.archives for part in store.parts for file in part.files]
    return [file.fault for file in files if file.fault and may_hold(file, selection)]


def holding(
    sources: Sources,
    relations: Collection[str],
    period: ReportSelection = EVERYTHING,
) -> Sources:
    """The same, with the rows of these relations in this process, which must not be many.

    Files of archives with events of days outside the period are not opened. Data that was kept of
    messages stays in archives that have it.
    """
    has_archived_data = any(archive.kept for archive in sources.archives)
    in_archive = {KEPT.name} if has_archived_data else set()
    wanted = [relation for relation in relations if relation not in in_archive]
    in_file = [relation for relation in wanted if READABLE[relation].table]
    held = {relation: [_earlier(sources, relation)] for relation in wanted}
    numbers = sources.numbers
    if sources.path is not None:
        ranges = [range_of(sources, relation) for relation in in_file]
        live = numbers[sources.live]
        for relation, rows in zip(in_file, held_rows(sources.path, ranges), strict=True):
            held[relation].append(with_store(rows, live))
        if AUTHORITY.name in held:
            held[AUTHORITY.name].append(with_store(_authorities(sources.bound), live))
    if EVENT.name in held:
        held[EVENT.name] += archived_events(sources.archives, numbers, period=period)
    together = {
        relation: pa.concat_tables(tables).combine_chunks() for relation, tables in held.items()
    }
    return replace(sources, held=together, gathered={})


def _authorities(bound: Bound) -> pa.Table:
    names = [column.name for column in AUTHORITY.columns]
    rows = [dict(zip(names, row, strict=True)) for row in bound.authorities]
    return pa.Table.from_pylist(rows, arrow_schema(AUTHORITY, names))


def _earlier(sources: Sources, relation: str) -> pa.Table:
    """What there is of a relation before the files of the archives."""
    if relation == EVENT.name:
        return sources.earlier.events
    if relation == EARLIER.name:
        return sources.earlier.sums
    return schema_with_store(READABLE[relation]).empty_table()


def _register_data_source(spark: SparkSession) -> None:
    """Let Spark read stores. Only where it has to, since it starts two processes of Python for this,
    and once a session, since it warns of a second time.
    """
    if spark not in _REGISTERED:
        spark.dataSource.register(StoreSource)
        _REGISTERED.add(spark)


def _live(spark: SparkSession, sources: Sources, relation: str, reads: Reads) -> DataFrame:
    schema = schema_of(relation, reads.columns)
    if relation == AUTHORITY.name:
        return frame_of_held(spark, _authorities(sources.bound).select(reads.columns), schema)
    keys = range_of(sources, relation)
    options = {
        "path": keys.path,
        "relation": relation,
        "first": str(keys.first),
        "last": str(keys.last),
        "partitions": str(spark.sparkContext.defaultParallelism),
    }
    _register_data_source(spark)
    return spark.read.format(FORMAT).schema(schema).options(**options).load()


def range_of(sources: Sources, relation: str) -> KeyRange:
    """Where the rows of a relation of the live store are."""
    if relation == "event":
        return KeyRange(relation, str(sources.path), sources.after, sources.bound.seq)
    # What changes was frozen together with the bound.
    last = sources.bound.kept or 0 if relation == KEPT.name else sources.bound.message
    return KeyRange(relation, sources.bound.frozen or str(sources.path), 0, last)


def _shown(
    frame: DataFrame,
    numbers: Mapping[str, int],
    renamed: Mapping[str, Mapping[str, str]],
    selection: ReportSelection,
    reads: Reads,
) -> DataFrame:
    """The rows of the selected queue managers, with the names that reports show."""
    from pyspark.sql import functions as F

    if reads.owner not in ("", "qmgr"):
        frame = frame.withColumn("qmgr", F.expr(reads.owner))
    if reads.with_member:
        frame = frame.withColumn("member", F.expr(in_detail("member")))
    if selection.qmgrs and reads.owner:
        frame = frame.where(F.col("qmgr").isin(*selection.qmgrs))
    new_names = {
        f"{numbers[store]} {name}": shown
        for store, names in renamed.items()
        for name, shown in names.items()
    }
    if not new_names:
        return frame
    pairs = [F.lit(text) for pair in new_names.items() for text in pair]
    for name in {"qmgr", "member"} & {*frame.columns}:
        new = F.create_map(*pairs)[F.concat_ws(" ", "store", name)]
        frame = frame.withColumn(name, F.coalesce(new, F.col(name)))
    return frame
