"""Gets that were backed out, messages that go round in circles (poison loops), and what
consumers did about them.
"""

from pyspark.sql import DataFrame, Window, functions as F

from mqsc.reports import shared_reads
from mqsc.reports.columns import MICROSECONDS, NUMBER, TEXT, TIME, Column, table
from mqsc.reports.declaration import Chart, Identity, Reads, Report
from mqsc.reports.expressions import HOUR, elapsed, grouped, last_earlier
from mqsc.reports.shared_columns import MSG_ID, QMGR
from mqsc.reports.unit_sets import in_set
from mqsc.reports.units import in_detail, kept, with_last_unit
from mqsc.store.published import EVENT, PENDING

_MOVES = {"REQUEUE": "requeued", "DEAD_LETTER": "dead_lettered", "DISCARD": "discarded"}
_IS_MOVE = f"kind IN {tuple(_MOVES)}"
# Fewer backouts of one message by one program are not a loop.
_LOOP = 2
_IS_LOOP = f"backouts >= {_LOOP}"
_IS_SETTING = "kind IN ('DEFINE', 'ALTER')"
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
    looping = messages.where(_IS_LOOP).join(moved, _MESSAGE, "left").join(there, _MESSAGE, "left")
    return looping.join(thresholds, ["qmgr", "queue"], "left")


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
    looping = (
        messages.where(_IS_LOOP)
        .join(without, ["qmgr", "queue"], "left_anti")
        .join(there, _MESSAGE, "left")
    )
    return grouped(
        looping,
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
    set_here = settings.selectExpr("qmgr", "queue", "seq", f"{_THRESHOLD} AS threshold").where(
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
    known = set_here.unionByName(inherited.where("queue IS NOT NULL AND threshold IS NOT NULL"))
    return grouped(known, "qmgr queue", "max_by(threshold, seq) AS threshold")


# What the report reads.

_READS = {
    "losses": shared_reads.LOSSES,
    "units": shared_reads.UNITS,
    "event": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "queue",
            "msg_id",
            "put_at",
            "unit",
            "application",
            "detail",
        ),
        where="kind = 'GET' AND unit IS NOT NULL",
        gather=backed_out,
        beside=("moves", "losses", "units"),
        chosen_by="queue",
    ),
    "moves": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "queue",
            "msg_id",
            "put_at",
            "unit",
            "application",
            "cause",
            "detail",
        ),
        where=f"{_IS_MOVE} AND cause = 'poison'",
        chosen_by="queue",
    ),
    "thresholds": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "cause", "queue", "target", "rule", "detail"),
        where=f"{_IS_SETTING} AND target = 'QLOCAL' AND NOT (cause <=> 'dynamic')",
        gather=current_thresholds,
        beside=("models", "dynamic"),
        chosen_by="queue",
    ),
    "models": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "cause", "queue", "target", "rule", "detail"),
        where=f"{_IS_SETTING} AND target = 'QMODEL'",
        chosen_by="queue",
    ),
    "dynamic": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "cause", "queue", "target", "rule", "detail"),
        where="kind = 'DEFINE' AND cause = 'dynamic'",
        chosen_by="queue",
    ),
    "pending": Reads(
        PENDING,
        columns=("qmgr", "queue", "msg_id", "put_at"),
        where="TRUE",
    ),
}

# Columns that several tables have.

_QUEUE = Column("queue", TEXT, "The queue that the messages were got from.")
_HIGHEST_BACKOUT_COUNT = Column(
    "highest_backout_count",
    NUMBER,
    "The highest backout count that a message had; empty if none is known.",
    sql="highest",
)

# The tables.

_BACKOUTS = table(
    "backouts",
    "Gets that were backed out, and what consumers did about poison messages, by "
    "queue, program and hour.",
    build=backouts,
    reads=("event",),
    order=("qmgr", "queue", "application", "hour"),
    columns=(
        QMGR,
        _QUEUE,
        Column("application", TEXT, "The program that got them."),
        Column("hour", TIME, "Start of the hour (UTC) of the gets, or the moves."),
        Column(
            "gets_backed_out",
            NUMBER,
            "Gets that were backed out (not with ACCTQ(OFF)).",
            sql="gets",
            problem="gets backed out",
            worst=True,
        ),
        Column(
            "messages",
            NUMBER,
            "How many messages that was. One that was put there again, such as by `mqsc dlq "
            "retry`, counts again.",
        ),
        _HIGHEST_BACKOUT_COUNT,
        Column("requeued", NUMBER, "Messages that a consumer moved to BOQNAME."),
        Column("dead_lettered", NUMBER, "Messages that it moved to the dead-letter queue."),
        Column("discarded", NUMBER, "Messages that it discarded."),
        Column(
            "kept",
            NUMBER,
            "Times that it kept a message, because the message could go nowhere.",
        ),
    ),
    chart=Chart("gets_backed_out", by="hour"),
)

_LOOPS = table(
    "loops",
    f"Messages that one program has backed out at least {_LOOP} times.",
    build=loops,
    reads=("event", "thresholds", "pending"),
    rows_from=("event",),
    order=("qmgr", "queue", "put_at", "msg_id", "application"),
    columns=(
        QMGR,
        _QUEUE,
        MSG_ID,
        Column("application", TEXT, "The program that backs it out."),
        Column("backouts", NUMBER, "How many times the program has backed it out.", worst=True),
        Column("since", TIME, "When the program got it for the first time, UTC.", sql="first"),
        Column("last", TIME, "When the program got it for the last time, UTC."),
        Column(
            "lasted",
            MICROSECONDS,
            "Time between the two, seconds.",
            sql=elapsed("first", "last"),
        ),
        Column("put_at", TIME, "When the message was put, UTC."),
        Column(
            "outcome",
            TEXT,
            "REQUEUE, DEAD_LETTER or DISCARD by a consumer; THERE if it is on the queue now, "
            "which an archive does not say.",
            sql="coalesce(there, moved)",
        ),
        Column(
            "threshold",
            NUMBER,
            "BOTHRESH of the queue, from the history.",
            sql="coalesce(threshold, 0)",
        ),
    ),
    chart=Chart("backouts", by="application"),
)

_SPINNING = table(
    "spinning",
    "Queues with BOTHRESH(0) on which messages are backed out again and again: no "
    "consumer ever moves them.",
    build=spinning,
    reads=("event", "thresholds", "pending"),
    rows_from=("event",),
    order=("qmgr", "queue"),
    columns=(
        QMGR,
        _QUEUE,
        Column(
            "messages",
            NUMBER,
            f"Messages that were backed out at least {_LOOP} times after they were put there.",
        ),
        Column(
            "gets_backed_out",
            NUMBER,
            "Their gets that were backed out.",
            sql="gets",
            worst=True,
        ),
        _HIGHEST_BACKOUT_COUNT,
        Column(
            "there",
            NUMBER,
            "How many of them are on the queue now; empty if only an archive is read.",
        ),
        Column("since", TIME, "When the first of these gets was, UTC.", sql="first"),
        Column("last", TIME, "When the last of them was, UTC."),
    ),
    chart=Chart("gets_backed_out", by="queue"),
)

REPORT = Report(
    "backouts",
    "Gets that were backed out, messages that are backed out again and again, and "
    "what became of them.",
    reads=_READS,
    tables=(_BACKOUTS, _LOOPS, _SPINNING),
    identities=(
        Identity("backouts.gets_backed_out >= loops.backouts", by=("qmgr", "queue", "application")),
        Identity("backouts.gets_backed_out >= spinning.gets_backed_out", by=("qmgr", "queue")),
    ),
)
