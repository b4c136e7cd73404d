"""The published relations of a store as a Spark data source.

It runs in Spark's Python workers, reads SQLite in pages of the key (design §3.12), and gives Arrow
batches to Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import datasource as D, types as T

from mqsc.reports.earlier_rows import READABLE
from mqsc.reports.file_pages import PAGE, Condition, pages_of

FORMAT = "mqsc"
# The most keys per Spark task, which bounds the data that one task returns.
LARGEST_PARTITION = 500_000
SPARK_TYPES: Mapping[str, T.DataType] = {
    "INTEGER": T.LongType(),
    "TEXT": T.StringType(),
    "BLOB": T.BinaryType(),
}


def schema_of(relation: str, columns: Iterable[str]) -> T.StructType:
    """The Spark schema of some columns of a published relation."""
    types = {column.name: column.type for column in READABLE[relation].columns}
    return T.StructType([T.StructField(name, SPARK_TYPES[types[name]]) for name in columns])


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

    def schema(self) -> T.StructType:
        """All columns: the schema if the user gives none."""
        relation = READABLE[self.options["relation"]]
        return schema_of(relation.name, (column.name for column in relation.columns))

    def reader(self, schema: T.StructType) -> StoreReader:
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
        relation, (after, last) = READABLE[self.relation], (partition.after, partition.last)
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
