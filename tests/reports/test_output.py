"""CSV that any program can read, Parquet with its types, and tables that Spark writes itself."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from pyarrow import csv as arrow_csv, parquet

from mqsc import reports
from mqsc.reports import catalog, table_writing
from mqsc.reports.data_package import data_package
from mqsc.reports.declaration import Reads, Report, ReportColumn, Table
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.identities import Ledger
from mqsc.reports.output import CSV, PAGE_FORMAT, Files, Output, Result
from mqsc.reports.page.document import Page, Source
from mqsc.reports.table_writing import TableWriter, Target, place_of
from mqsc.store.published import EVENT, Bound
from tests.reports.history import at, event, expire, write_history

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


COLUMNS = (
    ReportColumn("queue", "string", "queue", "The queue."),
    ReportColumn("hour", "timestamp", "hour", "The hour."),
    ReportColumn("messages", "bigint", "messages", "How many."),
    ReportColumn("lateness", "decimal(20,6)", "lateness", "Seconds."),
)
SCHEMA = pa.schema(
    [
        *(("queue", pa.string()), ("hour", pa.timestamp("us", tz="UTC")), ("messages", pa.int64())),
        ("lateness", pa.decimal128(20, 6)),
    ],
)
TABLE = Table("counts", "Counts.", ("event",), lambda frame: frame, COLUMNS, ("queue", "hour"))
REPORT = Report(
    "some-report", "A report.", {"event": Reads(EVENT, columns=(), where="true")}, (TABLE,)
)
AWKWARD = ('a,b"c', "ÄÖ.ЖЯ", "line\nbreak", "carriage\rreturn", " blanks ", "")
FORMULAS = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\uff1d1",
    "\uff0b1",
    "\uff0d1",
    "\uff20A1",
)


def rows(*queues: str | None, messages: int = 1) -> pa.Table:
    same = {
        "hour": datetime(2023, 11, 14, 22, tzinfo=UTC),
        "messages": messages,
        "lateness": Decimal("3.300000"),
    }
    return pa.Table.from_pylist([{"queue": queue, **same} for queue in queues], schema=SCHEMA)


def write(rows: pa.Table, folder: Path, as_: str, summary: int) -> Result:
    """Write `rows` as the report's only table, in the format `as_`."""
    to = Files(folder, as_, summary)
    result = to.write(REPORT, TABLE, rows)
    to.end(REPORT, [])
    return result


def test_csv(tmp_path: Path) -> None:
    result = write(rows("B", "A", None), tmp_path, "csv", 2)
    assert result.path == tmp_path / "some-report" / "counts.csv"
    assert result.path.read_bytes().decode() == (
        "queue,hour,messages,lateness\r\n"
        "A,2023-11-14T22:00:00Z,1,3.300000\r\n"
        "B,2023-11-14T22:00:00Z,1,3.300000\r\n"
        ",2023-11-14T22:00:00Z,1,3.300000\r\n"
    )
    assert (result.rows_written, [row[0] for row in result.summary_rows]) == (3, ["A", "B"])
    assert result.columns == COLUMNS
    without = write(rows(), tmp_path / "without", "csv", 5)
    assert (without.path.read_text(), without.rows_written) == ("queue,hour,messages,lateness\n", 0)
    assert without.summary_rows == ()


def queues_in(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["queue"] for row in csv.DictReader(file)]


def test_csv_is_rfc_4180(tmp_path: Path) -> None:
    """A5: read by another reader, and byte by byte: a carriage return or a line feed in a value
    is quoted.
    """
    texts = [*AWKWARD, "\r", "a\r\nb", '"', "x\x00y", "\u2028"]
    path = write(rows(*texts), tmp_path, "csv", 0).path
    assert queues_in(write(rows(*AWKWARD), tmp_path / "again", "csv", 0).path) == sorted(AWKWARD)
    read = arrow_csv.read_csv(path, parse_options=arrow_csv.ParseOptions(newlines_in_values=True))
    assert read["queue"].to_pylist() == ["'\r" if text == "\r" else text for text in sorted(texts)]
    content = path.read_bytes()
    assert b'"carriage\rreturn",' in content
    unquoted = content.split(b'"')[::2]
    assert all(part.count(b"\r") == part.count(b"\n") == part.count(b"\r\n") for part in unquoted)


def test_csv_runs_nothing_in_a_spreadsheet(tmp_path: Path) -> None:
    path = write(rows(*FORMULAS, messages=-1), tmp_path, "csv", 0).path
    with path.open(encoding="utf-8", newline="") as file:
        written = [(row["queue"], row["messages"]) for row in csv.DictReader(file)]
    assert written == [(f"'{text}", "-1") for text in sorted(FORMULAS)]
    folder = write(rows(*FORMULAS), tmp_path, "parquet", 0).path
    assert parquet.read_table(folder)["queue"].to_pylist() == sorted(FORMULAS)


def test_many_rows_are_all_written(tmp_path: Path) -> None:
    names = [f"Q{n:05}" for n in range(25_000)]
    assert queues_in(write(rows(*names), tmp_path, "csv", 0).path) == names


@pytest.mark.parametrize("queues", [AWKWARD, ()])
def test_parquet(tmp_path: Path, queues: tuple[str, ...]) -> None:
    result = write(rows(*queues), tmp_path, "parquet", 0)
    assert result.path == tmp_path / "some-report" / "counts.parquet"
    assert [path.name for path in result.path.iterdir()] == ["part-00000.parquet"]
    read = parquet.read_table(result.path)
    assert read.schema.equals(SCHEMA)
    assert read["queue"].to_pylist() == sorted(queues)
    assert read.schema.metadata[b"description"] == b"Counts."
    described = {field.name: field.metadata[b"description"].decode() for field in read.schema}
    assert described == {column.name: column.doc for column in COLUMNS}


def test_spark_shows_the_descriptions_of_columns(spark: SparkSession, tmp_path: Path) -> None:
    fields = spark.read.parquet(str(write(rows("A"), tmp_path, "parquet", 0).path)).schema
    found = [
        (field.name, field.dataType.simpleString(), field.metadata["comment"]) for field in fields
    ]
    assert found == [(column.name, column.type, column.doc) for column in COLUMNS]


def test_a_data_package_describes_the_csv_files(tmp_path: Path) -> None:
    path = write(rows("A"), tmp_path, "csv", 0).path
    package = json.loads((path.parent / "datapackage.json").read_text("utf-8"))
    assert (package["name"], package["description"]) == ("some-report", "A report.")
    (resource,) = package["resources"]
    assert (resource["name"], resource["path"]) == ("counts", path.name)
    assert resource["description"].startswith(
        "Counts. A text that begins like a formula of a spreadsheet",
    )
    types = ("string", "datetime", "integer", "number")
    typed = zip(COLUMNS, types, strict=True)
    fields = [{"name": each.name, "type": type, "description": each.doc} for each, type in typed]
    assert resource["schema"]["fields"] == fields
    # Every type of every report has one there.
    for report in map(catalog.report, catalog.names()):
        assert json.loads(data_package(report, report.tables))["resources"]


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


def written(writer: TableWriter, frame: DataFrame) -> Result:
    return writer.write(REPORT, TABLE, frame, Ledger(REPORT, is_whole=True))


def test_the_parts_of_a_csv_file_are_what_this_process_writes(
    frame: DataFrame,
    tmp_path: Path,
) -> None:
    by_spark = written(
        TableWriter(Target(tmp_path / "spark", by_executors=True), "csv", 2, None),
        frame,
    )
    files = Files(tmp_path / "here", "csv", 2)
    here = written(TableWriter(Target(tmp_path / "here"), "csv", 2, files), frame)
    assert by_spark._replace(path=here.path) == here
    assert by_spark.path == tmp_path / "spark" / "some-report" / "counts.csv"
    parts = sorted(by_spark.path.iterdir())
    assert all(part.name.startswith("part-") for part in parts)
    text = b"".join(part.read_bytes() for part in parts).decode()
    assert text == here.path.read_bytes().decode()
    assert len(list(csv.reader(io.StringIO(text, newline="")))) == 1 + len(QUEUES)


def test_parquet_has_the_rows_in_order_and_the_meaning_of_the_columns(
    spark: SparkSession,
    frame: DataFrame,
    tmp_path: Path,
) -> None:
    made = written(TableWriter(Target(tmp_path, by_executors=True), "parquet", 2, None), frame)
    found = [
        row["queue"]
        for part in sorted(made.path.iterdir())
        for row in parquet.read_table(part).to_pylist()
    ]
    assert found == [*sorted(each for each in QUEUES if each is not None), None]
    assert (made.rows_written, len(made.summary_rows)) == (len(QUEUES), 2)
    field = spark.read.parquet(str(made.path)).schema["lateness"]
    assert field.metadata["comment"] == "Seconds."


@pytest.mark.parametrize(
    ("as_", "most", "parts"),
    [("csv", 19, False), ("csv", 18, True), ("parquet", 18, True)],
)
def test_a_table_that_is_large_is_written_by_spark(
    frame: DataFrame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    as_: str,
    most: int,
    parts: bool,
) -> None:
    monkeypatch.setattr(table_writing, "MOST_ROWS", most)
    assert len(QUEUES) == 19
    made = written(TableWriter(Target(tmp_path, many=True), as_, 2, Files(tmp_path, as_, 2)), frame)
    assert (made.rows_written, made.path.is_dir()) == (len(QUEUES), parts)


@pytest.mark.parametrize(
    ("as_", "to", "advice"),
    [
        (CSV, Target(Path(), many=True, is_shared=False), "name a URL that the executors write to"),
        (PAGE_FORMAT, Target(Path(), many=True), "choose --as csv or parquet"),
    ],
)
def test_a_large_table_that_only_this_process_could_write_ends_the_run(
    frame: DataFrame,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    as_: str,
    to: Target,
    advice: str,
) -> None:
    monkeypatch.setattr(table_writing, "MOST_ROWS", len(QUEUES) - 1)
    by_driver: Output = Files(tmp_path, as_, 2)
    if as_ == PAGE_FORMAT:
        by_driver = Page(tmp_path, 2, Source("QM1"))
    writer = TableWriter(replace(to, out=tmp_path), as_, 2, by_driver)
    with pytest.raises(ReportFailedError, match=f"has more than 18 rows.*{advice}"):
        written(writer, frame)


def test_a_run_at_a_url_is_complete_with_its_manifest(
    spark: SparkSession,
    bucket: tuple[str, Path],
    tmp_path: Path,
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
    assert manifest["tables"][0] == {
        "path": "expired-messages/expired.csv",
        "report": "expired-messages",
        "rows": 1,
    }
    text = "".join(
        path.read_text() for path in sorted((later / "expired-messages/expired.csv").glob("part-*"))
    )
    assert text.splitlines()[1].startswith("QM1,A,2023-11-14T22:00:00Z,1,10,")


def test_the_url_of_a_folder_is_published_as_a_folder_is(
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    write_history(tmp_path / "store.db", [expire("A", 5), expire("B", 6)])
    results = made(tmp_path, f"file://{tmp_path}/a folder [1]%20", as_="parquet")
    assert (tmp_path / "a folder [1]%20" / ".current").is_symlink()
    assert results[0].path == tmp_path / "a folder [1]%20" / "expired-messages" / "expired.parquet"
    manifest = json.loads((tmp_path / "a folder [1]%20" / "manifest.json").read_text())
    assert (
        sum(file["rows"] for file in manifest["files"] if "/expired.parquet/" in file["path"]) == 2
    )


def test_places() -> None:
    assert place_of("out", "csv") == Path("out")
    assert place_of("file:///shared/out", "csv") == Path("/shared/out")
    assert place_of("s3://bucket/out/", "parquet") == "s3a://bucket/out"
    assert place_of("hdfs://name:8020/out", "csv") == "hdfs://name:8020/out"


REFUSED = [
    (
        "s3://bucket/out",
        "html",
        "html cannot be written to a URL; name a folder, or choose csv or parquet",
    ),
    (
        "file://shared/out",
        "csv",
        "file://shared/out is not the URL of a folder; write it as file:///FOLDER",
    ),
]


@pytest.mark.parametrize(("out", "as_", "says"), REFUSED)
def test_refused_places(out: str, as_: str, says: str) -> None:
    with pytest.raises(ReportError) as caught:
        place_of(out, as_)
    assert str(caught.value) == says


def made(folder: Path, out: str, **more: Any) -> list[reports.Result]:
    bound = Bound(2, 0, {"QM1": at(9)})
    return reports.run(["expired-messages"], folder / "store.db", out, bound=bound, **more)
