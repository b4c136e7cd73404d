"""What came to dead-letter queues and why, what became of it by which rule and how soon, and what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from reports.columns import BACKOUTS, HOUR, QMGR, SECONDS, Made, declared, elapsed, made, reason_name, span
from reports.declaration import Chart, Reads, Report, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# How a letter leaves a dead-letter queue so that the history says what became of it.
_LEFT_BY = ("REQUEUE", "FORWARD", "DISCARD", "EXPIRE")
_KINDS = (*_LEFT_BY, "DEAD_LETTER", "PUT")
# What tells that a queue is a dead-letter queue: a put with a dead-letter header, and what was dealt with as such.
_IS_MARK = (
    "kind IN ('DEAD_LETTER', 'PUT', 'REQUEUE', 'FORWARD', 'DISCARD') AND reason IS NOT NULL "
    "AND (kind IN ('DEAD_LETTER', 'PUT') OR cause IN ('handler', 'command'))"
)
_TOLD = "destination STRING, destination_queue_manager STRING, attempt BIGINT, type STRING"
_QUEUE_OF = "IF(kind = 'DEAD_LETTER', target, queue)"
# What a queue manager or an agent calls a dead letter is also a put; so is what the monitor put just before.
_BY_MONITOR = "kind = 'DEAD_LETTER' AND cause = 'monitor' AND before.kind = 'PUT' AND before.told IS NOT NULL"
_IS_TOLD_TWICE = (
    "kind = 'PUT' AND coalesce(before.kind = 'DEAD_LETTER' AND before.cause <> 'monitor' "
    "OR after.kind = 'DEAD_LETTER' AND after.cause = 'monitor', FALSE)"
)
# A trigger message of type FIRST or DEPTH stays when its unit of work is backed out.
_STAYS = "kind = 'DEAD_LETTER' AND coalesce(told.type IN ('FIRST', 'DEPTH'), FALSE)"
_LETTER = ("qmgr", "queue", "msg_id")
_DESTINATION = ("destination", "destination_queue_manager")
_HEADER = ("reason", *_DESTINATION)

_QUEUE = Made("queue", "string", "queue", "The dead-letter queue.")
_REASON = (
    Made("reason", "bigint", "reason", "Reason of the dead-letter header, an MQRC or MQFB; empty when not known."),
    Made("reason_name", "string", reason_name("reason"), "The name of that number."),
    Made("destination", "string", "destination", "DestQName: where it should have gone; empty when not known."),
    Made("destination_queue_manager", "string", "destination_queue_manager", "DestQMgrName; empty when not known."),
)
ARRIVALS = (
    QMGR,
    _QUEUE,
    Made("hour", "timestamp", "timestamp_micros(hour)", "Start of the hour (UTC) in which they arrived."),
    *_REASON,
    Made("cause", "string", "cause", "What sent them there (a cause of DEAD_LETTER); empty for an application's put."),
    Made("messages", "bigint", "messages", "How many arrived."),
)
OUTCOMES = (
    QMGR,
    _QUEUE,
    Made("outcome", "string", "kind", "REQUEUE, FORWARD, DISCARD or EXPIRE; GONE when got, cleared or lost otherwise."),
    Made("cause", "string", "cause", "Who did it: handler, command ...; for EXPIRE what found them."),
    Made("rule", "string", "rule", "Line of the rules table that decided; empty without one."),
    Made("attempt", "bigint", "attempt", "How many attempts it took the handler, the last one included."),
    Made("target", "string", "target", "The queue that they were moved to; empty where they went nowhere."),
    Made("messages", "bigint", "messages", "How many messages."),
    Made("bytes", "bigint", "bytes", "How many bytes of message data they held, dead-letter header included."),
    *span("time_spent", "spent", "From the arrival on the dead-letter queue"),
)
LEFT = (
    QMGR,
    _QUEUE,
    *_REASON,
    Made("messages", "bigint", "messages", "How many messages are on the queue."),
    Made("bytes", "bigint", "bytes", "How many bytes of message data they hold, dead-letter header included."),
    Made("in_units", "bigint", "in_units", "How many of them a unit of work still open has put or got."),
    Made("oldest", "timestamp", "timestamp_micros(oldest)", "When the first of them arrived, UTC."),
    Made("longest_stay", SECONDS, f"({elapsed('oldest', 'now')}) / 1e6", "How long that was ago, seconds."),
    Made("now", "timestamp", "timestamp_micros(now)", "The time of the queue manager's clock at the report."),
)
LEFT_MESSAGES = (
    QMGR,
    _QUEUE,
    Made("msg_id", "string", "hex(msg_id)", "MsgId, hexadecimal."),
    Made("correl_id", "string", "hex(correl_id)", "CorrelId, hexadecimal; empty when it is 24 zero bytes."),
    *_REASON,
    Made("length", "bigint", "length", "Bytes of message data, dead-letter header included."),
    Made("put_at", "timestamp", "timestamp_micros(put_at)", "When it arrived on the dead-letter queue, UTC."),
    Made("stay", SECONDS, f"({elapsed('put_at', 'now')}) / 1e6", "How long that was ago, seconds."),
    Made("expires_at", "timestamp", "timestamp_micros(expires_at)", "When its expiry is up, UTC; empty for never."),
    Made("put_application", "string", "put_application", "The application that had put it (PutApplName)."),
    Made("state", "string", "state", "AVAILABLE; PUT or GOT by a unit of work that is still open."),
)


def letters(events: DataFrame, marks: DataFrame, backouts: DataFrame) -> DataFrame:
    """One row per arrival on a dead-letter queue and per message that left one, with all that is known of its header.

    A dead-letter queue is one that a message with a dead-letter header was put on, or that a handler or a command moved
    messages from.
    """
    told = events.withColumn("told", F.from_json("detail", _TOLD)).withColumn("queue", F.expr(_QUEUE_OF))
    dead_letter_queues = marks.select("qmgr", F.expr(_QUEUE_OF).alias("queue")).distinct()
    undone = backouts.select("qmgr", F.col("unit").alias("undone")).distinct()
    there = told.join(F.broadcast(dead_letter_queues), ["qmgr", "queue"], "left_semi")
    kept = there.withColumn("undoable", F.expr(f"IF({_STAYS}, NULL, unit)"))
    kept = kept.join(undone, (undone["qmgr"] == kept["qmgr"]) & (undone["undone"] == kept["undoable"]), "left_anti")
    return _with_headers(kept).withColumn("hour", F.expr(HOUR))


def _with_headers(events: DataFrame) -> DataFrame:
    """Each arrival once, with what later events of the same message say of its header."""
    backwards = Window.partitionBy(*_LETTER).orderBy(F.desc("seq"))
    from_here_on = backwards.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    neighbour = F.struct("kind", "cause", "told")
    twins = events.withColumns({"after": F.lag(neighbour).over(backwards), "before": F.lead(neighbour).over(backwards)})
    known = {
        # A later DEAD_LETTER has a reason of its own.
        "reason": F.last(F.expr(f"IF(kind IN {_LEFT_BY}, reason, NULL)"), ignorenulls=True).over(from_here_on),
        **{name: F.last(f"told.{name}", ignorenulls=True).over(from_here_on) for name in _DESTINATION},
    }
    filled = twins.withColumns({**known, "reason": F.coalesce("reason", known["reason"])})
    # The monitor tells of a letter after its put, which has the header.
    filled = filled.withColumns(
        {name: F.expr(f"IF({_BY_MONITOR}, before.told.{name}, {name})") for name in _DESTINATION}
    )
    return filled.where(f"NOT ({_IS_TOLD_TWICE})").withColumn("attempt", F.col("told.attempt")).drop("after", "before")


def arrivals(letters: DataFrame) -> DataFrame:
    """One row per queue, hour, reason, destination and cause."""
    groups = letters.where("chosen AND kind IN ('DEAD_LETTER', 'PUT')").groupBy(
        "qmgr", "queue", "hour", *_HEADER, "cause"
    )
    return made(groups.agg(F.expr("count(*) AS messages")), ARRIVALS)


def outcomes(letters: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per queue, outcome, cause, rule, attempt and target; those that left unseen are GONE."""
    left = letters.where(f"chosen AND kind IN {_LEFT_BY}")
    counted = left.groupBy("qmgr", "queue", "kind", "cause", "rule", "attempt", "target").agg(
        F.expr("count(*) AS messages"),
        F.expr("sum(length) AS bytes"),
        F.expr(f"sort_array(collect_list({elapsed('put_at', 'at')})) AS spent"),
    )
    return made(counted.unionByName(_gone(letters, pending), allowMissingColumns=True), OUTCOMES)


def _gone(letters: DataFrame, pending: DataFrame) -> DataFrame:
    """Arrivals of which nothing is left, though no event says what became of them, counted by queue."""
    there = pending.groupBy(*_LETTER).agg(F.expr("count(*) AS there"))
    known = letters.groupBy(*_LETTER).agg(
        F.expr("count_if(kind IN ('DEAD_LETTER', 'PUT')) AS came"),
        F.expr("count_if(chosen AND kind IN ('DEAD_LETTER', 'PUT')) AS meant"),
        F.expr(f"count_if(kind IN {_LEFT_BY}) AS went"),
    )
    gone = known.join(there, [*_LETTER], "left").withColumn("gone", F.expr("came - went - coalesce(there, 0)"))
    counted = gone.where("gone > 0 AND meant > 0").groupBy("qmgr", "queue")
    return counted.agg(F.expr("sum(least(gone, meant)) AS messages")).withColumn("kind", F.lit("GONE"))


def left(letters: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per dead-letter queue with messages, reason and destination."""
    counted = (
        _still_there(letters, pending)
        .groupBy("qmgr", "queue", *_HEADER)
        .agg(
            F.expr("count(*) AS messages"),
            F.expr("sum(length) AS bytes"),
            F.expr("count_if(state <> 'AVAILABLE') AS in_units"),
            F.expr("min(put_at) AS oldest"),
            F.expr("max(now) AS now"),
        )
    )
    return made(counted, LEFT)


def left_messages(letters: DataFrame, pending: DataFrame) -> DataFrame:
    """One row per message on a dead-letter queue."""
    return made(_still_there(letters, pending), LEFT_MESSAGES)


def _still_there(letters: DataFrame, pending: DataFrame) -> DataFrame:
    """The messages on dead-letter queues, with the header of their last arrival as far as it is known."""
    dead_letter_queues = letters.select("qmgr", "queue").distinct()
    there = pending.join(F.broadcast(dead_letter_queues), ["qmgr", "queue"], "left_semi")
    came = letters.where("kind IN ('DEAD_LETTER', 'PUT')").groupBy(*_LETTER)
    headers = came.agg(*(F.max_by(name, "seq").alias(name) for name in _HEADER))
    return there.join(headers, [*_LETTER], "left")


REPORT = Report(
    name="dead-letters",
    doc="What came to dead-letter queues, what became of it, and what is left there.",
    reads={
        "event": Reads(
            (
                *("seq", "at", "qmgr", "kind", "cause", "queue", "target", "msg_id", "length", "put_at", "unit"),
                *("reason", "rule", "detail"),
            ),
            f"kind IN {_KINDS}",
            letters,
            beside=("marks", "backouts"),
            chosen_by=_QUEUE_OF,
        ),
        "marks": Reads(
            ("at", "qmgr", "kind", "cause", "queue", "target", "reason"),
            _IS_MARK,
            relation="event",
            chosen_by=_QUEUE_OF,
        ),
        "backouts": BACKOUTS,
        "pending": Reads(
            (
                *("qmgr", "queue", "msg_id", "correl_id", "length", "put_at", "expires_at", "put_application"),
                "state",
            ),
            "TRUE",
        ),
    },
    tables=(
        Table(
            "arrivals",
            "What arrived on dead-letter queues, by hour, reason, destination and cause.",
            ("event",),
            arrivals,
            declared(ARRIVALS),
            ("qmgr", "queue", "hour", "reason", "destination", "destination_queue_manager", "cause"),
            Chart("messages", "hour"),
        ),
        Table(
            "outcomes",
            "What became of it, by rule and attempt, and how long it had been there.",
            ("event", "pending"),
            outcomes,
            declared(OUTCOMES),
            ("qmgr", "queue", "outcome", "cause", "rule", "attempt", "target"),
            Chart("messages", "outcome"),
        ),
        Table(
            "left",
            "What is left on dead-letter queues, by reason and destination.",
            ("event", "pending"),
            left,
            declared(LEFT),
            ("qmgr", "queue", "reason", "destination", "destination_queue_manager"),
            Chart("messages", "reason_name"),
        ),
        Table(
            "left_messages",
            "Those messages, one by one.",
            ("event", "pending"),
            left_messages,
            declared(LEFT_MESSAGES),
            ("qmgr", "queue", "put_at", "msg_id"),
        ),
    ),
)
