"""An archive as other programs see it: a folder of Parquet files, hashes of what is in them, and
days.

Also one that an older version began.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from contextlib import redirect_stdout
from datetime import date, timedelta
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from hypothesis import given, strategies as st
from msgspec import to_builtins
from pyarrow import dataset as ds, parquet, types

from mqsc.agents.archiver import Archiver
from mqsc.reports.archive.commit_files import OLD_COMMITS, commits, encoded, stores
from mqsc.reports.archive.content import (
    MICROSECONDS_A_DAY,
    SCHEMA,
    TIMES,
    ContentHash,
    archived_events,
    day_of,
    on_day,
)
from mqsc.reports.archive.merging import merged
from mqsc.reports.archive.place import open_place
from mqsc.reports.archive.verifying import verify
from mqsc.reports.errors import ArchiveError
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment
from mqsc.store.message import Message
from mqsc.store.sql import maintenance
from mqsc.store.sqlite.database import Transaction
from tests.conftest import START
from tests.docs.page import blocks
from tests.reports.archive.reading import events_archived, events_in
from tests.source import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


NUMBER = st.none() | st.integers(-(2**63), 2**63 - 1)
TEXT = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
VALUES = {pa.int64(): NUMBER, pa.string(): TEXT, pa.binary(): st.none() | st.binary(max_size=5)}
ROWS = st.lists(st.tuples(*(VALUES[field.type] for field in SCHEMA)), max_size=6)


def as_bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def plain_hash(rows: list[tuple[Any, ...]]) -> str:
    """As docs/archive-files.md says."""
    digests = b""
    for number, field in enumerate(SCHEMA):
        values = [row[number] for row in rows]
        is_number = field.type == pa.int64()
        texts = [b"" if value is None or is_number else as_bytes(value) for value in values]
        numbers = [value or 0 for value in values] if is_number else list(map(len, texts))
        strings = (
            bytes(value is not None for value in values),
            b"".join(value.to_bytes(8, "little", signed=True) for value in numbers),
            b"".join(texts),
        )
        digests += b"".join(hashlib.sha256(each).digest() for each in strings)
    return hashlib.sha256(digests).hexdigest()


@given(ROWS, st.integers(0, 6))
def test_the_hash_is_the_documented_one_however_the_rows_are_divided(
    rows: list[tuple[Any, ...]],
    cut: int,
) -> None:
    columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    table = pa.table(arrays, schema=SCHEMA)
    content = ContentHash()
    for part in (table.slice(0, cut), table.slice(cut)):
        content.update(part)
    assert (content.rows, content.hexdigest()) == (len(rows), plain_hash(rows))


@given(st.dates(date.min, date.max), st.integers(0, MICROSECONDS_A_DAY - 1))
def test_the_day_of_a_time(day: date, within: int) -> None:
    assert (
        day_of((day - date(1970, 1, 1)) // timedelta(days=1) * MICROSECONDS_A_DAY + within)
        == day.isoformat()
    )


def test_the_day_of_a_time_that_python_has_no_date_for() -> None:
    times = (-1, 0, 253_402_300_800_000_000, -(2**62))
    assert [day_of(at) for at in times] == [
        "1969-12-31",
        "1970-01-01",
        "+010000-01-01",
        "-144169-06-28",
    ]


def test_the_events_of_a_day() -> None:
    times = [-1, 0, MICROSECONDS_A_DAY - 1, MICROSECONDS_A_DAY]
    rows = pa.table({"at": pa.array(times, pa.int64())})
    assert [on_day(rows, day).column("at").to_pylist() for day in (-1, 0, 1, 2)] == [
        [-1],
        times[1:3],
        times[3:],
        [],
    ]


QUEUE = "SYSTEM.DEFAULT.LOCAL.QUEUE"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = open_store(f"sqlite:///{tmp_path}/shop.db", environment=Environment.frozen(START))
    made.create_queue_manager("QM1")
    use(made)
    return made


def use(store: Store) -> None:
    (qmgr,) = (store.queue_manager(each.name) for each in store.queue_managers())
    with qmgr.connect("app") as connection:
        connection.put1(QUEUE, Message(b"x"))


def archive(store: Store, url: Path) -> None:
    with Archiver(store, str(url)) as archiver:
        assert all(each.rows for each in archiver.archive())


def aged(store: Store, url: Path) -> None:
    """Make the archive what an older version wrote: times are numbers, and the commits beside
    the files.
    """
    place = open_place(str(url))
    (name,) = stores(place)
    (commit,) = commits(place, name)
    files = []
    for each in commit.files:
        path = url / each.path
        parquet.write_table(parquet.read_table(path).cast(SCHEMA), path)
        content = path.read_bytes()
        files.append(
            {
                **to_builtins(each),
                "bytes": len(content),
                "file_sha256": hashlib.sha256(content).hexdigest(),
            },
        )
    (file,) = url.glob("*/_commits/*.json")
    text = json.dumps({**json.loads(encoded(commit)), "files": files})
    (file.parent.parent / OLD_COMMITS).mkdir()
    (file.parent.parent / OLD_COMMITS / file.name).write_text(text)
    with Transaction(store.database, durable=False) as tx:
        row = maintenance.archiving(tx)
        assert row is not None
        maintenance.write_archiving(
            tx,
            row._replace(sha256=hashlib.sha256(text.encode()).hexdigest()),
        )
    file.unlink()
    file.parent.rmdir()


def test_the_folder_is_a_partitioned_data_set_with_timestamps(tmp_path: Path, store: Store) -> None:
    archive(store, tmp_path / "history")
    found = ds.dataset(tmp_path / "history", partitioning="hive")
    assert found.schema.names == [*SCHEMA.names, "store", "day"]
    assert all(str(found.schema.field(name).type) == "timestamp[us, tz=UTC]" for name in TIMES)
    assert found.schema.field("at").metadata == SCHEMA.field("at").metadata
    assert found.count_rows() == len(events_in(store))


def test_events_that_were_removed_from_the_store_must_be_in_the_archive(
    tmp_path: Path,
    store: Store,
) -> None:
    archive(store, tmp_path / "history")
    url = str(tmp_path / "history")
    (identifier,) = stores(open_place(url))
    last = len(events_in(store))
    assert len(list(archived_events(url, identifier, last))) == last
    with pytest.raises(ArchiveError, match=f"has events 1 to {last} of this store; .* {last + 1} "):
        list(archived_events(url, identifier, last + 1))
    with pytest.raises(ArchiveError, match="has no events of this store"):
        list(archived_events(url, "another", 1))


def test_an_archive_that_misses_a_commit_is_not_read(tmp_path: Path, store: Store) -> None:
    folder = tmp_path / "history"
    archive(store, folder)
    place = open_place(str(folder))
    (identifier,) = stores(place)
    (first,) = commits(place, identifier)
    use(store)
    archive(store, folder)
    assert len(commits(place, identifier)) == 2
    (folder / first.path).unlink()
    missing = f"the commits of events 1 to {first.last} are missing"
    with pytest.raises(ArchiveError, match=missing):
        commits(place, identifier)


def test_an_archive_of_an_older_version_is_read_and_continued(
    spark: SparkSession,
    tmp_path: Path,
    store: Store,
) -> None:
    folder = tmp_path / "history"
    archive(store, folder)
    aged(store, folder)
    assert [each.problems for each in verify(str(folder))] == [()]
    use(store)
    archive(store, folder)
    assert sorted(path.parent.name for path in folder.glob("*/*/*.json")) == ["_commits", "commits"]
    (verified,) = verify(str(folder))
    assert (verified.problems, verified.commits) == ((), 2)
    assert events_archived(str(folder)) == events_in(store)
    kinds = [
        types.is_integer(parquet.read_schema(path).field("at").type)
        for path in sorted(folder.rglob("*.parquet"))
    ]
    assert sorted(kinds) == [False, True]
    # What the page says about such an archive.
    (moving,) = blocks(ROOT / "docs" / "archive-files.md", "shell")
    subprocess.run(["sh", "-c", moving], cwd=tmp_path, check=True)
    (verified,) = verify(str(folder))
    assert (verified.problems, verified.commits) == ((), 2)
    *_, mixed, by_spark = blocks(ROOT / "docs" / "archive-files.md", "python")
    assert ran(mixed, tmp_path, {}) == f"{len(events_in(store))}\n"
    assert "|" in ran(by_spark, tmp_path, {"spark": spark})
    times = spark.read.schema("at BIGINT").parquet(str(folder)).toArrow()["at"].to_pylist()
    assert sorted(times) == sorted(event[SCHEMA.names.index("at")] for event in events_in(store))


def test_the_examples_of_the_page(
    spark: SparkSession,
    tmp_path: Path,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive(store, tmp_path / "history")
    page = ROOT / "docs" / "archive-files.md"
    by_arrow, by_spark, by_pandas, new, mixed, mixed_by_spark = blocks(page, "python")
    number = len(events_in(store))
    ((url, last),) = ((each.store, each.last) for each in merged([str(tmp_path / "history")]))
    assert ran(new, tmp_path, {}) == f"{number} {{'{url}': {last}}}\n"
    assert f"'queue': '{QUEUE}', 'length_sum': 1" in ran(by_arrow, tmp_path, {})
    assert ran(mixed, tmp_path, {}) == f"{number}\n"
    held: dict[str, Any] = {"spark": spark}
    monkeypatch.chdir(tmp_path)
    for example in (by_spark, mixed_by_spark):
        absolute = example.replace('"history"', f'"{tmp_path}/history"')
        assert "|" in ran(absolute, tmp_path, held)
        assert held["events"].count() == number
    if find_spec("pandas"):
        assert QUEUE in ran(by_pandas, tmp_path, {})
    if find_spec("duckdb"):
        (by_duckdb,) = blocks(page, "sql")
        assert QUEUE in ran(
            f"import duckdb\nprint(duckdb.sql({by_duckdb!r}).fetchall())",
            tmp_path,
            {},
        )


def ran(example: str, folder: Path, names: dict[str, Any]) -> str:
    """What an example prints that is run in a folder."""
    out = StringIO()
    with redirect_stdout(out):
        exec(example.replace('"history"', f'"{folder}/history"'), names)
    return out.getvalue()
