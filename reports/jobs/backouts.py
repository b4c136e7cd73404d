"""Gets that were backed out, messages that go round in circles (poison loops), and what
consumers did about them.
"""

from pyspark.sql import DataFrame, Window, functions as F

from mqsc.reports.columns import HOUR, declared, grouped, last_earlier
from mqsc.reports.units import in_detail, in_set, kept, with_last_unit

_MOVES = {"REQUEUE": "requeued", "DEAD_LETTER": "dead_lettered", "DISCARD": "discarded"}
_IS_MOVE = f"kind IN {tuple(_MOVES)}"
# Fewer backouts of one message by one program are not a loop.
_LOOP = 2
_IS_LOOP = f"backouts >= {_LOOP}"
_MESSAGE = ["qmgr", "queue", "msg_id", "put_at"]
_OF_MESSAGE = " ".join(_MESSAGE)
# The event of a DEFINE has only values that differ from the default, which is 0.
_THRESHOLD = (
    f"coalesce(CAST({in_detail('BOTHRESH', '[1]')} AS BIGINT), IF(kind = 'DEFINE', CAST(0 AS "
    "BIGINT), NULL))"
)


def backed_out(gets: DataFrame, moves: DataFrame, losses: DataFrame, units: DataFrame) -> DataFrame:
    """One row per get that was backed out, with the backout count that resulted, and per move by
    a consumer.
    """
    moved = moves.withColumn(
        "number",
        F.expr("CAST(get_json_object(detail, '$.backout_count') AS BIGINT)"),
    )
    back = with_last_unit(in_set(gets, units), losses).join(kept(losses), ["store", "last_unit"])
    numbered = back.withColumns(
        {
            "number": F.row_number()
            .over(Window.partitionBy(*_MESSAGE).orderBy("seq"))
            .cast("bigint"),
            "is_kept": F.expr("coalesce(kept.queue = queue AND kept.msg_id = msg_id, FALSE)"),
        },
    )
    return numbered.unionByName(moved, allowMissingColumns=True).withColumn("hour", F.expr(HOUR))


def backouts(backed: DataFrame) -> DataFrame:
    """One row per queue, program and hour."""
    return grouped(
        backed.where("chosen"),
        "qmgr queue application hour",
        "count_if(kind = 'GET') AS gets",
        "count(DISTINCT IF(kind = 'GET', struct(msg_id, put_at), NULL)) AS messages",
        "max(number) AS highest",
        *(f"count_if(kind = '{kind}') AS {name}" for kind, name in _MOVES.items()),
        "count_if(coalesce(is_kept, FALSE)) AS kept",
    )


def loops(backed: DataFrame, thresholds: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per message and program that has backed it out more than once."""
    gets = backed.where("chosen AND kind = 'GET'")
    messages = grouped(
        gets,
        f"{_OF_MESSAGE} application",
        "count(*) AS backouts",
        "min(at) AS first",
        "max(at) AS last",
    )
    moved = grouped(backed.where(_IS_MOVE), _OF_MESSAGE, "max_by(kind, seq) AS moved")
    there = pending.select(*_MESSAGE).distinct().withColumn("there", F.lit("THERE"))
    found = messages.where(_IS_LOOP).join(moved, _MESSAGE, "left").join(there, _MESSAGE, "left")
    return found.join(thresholds, ["qmgr", "queue"], "left")


def spinning(backed: DataFrame, thresholds: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per queue with BOTHRESH(0) on which a message was backed out more than once."""
    without = thresholds.where("threshold > 0").select("qmgr", "queue")
    there = pending.select(*_MESSAGE).distinct().withColumn("is_there", F.lit(1))
    messages = grouped(
        backed.where("chosen AND kind = 'GET'"),
        _OF_MESSAGE,
        "count(*) AS backouts",
        "max(number) AS highest",
        "min(at) AS first",
        "max(at) AS last",
        "bool_and(is_live) AS is_live",
    )
    found = (
        messages.where(_IS_LOOP)
        .join(without, ["qmgr", "queue"], "left_anti")
        .join(there, _MESSAGE, "left")
    )
    return grouped(
        found,
        "qmgr queue",
        "count(*) AS messages",
        "sum(backouts) AS gets",
        "max(highest) AS highest",
        "IF(bool_and(is_live), coalesce(sum(is_there), 0), NULL) AS there",
        "min(first) AS first",
        "max(last) AS last",
    )


def current_thresholds(settings: DataFrame, models: DataFrame, dynamic: DataFrame) -> DataFrame:
    """BOTHRESH of every queue by the last event that gives it; a dynamic queue has that of its
    model at the time.
    """
    given = settings.selectExpr("qmgr", "queue", "seq", f"{_THRESHOLD} AS threshold").where(
        "threshold IS NOT NULL",
    )
    of_models = models.selectExpr("qmgr", "queue AS rule", "seq", f"{_THRESHOLD} AS of_model")
    created = dynamic.select("qmgr", "queue", "seq", "rule").unionByName(
        of_models,
        allowMissingColumns=True,
    )
    inherited = created.withColumn("threshold", last_earlier("of_model", "qmgr rule")).drop(
        "rule",
        "of_model",
    )
    known = given.unionByName(inherited.where("queue IS NOT NULL AND threshold IS NOT NULL"))
    return grouped(known, "qmgr queue", "max_by(threshold, seq) AS threshold")


_IS_SETTING = "kind IN ('DEFINE', 'ALTER')"
LOOP = str(_LOOP)
# A frame can be filtered in one way only, so the same events are read more than once.
REPORT = declared("backouts", globals())
