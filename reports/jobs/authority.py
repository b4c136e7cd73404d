"""Authorities: who was refused what, who changed the records, and what users may do and did not
use.
"""

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.columns import HOUR, declared, first_later, grouped
from mqsc.reports.jobs.admin_audit import IDENTIFYING, PAIRS, changes
from mqsc.reports.units import in_detail

_FACTS = {
    "hour": HOUR,
    "call": in_detail("call"),
    "missing": f"array_join(from_json({in_detail('missing')}, 'ARRAY<STRING>'), ', ')",
    "channel": in_detail("channel"),
    "times": f"coalesce(CAST({in_detail('repeated')} AS BIGINT), 1)",
}


def refusals(refused: DataFrame, opened: DataFrame) -> DataFrame:
    """One row per hour, user, program, object, cause and what was missing."""
    facts = refused.withColumns({name: F.expr(sql) for name, sql in _FACTS.items()})
    by = "qmgr user queue hour application call cause missing channel"
    groups = grouped(facts, by, "sum(times) AS refusals", "max(at) AS last", "max(seq) AS seq")
    opens = opened.selectExpr("qmgr", "user", "queue", "seq", "at AS opened_at")
    # Most users were never refused anything.
    meant = opens.join(
        F.broadcast(refused.select("qmgr", "user").distinct()),
        ["qmgr", "user"],
        "left_semi",
    )
    rows = groups.unionByName(meant, allowMissingColumns=True)
    # A connection is refused without an object, and any open shows that the user may connect now.
    of_user, of_object = (first_later("opened_at", by) for by in ("qmgr user", "qmgr user queue"))
    cured = F.when(F.expr("queue IS NULL"), of_user).otherwise(of_object)
    return rows.withColumn("cured", cured).where("refusals IS NOT NULL")


def users(refused: DataFrame) -> DataFrame:
    """One row per user and cause."""
    facts = refused.withColumn("times", F.expr(_FACTS["times"]))
    counts = (
        "sum(times) AS refusals",
        "count(DISTINCT queue) AS objects",
        "count(DISTINCT application) AS programs",
    )
    return grouped(facts, "qmgr user cause", *counts, "min(at) AS first", "max(at) AS last")


_RECORD = "concat('OBJTYPE(', type, ') ENTTYPE(', entity_type, ') ENTITY(', entity, ')') AS record"


def grants(change: DataFrame, record: DataFrame) -> DataFrame:
    """One row per attribute of a record that was changed, but for those that tell it from
    others.
    """
    changed = changes(change, f"filter({PAIRS}, pair -> pair.key NOT IN {IDENTIFYING})")
    covering = record.selectExpr("store", "qmgr", "queue AS object", _RECORD, "objects")
    return changed.join(covering, ["store", "qmgr", "object", "record"], "left")


def effective(effective: DataFrame) -> DataFrame:
    """One row per object, and user or group that has an authority for it."""
    return effective


def unused(unused: DataFrame) -> DataFrame:
    """One row per record of which no program used something."""
    return unused


REPORT = declared("authority", globals())
