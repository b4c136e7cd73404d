"""Rows of a small store, held in memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.child_process import command_of, ending, python_path
from mqsc.reports.errors import ReportFailedError
from mqsc.reports.file_pages import arrow_schema, pages_of, said
from mqsc.store.published import RELATIONS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType


class KeyRange(NamedTuple):
    """The rows of a published relation in a store's file with keys after `first` up to and
    including `last`.
    """

    relation: str
    path: str
    first: int
    last: int


def held_rows(store: Path, ranges: Sequence[KeyRange]) -> list[pa.Table]:
    """The rows of each range of a store, with all columns. ReportFailedError if it cannot be read.

    Ranges may be in the copy of a moment; errors name the store itself.
    """
    import pyarrow as pa

    read = subprocess.run(
        command_of(__name__),
        input=json.dumps(ranges).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": python_path()},
        check=False,
    )
    if read.returncode:
        failure = read.stderr.decode("utf-8", "replace").strip().splitlines() or [
            ending(read.returncode),
        ]
        raise ReportFailedError(f"the store {store} cannot be read: {failure[-1]}")
    printed = pa.BufferReader(read.stdout)
    return [pa.ipc.open_stream(printed).read_all() for _ in ranges]


def frame_of_held(spark: SparkSession, rows: pa.Table, schema: StructType) -> DataFrame:
    """A frame of these rows, from which Spark reads without Python, in one partition: nothing
    needs to be moved.
    """
    frame = spark.createDataFrame(rows, schema).coalesce(1)
    # Spark plans nothing for what is joined with a frame that it knows to be empty.
    return frame if rows.num_rows else frame.limit(0)


def _print_rows(ranges: Iterable[KeyRange]) -> None:
    import pyarrow as pa
    from adbc_driver_manager import Error as DriverError

    try:
        for table_range in ranges:
            relation = RELATIONS[table_range.relation]
            schema = arrow_schema(relation, (column.name for column in relation.columns))
            with pa.ipc.new_stream(sys.stdout.buffer, schema) as stream:
                for page in pages_of(
                    relation, schema.names, table_range.path, table_range.first, table_range.last
                ):
                    stream.write_table(page)
    except DriverError as error:
        sys.exit(said(error))


if __name__ == "__main__":
    _print_rows(KeyRange(*each) for each in json.load(sys.stdin))
