"""The events of dead letters: on which queues they arrived, with which header, and how they left.

An event may lack what another one of the same message has, and older versions recorded less.
"""

from pyspark.sql import DataFrame, Window, functions as F

from mqsc.reports.declaration import Reads
from mqsc.reports.expressions import HOUR, grouped
from mqsc.reports.units import TARGET_OWNER
from mqsc.store.published import EVENT

# The events that record how a message left a dead-letter queue.
LEFT_BY = ("REQUEUE", "FORWARD", "DISCARD", "EXPIRE")
# The causes of such events of the dead-letter handler and of `mqsc dlq`.
BY_HANDLER = ("handler", "command")
_KINDS = (*LEFT_BY, "DEAD_LETTER", "PUT")
# A message that a channel carried was on no queue: its event has no time of a put.
_WAS_ON_QUEUE = "(kind NOT IN ('DISCARD', 'EXPIRE') OR put_at IS NOT NULL)"
# The reason is that of a dead-letter header. The reason of another DISCARD is why a channel
# discarded the message.
_SHOWS_HEADER = (
    f"reason IS NOT NULL AND (kind = 'PUT' OR kind IN {LEFT_BY} AND cause IN {BY_HANDLER})"
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
# The columns that identify a message.
MESSAGE = ["qmgr", "queue", "msg_id"]
# The events that record an arrival.
ARRIVED = "kind IN ('DEAD_LETTER', 'PUT')"
# The columns of the header.
_DESTINATION_FIELDS = ("destination", "destination_queue_manager")
HEADER = ("reason", *_DESTINATION_FIELDS)


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
    backwards = Window.partitionBy(*MESSAGE).orderBy(F.desc("seq"))
    from_here_on = backwards.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    neighbour = F.expr(
        f"struct(kind, cause, destination, destination_queue_manager, {_OLD} AS is_old)",
    )
    twins = events.withColumns(
        {"after": F.lag(neighbour).over(backwards), "before": F.lead(neighbour).over(backwards)},
    )
    known = {
        # A later DEAD_LETTER has a reason of its own.
        "reason": F.last(F.expr(f"IF(kind IN {LEFT_BY}, reason, NULL)"), ignorenulls=True).over(
            from_here_on,
        ),
        **{name: F.last(name, ignorenulls=True).over(from_here_on) for name in _DESTINATION_FIELDS},
    }
    # Two messages with one MsgId are told apart by the time of the put, where that is known. If
    # both were put at one moment of a manual clock, what a departure says is about the one of which
    # a header is known.
    of_message = Window.partitionBy(*MESSAGE, "put_at")
    departure = F.when(
        ~F.max(F.expr("kind IN ('PUT', 'DEAD_LETTER') AND reason IS NOT NULL")).over(of_message),
        F.max(F.expr(f"IF(kind IN {LEFT_BY}, struct(seq, {', '.join(HEADER)}), NULL)")).over(
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


# What a report of dead letters reads: DEAD_LETTER_QUEUES as `queues`, and then DEAD_LETTERS.

DEAD_LETTER_QUEUES = Reads(
    EVENT,
    columns=("at", "qmgr", "kind", "cause", "queue", "target", "reason", "detail"),
    where=_MARKS_DEAD_LETTER_QUEUE,
    gather=dead_letter_queues,
    chosen_by=_QUEUE_OF,
    owner=TARGET_OWNER,
)
DEAD_LETTERS = Reads(
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
)
