"""What goes through queues: puts, gets and bytes, depths, time spent on the queue, and the busiest minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from reports.columns import HOUR, QMGR, compute, elapsed
from reports.declaration import Chart, Reads, Report, ReportColumn, Table, Total, Unit
from reports.quantiles import merged, sketch, span, summarised
from reports.units import ARRIVALS, DEPARTS, LOSSES, REMOVED, UNDOABLE, with_losses

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BUSIEST = 10
_MINUTE = "at - pmod(at, 60000000)"
# Several tasks follow the depth of a busy queue, each over this many events of the history.
_PART = 1_000_000
# How every event changes a depth: the sum of these columns, with the sign.
_CHANGES = {
    "puts": ("+", "IF(kind = 'PUT', 1, 0)"),
    "gets": ("-", "IF(kind = 'GET', 1, 0)"),
    "puts_undone": ("-", "0"),
    "gets_undone": ("+", "0"),
    "moved_in": ("+", "0"),
    "removed": (
        "-",
        f"CASE WHEN kind IN ('CLEAR', 'MOVE') THEN {REMOVED} WHEN kind IN ('PUT', 'GET') THEN 0 ELSE 1 END",
    ),
}
_STEP = {
    **{name: f"CAST({sql} AS BIGINT)" for name, (_, sql) in _CHANGES.items()},
    "bytes_put": "IF(kind = 'PUT', coalesce(length, 0), 0)",
    "bytes_got": "IF(kind = 'GET', coalesce(length, 0), 0)",
    # A get that was backed out ends no stay.
    "stay": f"IF(kind = 'GET' AND coalesce(gets_undone, 0) = 0, {elapsed('put_at', 'at')}, NULL)",
}
_SUMS = tuple(name for name in _STEP if name != "stay")

_QUEUE = ReportColumn("queue", "string", "queue", "The local queue.")
_BYTES_PUT = ReportColumn("bytes_put", "bigint", "bytes_put", "Bytes of message data put.", unit=Unit.BYTES)
_BYTES_GOT = ReportColumn("bytes_got", "bigint", "bytes_got", "Bytes of message data got.", unit=Unit.BYTES)
HOURS = (
    QMGR,
    _QUEUE,
    ReportColumn(
        "hour", "timestamp", "timestamp_micros(hour)", "Start of the hour (UTC); hours without an event have no row."
    ),
    ReportColumn("puts", "bigint", "puts", "Messages put, also by units of work backed out later."),
    _BYTES_PUT,
    ReportColumn("gets", "bigint", "gets", "Messages got, also by units of work backed out later."),
    _BYTES_GOT,
    ReportColumn("puts_backed_out", "bigint", "puts_undone", "Puts that backouts of this hour undid."),
    ReportColumn("gets_backed_out", "bigint", "gets_undone", "Gets that backouts of this hour undid."),
    ReportColumn("moved_in", "bigint", "moved_in", "Messages that MOVE QLOCAL brought."),
    ReportColumn("removed", "bigint", "removed", "Messages that expired, were discarded, cleared or moved away."),
    ReportColumn("depth_start", "bigint", "depth_start", "Depth before the first event of the hour."),
    ReportColumn("depth_end", "bigint", "depth_end", "Depth after its last event."),
    ReportColumn("depth_high", "bigint", "depth_high", "The greatest depth in between."),
    ReportColumn("depth_low", "bigint", "depth_low", "The least depth in between."),
    *span("residence", "stays", "Time from put to get on messages got for good"),
)
BUSIEST = (
    QMGR,
    _QUEUE,
    ReportColumn(
        "rank", "bigint", "place", f"1 for the busiest minute of the queue, up to {_BUSIEST}.", unit=Unit.CODE
    ),
    ReportColumn("minute", "timestamp", "timestamp_micros(minute)", "Start of the minute (UTC)."),
    ReportColumn("messages", "bigint", "puts + gets", "Messages put and got."),
    ReportColumn("puts", "bigint", "puts", "Messages put."),
    _BYTES_PUT,
    ReportColumn("gets", "bigint", "gets", "Messages got."),
    _BYTES_GOT,
)


def by_hour(
    events: DataFrame, undoable: DataFrame, losses: DataFrame, arrivals: DataFrame, pending: DataFrame
) -> DataFrame:
    """One row per queue and hour with an event."""
    moved_in = {"moved_in": F.expr(REMOVED), "queue": F.col("target")}
    steps = (
        with_losses(events, losses)
        .selectExpr("seq", "at", "qmgr", "queue", "chosen", *(f"{sql} AS {name}" for name, sql in _STEP.items()))
        .unionByName(_undone(undoable, losses), allowMissingColumns=True)
        .unionByName(
            arrivals.withColumns(moved_in).select("seq", "at", "qmgr", "queue", "chosen", "moved_in"),
            allowMissingColumns=True,
        )
        .fillna(0, _SUMS)
    )
    return _by_hour(_with_depths(_by_part(steps), pending))


def _undone(undoable: DataFrame, losses: DataFrame) -> DataFrame:
    """What backouts undid on each queue, at the time of the backout; the puts and gets of the unit name its owner."""
    return (
        with_losses(undoable, losses, "inner")
        .groupBy(F.col("backout").alias("seq"), F.col("backed_out_at").alias("at"), "qmgr", "queue")
        .agg(
            F.expr("least(count_if(kind = 'PUT'), max(puts_undone)) AS puts_undone"),
            F.expr("least(count_if(kind = 'GET'), max(gets_undone)) AS gets_undone"),
            F.expr("bool_or(chosen OR backout_chosen) AS chosen"),
        )
    )


def _by_part(steps: DataFrame) -> DataFrame:
    """One row per queue, part of the history and hour; depths are counted from the start of the part."""
    change = " ".join(f"{sign} {name}" for name, (sign, _) in _CHANGES.items()).removeprefix("+ ")
    so_far = Window.partitionBy("qmgr", "queue", "part").orderBy("seq").rowsBetween(Window.unboundedPreceding, 0)
    changed = steps.select(
        *("seq", "qmgr", "queue", "chosen", "stay", *_SUMS),
        F.expr(HOUR).alias("hour"),
        F.expr(f"seq DIV {_PART}").alias("part"),
        F.expr(change).alias("change"),
    )
    followed = changed.withColumn("after", F.sum("change").over(so_far)).withColumn("before", F.expr("after - change"))
    return followed.groupBy("qmgr", "queue", "part", "hour").agg(
        *(F.expr(f"sum({name}) AS {name}") for name in (*_SUMS, "change")),
        F.expr("min(seq) AS first"),
        F.expr("max(seq) AS last"),
        F.expr("min_by(before, seq) AS start"),
        F.expr("max_by(after, seq) AS end"),
        F.expr("max(after) AS high"),
        F.expr("min(after) AS low"),
        F.expr(f"{sketch('stay')} AS stays"),
        F.expr("bool_or(chosen) AS chosen"),
    )


def _with_depths(parts: DataFrame, pending: DataFrame) -> DataFrame:
    """Add to depths the depth at the start of the part.

    It is counted back from the messages there now, so that it is right even if the history does not begin with the
    queue.
    """
    there = pending.groupBy("qmgr", "queue").agg(F.expr("count_if(state <> 'GOT') AS there"))
    from_here_on = (
        Window.partitionBy("qmgr", "queue").orderBy(F.desc("part")).rangeBetween(Window.unboundedPreceding, 0)
    )
    known = parts.join(there, ["qmgr", "queue"], "left")
    based = known.withColumn("base", F.expr("coalesce(there, 0)") - F.sum("change").over(from_here_on))
    return based.withColumns({name: F.expr(f"base + {name}") for name in ("start", "end", "high", "low")})


def _by_hour(parts: DataFrame) -> DataFrame:
    hours = parts.groupBy("qmgr", "queue", "hour").agg(
        *(F.expr(f"sum({name}) AS {name}") for name in _SUMS),
        F.expr("min_by(start, first) AS depth_start"),
        F.expr("max_by(end, last) AS depth_end"),
        F.expr("greatest(min_by(start, first), max(high)) AS depth_high"),
        F.expr("least(min_by(start, first), min(low)) AS depth_low"),
        F.expr(f"{merged('stays')} AS stays"),
        F.expr("bool_or(chosen) AS chosen"),
    )
    return hours.where("chosen")


def hours(activity: DataFrame) -> DataFrame:
    """One row per queue and hour with an event."""
    return compute(summarised(activity, "stays"), HOURS)


def busiest_minutes(events: DataFrame) -> DataFrame:
    """The busiest minutes of every queue, by puts and gets together."""
    minutes = (
        events.withColumn("minute", F.expr(_MINUTE))
        .groupBy("qmgr", "queue", "minute")
        .agg(
            *(
                F.expr(f"{sql} FILTER (WHERE kind = '{kind}')").alias(name)
                for name, kind, sql in (
                    ("puts", "PUT", "count(*)"),
                    ("gets", "GET", "count(*)"),
                    ("bytes_put", "PUT", "sum(length)"),
                    ("bytes_got", "GET", "sum(length)"),
                )
            )
        )
        .fillna(0)
    )
    order = (F.expr("puts + gets").desc(), F.expr("bytes_put + bytes_got").desc(), F.col("minute"))
    ranked = minutes.withColumn("place", F.row_number().over(Window.partitionBy("qmgr", "queue").orderBy(*order)))
    return compute(ranked.where(f"place <= {_BUSIEST}"), BUSIEST)


REPORT = Report(
    name="queue-activity",
    doc="Puts, gets, bytes, depths and residence times of queues by hour, and their busiest minutes.",
    # A frame can be filtered in one way only, so the same events are read more than once.
    reads={
        "losses": LOSSES,
        "undoable": UNDOABLE,
        "arrivals": ARRIVALS,
        "pending": Reads(("qmgr", "queue", "state"), "TRUE"),
        "event": Reads(
            ("seq", "at", "qmgr", "kind", "queue", "msg_id", "length", "put_at", "unit", "detail"),
            f"kind IN ('PUT', 'GET', 'EXPIRE', 'DISCARD', 'CLEAR', 'MOVE') AND {DEPARTS}",
            by_hour,
            beside=("undoable", "losses", "arrivals", "pending"),
            chosen_by="queue",
        ),
        "calls": Reads(("at", "qmgr", "kind", "queue", "length"), "kind IN ('PUT', 'GET')", relation="event"),
    },
    tables=(
        Table(
            "hours",
            "Puts, gets and bytes by queue and hour, what else changed the depth, the depths, and residence times.",
            ("event",),
            hours,
            HOURS,
            ("qmgr", "queue", "hour"),
            Chart("puts", "hour", "messages put and got", beside="gets"),
            totals=(Total("puts", "messages put"), Total("gets", "messages got")),
            worst="puts",
        ),
        Table(
            "busiest_minutes",
            f"The {_BUSIEST} busiest minutes of every queue, by puts and gets together.",
            ("calls",),
            busiest_minutes,
            BUSIEST,
            ("qmgr", "queue", "rank"),
            worst="messages",
        ),
    ),
)
