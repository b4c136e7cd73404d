"""What units of work that were backed out did to queues; several reports relate it to puts and gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from reports.declaration import Reads

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Of all queue managers: the backout of a unit of work belongs to a member of a group, what it undid on shared queues to
# the group.
BACKOUTS = Reads(
    ("seq", "at", "qmgr", "kind", "cause", "queue", "unit", "detail"),
    "kind = 'BACKOUT' AND unit IS NOT NULL",
    relation="event",
    chosen_by="queue",
    owner="",
)
SKIPS = BACKOUTS._replace(where=f"{BACKOUTS.where} AND detail LIKE '%skipped message%'")
# The queue managers that have been in a queue-sharing group.
MEMBERS = Reads(
    ("at", "qmgr", "kind", "queue", "target"), "kind = 'JOIN'", relation="event", chosen_by="queue", owner=""
)
# SQL for the owner of the target of a MOVE, and for how many messages a MOVE or CLEAR took off its queue: those that a
# unit of work had got were off it already.
TARGET_OWNER = "coalesce(get_json_object(detail, '$.target_owner'), qmgr)"
# Messages that MOVE QLOCAL brings to its target.
ARRIVALS = Reads(
    ("seq", "at", "qmgr", "kind", "queue", "target", "detail"),
    "kind = 'MOVE'",
    relation="event",
    chosen_by="target",
    owner=TARGET_OWNER,
)
REMOVED = (
    "coalesce(CAST(get_json_object(detail, '$.messages') AS BIGINT), 0)"
    " - coalesce(CAST(get_json_object(detail, '$.got') AS BIGINT), 0)"
)
# SQL for the events that take a message off a queue by themselves. In a unit of work EXPIRE and DISCARD describe a
# get; without the time of the put, a message that a channel carried and that was on no queue.
DEPARTS = "(kind NOT IN ('EXPIRE', 'DISCARD') OR unit IS NULL AND put_at IS NOT NULL)"
_MESSAGE_DETAIL = "msg_id STRING, unit BIGINT"


def with_group(frame: DataFrame, members: DataFrame) -> DataFrame:
    """Rows with the `group` in which the numbers of units are unique: the queue-sharing group, else the queue manager.

    A backout belongs to a member of a group, while the puts and gets of a shared queue belong to the group.
    """
    groups = members.groupBy("qmgr").agg(F.max("target").alias("joined"))
    return frame.join(groups, "qmgr", "left").withColumn("group", F.expr("coalesce(joined, qmgr)")).drop("joined")


def with_last_unit(events: DataFrame, skips: DataFrame) -> DataFrame:
    """The unit of work in which each event ended: a message that skipped a backout went on in another one."""
    told = F.from_json(F.get_json_object("detail", "$['skipped message']"), _MESSAGE_DETAIL)
    skipped = skips.select("group", "unit", told.alias("skipped")).selectExpr(
        "group", "unit", "unhex(skipped.msg_id) AS msg_id", "skipped.unit AS next_unit"
    )
    joined = events.join(skipped, ["group", "unit", "msg_id"], "left")
    return joined.withColumn("last_unit", F.expr("IF(kind = 'GET', coalesce(next_unit, unit), unit)"))


def shares(backouts: DataFrame) -> DataFrame:
    """How many puts and gets of each queue a unit of work lost when it was backed out."""
    counts = F.from_json("detail", "MAP<STRING, STRUCT<puts: BIGINT, gets: BIGINT>>")
    each = backouts.select("group", "seq", "at", "cause", "chosen", "unit", F.explode(counts).alias("queue", "share"))
    return each.selectExpr(
        "group",
        "unit AS last_unit",
        "queue",
        "seq AS backout",
        "at AS backed_out_at",
        "cause AS back_cause",
        "chosen AS backout_chosen",
        "share.puts",
        "share.gets",
    )
