"""The data source: ranges of the key, selected columns, and conditions that SQLite evaluates;
rows of small stores.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyspark.sql import datasource
from pyspark.sql.datasource import (
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    Not,
    StringStartsWith,
)

from mqsc.reports.data_source import (
    FORMAT,
    LARGEST_PARTITION,
    Keys,
    StoreReader,
    StoreSource,
    condition_of,
    partitions_of,
    schema_of,
)
from mqsc.reports.errors import ReportFailedError
from mqsc.reports.file_pages import ARROW_TYPES, PAGE
from mqsc.reports.held_rows import KeyRange, held_rows
from mqsc.store.published import RELATIONS
from tests.reports.history import event, expire, kept, message, write_history
from tests.rows import rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@rows(
    *(
        (0, 2, [(0, 0)]),
        (1, 2, [(0, 1)]),
        (PAGE, 2, [(0, PAGE)]),
        (PAGE + 1, 2, [(0, PAGE), (PAGE, PAGE + 1)]),
    ),
    *((200_001, 2, [(0, 100_001), (100_001, 200_001)]), (200_000, 1, [(0, 200_000)])),
    (
        LARGEST_PARTITION * 3,
        2,
        [(n * LARGEST_PARTITION, (n + 1) * LARGEST_PARTITION) for n in range(3)],
    ),
)
def test_keys_are_split_into_ranges(
    last: int,
    at_least: int,
    ranges: list[tuple[int, int]],
) -> None:
    assert [(keys.after, keys.last) for keys in partitions_of(last, at_least)] == ranges


# Values of the queue column, and those that each Spark filter keeps; None for a filter that Spark
# must evaluate itself.
QUEUES = ["APP.A", "APP.B", "app.a", "Ü'x\"%_", None, "APP"]
QUEUE, SEQ = ("queue",), ("seq",)
NAMED: list[str | None] = [queue for queue in QUEUES if queue]
FILTERS: list[tuple[Filter, Any]] = [
    *(
        (EqualTo(QUEUE, "APP.A"), ["APP.A"]),
        (EqualTo(QUEUE, "Ü'x\"%_"), ["Ü'x\"%_"]),
        (EqualTo(QUEUE, None), []),
    ),
    *(
        (In(QUEUE, ("APP", "app.a", "none")), ["app.a", "APP"]),
        (In(QUEUE, (None, "APP")), ["APP"]),
        (In(QUEUE, ()), []),
    ),
    *(
        (StringStartsWith(QUEUE, "APP."), ["APP.A", "APP.B"]),
        (StringStartsWith(QUEUE, "Ü'"), ["Ü'x\"%_"]),
    ),
    *(
        (StringStartsWith(QUEUE, ""), NAMED),
        (datasource.IsNull(QUEUE), [None]),
        (datasource.IsNotNull(QUEUE), NAMED),
    ),
    *((GreaterThan(SEQ, 5), ["APP"]), (GreaterThanOrEqual(SEQ, 5), [None, "APP"])),
    *(
        (datasource.LessThan(SEQ, 2), ["APP.A"]),
        (datasource.LessThanOrEqual(SEQ, 2), ["APP.A", "APP.B"]),
    ),
    *((Not(EqualTo(QUEUE, "APP")), None), (datasource.StringContains(QUEUE, "P"), None)),
]


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("several") / "store.db"
    return write_history(path, [event("PUT", queue) for queue in QUEUES])


@pytest.mark.parametrize(("given", "left"), FILTERS, ids=[str(each) for each, _ in FILTERS])
def test_filters_become_conditions(
    several: Path,
    given: Filter,
    left: list[str | None] | None,
) -> None:
    reader = store_reader(several, "event", ("queue",))
    assert list(reader.pushFilters([given])) == ([given] if left is None else [])
    assert rows_of(reader) == [(queue,) for queue in (QUEUES if left is None else left)]


def test_conditions_hold_together_and_have_their_values_beside_them(tmp_path: Path) -> None:
    path = write_history(
        tmp_path / "store.db",
        [event("PUT", "A"), event("GET", "A"), event("PUT", "B")],
    )
    reader = store_reader(path, "event", ("seq", "kind"))
    assert list(reader.pushFilters([EqualTo(("kind",), "PUT"), EqualTo(("queue",), "B")])) == []
    assert rows_of(reader) == [(3, "PUT")]
    # Values never become SQL.
    assert condition_of(EqualTo(QUEUE, "x' OR '1'='1")) == ('"queue" = ?', ("x' OR '1'='1",))


def test_nothing_after_the_bound_is_read(several: Path) -> None:
    assert rows_of(store_reader(several, "event", ("seq",), last=3)) == [(1,), (2,), (3,)]


def test_every_page_has_the_declared_types(tmp_path: Path) -> None:
    """A page without values in a column would otherwise be typed as numbers; gaps between keys
    may be large.
    """
    events = [
        {**expire(detail="{}", msg_id=b"\0" * 23 + b"x"), "seq": 2 * PAGE + 7},
        {**event("COMMIT"), "seq": 5},
    ]
    path = write_history(tmp_path / "store.db", events)
    reader = store_reader(path, "event", ("seq", "put_at", "detail", "msg_id"), last=3 * PAGE)
    batches = list(reader.read(Keys(0, 3 * PAGE)))
    assert [batch.num_rows for batch in batches] == [1, 1]
    expected = [
        ("seq", pa.int64()),
        ("put_at", pa.int64()),
        ("detail", pa.string()),
        ("msg_id", pa.binary()),
    ]
    assert [
        list(zip(batch.schema.names, batch.schema.types, strict=True)) for batch in batches
    ] == [expected] * 2


def test_a_missing_file_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="failed to open"):
        rows_of(store_reader(tmp_path / "none.db", "event", ("seq",)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("relation", [name for name, each in RELATIONS.items() if each.table])
def test_spark_reads_every_column_when_none_is_named(
    spark: SparkSession,
    tmp_path: Path,
    relation: str,
) -> None:
    path = write_history(tmp_path / "store.db", [event("PUT")], [message()], [kept(b"x")])
    (row,) = load(spark, path, relation, last=1).collect()
    assert list(row.asDict()) == [column.name for column in RELATIONS[relation].columns]
    assert row["qmgr"] == "QM1"


def test_spark_reads_ranges_in_tasks_and_pushes_filters_down(
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    events = [
        {**event("GET" if n == 4 else "PUT", "Ä", n), "seq": n * 30_000 + 1} for n in range(5)
    ]
    path = write_history(tmp_path / "store.db", events)
    columns = schema_of("event", ("seq", "kind", "queue"))
    frame = load(spark, path, "event", last=4 * 30_000 + 1, schema=columns)
    assert frame.rdd.getNumPartitions() == 2
    wanted = frame.where("kind IN ('PUT', 'CLEAR') AND queue = 'Ä' AND seq > 1")
    assert [row["seq"] for row in wanted.orderBy("seq").collect()] == [30_001, 60_001, 90_001]
    plan = wanted._jdf.queryExecution().executedPlan().toString()
    assert "Filter" not in plan.split("BatchScan")[0]


def store_reader(
    path: Path,
    relation: str,
    columns: tuple[str, ...],
    last: int = 100,
) -> StoreReader:
    options = {"path": str(path), "relation": relation, "last": str(last), "partitions": "1"}
    return StoreReader(options, columns)


def rows_of(reader: StoreReader) -> list[tuple[object, ...]]:
    batches = [batch for keys in reader.partitions() for batch in reader.read(keys)]
    return [tuple(row.values()) for batch in batches for row in batch.to_pylist()]


def load(
    spark: SparkSession,
    path: Path,
    relation: str,
    last: int,
    schema: object = None,
) -> DataFrame:
    spark.dataSource.register(StoreSource)
    reader = spark.read.format(FORMAT).options(
        path=str(path),
        relation=relation,
        last=last,
        partitions=2,
    )
    return (reader.schema(schema) if schema else reader).load()  # type: ignore[arg-type]


def test_the_rows_of_each_range_have_every_column_with_its_type(tmp_path: Path) -> None:
    path = str(
        write_history(
            tmp_path / "store.db",
            [event("PUT"), expire("Ä"), event("GET")],
            [message("B")],
        ),
    )
    ranges = [
        KeyRange("event", path, 1, 2),
        KeyRange("pending", path, 0, 1),
        KeyRange("event", path, 3, 3),
    ]
    events, pending, nothing = held_rows(Path(path), ranges)
    assert [(row["seq"], row["queue"], row["cause"]) for row in events.to_pylist()] == [
        (2, "Ä", "get"),
    ]
    assert [(row["id"], row["queue"], row["msg_id"]) for row in pending.to_pylist()] == [
        (1, "B", bytes(24)),
    ]
    assert nothing.num_rows == 0
    for relation, found in (("event", events), ("pending", pending), ("event", nothing)):
        declared = [
            (column.name, ARROW_TYPES[column.type]) for column in RELATIONS[relation].columns
        ]
        assert list(zip(found.schema.names, found.schema.types, strict=True)) == declared


def test_a_file_with_an_awkward_name_is_only_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Modules of the same names beside it do no harm."""
    path = write_history(tmp_path / "a b?mode=rw#%41.db", [event("PUT")])
    for package in ("reports", "store", "json"):
        (tmp_path / f"{package}.py").write_text("raise SystemExit('the wrong module')", "utf-8")
    monkeypatch.chdir(tmp_path)
    before = path.read_bytes()
    assert rows_of(store_reader(path, "event", ("kind",))) == [("PUT",)]
    (rows,) = held_rows(path, [KeyRange("event", str(path), 0, 1)])
    assert (rows["kind"].to_pylist(), path.read_bytes()) == (["PUT"], before)


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    copy.write_bytes(b"this is no database" * 100)
    with pytest.raises(ReportFailedError) as caught:
        held_rows(path, [KeyRange("event", str(copy), 0, 1)])
    assert str(caught.value) == f"the store {path} cannot be read: file is not a database"
