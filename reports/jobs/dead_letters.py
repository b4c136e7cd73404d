"""Messages that arrived on dead-letter queues and why, the rules that processed them and how
soon, and the rest.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window, functions as F

from mqsc.reports import shared_reads
from mqsc.reports.catalog import Chart, Identity, Reads, Report
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
from mqsc.reports.expressions import HOUR, elapsed, first_later, grouped, with_kept_data
from mqsc.reports.quantiles import sketch, summarised
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
from mqsc.reports.units import REMOVED, TARGET_OWNER, with_last_unit, with_unrecorded
from mqsc.store.published import EVENT, PENDING

# The events that record how a message left a dead-letter queue.
_LEFT_BY = ("REQUEUE", "FORWARD", "DISCARD", "EXPIRE")
_KINDS = (*_LEFT_BY, "DEAD_LETTER", "PUT")
# A message that a channel carried was on no queue: its event has no time of a put.
_WAS_ON_QUEUE = "(kind NOT IN ('DISCARD', 'EXPIRE') OR put_at IS NOT NULL)"
# The reason is that of a dead-letter header. The reason of another DISCARD is why a channel
# discarded the message.
_SHOWS_HEADER = (
    f"reason IS NOT NULL AND (kind = 'PUT' OR kind IN {_LEFT_BY} AND cause IN ('handler', "
    "'command'))"
)
# Events that show a dead letter on a queue. One with only puts of dead letters is a queue that also
# has other messages, such as one to which a rule forwards dead letters with their headers.
_MARKS_DEAD_LETTER_QUEUE = f"kind = 'DEAD_LETTER' OR {_SHOWS_HEADER}"
_DETAIL = (
    "destination STRING, destination_queue_manager STRING, attempt BIGINT, type STRING, put_event "
    "BIGINT, "
    "message_number BIGINT"
)
_QUEUE_OF = "IF(kind = 'DEAD_LETTER', target, queue)"
# A dead letter has two events, DEAD_LETTER and PUT; DEAD_LETTER has the number of the other one.
_NUMBER_OF_PUT = "coalesce(nullif(detail_fields.put_event, 0), seq)"
_OF_PUT = "struct(msg_id, length, put_at, unit, detail_fields)"
# In histories of older versions it has none. There programs (the trigger monitor, a consumer, a
# channel, the command server) wrote DEAD_LETTER after the PUT, the queue manager before it, and
# they are neighbours.
_OLD = "kind = 'DEAD_LETTER' AND put_event IS NULL"
_PROGRAMS = "('monitor', 'poison', 'channel', 'command')"
_BY_PROGRAM = (
    f"{_OLD} AND cause IN {_PROGRAMS} AND before.kind = 'PUT' AND before.destination IS NOT NULL"
)
_IS_SECOND_EVENT = (
    f"kind = 'PUT' AND coalesce(before.is_old AND before.cause NOT IN {_PROGRAMS} "
    f"OR after.is_old AND after.cause IN {_PROGRAMS}, FALSE)"
)
# A trigger message of type FIRST or DEPTH survives the backout of its unit of work.
_SURVIVES_BACKOUT = "kind = 'DEAD_LETTER' AND coalesce(type IN ('FIRST', 'DEPTH'), FALSE)"
_MESSAGE = ["qmgr", "queue", "msg_id"]
_OF_MESSAGE = " ".join(_MESSAGE)
_ARRIVED = "kind IN ('DEAD_LETTER', 'PUT')"
_DESTINATION_FIELDS = ("destination", "destination_queue_manager")
_HEADER = ("reason", *_DESTINATION_FIELDS)


def dead_letters(events: DataFrame, queues: DataFrame, losses: DataFrame) -> DataFrame:
    """One row per arrival on a dead-letter queue and per message that left one, with what is
    known of its header.
    """
    there = events.withColumn("queue", F.expr(_QUEUE_OF)).join(
        F.broadcast(queues),
        ["qmgr", "queue"],
    )
    detailed = there.withColumn("detail_fields", F.from_json("detail", _DETAIL))
    known = (
        _with_headers(_one_per_arrival(detailed)).where("is_named OR has_header").drop("has_header")
    )
    # After the headers are known: of a trigger message that stays, only the put of the unit of work
    # has it.
    undoable = known.withColumn("last_unit", F.expr(f"IF({_SURVIVES_BACKOUT}, NULL, unit)"))
    kept = undoable.join(losses, ["store", "last_unit"], "left_anti").drop("last_unit")
    return kept.withColumn("hour", F.expr(HOUR))


def dead_letter_queues(marks: DataFrame) -> DataFrame:
    """One row per queue with dead letters; not `is_named` if it only had puts of them."""
    queues = marks.withColumn("queue", F.expr(_QUEUE_OF))
    return grouped(queues, "qmgr queue", "bool_or(kind <> 'PUT') AS is_named")


def _one_per_arrival(events: DataFrame) -> DataFrame:
    """Without the PUT events that a DEAD_LETTER names; it has what they say about the message,
    and its details.
    """
    of_put = Window.partitionBy("store", F.expr(_NUMBER_OF_PUT))
    both = events.withColumns(
        {
            "put": F.max(F.expr(f"IF(kind = 'PUT', {_OF_PUT}, NULL)")).over(of_put),
            "has_other": F.max(F.expr("kind = 'DEAD_LETTER'")).over(of_put),
        },
    ).where("kind <> 'PUT' OR NOT has_other")
    told = ("destination", "destination_queue_manager", "message_number")
    return both.select(
        *(
            name
            for name in events.columns
            if name not in ("msg_id", "length", "put_at", "unit", "detail_fields")
        ),
        *(
            F.expr(f"coalesce(put.{name}, {name}) AS {name}")
            for name in ("msg_id", "length", "put_at", "unit")
        ),
        *(
            F.expr(f"coalesce(put.detail_fields.{name}, detail_fields.{name}) AS {name}")
            for name in told
        ),
        *(f"detail_fields.{name}" for name in ("attempt", "type", "put_event")),
    )


def _with_headers(events: DataFrame) -> DataFrame:
    """Complete arrivals whose own event does not record the header, from later events of the same
    message.

    The second events about arrivals that only neighbours tell are left out.
    """
    backwards = Window.partitionBy(*_MESSAGE).orderBy(F.desc("seq"))
    from_here_on = backwards.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    neighbour = F.expr(
        f"struct(kind, cause, destination, destination_queue_manager, {_OLD} AS is_old)",
    )
    twins = events.withColumns(
        {"after": F.lag(neighbour).over(backwards), "before": F.lead(neighbour).over(backwards)},
    )
    known = {
        # A later DEAD_LETTER has a reason of its own.
        "reason": F.last(F.expr(f"IF(kind IN {_LEFT_BY}, reason, NULL)"), ignorenulls=True).over(
            from_here_on,
        ),
        **{name: F.last(name, ignorenulls=True).over(from_here_on) for name in _DESTINATION_FIELDS},
    }
    # Two messages with one MsgId are told apart by the time of the put, where that is known. If
    # both were put at one moment of a manual clock, what a departure says is about the one of which
    # a header is known.
    of_message = Window.partitionBy(*_MESSAGE, "put_at")
    departure = F.when(
        ~F.max(F.expr("kind IN ('PUT', 'DEAD_LETTER') AND reason IS NOT NULL")).over(of_message),
        F.max(F.expr(f"IF(kind IN {_LEFT_BY}, struct(seq, {', '.join(_HEADER)}), NULL)")).over(
            of_message,
        ),
    )
    # Of an arrival, only its own header counts.
    shows_header = F.expr(_SHOWS_HEADER)
    has_header = F.when(F.expr("kind = 'PUT'"), shows_header).otherwise(
        F.max(shows_header).over(of_message),
    )
    exact = twins.withColumns({"departure": departure, "has_header": has_header})
    filled = exact.withColumns(
        {
            name: F.when(
                F.expr("kind = 'PUT'"),
                F.expr(f"coalesce({name}, departure.{name})"),
            ).otherwise(
                F.coalesce(name, each),
            )
            for name, each in known.items()
        },
    ).drop("departure")
    # Their event comes after the PUT, which has the header.
    filled = filled.withColumns(
        {name: F.expr(f"IF({_BY_PROGRAM}, before.{name}, {name})") for name in _DESTINATION_FIELDS},
    )
    return filled.where(f"NOT ({_IS_SECOND_EVENT})").drop("after", "before")


def brought(moves: DataFrame, queues: DataFrame) -> DataFrame:
    """How many messages MOVE QLOCAL brought to dead-letter queues, by hour."""
    moved = moves.withColumns({"queue": F.col("target"), "hour": F.expr(HOUR)})
    there = moved.join(F.broadcast(queues.where("is_named")), ["qmgr", "queue"], "left_semi")
    return grouped(there, "qmgr queue hour is_live chosen", f"sum({REMOVED}) AS messages")


def arrivals(dead_letters: DataFrame, brought: DataFrame) -> DataFrame:
    """One row per queue, hour, reason, destination and cause."""
    came = dead_letters.where(f"chosen AND {_ARRIVED}")
    counted = grouped(came, f"qmgr queue hour {' '.join(_HEADER)} cause", "count(*) AS messages")
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
    counted = grouped(
        dead_letters.where(f"chosen AND kind IN {_LEFT_BY}"),
        "qmgr queue kind cause rule attempt target",
        "count(*) AS messages",
        "sum(length) AS bytes",
        f"{sketch(elapsed('put_at', 'at'))} AS spent",
    )
    gone = _gone(dead_letters, there, removals, brought)
    both = with_unrecorded(counted.unionByName(gone, allowMissingColumns=True), unrecorded)
    return summarised(both, "spent")


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
        f"count_if({_ARRIVED}) AS came",
        f"count_if(chosen AND {_ARRIVED}) AS meant",
        f"count_if(kind IN {_LEFT_BY}) AS went",
        f"max(IF({_ARRIVED}, seq, NULL)) AS arrived",
        "bool_and(is_live) AS is_live",
    )
    missing = F.expr("coalesce(came - went, 0) - coalesce(there, 0)")
    counted = known.join(still, _MESSAGE, "full").withColumn("gone", missing)
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
    together = gone.withColumn("seq", F.col("arrived")).unionByName(
        emptied,
        allowMissingColumns=True,
    )
    told = together.withColumn("emptied", first_later("emptied", "qmgr queue")).where(
        "gone IS NOT NULL",
    )
    both = told.join(got, _MESSAGE, "left")
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
    moved = dead_letters.where(f"kind IN {_LEFT_BY} AND unit IS NOT NULL")
    moved = moved.selectExpr("qmgr AS of_qmgr", "unit AS of_unit", "msg_id AS of_msg_id")
    gets = removals.where("kind = 'GET'")
    same = F.expr("qmgr = of_qmgr AND unit = of_unit AND msg_id = of_msg_id")
    return gets.join(moved, same, "left_anti")


def left(there: DataFrame, unrecorded: DataFrame) -> DataFrame:
    """One row per non-empty dead-letter queue, reason and destination."""
    counted = grouped(
        there,
        f"qmgr queue {' '.join(_HEADER)}",
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
    header = f"max_by(struct({', '.join(_HEADER)}), seq) AS header"
    last = grouped(dead_letters.where(_ARRIVED), f"{_OF_MESSAGE} message_number", header)
    exact = last.where("message_number IS NOT NULL").selectExpr(
        *_MESSAGE,
        "message_number AS id",
        "header AS exact",
    )
    others = last.where("message_number IS NULL").selectExpr(*_MESSAGE, "header AS other")
    known = waiting.join(exact, [*_MESSAGE, "id"], "left").join(others, _MESSAGE, "left")
    headers = (F.expr(f"coalesce(exact, other).{name} AS {name}") for name in _HEADER)
    return known.select("*", *headers).where("is_named OR reason IS NOT NULL")


def dead_letter_data(dead_letters: DataFrame, kept: DataFrame) -> DataFrame:
    """One row per arrival of a message whose data was kept when it left the dead-letter queue."""
    return with_kept_data(dead_letters.where(f"chosen AND {_ARRIVED}"), kept)


# What the report reads.

_READS = {
    "losses": shared_reads.LOSSES,
    "queues": Reads(
        EVENT,
        columns=("at", "qmgr", "kind", "cause", "queue", "target", "reason", "detail"),
        where=_MARKS_DEAD_LETTER_QUEUE,
        gather=dead_letter_queues,
        chosen_by=_QUEUE_OF,
        owner=TARGET_OWNER,
    ),
    "event": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "cause",
            "queue",
            "target",
            "msg_id",
            "length",
            "put_at",
            "unit",
            "reason",
            "rule",
            "detail",
        ),
        where=f"kind IN {_KINDS} AND {_WAS_ON_QUEUE}",
        gather=dead_letters,
        beside=("queues", "losses"),
        chosen_by=_QUEUE_OF,
        owner=TARGET_OWNER,
    ),
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
            "Of GONE: GET, CLEAR or MOVE; empty if the history does not tell (ACCTQ(OFF)).",
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
    "Messages still on dead-letter queues, by reason and destination.",
    build=left,
    reads=("pending", "unrecorded"),
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
    tables=(
        _ARRIVALS,
        _OUTCOMES,
        _LEFT,
        _LEFT_MESSAGES,
        _DEAD_LETTER_DATA,
    ),
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
