"""SQL that several reports share, evaluated by Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.reports.expressions import HOUR, elapsed, reason_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXPRESSIONS = {
    **{elapsed("3", "10"): "7", elapsed("10", "3"): "0", elapsed("3", "3"): "0"},
    **{elapsed("NULL", "3"): "None", elapsed("3", "NULL"): "None"},
    **{reason_name("2053"): "MQRC_Q_FULL", reason_name("265"): "MQFB_APPL_CANNOT_BE_STARTED"},
    **{reason_name("0"): "MQRC_NONE", reason_name("77777"): "None", reason_name("NULL"): "None"},
    f"(SELECT {HOUR} FROM (SELECT 3600000001 AS at))": "3600000000",
    f"(SELECT {HOUR} FROM (SELECT -1 AS at))": "-3600000000",
}


def test_expressions(spark: SparkSession) -> None:
    (found,) = spark.sql(
        "SELECT " + ", ".join(f"CAST({sql} AS STRING)" for sql in EXPRESSIONS),
    ).collect()
    assert dict(zip(EXPRESSIONS, map(str, found), strict=True)) == EXPRESSIONS
