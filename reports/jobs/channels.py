"""The messages that channels carried, how fast, and why channels failed."""

from pyspark.sql import DataFrame, Window, functions as F

from mqsc.reports.columns import (
    BYTES,
    CODE,
    MICROSECONDS,
    NUMBER,
    PER_SECOND,
    SECONDS,
    TEXT,
    TIME,
    Column,
    table,
)
from mqsc.reports.declaration import Chart, Identity, Reads, Report
from mqsc.reports.expressions import HOUR, elapsed, grouped
from mqsc.reports.shared_columns import QMGR
from mqsc.store.published import EVENT

_SYNC_QUEUE = "SYSTEM.CHANNEL.SYNCQ"
_DETAIL = (
    "partner STRING, role STRING, message STRING, luwid STRING, sequence BIGINT, messages BIGINT, "
    "bytes BIGINT, "
    "fast BIGINT, waited_ms BIGINT, longest_ms BIGINT, decision STRING"
)
# What an end of a channel is. A sender does not know its partner before they have met.
_END = "qmgr channel role end_partner"
# The columns of `channels`, and what they count.
_OUTCOMES = {"dead_lettered": "DEAD_LETTER", "discarded": "DISCARD", "expired": "EXPIRE"}
_CAUSES = {"retries": "retry", "stops": "stopped", "failures": "failed", "in_doubt": "in-doubt"}
_WENT_WRONG = ("failed", "retry", "stopped")


def channel_ends(events: DataFrame) -> DataFrame:
    """The events of channels with their details."""
    told = (
        events.withColumn("told", F.from_json("detail", _DETAIL))
        .select("*", "told.*")
        .drop("told", "detail")
    )
    named = told.withColumnsRenamed({"target": "channel"})
    return _with_batches(
        named.withColumn("end_partner", F.expr("IF(role = 'receiver', partner, '')")),
    )


def channel_events(outcomes: DataFrame, ends: DataFrame, carried: DataFrame) -> DataFrame:
    """The events of channels with when each batch began, and the messages that were not
    delivered.
    """
    timed = ends.join(_began(ends, carried), ["qmgr", "seq"], "left")
    events = timed.unionByName(_of_channels(outcomes, ends), allowMissingColumns=True)
    return events.withColumn("hour", F.expr(HOUR))


def _with_batches(ends: DataFrame) -> DataFrame:
    """With `is_batch`: a batch was committed. One that was resolved so counts if there is no
    other event about it.
    """
    of_batch = Window.partitionBy(*_END.split(), "luwid")
    committed = F.expr("cause = 'resolved' AND decision = 'commit' AND messages IS NOT NULL")
    others = F.max(F.expr("cause = 'batch'")).over(of_batch)
    return ends.withColumn("is_batch", F.expr("cause = 'batch'") | (committed & ~others))


def _began(batches: DataFrame, carried: DataFrame) -> DataFrame:
    """When the first message of each batch was got or put: after the batch of the same
    connection before it.
    """
    of_connection = Window.partitionBy("qmgr", "connection").orderBy("seq")
    ended = batches.where("is_batch AND connection IS NOT NULL").select(
        "qmgr",
        "connection",
        "seq",
        "at",
        "is_batch",
    )
    moved = carried.select("qmgr", "connection", "seq", "at", F.lit(False).alias("is_batch"))
    ours = moved.join(
        ended.select("qmgr", "connection").distinct(),
        ["qmgr", "connection"],
        "left_semi",
    )
    before = of_connection.rowsBetween(Window.unboundedPreceding, -1)
    numbered = ended.unionByName(ours).withColumn(
        "batch",
        F.coalesce(F.expr("count_if(is_batch)").over(before), F.lit(0)),
    )
    began = "min(at) FILTER (WHERE NOT is_batch) AS began"
    last = "max(seq) FILTER (WHERE is_batch) AS seq"
    batches = grouped(numbered, "qmgr connection batch", began, last)
    return batches.where("seq IS NOT NULL AND began IS NOT NULL").select("qmgr", "seq", "began")


def _of_channels(outcomes: DataFrame, ends: DataFrame) -> DataFrame:
    """The messages that were not delivered, with the end of the channel: by connection, else by
    transmission queue.
    """
    known = ends.where("role IS NOT NULL")
    connections = _only_end(known.where("connection IS NOT NULL"), "connection", "by_connection")
    queues = _only_end(known.where("queue <> ''"), "queue", "by_queue")
    outcomes_with_ends = outcomes.join(connections, ["qmgr", "connection"], "left").join(
        queues,
        ["qmgr", "queue"],
        "left",
    )
    end = F.coalesce("by_connection", "by_queue")
    return (
        outcomes_with_ends.select("qmgr", "at", "kind", "chosen", end.alias("end"))
        .select("*", "end.*")
        .drop("end")
    )


def _only_end(events: DataFrame, by: str, name: str) -> DataFrame:
    """The end of a channel that each value of a column belongs to: that of its last event."""
    return grouped(
        events,
        f"qmgr {by}",
        f"max_by(struct(channel, role, partner, end_partner), seq) AS {name}",
    )


def channels(events: DataFrame) -> DataFrame:
    """One row per end of a channel and hour."""
    return grouped(
        events.where("chosen"),
        f"{_END} hour",
        "max(nullif(partner, '')) AS partner",
        "count_if(is_batch) AS batches",
        *(
            f"coalesce(sum({name}) FILTER (WHERE is_batch), 0) AS {name}"
            for name in ("messages", "bytes", "fast")
        ),
        "sum(messages) FILTER (WHERE is_batch AND began IS NOT NULL) AS timed_messages",
        f"nullif(sum({elapsed('began', 'at')}) FILTER (WHERE is_batch), 0) AS busy",
        "sum(waited_ms) FILTER (WHERE is_batch) AS waited_ms",
        "nullif(sum(messages) FILTER (WHERE is_batch AND waited_ms IS NOT NULL), 0) AS "
        "waited_messages",
        "max(longest_ms) FILTER (WHERE is_batch) AS longest_ms",
        *(f"count_if(cause <=> '{cause}') AS {name}" for name, cause in _CAUSES.items()),
        *(f"count_if(kind = '{kind}') AS {name}" for name, kind in _OUTCOMES.items()),
    )


def failures(events: DataFrame) -> DataFrame:
    """One row per end of a channel, message about a failure, and what became of the channel."""
    wrong = events.where(f"chosen AND cause IN {_WENT_WRONG}").withColumn(
        "message_id",
        F.expr("nullif(regexp_extract(message, '^(AMQ[0-9]+[A-Z]?)', 1), '')"),
    )
    return grouped(
        wrong,
        f"{_END} message_id cause",
        "max(nullif(partner, '')) AS partner",
        "count(*) AS times",
        "min(at) AS first",
        "max(at) AS last",
        "max_by(message, seq) AS message",
    )


def in_doubt(events: DataFrame) -> DataFrame:
    """One row per batch that was or is in doubt."""
    return grouped(
        events.where("cause IN ('in-doubt', 'resolved')"),
        "qmgr channel luwid",
        "max(nullif(partner, '')) AS partner",
        "max(sequence) AS sequence",
        "min(at) FILTER (WHERE cause = 'in-doubt') AS since",
        "max(at) FILTER (WHERE cause = 'resolved') AS until",
        "max_by(decision, seq) FILTER (WHERE cause = 'resolved') AS decision",
        "max(now) AS now",
        "max(chosen) AS chosen",
    ).where("chosen")


# What the report reads.

_READS = {
    "ends": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "cause", "queue", "target", "connection", "detail"),
        where="kind = 'CHANNEL'",
        gather=channel_ends,
        chosen_by="queue",
    ),
    "carried": Reads(
        EVENT,
        columns=("seq", "at", "qmgr", "kind", "queue", "connection"),
        where=f"kind IN ('PUT', 'GET') AND connection IS NOT NULL AND queue <> '{_SYNC_QUEUE}'",
        chosen_by="queue",
    ),
    "event": Reads(
        EVENT,
        columns=("at", "qmgr", "kind", "cause", "queue", "connection"),
        where="kind IN ('DEAD_LETTER', 'DISCARD', 'EXPIRE') AND cause = 'channel'",
        gather=channel_events,
        beside=("ends", "carried"),
        chosen_by="queue",
    ),
}

# Columns that several tables have.

_ROLE = Column(
    "role",
    TEXT,
    "The end of the channel: sender or receiver; empty if it is not known.",
)
_PARTNER = Column("partner", TEXT, "The queue manager at the other end; empty if it is not known.")
_CHANNEL = Column("channel", TEXT, "The channel.")

# The tables.

_CHANNELS = table(
    "channels",
    "What each end of a channel did, by hour.",
    build=channels,
    reads=("event",),
    order=("qmgr", "channel", "role", "partner", "hour"),
    columns=(
        QMGR,
        Column("channel", TEXT, "The channel; empty if the history does not tell."),
        _ROLE,
        _PARTNER,
        Column("hour", TIME, "Start of the hour (UTC) in which it happened."),
        Column("batches", NUMBER, "Batches that were committed at this end."),
        Column(
            "messages",
            NUMBER,
            "Messages in these batches.",
            total="sent and received",
            worst=True,
        ),
        Column("bytes", BYTES, "Bytes of message data in them."),
        Column(
            "fast",
            NUMBER,
            "How many of the messages were fast: non-persistent, outside the batch.",
        ),
        Column(
            "throughput",
            PER_SECOND,
            "Messages per second while batches were open, from the first message to the "
            "commit; empty if the history does not tell (ACCTQ(OFF)).",
            sql="timed_messages * 1e6 / busy",
        ),
        Column(
            "latency_mean",
            SECONDS,
            "Time from put to arrival, seconds: mean; at the receiver.",
            sql="waited_ms / waited_messages / 1e3",
        ),
        Column(
            "latency_longest",
            SECONDS,
            "Time from put to arrival, seconds: longest; at the receiver.",
            sql="longest_ms / 1e3",
        ),
        Column("retries", NUMBER, "Times that it failed and was to be started again."),
        Column("stops", NUMBER, "Times that it was stopped, by a command or after its last retry."),
        Column(
            "failures",
            NUMBER,
            "Times that it ended because of an error.",
            problem="channel failures",
        ),
        Column("dead_lettered", NUMBER, "Messages that it put on the dead-letter queue."),
        Column("discarded", NUMBER, "Messages that it discarded."),
        Column("expired", NUMBER, "Messages that had expired on the way."),
        Column("in_doubt", NUMBER, "Batches that became in doubt."),
    ),
    chart=Chart("messages", by="hour", label="messages sent and received"),
)

_FAILURES = table(
    "failures",
    "Failures, retries and stops by the message that was given.",
    build=failures,
    reads=("event",),
    order=("qmgr", "channel", "role", "partner", "message_id", "outcome"),
    columns=(
        QMGR,
        _CHANNEL,
        _ROLE,
        _PARTNER,
        Column("message_id", TEXT, "Number of the message about it (AMQ...); empty for none."),
        Column(
            "outcome", TEXT, f"What became of the channel: {', '.join(_WENT_WRONG)}.", sql="cause"
        ),
        Column("times", NUMBER, "How often that was.", worst=True),
        Column("first", TIME, "When it was for the first time, UTC."),
        Column("last", TIME, "When it was for the last time, UTC."),
        Column("message", TEXT, "The message that was given the last time."),
    ),
    chart=Chart("times", by="channel", label="failures, retries and stops at both ends"),
)

_IN_DOUBT = table(
    "in_doubt",
    "Batches that were in doubt at the sender, how long, and how they were resolved.",
    build=in_doubt,
    reads=("event",),
    order=("qmgr", "channel", "since", "luwid"),
    columns=(
        QMGR,
        _CHANNEL,
        _PARTNER,
        Column("luwid", TEXT, "Logical unit of work identifier of the batch, hexadecimal."),
        Column("sequence", CODE, "Sequence number of its last message."),
        Column("since", TIME, "When the sender recorded that, UTC; empty if it was killed before."),
        Column("until", TIME, "When it was resolved, UTC; empty if it is in doubt."),
        Column(
            "lasted",
            MICROSECONDS,
            "Time between the two, seconds; until now if it is in doubt, empty if `since` is.",
            sql=elapsed("since", "coalesce(until, now)"),
            worst=True,
        ),
        Column(
            "decision",
            TEXT,
            "How it was resolved: commit or backout; empty if it is in doubt.",
        ),
    ),
    chart=Chart("lasted", by="channel", label="seconds in doubt"),
)

REPORT = Report(
    "channels",
    "What channels carried, how fast and how late it arrived, and how often they failed.",
    reads=_READS,
    tables=(_CHANNELS, _FAILURES, _IN_DOUBT),
    identities=(
        Identity(
            "channels.retries + channels.stops + channels.failures = failures.times",
            by=("qmgr", "channel", "role"),
        ),
        Identity("channels.messages >= channels.fast", by=("qmgr", "channel", "role", "hour")),
    ),
)
