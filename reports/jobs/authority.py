"""Refusals: who was refused what, how often, and when the same first succeeded afterwards."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from reports.columns import HOUR, declared, grouped

_FACTS = {
    "hour": HOUR,
    "call": "get_json_object(detail, '$.call')",
    "missing": "array_join(from_json(get_json_object(detail, '$.missing'), 'ARRAY<STRING>'), ', ')",
    "channel": "get_json_object(detail, '$.channel')",
    "times": "coalesce(CAST(get_json_object(detail, '$.repeated') AS BIGINT), 1)",
}


def refusals(refused: DataFrame, opened: DataFrame) -> DataFrame:
    """One row per hour, user, program, object, cause and what was missing."""
    facts = refused.withColumns({name: F.expr(sql) for name, sql in _FACTS.items()})
    by = "qmgr user queue hour application call cause missing channel"
    groups = grouped(facts, by, "sum(times) AS refusals", "max(at) AS last", "max(seq) AS seq")
    opens = opened.selectExpr("qmgr", "user", "queue", "seq", "at AS opened_at")
    rows = groups.unionByName(opens, allowMissingColumns=True)
    # A connection is refused without an object, and any open shows that the user may connect now.
    of_user = Window.partitionBy("qmgr", "user").orderBy("seq").rowsBetween(1, Window.unboundedFollowing)
    of_object = Window.partitionBy("qmgr", "user", "queue").orderBy("seq").rowsBetween(1, Window.unboundedFollowing)
    first = F.first("opened_at", ignorenulls=True)
    cured = F.when(F.expr("queue IS NULL"), first.over(of_user)).otherwise(first.over(of_object))
    return rows.withColumn("cured", cured).where("refusals IS NOT NULL")


def users(refused: DataFrame) -> DataFrame:
    """One row per user and cause."""
    facts = refused.withColumn("times", F.expr(_FACTS["times"]))
    counts = ("sum(times) AS refusals", "count(DISTINCT queue) AS objects", "count(DISTINCT application) AS programs")
    return grouped(facts, "qmgr user cause", *counts, "min(at) AS first", "max(at) AS last")


REPORT = declared("authority", globals())
