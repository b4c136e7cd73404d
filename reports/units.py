"""What backouts undid."""

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.unit_sets import in_set, unit_set


def in_detail(name: str, place: str = "") -> str:
    """SQL for a field of the detail of an event, or one place of a list there, as text; NULL if
    there is none.
    """
    # Nearly every event lacks nearly every field, and looking for its name takes less time than
    # parsing JSON.
    return f"IF(contains(detail, '\"{name}\"'), get_json_object(detail, '$.{name}{place}'), NULL)"


# SQL for whether an event was imported: the history of its queue is not whole.
IMPORTED = "coalesce(detail LIKE '{\"source\":%', FALSE)"
# SQL for the owner of the target of a MOVE or DEAD_LETTER.
TARGET_OWNER = f"coalesce({in_detail('target_owner')}, qmgr)"
# SQL for how many messages a MOVE or CLEAR took off its queue: those that a unit of work had got
# were off it already.
REMOVED = (
    f"coalesce(CAST({in_detail('messages')} AS BIGINT), 0) - coalesce(CAST({in_detail('got')} AS "
    "BIGINT), 0)"
)
# SQL for the events that take a message off a queue by themselves. In a unit of work EXPIRE and
# DISCARD describe a get; without the time of the put, a message that a channel carried and that was
# on no queue.
DEPARTS = "(kind NOT IN ('EXPIRE', 'DISCARD') OR unit IS NULL AND put_at IS NOT NULL)"
# BACKOUT has the number of puts and gets by queue. No queue has the name of these two, which have a
# blank.
SKIPPED, KEPT = "skipped message", "kept message"
# SQL for the unit of work whose backout a message skips: it skips that of the unit that got it,
# marked, and no other.
_SKIPS = f"IF(kind = 'GET' AND {in_detail('mark')} IS NOT NULL, unit, NULL)"
_LOSS = "STRUCT<puts: BIGINT, gets: BIGINT, msg_id: STRING, unit: BIGINT, queue: STRING>"


def losses(backouts: DataFrame) -> DataFrame:
    """What each backout undid: how many puts and gets of each queue; the message that skipped
    it, and the one kept.
    """
    # Of an imported event, the detail also has where it is from, which is no object.
    said = F.explode(F.from_json("detail", "MAP<STRING, STRING>")).alias("queue", "said")
    imported = F.expr(IMPORTED).alias("imported")
    every = backouts.select(
        "store", "unit", "seq", "at", "cause", "in_period", imported, said
    ).where(
        "said LIKE '{%'",
    )
    return every.withColumn("told", F.from_json("said", _LOSS)).selectExpr(
        "store",
        "unit AS last_unit",
        "queue",
        "seq AS backout",
        "at AS backed_out_at",
        "cause AS back_cause",
        "in_period AS backed_out_in_period",
        "imported",
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
    """The queues whose history is not whole.

    They have, or once had, ACCTQ(OFF), are dynamic queues of such a model queue, or their events
    are imported.
    """
    names = off.select("qmgr", "queue").distinct()
    of_models = dynamic.join(
        names.withColumnRenamed("queue", "rule"),
        ["qmgr", "rule"],
        "left_semi",
    )
    return names.unionByName(of_models.select("qmgr", "queue")).distinct()


def with_unrecorded(queues: DataFrame, unrecorded: DataFrame) -> DataFrame:
    """With the column `unrecorded`, 1 or 0."""
    off = F.broadcast(unrecorded.withColumn("unrecorded", F.lit(1)))
    return queues.join(off, ["qmgr", "queue"], "left").withColumn(
        "unrecorded",
        F.expr("coalesce(unrecorded, 0)"),
    )


def with_last_unit(events: DataFrame, losses: DataFrame) -> DataFrame:
    """The unit of work in which each event ended, without its `detail`: a message that skipped a
    backout went on.
    """
    skips = losses.where(F.col("queue") == SKIPPED).selectExpr(
        "store",
        "last_unit AS skips",
        "lost_msg_id AS msg_id",
        "next_unit",
    )
    joined = events.withColumn("skips", F.expr(_SKIPS)).join(
        skips,
        ["store", "skips", "msg_id"],
        "left",
    )
    return joined.withColumn("last_unit", F.expr("coalesce(next_unit, unit)")).drop(
        "next_unit",
        "skips",
        "detail",
    )


def with_losses(events: DataFrame, losses: DataFrame) -> DataFrame:
    """Events with what the backout of their unit of work undid on their queue; NULLs if it was
    not backed out.
    """
    of_queues = losses.where(~F.col("queue").isin(SKIPPED, KEPT)).drop(
        "lost_msg_id",
        "next_unit",
        "lost_queue",
    )
    return with_last_unit(events, losses).join(of_queues, ["store", "last_unit", "queue"], "left")


def kept(losses: DataFrame) -> DataFrame:
    """One row per unit of work that was backed out, with the message that a consumer kept, if it
    did.
    """
    message = F.expr(
        f"IF(queue = '{KEPT}', struct(lost_queue AS queue, lost_msg_id AS msg_id), NULL)",
    )
    return losses.groupBy("store", "last_unit").agg(F.max(message).alias("kept"))
