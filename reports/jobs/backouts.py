"""Gets that were backed out, messages that go round in circles (poison loops), and what consumers did about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from reports.columns import HOUR, QMGR, SECONDS, compute, elapsed, hexadecimal
from reports.declaration import Chart, Identity, Reads, Report, ReportColumn, Table, Total
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

_QUEUE = ReportColumn("queue", "string", "queue", "The queue that the messages were got from.")
_APPLICATION = ReportColumn("application", "string", "application", "The program that got them.")
_HIGHEST = ReportColumn(
    "highest_backout_count",
    "bigint",
    "highest",
    "The highest backout count that a message had; empty if none is known.",
)
BACKOUTS = (
    QMGR,
    _QUEUE,
    _APPLICATION,
    ReportColumn("hour", "timestamp", "timestamp_micros(hour)", "Start of the hour (UTC) of the gets, or the moves."),
    ReportColumn("gets_backed_out", "bigint", "gets", "Gets that were backed out (not with ACCTQ(OFF))."),
    ReportColumn(
        "messages",
        "bigint",
        "messages",
        "How many messages that was. One that was put there again, such as by `mqsc dlq retry`, counts again.",
    ),
    _HIGHEST,
    ReportColumn("requeued", "bigint", "requeued", "Messages that a consumer moved to BOQNAME."),
    ReportColumn("dead_lettered", "bigint", "dead_lettered", "Messages that it moved to the dead-letter queue."),
    ReportColumn("discarded", "bigint", "discarded", "Messages that it discarded."),
    ReportColumn("kept", "bigint", "kept", "Times that it kept a message, because the message could go nowhere."),
)
LOOPS = (
    QMGR,
    _QUEUE,
    ReportColumn("msg_id", "string", hexadecimal("msg_id"), "MsgId, hexadecimal."),
    ReportColumn("application", "string", "application", "The program that backs it out."),
    ReportColumn("backouts", "bigint", "backouts", "How many times the program has backed it out."),
    ReportColumn("since", "timestamp", "timestamp_micros(first)", "When the program got it for the first time, UTC."),
    ReportColumn("last", "timestamp", "timestamp_micros(last)", "When the program got it for the last time, UTC."),
    ReportColumn("lasted", SECONDS, f"({elapsed('first', 'last')}) / 1e6", "Time between the two, seconds."),
    ReportColumn("put_at", "timestamp", "timestamp_micros(put_at)", "When the message was put, UTC."),
    ReportColumn(
        "outcome",
        "string",
        "coalesce(there, moved)",
        "REQUEUE, DEAD_LETTER or DISCARD by a consumer; THERE if it is on the queue, which an archive does not say.",
    ),
    ReportColumn("threshold", "bigint", "coalesce(threshold, 0)", "BOTHRESH of the queue, from the history."),
)
SPINNING = (
    QMGR,
    _QUEUE,
    ReportColumn(
        "messages",
        "bigint",
        "messages",
        f"Messages that were backed out at least {_LOOP} times after they were put there.",
    ),
    ReportColumn("gets_backed_out", "bigint", "gets", "Their gets that were backed out."),
    _HIGHEST,
    ReportColumn(
        "there", "bigint", "there", "How many of them are still on the queue; empty if only an archive is read."
    ),
    ReportColumn("since", "timestamp", "timestamp_micros(first)", "When the first of these gets was, UTC."),
    ReportColumn("last", "timestamp", "timestamp_micros(last)", "When the last of them was, UTC."),
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
    return compute(counted.withColumnsRenamed(named), BACKOUTS)


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
    return compute(with_threshold, LOOPS)


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
    return compute(counted, SPINNING)


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


_EVENT = ("seq", "at", "qmgr", "kind", "queue", "msg_id", "put_at", "unit", "application")
_SETTINGS = ("seq", "at", "qmgr", "kind", "cause", "queue", "target", "rule", "detail")
_IS_SETTING = "kind IN ('DEFINE', 'ALTER')"


def _settings(where: str) -> Reads:
    return Reads(_SETTINGS, where, relation="event", chosen_by="queue")


REPORT = Report(
    name="backouts",
    doc="Gets that were backed out, messages that are backed out again and again, and what became of them.",
    # A frame can be filtered in one way only, so the same events are read more than once.
    reads={
        "losses": LOSSES,
        "units": UNITS,
        "event": Reads(
            _EVENT,
            "kind = 'GET' AND unit IS NOT NULL",
            backed_out,
            beside=("moves", "losses", "units"),
            chosen_by="queue",
        ),
        "moves": Reads(
            (*_EVENT, "cause", "detail"),
            f"kind IN {_MOVES} AND cause = 'poison'",
            relation="event",
            chosen_by="queue",
        ),
        "thresholds": Reads(
            _SETTINGS,
            f"{_IS_SETTING} AND target = 'QLOCAL' AND NOT (cause <=> 'dynamic')",
            current_thresholds,
            beside=("models", "dynamic"),
            relation="event",
            chosen_by="queue",
        ),
        "models": _settings(f"{_IS_SETTING} AND target = 'QMODEL'"),
        "dynamic": _settings("kind = 'DEFINE' AND cause = 'dynamic'"),
        "pending": Reads(("qmgr", "queue", "msg_id", "put_at"), "TRUE"),
    },
    tables=(
        Table(
            "backouts",
            "Gets that were backed out, and what consumers did about poison messages, by queue, program and hour.",
            ("event",),
            backouts,
            BACKOUTS,
            ("qmgr", "queue", "application", "hour"),
            Chart("gets_backed_out", "hour"),
            totals=(Total("gets_backed_out", "gets backed out", problem=True),),
            worst="gets_backed_out",
        ),
        Table(
            "loops",
            f"Messages that one program has backed out at least {_LOOP} times.",
            ("event", "thresholds", "pending"),
            loops,
            LOOPS,
            ("qmgr", "queue", "put_at", "msg_id", "application"),
            Chart("backouts", "application"),
            worst="backouts",
        ),
        Table(
            "spinning",
            "Queues with BOTHRESH(0) on which messages are backed out again and again: no consumer ever moves them.",
            ("event", "thresholds", "pending"),
            spinning,
            SPINNING,
            ("qmgr", "queue"),
            Chart("gets_backed_out", "queue"),
            worst="gets_backed_out",
        ),
    ),
    identities=(
        Identity("backouts.gets_backed_out >= loops.backouts", ("qmgr", "queue", "application")),
        Identity("backouts.gets_backed_out >= spinning.gets_backed_out", ("qmgr", "queue")),
    ),
)
