"""Publication of a run at a URL, where nothing can be renamed at once: in a folder of its own,
whose manifest is last.

Spark does all of it, so it works wherever Spark can write, without access from this machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import SparkSession

from mqsc.reports.output import Result
from mqsc.reports.publication import FORMAT

MANIFEST_FOLDER = "manifest"
# Sorts by time, and differs between runs of one session.
_RUN = (
    "concat('run-', date_format(current_timestamp(), 'yyyyMMdd-HHmmss'), '-', substr(uuid(), 1, 8))"
)


def new_run(spark: SparkSession, url: str) -> str:
    """The URL of a new folder for a run; it is created with the first table."""
    (name,) = spark.range(1).selectExpr(f"{_RUN} AS name").collect()[0]
    return f"{url}/{name}"


def publish_run(
    spark: SparkSession,
    folder: str,
    results: Sequence[Result],
    about: Mapping[str, Any],
) -> list[Result]:
    """Write the manifest, which says that the run is complete: one line of JSON in
    `manifest/part-…`.
    """
    from pyspark.sql import functions as F

    tables = [
        {"path": str(result.path), "report": result.report, "rows": result.rows_written}
        for result in results
    ]
    text = json.dumps({"format": FORMAT, **about, "tables": tables}, ensure_ascii=False)
    spark.range(1).select(F.lit(text).alias("value")).coalesce(1).write.text(
        f"{folder}/{MANIFEST_FOLDER}",
    )
    return list(results)
