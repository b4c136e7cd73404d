"""What goes through queues: puts, gets and bytes, depths, time spent on the queue, and the busiest minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from reports.columns import HOUR, QMGR, compute, elapsed
from reports.declaration import Chart, Reads, Report, ReportColumn, Table, Total, Unit
from reports.quantiles import sketch, span, summarised
from reports.units import (
    ARRIVALS,
    BACKOUTS,
    DEPARTS,
    MEMBERS,
    REMOVED,
    SKIPS,
    TARGET_OWNER,
    shares,
    with_group,
    with_last_unit,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_BUSIEST = 10
_MINUTE = "at - pmod(at, 60000000)"
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
    "stay": f"IF(kind = 'GET' AND coalesce(gets, 0) = 0, {elapsed('put_at', 'at')}, NULL)",
}

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


def hours(
    events: DataFrame,
    backouts: DataFrame,
    skips: DataFrame,
    arrivals: DataFrame,
    members: DataFrame,
    pending: DataFrame,
) -> DataFrame:
    """One row per queue and hour with an event."""
    ended = with_last_unit(with_group(events, members), with_group(skips, members)).join(
        shares(with_group(backouts, members)), ["group", "last_unit", "queue"], "left"
    )
    moved_in = {"moved_in": F.expr(REMOVED), "qmgr": F.expr(TARGET_OWNER), "queue": F.col("target")}
    steps = (
        ended.selectExpr("seq", "at", "qmgr", "queue", "chosen", *(f"{sql} AS {name}" for name, sql in _STEP.items()))
        .unionByName(_undone(ended), allowMissingColumns=True)
        .unionByName(
            arrivals.withColumns(moved_in).select("seq", "at", "qmgr", "queue", "chosen", "moved_in"),
            allowMissingColumns=True,
        )
        .fillna(0, [name for name in _STEP if name != "stay"])
    )
    return compute(summarised(_by_hour(_with_depths(steps, pending)), "stays"), HOURS)


def _undone(ended: DataFrame) -> DataFrame:
    """What backouts undid on each queue, at the time of the backout; the puts and gets of the unit name its owner."""
    return (
        ended.where("backout IS NOT NULL")
        .groupBy("backout", "backed_out_at", "qmgr", "queue")
        .agg(
            F.expr("least(count_if(kind = 'PUT'), max(puts)) AS puts_undone"),
            F.expr("least(count_if(kind = 'GET'), max(gets)) AS gets_undone"),
            F.expr("bool_or(chosen OR backout_chosen) AS chosen"),
        )
        .withColumnsRenamed({"backout": "seq", "backed_out_at": "at"})
    )


def _with_depths(steps: DataFrame, pending: DataFrame) -> DataFrame:
    """The depth before and after each step.

    It is counted back from the messages there now, so that it is right even if the history does not begin with the
    queue.
    """
    change = " ".join(f"{sign} {name}" for name, (sign, _) in _CHANGES.items()).removeprefix("+ ")
    there = pending.groupBy("qmgr", "queue").agg(F.expr("count_if(state <> 'GOT') AS there"))
    later = Window.partitionBy("qmgr", "queue").orderBy(F.desc("seq")).rowsBetween(Window.unboundedPreceding, 0)
    changed = steps.withColumn("change", F.expr(change)).join(there, ["qmgr", "queue"], "left")
    since = changed.withColumn("before", F.expr("coalesce(there, 0)") - F.sum("change").over(later))
    return since.withColumns({"after": F.expr("before + change"), "hour": F.expr(HOUR)})


def _by_hour(steps: DataFrame) -> DataFrame:
    totals = (*_CHANGES, "bytes_put", "bytes_got")
    grouped = steps.groupBy("qmgr", "queue", "hour").agg(
        *(F.expr(f"sum({name}) AS {name}") for name in totals),
        F.expr("min_by(before, seq) AS depth_start"),
        F.expr("max_by(after, seq) AS depth_end"),
        F.expr("greatest(min_by(before, seq), max(after)) AS depth_high"),
        F.expr("least(min_by(before, seq), min(after)) AS depth_low"),
        F.expr(f"{sketch('stay')} AS stays"),
        F.expr("bool_or(chosen) AS chosen"),
    )
    return grouped.where("chosen")


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
    reads={
        "event": Reads(
            ("seq", "at", "qmgr", "kind", "queue", "msg_id", "length", "put_at", "unit", "detail"),
            f"kind IN ('PUT', 'GET', 'EXPIRE', 'DISCARD', 'CLEAR', 'MOVE') AND {DEPARTS}",
            chosen_by="queue",
        ),
        "backouts": BACKOUTS,
        "skips": SKIPS,
        "arrivals": ARRIVALS,
        "members": MEMBERS,
        "calls": Reads(("at", "qmgr", "kind", "queue", "length"), "kind IN ('PUT', 'GET')", relation="event"),
        "pending": Reads(("qmgr", "queue", "state"), "TRUE"),
    },
    tables=(
        Table(
            "hours",
            "Puts, gets and bytes by queue and hour, what else changed the depth, the depths, and residence times.",
            ("event", "backouts", "skips", "arrivals", "members", "pending"),
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
