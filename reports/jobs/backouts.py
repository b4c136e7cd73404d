"""Gets that were backed out, messages that go round in circles (poison loops), and what consumers did about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from reports.columns import HOUR, declared
from reports.declaration import Identity, Reads, Report, history
from reports.unit_sets import in_set
from reports.units import LOSSES, UNITS, kept, with_last_unit

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOVES = ("REQUEUE", "DEAD_LETTER", "DISCARD")
# Fewer backouts of one message by one program are not a loop.
_LOOP = 2
_MESSAGE = ("qmgr", "queue", "msg_id", "put_at")
# DEFINE tells only what differs from the default, 0.
_THRESHOLD = (
    "coalesce(CAST(get_json_object(detail, '$.BOTHRESH[1]') AS BIGINT), IF(kind = 'DEFINE', CAST(0 AS BIGINT), NULL))"
)


def backed_out(gets: DataFrame, moves: DataFrame, losses: DataFrame, units: DataFrame) -> DataFrame:
    """One row per get that was backed out, with the backout count that resulted, and per move by a consumer."""
    moved = moves.withColumn("number", F.expr("CAST(get_json_object(detail, '$.backout_count') AS BIGINT)"))
    back = with_last_unit(in_set(gets, units), losses).join(kept(losses), ["store", "last_unit"])
    numbered = back.withColumns(
        {
            "number": F.row_number().over(Window.partitionBy(*_MESSAGE).orderBy("seq")).cast("bigint"),
            "is_kept": F.expr("coalesce(kept.queue = queue AND kept.msg_id = msg_id, FALSE)"),
        }
    )
    return numbered.unionByName(moved, allowMissingColumns=True).withColumn("hour", F.expr(HOUR))


def backouts(backed: DataFrame) -> DataFrame:
    """One row per queue, program and hour."""
    counted = (
        backed.where("chosen")
        .groupBy("qmgr", "queue", "application", "hour")
        .agg(
            F.expr("count_if(kind = 'GET') AS gets"),
            F.expr("count(DISTINCT IF(kind = 'GET', struct(msg_id, put_at), NULL)) AS messages"),
            F.expr("max(number) AS highest"),
            *(F.expr(f"count_if(kind = '{kind}') AS {kind.lower()}") for kind in _MOVES),
            F.expr("count_if(coalesce(is_kept, FALSE)) AS kept"),
        )
    )
    named = {"requeue": "requeued", "dead_letter": "dead_lettered", "discard": "discarded"}
    return counted.withColumnsRenamed(named)


def loops(backed: DataFrame, thresholds: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per message and program that has backed it out more than once."""
    repeated = (
        backed.where("chosen AND kind = 'GET'")
        .groupBy(*_MESSAGE, "application")
        .agg(F.expr("count(*) AS backouts"), F.expr("min(at) AS first"), F.expr("max(at) AS last"))
        .where(f"backouts >= {_LOOP}")
    )
    moved = backed.where(f"kind IN {_MOVES}").groupBy(*_MESSAGE).agg(F.expr("max_by(kind, seq) AS moved"))
    there = pending.select(*_MESSAGE).distinct().withColumn("there", F.lit("THERE"))
    found = repeated.join(moved, [*_MESSAGE], "left").join(there, [*_MESSAGE], "left")
    with_threshold = found.join(thresholds, ["qmgr", "queue"], "left")
    return with_threshold


def spinning(backed: DataFrame, thresholds: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per queue with BOTHRESH(0) on which a message was backed out more than once."""
    without = thresholds.where("threshold > 0").select("qmgr", "queue")
    there = pending.select(*_MESSAGE).distinct().withColumn("is_there", F.lit(1))
    messages = (
        backed.where("chosen AND kind = 'GET'")
        .groupBy(*_MESSAGE)
        .agg(
            F.expr("count(*) AS backouts"),
            F.expr("max(number) AS highest"),
            F.expr("min(at) AS first"),
            F.expr("max(at) AS last"),
            F.expr("bool_and(is_live) AS is_live"),
        )
        .where(f"backouts >= {_LOOP}")
        .join(without, ["qmgr", "queue"], "left_anti")
        .join(there, [*_MESSAGE], "left")
    )
    counted = messages.groupBy("qmgr", "queue").agg(
        F.expr("count(*) AS messages"),
        F.expr("sum(backouts) AS gets"),
        F.expr("max(highest) AS highest"),
        F.expr("IF(bool_and(is_live), coalesce(sum(is_there), 0), NULL) AS there"),
        F.expr("min(first) AS first"),
        F.expr("max(last) AS last"),
    )
    return counted


def current_thresholds(settings: DataFrame, models: DataFrame, dynamic: DataFrame) -> DataFrame:
    """BOTHRESH of every queue by the last event that gives it; a dynamic queue has that of its model at the time."""
    given = settings.select("qmgr", "queue", "seq", F.expr(_THRESHOLD).alias("threshold")).where(
        "threshold IS NOT NULL"
    )
    of_models = models.select(
        "qmgr", F.col("queue").alias("rule"), F.col("seq").alias("model_seq"), F.expr(_THRESHOLD).alias("of_model")
    )
    inherited = (
        dynamic.select("qmgr", "queue", "seq", "rule")
        .join(of_models.where("of_model IS NOT NULL"), ["qmgr", "rule"])
        .where("model_seq < seq")
        .groupBy("qmgr", "queue", "seq")
        .agg(F.expr("max_by(of_model, model_seq) AS threshold"))
    )
    return given.unionByName(inherited).groupBy("qmgr", "queue").agg(F.expr("max_by(threshold, seq) AS threshold"))


_EVENT = "seq at qmgr kind queue msg_id put_at unit application"
_SETTINGS = "seq at qmgr kind cause queue target rule detail"
_IS_SETTING = "kind IN ('DEFINE', 'ALTER')"
REPORT = Report(
    name="backouts",
    doc="Gets that were backed out, messages that are backed out again and again, and what became of them.",
    # A frame can be filtered in one way only, so the same events are read more than once.
    reads={
        "losses": LOSSES,
        "units": UNITS,
        "event": history(_EVENT, "kind = 'GET' AND unit IS NOT NULL", backed_out, "moves losses units"),
        "moves": history(f"{_EVENT} cause detail", f"kind IN {_MOVES} AND cause = 'poison'"),
        "thresholds": history(
            _SETTINGS,
            f"{_IS_SETTING} AND target = 'QLOCAL' AND NOT (cause <=> 'dynamic')",
            current_thresholds,
            "models dynamic",
        ),
        "models": history(_SETTINGS, f"{_IS_SETTING} AND target = 'QMODEL'"),
        "dynamic": history(_SETTINGS, "kind = 'DEFINE' AND cause = 'dynamic'"),
        "pending": Reads(("qmgr", "queue", "msg_id", "put_at"), "TRUE"),
    },
    tables=declared(
        "backouts",
        (backouts, "event", "qmgr queue application hour"),
        (loops, "event thresholds pending", "qmgr queue put_at msg_id application"),
        (spinning, "event thresholds pending", "qmgr queue"),
        loop=str(_LOOP),
    ),
    identities=(
        Identity("backouts.gets_backed_out >= loops.backouts", ("qmgr", "queue", "application")),
        Identity("backouts.gets_backed_out >= spinning.gets_backed_out", ("qmgr", "queue")),
    ),
)
