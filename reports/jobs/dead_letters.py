"""Messages that arrived on dead-letter queues and why, the rules that processed them and how
soon, and the rest.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, functions as F

from mqsc.reports import shared_reads
from mqsc.reports.blocks import first_later, in_blocks
from mqsc.reports.columns import (
    BYTES,
    CODE,
    MICROSECONDS,
    NUMBER,
    TEXT,
    TIME,
    Column,
    Percentiles,
    table,
)
from mqsc.reports.dead_letter_events import (
    ARRIVED,
    DEAD_LETTER_QUEUES,
    DEAD_LETTERS,
    HEADER,
    LEFT_BY,
    MESSAGE,
)
from mqsc.reports.declaration import Chart, Identity, Reads, Report
from mqsc.reports.expressions import HOUR, elapsed, grouped, with_kept_data
from mqsc.reports.quantiles import listed, summed
from mqsc.reports.shared_columns import (
    CORREL_ID,
    DATA_AS_TEXT,
    DATA_IN_BASE64,
    IN_UNITS,
    KEPT_SIZE,
    MSG_ID,
    NOW,
    QMGR,
    REASON_NAME,
    STATE,
    UNRECORDED,
)
from mqsc.reports.units import REMOVED, with_last_unit, with_unrecorded
from mqsc.store.published import EVENT, PENDING

_OF_MESSAGE = " ".join(MESSAGE)


def brought(moves: DataFrame, queues: DataFrame) -> DataFrame:
    """How many messages MOVE QLOCAL brought to dead-letter queues, by hour."""
    moved = moves.withColumns({"queue": F.col("target"), "hour": F.expr(HOUR)})
    there = moved.join(F.broadcast(queues.where("is_named")), ["qmgr", "queue"], "left_semi")
    return grouped(there, "qmgr queue hour is_live chosen", f"sum({REMOVED}) AS messages")


def arrivals(dead_letters: DataFrame, brought: DataFrame) -> DataFrame:
    """One row per queue, hour, reason, destination and cause."""
    came = dead_letters.where(f"chosen AND {ARRIVED}")
    counted = grouped(came, f"qmgr queue hour {' '.join(HEADER)} cause", "count(*) AS messages")
    moved = grouped(brought.where("chosen"), "qmgr queue hour", "sum(messages) AS messages")
    return counted.unionByName(moved.withColumn("cause", F.lit("move")), allowMissingColumns=True)


def removals(events: DataFrame, queues: DataFrame, losses: DataFrame) -> DataFrame:
    """The gets from dead-letter queues that were not backed out, and each CLEAR and MOVE of one."""
    there = events.join(F.broadcast(queues), ["qmgr", "queue"], "left_semi")
    removed = with_last_unit(there, losses).join(losses, ["store", "last_unit"], "left_anti")
    return removed.withColumn("removal", F.struct("seq", "kind", "application", "user"))


def outcomes(
    dead_letters: DataFrame,
    there: DataFrame,
    removals: DataFrame,
    brought: DataFrame,
    unrecorded: DataFrame,
) -> DataFrame:
    """One row per queue, outcome, cause, rule, attempt and target; GONE if no event of a handler
    tells how they left.

    Those that are GONE are also told apart by what removed them.
    """
    outcome = "qmgr queue kind cause rule attempt target"
    blocks = grouped(
        in_blocks(dead_letters.where(f"chosen AND kind IN {LEFT_BY}")),
        f"{outcome} block",
        "count(*) AS messages",
        "sum(length) AS bytes",
        f"{listed(elapsed('put_at', 'at'))} AS spent",
    )
    counted = summed(blocks, outcome, "messages", "bytes", lists=["spent"])
    gone = _gone(dead_letters, there, removals, brought)
    return with_unrecorded(counted.unionByName(gone, allowMissingColumns=True), unrecorded)


def _gone(
    dead_letters: DataFrame,
    there: DataFrame,
    removals: DataFrame,
    brought: DataFrame,
) -> DataFrame:
    """Count, by queue and removal, the arrivals that are no longer there although no event says
    how they left.
    """
    still = grouped(there, _OF_MESSAGE, "count(*) AS there")
    known = grouped(
        dead_letters,
        _OF_MESSAGE,
        f"count_if({ARRIVED}) AS came",
        f"count_if(chosen AND {ARRIVED}) AS meant",
        f"count_if(kind IN {LEFT_BY}) AS went",
        f"max(IF({ARRIVED}, seq, NULL)) AS arrived",
        "bool_and(is_live) AS is_live",
    )
    missing = F.expr("coalesce(came - went, 0) - coalesce(there, 0)")
    counted = known.join(still, MESSAGE, "full").withColumn("gone", missing)
    gone = counted.where("gone > 0 AND meant > 0").withColumn(
        "gone",
        F.expr("CAST(least(gone, meant) AS INT)"),
    )
    gets = _committed_gets(dead_letters, removals)
    each = _with_removals(gone, gets, removals).selectExpr(
        "qmgr",
        "queue",
        "is_live",
        "explode(removed) AS removal",
    )
    # A message that only an archive knows may still be there.
    known = each.where("is_live OR removal IS NOT NULL")
    who = known.withColumn(
        "removal",
        F.expr("struct(removal.kind, removal.application, removal.user)"),
    )
    groups = grouped(who, "qmgr queue removal", "count(*) AS messages")
    moved = _moved_on(counted, brought).withColumn(
        "removal",
        F.lit(None).cast(who.schema["removal"].dataType),
    )
    both = grouped(groups.unionByName(moved), "qmgr queue removal", "sum(messages) AS messages")
    return both.withColumn("kind", F.lit("GONE"))


def _moved_on(counted: DataFrame, brought: DataFrame) -> DataFrame:
    """How many of the messages that MOVE QLOCAL brought have gone; that event does not name
    them.
    """
    known = grouped(counted.where("gone < 0"), "qmgr queue", "-sum(gone) AS known")
    came = grouped(
        brought.where("is_live"),
        "qmgr queue",
        "sum(messages) AS came",
        "bool_or(chosen) AS chosen",
    )
    both = came.where("chosen").join(known, ["qmgr", "queue"], "left")
    return both.selectExpr("qmgr", "queue", "came - coalesce(known, 0) AS messages").where(
        "messages > 0",
    )


def _with_removals(gone: DataFrame, gets: DataFrame, removals: DataFrame) -> DataFrame:
    """Add `removed`, one entry per message that is gone: its latest gets, then the first CLEAR
    or MOVE, or NULL.
    """
    got = grouped(gets, _OF_MESSAGE, "collect_list(removal) AS gets")
    emptied = removals.where("kind IN ('CLEAR', 'MOVE')").selectExpr(
        "qmgr",
        "queue",
        "seq",
        "removal AS emptied",
    )
    arrived = gone.withColumn("seq", F.col("arrived"))
    told = first_later(arrived, emptied, "qmgr queue", "emptied")
    both = told.join(got, MESSAGE, "left")
    latest = both.withColumn(
        "gets",
        F.expr("slice(sort_array(coalesce(gets, array()), FALSE), 1, gone)"),
    )
    return latest.withColumn(
        "removed",
        F.expr("concat(gets, array_repeat(emptied, gone - size(gets)))"),
    )


def _committed_gets(dead_letters: DataFrame, removals: DataFrame) -> DataFrame:
    """The gets, without those of messages that the handler moved in the same unit of work."""
    moved = dead_letters.where(f"kind IN {LEFT_BY} AND unit IS NOT NULL")
    moved = moved.selectExpr("qmgr AS of_qmgr", "unit AS of_unit", "msg_id AS of_msg_id")
    gets = removals.where("kind = 'GET'")
    same = F.expr("qmgr = of_qmgr AND unit = of_unit AND msg_id = of_msg_id")
    return gets.join(moved, same, "left_anti")


def left(there: DataFrame, unrecorded: DataFrame) -> DataFrame:
    """One row per non-empty dead-letter queue, reason and destination."""
    counted = grouped(
        there,
        f"qmgr queue {' '.join(HEADER)}",
        "count(*) AS messages",
        "sum(length) AS bytes",
        "count_if(state <> 'AVAILABLE') AS in_units",
        "min(put_at) AS oldest",
        "max(now) AS now",
    )
    return with_unrecorded(counted, unrecorded)


def left_messages(there: DataFrame) -> DataFrame:
    """One row per message on a dead-letter queue."""
    return there


def there(pending: DataFrame, dead_letters: DataFrame) -> DataFrame:
    """The messages on dead-letter queues, with what is known of the header at their last arrival.

    Where the history has the number of a message, it decides; numbers of messages that are gone are
    used again.
    """
    dead_letter_queues = dead_letters.select("qmgr", "queue", "is_named").distinct()
    waiting = pending.join(F.broadcast(dead_letter_queues), ["qmgr", "queue"])
    header = f"max_by(struct({', '.join(HEADER)}), seq) AS header"
    last = grouped(dead_letters.where(ARRIVED), f"{_OF_MESSAGE} message_number", header)
    exact = last.where("message_number IS NOT NULL").selectExpr(
        *MESSAGE,
        "message_number AS id",
        "header AS exact",
    )
    others = last.where("message_number IS NULL").selectExpr(*MESSAGE, "header AS other")
    known = waiting.join(exact, [*MESSAGE, "id"], "left").join(others, MESSAGE, "left")
    headers = (F.expr(f"coalesce(exact, other).{name} AS {name}") for name in HEADER)
    return known.select("*", *headers).where("is_named OR reason IS NOT NULL")


def dead_letter_data(dead_letters: DataFrame, kept: DataFrame) -> DataFrame:
    """One row per arrival of a message whose data was kept when it left the dead-letter queue."""
    return with_kept_data(dead_letters.where(f"chosen AND {ARRIVED}"), kept)


# What the report reads.

_READS = {
    "losses": shared_reads.LOSSES,
    "queues": DEAD_LETTER_QUEUES,
    "event": DEAD_LETTERS,
    "dynamic": shared_reads.DYNAMIC,
    "unrecorded": shared_reads.UNRECORDED,
    "brought": shared_reads.ARRIVALS._replace(gather=brought, beside=("queues",)),
    "removals": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "queue",
            "msg_id",
            "unit",
            "application",
            "user",
            "detail",
        ),
        where="kind IN ('GET', 'CLEAR', 'MOVE')",
        gather=removals,
        beside=("queues", "losses"),
        chosen_by="queue",
    ),
    "pending": Reads(
        PENDING,
        columns=(
            "id",
            "qmgr",
            "queue",
            "msg_id",
            "correl_id",
            "length",
            "put_at",
            "expires_at",
            "put_application",
            "state",
        ),
        where="TRUE",
        gather=there,
        beside=("event",),
    ),
    "kept": shared_reads.KEPT_DATA,
}

# Columns that several tables have.

_QUEUE = Column("queue", TEXT, "The dead-letter queue.")
_REASON = Column(
    "reason",
    CODE,
    "Reason of the dead-letter header (MQRC or MQFB); empty if unknown.",
)
_DESTINATION = Column(
    "destination",
    TEXT,
    "DestQName: the queue it was meant for; empty if unknown.",
)
_DESTINATION_QUEUE_MANAGER = Column(
    "destination_queue_manager",
    TEXT,
    "DestQMgrName; empty if unknown.",
)
_BYTES = Column("bytes", BYTES, "Bytes of message data, including the dead-letter headers.")

# The tables.

_ARRIVALS = table(
    "arrivals",
    "Arrivals on dead-letter queues, by hour, reason, destination and cause.",
    build=arrivals,
    reads=("event", "brought"),
    order=("qmgr", "queue", "hour", "reason", "destination", "destination_queue_manager", "cause"),
    columns=(
        QMGR,
        _QUEUE,
        Column("hour", TIME, "Start of the hour (UTC) in which they arrived."),
        _REASON,
        REASON_NAME,
        _DESTINATION,
        _DESTINATION_QUEUE_MANAGER,
        Column(
            "cause",
            TEXT,
            "Cause of the DEAD_LETTER event; empty for a put by an application, move for MOVE "
            "QLOCAL.",
        ),
        Column(
            "messages",
            NUMBER,
            "Number of messages that arrived.",
            problem="dead letters arrived",
            worst=True,
        ),
    ),
    chart=Chart("messages", by="hour"),
)

_OUTCOMES = table(
    "outcomes",
    "How messages left dead-letter queues, by rule and attempt, and how long they had been there.",
    build=outcomes,
    reads=("event", "pending", "removals", "brought", "unrecorded"),
    rows_from=("event", "brought"),
    order=(
        "qmgr",
        "queue",
        "outcome",
        "cause",
        "rule",
        "attempt",
        "target",
        "removed_by",
        "application",
        "user",
    ),
    columns=(
        QMGR,
        _QUEUE,
        Column(
            "outcome",
            TEXT,
            "REQUEUE, FORWARD, DISCARD or EXPIRE; GONE if removed in another way.",
            sql="kind",
        ),
        Column(
            "cause",
            TEXT,
            "Cause of the event: handler, command ...; for EXPIRE, what found the messages.",
        ),
        Column("rule", TEXT, "Line of the rules table that decided; empty without a rule."),
        Column("attempt", CODE, "How many attempts the handler made, including the last."),
        Column("target", TEXT, "The queue that they were moved to; empty if none."),
        Column("messages", NUMBER, "Number of messages.", worst=True),
        _BYTES,
        Percentiles("time_spent", "Time on the dead-letter queue", of="spent"),
        Column(
            "removed_by",
            TEXT,
            "Of GONE: GET, CLEAR or MOVE; empty if the history does not tell: of ACCTQ(OFF), and "
            "of messages that MOVE QLOCAL had brought, which it does not name.",
            sql="removal.kind",
        ),
        Column(
            "application",
            TEXT,
            "Of GONE: the program that did this.",
            sql="removal.application",
        ),
        Column("user", TEXT, "Of GONE: its user.", sql="removal.user"),
        UNRECORDED,
    ),
    chart=Chart("messages", by="outcome"),
)

_LEFT = table(
    "left",
    "Messages still on dead-letter queues now, whatever the period, by reason and destination.",
    build=left,
    reads=("pending", "unrecorded"),
    rows_from=("pending",),
    order=("qmgr", "queue", "reason", "destination", "destination_queue_manager"),
    columns=(
        QMGR,
        _QUEUE,
        _REASON,
        REASON_NAME,
        _DESTINATION,
        _DESTINATION_QUEUE_MANAGER,
        Column(
            "messages",
            NUMBER,
            "Number of messages on the queue.",
            problem="dead letters left",
            worst=True,
        ),
        _BYTES,
        IN_UNITS,
        Column("oldest", TIME, "When the oldest of them arrived, UTC."),
        Column(
            "longest_stay",
            MICROSECONDS,
            "How long ago that was, seconds.",
            sql=elapsed("oldest", "now"),
        ),
        NOW,
        UNRECORDED,
    ),
    chart=Chart("messages", by="reason_name"),
)

_LEFT_MESSAGES = table(
    "left_messages",
    "The same messages, one row each.",
    build=left_messages,
    reads=("pending",),
    order=("qmgr", "queue", "put_at", "msg_id"),
    columns=(
        QMGR,
        _QUEUE,
        MSG_ID,
        CORREL_ID,
        _REASON,
        REASON_NAME,
        _DESTINATION,
        _DESTINATION_QUEUE_MANAGER,
        Column("length", BYTES, "Bytes of message data, including the dead-letter header."),
        Column("put_at", TIME, "When it arrived on the dead-letter queue, UTC."),
        Column(
            "stay",
            MICROSECONDS,
            "How long ago that was, seconds.",
            sql=elapsed("put_at", "now"),
            worst=True,
        ),
        Column("expires_at", TIME, "When it expires, UTC; empty for never."),
        Column("put_application", TEXT, "The application that put it (PutApplName)."),
        STATE,
    ),
)

_DEAD_LETTER_DATA = table(
    "dead_letter_data",
    "Dead letters no longer on the queue whose data was kept, with its first bytes; "
    "only with --kept-data.",
    build=dead_letter_data,
    reads=("event", "kept"),
    rows_from=("event",),
    order=("qmgr", "queue", "arrived_at", "msg_id"),
    columns=(
        QMGR,
        _QUEUE,
        Column("arrived_at", TIME, "When it arrived on the dead-letter queue, UTC.", sql="at"),
        MSG_ID,
        _REASON,
        REASON_NAME,
        _DESTINATION,
        _DESTINATION_QUEUE_MANAGER,
        Column("length", BYTES, "Bytes of message data, including the dead-letter header."),
        KEPT_SIZE,
        DATA_AS_TEXT,
        DATA_IN_BASE64,
    ),
)

REPORT = Report(
    "dead-letters",
    "Messages that arrived on dead-letter queues, how they left, and those still there.",
    reads=_READS,
    tables=(_ARRIVALS, _OUTCOMES, _LEFT, _LEFT_MESSAGES, _DEAD_LETTER_DATA),
    identities=(
        Identity(
            "arrivals.messages = outcomes.messages + left.messages",
            by=("qmgr", "queue"),
            whole=True,
            exempt=("outcomes.unrecorded", "left.unrecorded"),
        ),
        Identity("left.messages = left_messages.*", by=("qmgr", "queue", "reason", "destination")),
        Identity("left.bytes = left_messages.length", by=("qmgr", "queue")),
    ),
)
