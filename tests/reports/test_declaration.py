"""A table is checked against its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reports.catalog import ReportColumn, Table, checked
from reports.errors import ReportFailedError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COLUMNS = (ReportColumn("queue", "string", "queue", "The queue."), ReportColumn("depth", "bigint", "depth", "Depth."))
TABLE = Table("depths", "Depths of queues.", ("event",), lambda frame: frame, COLUMNS, ("queue",))


def test_a_frame_as_declared_is_returned(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 'Q' AS queue, 3L AS depth")
    assert checked(TABLE, frame) is frame


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ("'Q' AS queue, 3 AS depth", "table depths should have ('depth', 'bigint') where it has ('depth', 'int')"),
        ("3L AS depth, 'Q' AS queue", "table depths should have ('queue', 'string') where it has ('depth', 'bigint')"),
        (
            "'Q' AS queue",
            "table depths should have [('queue', 'string'), ('depth', 'bigint')] where it has [('queue', 'string')]",
        ),
    ],
)
def test_another_frame_is_an_error(spark: SparkSession, columns: str, error: str) -> None:
    with pytest.raises(ReportFailedError) as caught:
        checked(TABLE, spark.sql(f"SELECT {columns}"))
    assert str(caught.value) == error
