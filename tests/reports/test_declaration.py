"""How a report is declared: the rows that it reads, its tables, and their documented columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from mqsc.reports import declaration
from mqsc.reports.declaration import ReportColumn, checked
from mqsc.reports.errors import ReportFailedError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


COLUMNS = (
    ReportColumn("queue", "string", "queue", "The queue."),
    ReportColumn("depth", "bigint", "depth", "Depth."),
)
TABLE = declaration.Table(
    "depths",
    "Depths of queues.",
    ("event",),
    lambda frame: frame,
    COLUMNS,
    ("queue",),
)


OTHERS = {
    "'Q' AS queue, 3 AS depth": "('depth', 'bigint') where it has ('depth', 'int')",
    "3L AS depth, 'Q' AS queue": "('queue', 'string') where it has ('depth', 'bigint')",
    "'Q' AS queue": "[('queue', 'string'), ('depth', 'bigint')] where it has [('queue', 'string')]",
}


def test_a_frame_as_declared_is_returned_and_another_is_an_error(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 'Q' AS queue, 3L AS depth")
    assert checked(TABLE, frame) is frame
    for columns, wrong in OTHERS.items():
        with pytest.raises(
            ReportFailedError,
            match=rf"^table depths should have {re.escape(wrong)}\Z",
        ):
            checked(TABLE, spark.sql(f"SELECT {columns}"))
