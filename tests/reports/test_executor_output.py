"""Tables that Spark writes itself: to a folder of this machine, and to a URL."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import parquet  # type: ignore[import-untyped]

import reports
from reports import table_writing
from reports.errors import ReportError
from reports.identities import Ledger
from reports.output import Files
from reports.table_writing import TableWriter, Target, place_of
from store.published import Bound
from tests.reports.history import at, event, expire, write_history
from tests.reports.test_output import AWKWARD, FORMULAS, REPORT, TABLE, rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

QUEUES = (*AWKWARD, *FORMULAS, None, "Z")


@pytest.fixture
def frame(spark: SparkSession) -> DataFrame:
    """Rows with texts that are hard to write, in several partitions and no order."""
    made: DataFrame = spark.createDataFrame(rows(*reversed(QUEUES)))
    return made.repartition(3)


@pytest.fixture
def bucket(spark: SparkSession, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A URL that only Spark knows, and the folder behind it."""
    (tmp_path / "bucket").mkdir()
    name = "fs.viewfs.mounttable.demo.link./bucket"
    spark.conf.set(name, f"file://{tmp_path}/bucket")
    yield "viewfs://demo/bucket", tmp_path / "bucket"
    spark.conf.unset(name)


def ledger() -> Ledger:
    return Ledger(REPORT, is_whole=True)


def test_the_parts_of_a_csv_file_are_what_this_process_writes(frame: DataFrame, tmp_path: Path) -> None:
    by_spark = TableWriter(Target(tmp_path / "spark", by_executors=True), "csv", 2, None).write(
        REPORT, TABLE, frame, ledger()
    )
    here = TableWriter(Target(tmp_path / "here"), "csv", 2, Files(tmp_path / "here", "csv", 2)).write(
        REPORT, TABLE, frame, ledger()
    )
    assert by_spark._replace(path=here.path) == here
    assert by_spark.path == tmp_path / "spark" / "some-report" / "counts.csv"
    parts = sorted(by_spark.path.iterdir())
    assert all(part.name.startswith("part-") for part in parts)
    text = b"".join(part.read_bytes() for part in parts).decode()
    assert text == here.path.read_bytes().decode()
    assert len(list(csv.reader(io.StringIO(text, newline="")))) == 1 + len(QUEUES)


def test_parquet_has_the_rows_in_order_and_the_meaning_of_the_columns(
    spark: SparkSession, frame: DataFrame, tmp_path: Path
) -> None:
    made = TableWriter(Target(tmp_path, by_executors=True), "parquet", 2, None).write(REPORT, TABLE, frame, ledger())
    found = [row["queue"] for part in sorted(made.path.iterdir()) for row in parquet.read_table(part).to_pylist()]
    assert found == [*sorted(each for each in QUEUES if each is not None), None]
    assert (made.rows_written, len(made.summary_rows)) == (len(QUEUES), 2)
    field = spark.read.parquet(str(made.path)).schema["lateness"]
    assert field.metadata["comment"] == "Seconds."


@pytest.mark.parametrize(("as_", "most", "parts"), [("csv", 19, False), ("csv", 18, True), ("parquet", 18, True)])
def test_a_table_that_is_large_is_written_by_spark(
    frame: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_: str, most: int, parts: bool
) -> None:
    monkeypatch.setattr(table_writing, "MOST_ROWS", most)
    assert len(QUEUES) == 19
    made = TableWriter(Target(tmp_path, many=True), as_, 2, Files(tmp_path, as_, 2)).write(
        REPORT, TABLE, frame, ledger()
    )
    assert (made.rows_written, made.path.is_dir()) == (len(QUEUES), parts)


def test_a_run_at_a_url_is_complete_with_its_manifest(
    spark: SparkSession, bucket: tuple[str, Path], tmp_path: Path
) -> None:
    write_history(tmp_path / "store.db", [expire("A", 5), event("GET", "B")])
    for _ in range(2):
        results = made(tmp_path, bucket[0])
    folder, later = sorted(bucket[1].iterdir())
    assert folder.name.startswith("run-2")
    assert sorted(path.name for path in later.iterdir()) == ["expired-messages", "manifest"]
    assert results[0].url.startswith(f"{bucket[0]}/run-2")
    (part,) = (later / "manifest").glob("part-*")
    manifest = json.loads(part.read_text())
    assert manifest["bound"]["event"] == 2
    assert manifest["tables"][0] == {"path": "expired-messages/expired.csv", "report": "expired-messages", "rows": 1}
    text = "".join(path.read_text() for path in sorted((later / "expired-messages/expired.csv").glob("part-*")))
    assert text.splitlines()[1].startswith("QM1,A,2023-11-14T22:00:00Z,1,10,")


def test_the_url_of_a_folder_is_published_as_a_folder_is(spark: SparkSession, tmp_path: Path) -> None:
    write_history(tmp_path / "store.db", [expire("A", 5), expire("B", 6)])
    results = made(tmp_path, f"file://{tmp_path}/a folder [1]%20", as_="parquet")
    assert (tmp_path / "a folder [1]%20" / ".current").is_symlink()
    assert results[0].path == tmp_path / "a folder [1]%20" / "expired-messages" / "expired.parquet"
    manifest = json.loads((tmp_path / "a folder [1]%20" / "manifest.json").read_text())
    assert sum(file["rows"] for file in manifest["files"] if "/expired.parquet/" in file["path"]) == 2


PLACES = [
    ("out", "csv", Path("out")),
    ("file:///shared/out", "csv", Path("/shared/out")),
    ("s3://bucket/out/", "parquet", "s3a://bucket/out"),
    ("hdfs://name:8020/out", "csv", "hdfs://name:8020/out"),
]


@pytest.mark.parametrize(("out", "as_", "place"), PLACES)
def test_places(out: str, as_: str, place: Path | str) -> None:
    assert place_of(out, as_) == place


@pytest.mark.parametrize(
    ("out", "as_", "says"),
    [
        ("s3://bucket/out", "html", "html cannot be written to a URL; name a folder, or choose csv or parquet"),
        ("file://shared/out", "csv", "file://shared/out is not the URL of a folder; write it as file:///FOLDER"),
    ],
)
def test_refused_places(out: str, as_: str, says: str) -> None:
    with pytest.raises(ReportError) as caught:
        place_of(out, as_)
    assert str(caught.value) == says


def made(folder: Path, out: str, **more: Any) -> list[reports.Result]:
    bound = Bound(2, 0, {"QM1": at(9)})
    return reports.run(["expired-messages"], folder / "store.db", out, bound=bound, **more)
