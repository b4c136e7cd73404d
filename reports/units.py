"""What units of work that were backed out did to queues; several reports relate it to puts and gets."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from reports.declaration import history
from reports.unit_sets import in_set, unit_set

# Of all queue managers: the backout of a unit of work belongs to a member of a group, what it undid on shared queues to
# the group.
BACKOUTS = history("seq at qmgr kind cause queue unit detail", "kind = 'BACKOUT' AND unit IS NOT NULL", owner="")
# What a backout can undo.
UNDOABLE = history(
    "seq at qmgr kind cause queue msg_id length put_at unit", "kind IN ('PUT', 'GET') AND unit IS NOT NULL"
)
# SQL for the owner of the target of a MOVE or DEAD_LETTER.
TARGET_OWNER = "coalesce(get_json_object(detail, '$.target_owner'), qmgr)"
# Messages that MOVE QLOCAL brings to its target.
ARRIVALS = history("seq at qmgr kind queue target detail", "kind = 'MOVE'", chosen_by="target", owner=TARGET_OWNER)
# SQL for how many messages a MOVE or CLEAR took off its queue: those that a unit of work had got were off it already.
REMOVED = (
    "coalesce(CAST(get_json_object(detail, '$.messages') AS BIGINT), 0)"
    " - coalesce(CAST(get_json_object(detail, '$.got') AS BIGINT), 0)"
)
# SQL for the events that take a message off a queue by themselves. In a unit of work EXPIRE and DISCARD describe a
# get; without the time of the put, a message that a channel carried and that was on no queue.
DEPARTS = "(kind NOT IN ('EXPIRE', 'DISCARD') OR unit IS NULL AND put_at IS NOT NULL)"
# BACKOUT has the number of puts and gets by queue. No queue has the name of these two, which have a blank.
_SKIPPED, _KEPT = "skipped message", "kept message"
_LOSSES = "MAP<STRING, STRUCT<puts: BIGINT, gets: BIGINT, msg_id: STRING, unit: BIGINT, queue: STRING>>"


def losses(backouts: DataFrame) -> DataFrame:
    """What each backout undid: how many puts and gets of each queue; the message that skipped it, and the one kept."""
    told = F.explode(F.from_json("detail", _LOSSES)).alias("queue", "told")
    return backouts.select("store", "unit", "seq", "at", "cause", "chosen", told).selectExpr(
        "store",
        "unit AS last_unit",
        "queue",
        "seq AS backout",
        "at AS backed_out_at",
        "cause AS back_cause",
        "chosen AS backout_chosen",
        "told.puts AS puts_undone",
        "told.gets AS gets_undone",
        "unhex(told.msg_id) AS lost_msg_id",
        "told.unit AS next_unit",
        "told.queue AS lost_queue",
    )


def listed_units(_: DataFrame, *frames: DataFrame) -> DataFrame:
    """The set of the units of work in these frames; the rows themselves are not read."""
    return unit_set(*(frame.withColumnRenamed("last_unit", "unit") for frame in frames))


def undone(undoable: DataFrame, losses: DataFrame, units: DataFrame) -> DataFrame:
    """Puts and gets of units of work that were backed out, with what that undid on their queue."""
    return with_losses(in_set(undoable, units), losses)


def unrecorded(off: DataFrame, dynamic: DataFrame) -> DataFrame:
    """The queues that have, or once had, ACCTQ(OFF), and the dynamic queues of such a model queue."""
    names = off.select("qmgr", "queue").distinct()
    of_models = dynamic.join(names.withColumnRenamed("queue", "rule"), ["qmgr", "rule"], "left_semi")
    return names.unionByName(of_models.select("qmgr", "queue")).distinct()


def with_unrecorded(queues: DataFrame, unrecorded: DataFrame) -> DataFrame:
    """With the column `unrecorded`, 1 or 0."""
    off = F.broadcast(unrecorded.withColumn("unrecorded", F.lit(1)))
    return queues.join(off, ["qmgr", "queue"], "left").withColumn("unrecorded", F.expr("coalesce(unrecorded, 0)"))


DYNAMIC = history("at qmgr kind cause queue rule", "kind = 'DEFINE' AND cause = 'dynamic'")
UNRECORDED = history(
    "at qmgr kind queue detail",
    "kind IN ('DEFINE', 'ALTER') AND get_json_object(detail, '$.ACCTQ') LIKE '%\"OFF\"%'",
    unrecorded,
    "dynamic",
)
LOSSES = BACKOUTS._replace(gather=losses)
# Only their events are joined with losses, which can be so many that a join would move all events.
UNITS = BACKOUTS._replace(gather=listed_units, beside=("losses",))
UNDONE = UNDOABLE._replace(gather=undone, beside=("losses", "units"))


def with_last_unit(events: DataFrame, losses: DataFrame) -> DataFrame:
    """The unit of work in which each event ended: a message that skipped a backout went on in another one."""
    skips = losses.where(F.col("queue") == _SKIPPED).selectExpr(
        "store", "last_unit AS unit", "lost_msg_id AS msg_id", "'GET' AS kind", "next_unit"
    )
    joined = events.join(skips, ["store", "unit", "msg_id", "kind"], "left")
    return joined.withColumn("last_unit", F.expr("coalesce(next_unit, unit)")).drop("next_unit")


def with_losses(events: DataFrame, losses: DataFrame) -> DataFrame:
    """Events with what the backout of their unit of work undid on their queue; NULLs if it was not backed out."""
    of_queues = losses.where(~F.col("queue").isin(_SKIPPED, _KEPT)).drop("lost_msg_id", "next_unit", "lost_queue")
    return with_last_unit(events, losses).join(of_queues, ["store", "last_unit", "queue"], "left")


def kept(losses: DataFrame) -> DataFrame:
    """One row per unit of work that was backed out, with the message that a consumer kept, if it did."""
    message = F.expr(f"IF(queue = '{_KEPT}', struct(lost_queue AS queue, lost_msg_id AS msg_id), NULL)")
    return losses.groupBy("store", "last_unit").agg(F.max(message).alias("kept"))
