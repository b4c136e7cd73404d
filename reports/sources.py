"""The data that reports read: a live store and archives, and the relations of a store as a Spark
data source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession, datasource as D
from pyspark.sql.types import IntegerType, StructType

from mqsc.reports.archived_rows import archived_frames, may_hold
from mqsc.reports.catalog import Reads, ReportSelection
from mqsc.reports.errors import ReportError
from mqsc.reports.held_rows import (
    PAGE,
    Condition,
    KeyRange,
    arrow_schema,
    frame_of_held,
    held_rows,
    pages_of,
)
from mqsc.reports.relation_schema import schema_of
from mqsc.store.published import AUTHORITY, KEPT, RELATIONS, Bound

if TYPE_CHECKING:
    from mqsc.reports.archive.content import ArchivedStore


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
    from mqsc.reports.archive.content import merged

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
    from mqsc.reports.archive.content import labels

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

    uuids = (sources.live, *(archive.store for archive in sources.archives))
    numbers = {store: number for number, store in enumerate(dict.fromkeys(uuids))}
    frames = [
        *archived_frames(
            spark,
            sources.archives,
            numbers,
            relation,
            reads.columns,
            selection,
        ),
    ]
    if sources.path is not None:
        live = _live(spark, sources, relation, reads)
        frames.insert(0, live.withColumn("store", F.lit(numbers[sources.live])))
    if not frames:
        schema = schema_of(relation, reads.columns).add("store", IntegerType())
        nothing = (F.lit(None).cast(field.dataType).alias(field.name) for field in schema)
        # Spark plans nothing for what it knows to be empty.
        frames.append(spark.range(0).select(*nothing).limit(0))
    together = reduce(DataFrame.unionByName, frames)
    return _shown(together, numbers, sources.renamed, selection, reads.owner).where(reads.where)


def faults(sources: Sources, selection: ReportSelection) -> list[str]:
    """What is wrong with the files of archives that have events of the selected period."""
    files = [file for store in sources.archives for part in store.parts for file in part.files]
    return [file.fault for file in files if file.fault and may_hold(file, selection)]


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


def _shown(
    frame: DataFrame,
    numbers: Mapping[str, int],
    renamed: Mapping[str, Mapping[str, str]],
    selection: ReportSelection,
    owner: str,
) -> DataFrame:
    """The rows of the selected queue managers, with the names that reports show."""
    from pyspark.sql import functions as F

    if owner not in ("", "qmgr"):
        frame = frame.withColumn("qmgr", F.expr(owner))
    if selection.qmgrs and owner:
        frame = frame.where(F.col("qmgr").isin(*selection.qmgrs))
    new_names = {
        f"{numbers[store]} {name}": shown
        for store, names in renamed.items()
        for name, shown in names.items()
    }
    if not new_names or "qmgr" not in frame.columns:
        return frame
    pairs = [F.lit(text) for pair in new_names.items() for text in pair]
    of_store = F.concat_ws(" ", "store", "qmgr")
    return frame.withColumn("qmgr", F.coalesce(F.create_map(*pairs)[of_store], F.col("qmgr")))


# The published relations of a store as a Spark data source.
#
# It runs in Spark's Python workers, reads SQLite in pages of the key (design §3.12), and gives
# Arrow batches to Spark.

FORMAT = "mqsc"
# The most keys per Spark task, which bounds the data that one task returns.
LARGEST_PARTITION = 500_000


class Keys(D.InputPartition):
    """The keys after `after` up to and including `last`."""

    def __init__(self, after: int, last: int) -> None:
        super().__init__((after, last))
        self.after = after
        self.last = last


def partitions_of(last: int, at_least: int, first: int = 0) -> list[Keys]:
    """The keys after `first` up to `last` in ranges of equal size: at least `at_least`, unless
    these were too small.
    """
    size = max(PAGE, min(LARGEST_PARTITION, -(-(last - first) // max(at_least, 1))))
    return [Keys(after, min(after + size, last)) for after in range(first, last, size)] or [
        Keys(0, 0),
    ]


class StoreSource(D.DataSource):
    """`spark.read.format("mqsc")`; options `path`, `relation`, `partitions`; keys after `first`
    up to `last`.
    """

    @classmethod
    def name(cls) -> str:
        """The name of the format in Spark."""
        return FORMAT

    def schema(self) -> StructType:
        """All columns: the schema if the user gives none."""
        relation = RELATIONS[self.options["relation"]]
        return schema_of(relation.name, (column.name for column in relation.columns))

    def reader(self, schema: StructType) -> StoreReader:
        """A reader of the columns of `schema`."""
        return StoreReader(dict(self.options), tuple(schema.fieldNames()))


class StoreReader(D.DataSourceReader):
    """Reads columns of a relation under the conditions that Spark pushed down."""

    def __init__(self, options: Mapping[str, str], columns: tuple[str, ...]) -> None:
        self.path = options["path"]
        self.relation = options["relation"]
        self.first = int(options.get("first", 0))
        self.last = int(options["last"])
        self.tasks = int(options["partitions"])
        self.columns = columns
        self.conditions: list[Condition] = []

    def pushFilters(self, filters: list[D.Filter]) -> Iterable[D.Filter]:
        """Keep the filters that SQLite can evaluate and return the others to Spark."""
        for row_filter in filters:
            condition = condition_of(row_filter)
            if condition is None:
                yield row_filter
            else:
                self.conditions.append(condition)

    def partitions(self) -> list[Keys]:
        """Ranges of the key up to the bound."""
        return partitions_of(self.last, self.tasks, self.first)

    def read(self, partition: D.InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of one range, as one Arrow batch per non-empty page."""
        assert isinstance(partition, Keys)
        relation, (after, last) = RELATIONS[self.relation], (partition.after, partition.last)
        for page in pages_of(relation, self.columns, self.path, after, last, self.conditions):
            yield from page.to_batches()


def _compared(operator: str) -> Callable[[Any], Condition]:
    return lambda condition: (f'"{condition.attribute[0]}" {operator} ?', (condition.value,))


def _listed(condition: D.In) -> Condition:
    # NULL equals nothing, and SQLite accepts an empty list.
    values = tuple(value for value in condition.value if value is not None)
    return f'"{condition.attribute[0]}" IN ({", ".join("?" * len(values))})', values


_CONDITIONS: Mapping[type[D.Filter], Callable[[Any], Condition]] = {
    D.EqualTo: _compared("="),
    D.GreaterThan: _compared(">"),
    D.GreaterThanOrEqual: _compared(">="),
    D.LessThan: _compared("<"),
    D.LessThanOrEqual: _compared("<="),
    D.In: _listed,
    D.IsNull: lambda each: (f'"{each.attribute[0]}" IS NULL', ()),
    D.IsNotNull: lambda each: (f'"{each.attribute[0]}" IS NOT NULL', ()),
    # Not LIKE, which ignores case.
    D.StringStartsWith: lambda each: (
        f'substr("{each.attribute[0]}", 1, {len(each.value)}) = ?',
        (each.value,),
    ),
}


def condition_of(condition: D.Filter) -> Condition | None:
    """The SQL condition and parameters for a filter of Spark, or None if SQLite has no
    equivalent.
    """
    build = _CONDITIONS.get(type(condition))
    return None if build is None else build(condition)
