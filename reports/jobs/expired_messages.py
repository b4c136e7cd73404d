"""What expired, after what life, found how late and by what; and what is past its expiry and still on a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from reports.columns import HOUR, QMGR, SECONDS, Made, declared, elapsed, made, span
from reports.declaration import Chart, Reads, Report, Table
from store.published import PENDING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Values are collected and sorted: exact, and faster in Spark than counting each as its percentile function does.
_GATHERED = {
    "messages": "count_if(kind = 'EXPIRE')",
    "bytes": "coalesce(sum(length) FILTER (WHERE kind = 'EXPIRE'), 0)",
    "lifetimes": f"collect_list(CASE WHEN kind = 'EXPIRE' THEN {elapsed('put_at', 'at')} END)",
    "latenesses": f"collect_list(CASE WHEN kind = 'EXPIRE' THEN {elapsed('expires_at', 'at')} END)",
    "asked": "count_if(kind = 'EXPIRE' AND get_json_object(detail, '$.report') IS NOT NULL)",
    "put": "count_if(kind = 'REPORT')",
    "dead_lettered": "count_if(kind = 'DEAD_LETTER')",
    "lost": "count_if(kind = 'REPORT_LOST')",
}
_LISTS = ("lifetimes", "latenesses")


_QUEUE = Made("queue", "string", "queue", "The queue that held the messages.")
_HOUR = Made("hour", "timestamp", "timestamp_micros(hour)", "Start of the hour (UTC) in which they were discarded.")
_CAUSE = Made("cause", "string", "cause", "What found them: get, browse, interval, refresh, restart, channel, handler.")
_APPLICATION = Made("application", "string", "put_application", "The application that had put them (PutApplName).")
_MEASURES = (
    Made("messages", "bigint", "messages", "How many messages expired."),
    Made("bytes", "bigint", "bytes", "How many bytes of message data they held."),
    *span("lifetime", "lifetimes", "From the put to the discard"),
    *span("lateness", "latenesses", "From the end of the expiry to the discard"),
    Made("reports_asked", "bigint", "asked", "How many of them asked for an expiration report."),
)
_OUTCOMES = (
    Made("reports_put", "bigint", "put", "Expiration reports put to the reply queue."),
    Made("reports_dead_lettered", "bigint", "dead_lettered", "Expiration reports put to the dead-letter queue."),
    Made("reports_lost", "bigint", "lost", "Expiration reports that could be put nowhere."),
)
EXPIRED = (QMGR, _QUEUE, _HOUR, *_MEASURES, *_OUTCOMES)
EXPIRED_BY_CAUSE = (QMGR, _QUEUE, _HOUR, _CAUSE, _APPLICATION, *_MEASURES)

OVERDUE = (
    QMGR,
    _QUEUE,
    Made("messages", "bigint", "messages", "How many messages are past their expiry and still on the queue."),
    Made("bytes", "bigint", "bytes", "How many bytes of message data they hold."),
    Made("in_units", "bigint", "in_units", "How many of them a unit of work still open has put or got."),
    Made("oldest_expiry", "timestamp", "timestamp_micros(oldest)", "When the expiry of the first of them was up, UTC."),
    Made("longest_overdue", SECONDS, "(now - oldest) / 1e6", "How long that was ago, seconds."),
    Made("now", "timestamp", "timestamp_micros(now)", "The time of the queue manager's clock at the report."),
)
OVERDUE_MESSAGES = (
    QMGR,
    _QUEUE,
    Made("msg_id", "string", "hex(msg_id)", "MsgId, hexadecimal."),
    Made("correl_id", "string", "hex(correl_id)", "CorrelId, hexadecimal; empty when it is 24 zero bytes."),
    Made("priority", "bigint", "priority", "Priority, 0 to 9."),
    Made("persistence", "bigint", "persistence", "1 for a persistent message, 0 for one that is not."),
    Made("length", "bigint", "length", "Bytes of message data."),
    Made("put_at", "timestamp", "timestamp_micros(put_at)", "When it was put, UTC."),
    Made("expires_at", "timestamp", "timestamp_micros(expires_at)", "When its expiry was up, UTC."),
    Made("overdue", SECONDS, "(now - expires_at) / 1e6", "How long that was ago, seconds."),
    Made("put_application", "string", "put_application", "The application that put it (PutApplName)."),
    Made("put_user", "string", "put_user", "The user that put it."),
    Made("state", "string", "state", "AVAILABLE; PUT or GOT by a unit of work that is still open."),
)


def expirations(events: DataFrame) -> DataFrame:
    """One row per queue manager, queue, hour, cause and application, with every lifetime and lateness in it."""
    hours = events.withColumn("hour", F.expr(HOUR))
    groups = hours.groupBy("qmgr", "queue", "hour", "cause", "put_application")
    return groups.agg(*(F.expr(sql).alias(name) for name, sql in _GATHERED.items()))


def expired(gathered: DataFrame) -> DataFrame:
    """One row per queue manager, queue and hour of the discard."""
    sums = (F.sum(name).alias(name) for name in _GATHERED if name not in _LISTS)
    lists = (F.expr(f"sort_array(flatten(collect_list({name})))").alias(name) for name in _LISTS)
    return made(gathered.groupBy("qmgr", "queue", "hour").agg(*sums, *lists), EXPIRED)


def expired_by_cause(gathered: DataFrame) -> DataFrame:
    """The same for every cause and every application that put messages."""
    lists = {name: F.sort_array(name) for name in _LISTS}
    return made(gathered.where("messages > 0").withColumns(lists), EXPIRED_BY_CAUSE)


def overdue(pending: DataFrame) -> DataFrame:
    """One row per queue that holds messages past their expiry."""
    late = pending.where("expires_at <= now").groupBy("qmgr", "queue")
    counted = late.agg(
        F.expr("count(*) AS messages"),
        F.expr("sum(length) AS bytes"),
        F.expr("count_if(state <> 'AVAILABLE') AS in_units"),
        F.expr("min(expires_at) AS oldest"),
        F.expr("max(now) AS now"),
    )
    return made(counted, OVERDUE)


def overdue_messages(pending: DataFrame) -> DataFrame:
    """One row per message past its expiry."""
    return made(pending.where("expires_at <= now"), OVERDUE_MESSAGES)


REPORT = Report(
    name="expired-messages",
    doc="Messages that expired, from the history; and messages past their expiry that are still on a queue.",
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
            "Messages that expired, by queue and by the hour of their discard, and the reports they asked for.",
            ("event",),
            expired,
            declared(EXPIRED),
            ("qmgr", "queue", "hour"),
            Chart("messages", "hour"),
        ),
        Table(
            "expired_by_cause",
            "The same, also by what discarded them and by the application that had put them.",
            ("event",),
            expired_by_cause,
            declared(EXPIRED_BY_CAUSE),
            ("qmgr", "queue", "hour", "cause", "application"),
            Chart("messages", "cause"),
        ),
        Table(
            "overdue",
            "Queues that hold messages past their expiry, which no get, scan or REFRESH has met yet.",
            ("pending",),
            overdue,
            declared(OVERDUE),
            ("qmgr", "queue"),
            Chart("messages", "queue"),
        ),
        Table(
            "overdue_messages",
            "Those messages, one by one.",
            ("pending",),
            overdue_messages,
            declared(OVERDUE_MESSAGES),
            ("qmgr", "queue", "expires_at", "msg_id"),
        ),
    ),
)
