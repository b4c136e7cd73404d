"""Which messages expired, how long they lived, how late and by what they were found; and expired ones still queued."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from reports.columns import HOUR, QMGR, SECONDS, compute, elapsed, hexadecimal
from reports.declaration import Chart, Identity, Reads, Report, ReportColumn, Table, Total, Unit
from reports.quantiles import merged, sketch, span, summarised
from store.published import KINDS, PENDING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# A message on a transmission queue has the queue manager as its origin, and a header before its data.
_SENT = {
    "put_application": "coalesce(get_json_object(detail, '$.application'), put_application)",
    "length": "coalesce(CAST(get_json_object(detail, '$.length') AS BIGINT), length)",
}
_GATHERED = {
    "messages": "count_if(kind = 'EXPIRE')",
    "bytes": "coalesce(sum(length) FILTER (WHERE kind = 'EXPIRE'), 0)",
    "lifetimes": sketch(f"CASE WHEN kind = 'EXPIRE' THEN {elapsed('put_at', 'at')} END"),
    "latenesses": sketch(f"CASE WHEN kind = 'EXPIRE' THEN {elapsed('expires_at', 'at')} END"),
    "asked": "count_if(kind = 'EXPIRE' AND get_json_object(detail, '$.report') IS NOT NULL)",
    "put": "count_if(kind = 'REPORT')",
    "dead_lettered": "count_if(kind = 'DEAD_LETTER')",
    "lost": "count_if(kind = 'REPORT_LOST')",
}
_SKETCHES = ("lifetimes", "latenesses")


_QUEUE = ReportColumn("queue", "string", "queue", "The queue that held the messages.")
_HOUR = ReportColumn(
    "hour", "timestamp", "timestamp_micros(hour)", "Start of the hour (UTC) in which they were discarded."
)
_CAUSE = ReportColumn("cause", "string", "cause", f"What found them: {', '.join(KINDS['EXPIRE'].causes)}.")
_APPLICATION = ReportColumn("application", "string", "put_application", "The application that put them (PutApplName).")
_MEMBER = ReportColumn(
    "member", "string", "member", "The member of the queue-sharing group that discarded them, if it was a shared queue."
)
_MEASURES = (
    ReportColumn("messages", "bigint", "messages", "Number of messages that expired."),
    ReportColumn("bytes", "bigint", "bytes", "Bytes of message data.", unit=Unit.BYTES),
    *span("lifetime", "lifetimes", "Time from put to discard"),
    *span("lateness", "latenesses", "Time from expiry to discard"),
    ReportColumn("reports_asked", "bigint", "asked", "How many of them asked for an expiration report."),
)
_OUTCOMES = (
    ReportColumn("reports_put", "bigint", "put", "Expiration reports put to the reply queue."),
    ReportColumn(
        "reports_dead_lettered", "bigint", "dead_lettered", "Expiration reports put to the dead-letter queue."
    ),
    ReportColumn("reports_lost", "bigint", "lost", "Expiration reports that could not be put anywhere."),
)
EXPIRED = (QMGR, _QUEUE, _HOUR, *_MEASURES, *_OUTCOMES)
EXPIRED_BY_CAUSE = (QMGR, _QUEUE, _HOUR, _CAUSE, _APPLICATION, *_MEASURES, _MEMBER)

OVERDUE = (
    QMGR,
    _QUEUE,
    ReportColumn("messages", "bigint", "messages", "Number of expired messages still on the queue."),
    ReportColumn("bytes", "bigint", "bytes", "Bytes of message data.", unit=Unit.BYTES),
    ReportColumn("in_units", "bigint", "in_units", "How many of them an open unit of work has put or got."),
    ReportColumn("oldest_expiry", "timestamp", "timestamp_micros(oldest)", "When the first of them expired, UTC."),
    ReportColumn("longest_overdue", SECONDS, "(now - oldest) / 1e6", "How long ago that was, seconds."),
    ReportColumn("now", "timestamp", "timestamp_micros(now)", "The queue manager's time when the report was made."),
)
OVERDUE_MESSAGES = (
    QMGR,
    _QUEUE,
    ReportColumn("msg_id", "string", hexadecimal("msg_id"), "MsgId, hexadecimal."),
    ReportColumn("correl_id", "string", hexadecimal("correl_id"), "CorrelId, hexadecimal; empty for 24 zero bytes."),
    ReportColumn("priority", "bigint", "priority", "Priority, 0 to 9.", unit=Unit.CODE),
    ReportColumn(
        "persistence",
        "bigint",
        "persistence",
        "1 for a persistent message, 0 for a non-persistent one.",
        unit=Unit.CODE,
    ),
    ReportColumn("length", "bigint", "length", "Bytes of message data.", unit=Unit.BYTES),
    ReportColumn("put_at", "timestamp", "timestamp_micros(put_at)", "When it was put, UTC."),
    ReportColumn("expires_at", "timestamp", "timestamp_micros(expires_at)", "When it expired, UTC."),
    ReportColumn("overdue", SECONDS, "(now - expires_at) / 1e6", "How long ago that was, seconds."),
    ReportColumn(
        "put_application",
        "string",
        "put_application",
        "The application that put it (PutApplName); the queue manager if it is on a transmission queue.",
    ),
    ReportColumn("put_user", "string", "put_user", "The user that put it."),
    ReportColumn("state", "string", "state", "AVAILABLE, or PUT or GOT by a unit of work that is still open."),
)


def expirations(events: DataFrame) -> DataFrame:
    """One row per queue manager, queue, hour, cause, application and member, with sketches of times."""
    sent = events.withColumns({name: F.expr(sql) for name, sql in _SENT.items()})
    hours = sent.withColumns({"hour": F.expr(HOUR), "member": F.expr("get_json_object(detail, '$.member')")})
    groups = hours.groupBy("qmgr", "queue", "hour", "cause", "put_application", "member")
    return groups.agg(*(F.expr(sql).alias(name) for name, sql in _GATHERED.items()))


def expired(gathered: DataFrame) -> DataFrame:
    """One row per queue manager, queue and hour of the discard."""
    sums = (F.sum(name).alias(name) for name in _GATHERED if name not in _SKETCHES)
    sketches = (F.expr(merged(name)).alias(name) for name in _SKETCHES)
    grouped = gathered.groupBy("qmgr", "queue", "hour").agg(*sums, *sketches)
    return compute(summarised(grouped, *_SKETCHES), EXPIRED)


def expired_by_cause(gathered: DataFrame) -> DataFrame:
    """One row per queue manager, queue, hour, cause, application and member."""
    return compute(summarised(gathered.where("messages > 0"), *_SKETCHES), EXPIRED_BY_CAUSE)


def overdue(pending: DataFrame) -> DataFrame:
    """One row per queue that holds expired messages."""
    late = pending.where("expires_at <= now").groupBy("qmgr", "queue")
    counted = late.agg(
        F.expr("count(*) AS messages"),
        F.expr("sum(length) AS bytes"),
        F.expr("count_if(state <> 'AVAILABLE') AS in_units"),
        F.expr("min(expires_at) AS oldest"),
        F.expr("max(now) AS now"),
    )
    return compute(counted, OVERDUE)


def overdue_messages(pending: DataFrame) -> DataFrame:
    """One row per expired message still on a queue."""
    return compute(pending.where("expires_at <= now"), OVERDUE_MESSAGES)


REPORT = Report(
    name="expired-messages",
    doc="Messages that expired, from the history, and expired messages still on a queue.",
    reads={
        "event": Reads(
            ("at", "qmgr", "kind", "cause", "queue", "length", "put_at", "expires_at", "put_application", "detail"),
            "kind IN ('EXPIRE', 'REPORT', 'DEAD_LETTER', 'REPORT_LOST') AND (kind = 'EXPIRE' OR cause = 'expiration')",
            expirations,
        ),
        "pending": Reads(
            tuple(column.name for column in PENDING.columns if column.name != PENDING.key),
            "expires_at IS NOT NULL",
        ),
    },
    tables=(
        Table(
            "expired",
            "Expired messages by queue and hour of discard, and the reports they asked for.",
            ("event",),
            expired,
            EXPIRED,
            ("qmgr", "queue", "hour"),
            Chart("messages", "hour"),
            totals=(Total("messages", "expired", problem=True),),
            worst="messages",
        ),
        Table(
            "expired_by_cause",
            "The same by cause of the discard, by the application that put them and the member that discarded them.",
            ("event",),
            expired_by_cause,
            EXPIRED_BY_CAUSE,
            ("qmgr", "queue", "hour", "cause", "application", "member"),
            Chart("messages", "cause"),
            worst="messages",
        ),
        Table(
            "overdue",
            "Queues that hold expired messages, which no get, scan or REFRESH has found yet.",
            ("pending",),
            overdue,
            OVERDUE,
            ("qmgr", "queue"),
            Chart("messages", "queue"),
            totals=(Total("messages", "expired, still queued", problem=True),),
            worst="messages",
        ),
        Table(
            "overdue_messages",
            "The same messages, one row each.",
            ("pending",),
            overdue_messages,
            OVERDUE_MESSAGES,
            ("qmgr", "queue", "expires_at", "msg_id"),
            worst="overdue",
        ),
    ),
    identities=(
        Identity("expired.messages = expired_by_cause.messages", ("qmgr", "queue", "hour")),
        Identity("expired.bytes = expired_by_cause.bytes", ("qmgr", "queue", "hour")),
        Identity("overdue.messages = overdue_messages.*", ("qmgr", "queue")),
        Identity("overdue.bytes = overdue_messages.length", ("qmgr", "queue")),
    ),
)
