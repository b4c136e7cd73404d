"""Which messages expired, how long they lived, how late and by what they were found; and expired
ones still queued.
"""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import DataFrame, functions as F

from mqsc.reports import shared_reads
from mqsc.reports.blocks import in_blocks
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
    STATE,
)
from mqsc.reports.units import in_detail
from mqsc.store.published import EVENT, KINDS, PENDING

# A message on a transmission queue has the queue manager as its origin, and a header before its
# data.
_SENT = {
    "put_application": f"coalesce({in_detail('application')}, put_application)",
    "length": f"coalesce(CAST({in_detail('length')} AS BIGINT), length)",
}
_SUMS = {
    "messages": "count_if(kind = 'EXPIRE')",
    "bytes": "coalesce(sum(length) FILTER (WHERE kind = 'EXPIRE'), 0)",
    "asked": f"count_if(kind = 'EXPIRE' AND {in_detail('report')} IS NOT NULL)",
    "put": "count_if(kind = 'REPORT')",
    "dead_lettered": "count_if(kind = 'DEAD_LETTER')",
    "lost": "count_if(kind = 'REPORT_LOST')",
}
_LISTS = {
    "lifetimes": listed(f"CASE WHEN kind = 'EXPIRE' THEN {elapsed('put_at', 'at')} END"),
    "latenesses": listed(f"CASE WHEN kind = 'EXPIRE' THEN {elapsed('expires_at', 'at')} END"),
}
_CAUSE = "qmgr queue hour cause put_application member"


def expirations(events: DataFrame) -> DataFrame:
    """One row per queue manager, queue, hour, cause, application, member and block of the history,
    with lists of times.
    """
    sent = events.withColumns({name: F.expr(sql) for name, sql in _SENT.items()})
    hours = sent.withColumns({"hour": F.expr(HOUR), "member": F.expr(in_detail("member"))})
    columns = (f"{sql} AS {name}" for name, sql in {**_SUMS, **_LISTS}.items())
    return grouped(in_blocks(hours), f"{_CAUSE} block", *columns)


def expired(gathered: DataFrame) -> DataFrame:
    """One row per queue manager, queue and hour of the discard."""
    return summed(gathered, "qmgr queue hour", *_SUMS, lists=[*_LISTS])


def expired_by_cause(gathered: DataFrame) -> DataFrame:
    """One row per queue manager, queue, hour, cause, application and member."""
    return summed(gathered.where("messages > 0"), _CAUSE, *_SUMS, lists=[*_LISTS])


def overdue(pending: DataFrame) -> DataFrame:
    """One row per queue that holds expired messages."""
    return grouped(
        pending.where("expires_at <= now"),
        "qmgr queue",
        "count(*) AS messages",
        "sum(length) AS bytes",
        "count_if(state <> 'AVAILABLE') AS in_units",
        "min(expires_at) AS oldest",
        "max(now) AS now",
    )


def overdue_messages(pending: DataFrame) -> DataFrame:
    """One row per expired message still on a queue."""
    return pending.where("expires_at <= now")


def expired_data(discarded: DataFrame, kept: DataFrame) -> DataFrame:
    """One row per discarded message whose data was kept."""
    sent = discarded.withColumns({name: F.expr(sql) for name, sql in _SENT.items()})
    return with_kept_data(sent, kept)


# What the report reads.

_READS = {
    "event": Reads(
        EVENT,
        columns=(
            "seq",
            "at",
            "qmgr",
            "kind",
            "cause",
            "queue",
            "length",
            "put_at",
            "expires_at",
            "put_application",
            "detail",
        ),
        where="kind IN ('EXPIRE', 'REPORT', 'DEAD_LETTER', 'REPORT_LOST') "
        "AND (kind = 'EXPIRE' OR cause = 'expiration')",
        gather=expirations,
    ),
    "pending": Reads(
        PENDING,
        columns=(
            "qmgr",
            "queue",
            "msg_id",
            "correl_id",
            "priority",
            "persistence",
            "length",
            "put_at",
            "expires_at",
            "put_application",
            "put_user",
            "state",
        ),
        where="expires_at IS NOT NULL",
    ),
    "each": Reads(
        EVENT,
        columns=(
            "at",
            "qmgr",
            "kind",
            "queue",
            "msg_id",
            "length",
            "put_at",
            "expires_at",
            "put_application",
            "detail",
        ),
        where="kind = 'EXPIRE'",
    ),
    "kept": shared_reads.KEPT_DATA,
}

# Columns that several tables have.

_QUEUE = Column("queue", TEXT, "The queue that held the messages.")
_HOUR = Column("hour", TIME, "Start of the hour (UTC) in which they were discarded.")
_MESSAGES = Column("messages", NUMBER, "Number of messages that expired.")
_BYTES = Column("bytes", BYTES, "Bytes of message data.")
_LIFETIME = Percentiles("lifetime", "Time from put to discard", of="lifetimes")
_LATENESS = Percentiles("lateness", "Time from expiry to discard", of="latenesses")
_REPORTS_ASKED = Column(
    "reports_asked",
    NUMBER,
    "How many of them asked for an expiration report.",
    sql="asked",
)

# The tables.

_EXPIRED = table(
    "expired",
    "Expired messages by queue and hour of discard, and the reports they asked for.",
    build=expired,
    reads=("event",),
    order=("qmgr", "queue", "hour"),
    columns=(
        QMGR,
        _QUEUE,
        _HOUR,
        replace(_MESSAGES, problem="expired", worst=True),
        _BYTES,
        _LIFETIME,
        _LATENESS,
        _REPORTS_ASKED,
        Column("reports_put", NUMBER, "Expiration reports put to the reply queue.", sql="put"),
        Column(
            "reports_dead_lettered",
            NUMBER,
            "Expiration reports put to the dead-letter queue.",
            sql="dead_lettered",
        ),
        Column(
            "reports_lost",
            NUMBER,
            "Expiration reports that could not be put anywhere.",
            sql="lost",
        ),
    ),
    chart=Chart("messages", by="hour"),
)

_EXPIRED_BY_CAUSE = table(
    "expired_by_cause",
    "The same by cause of the discard, by the application that put them and the "
    "member that discarded them.",
    build=expired_by_cause,
    reads=("event",),
    order=("qmgr", "queue", "hour", "cause", "application", "member"),
    columns=(
        QMGR,
        _QUEUE,
        _HOUR,
        Column("cause", TEXT, f"What found them: {', '.join(KINDS['EXPIRE'].causes)}."),
        Column(
            "application",
            TEXT,
            "The application that put them (PutApplName).",
            sql="put_application",
        ),
        replace(_MESSAGES, worst=True),
        _BYTES,
        _LIFETIME,
        _LATENESS,
        _REPORTS_ASKED,
        Column(
            "member",
            TEXT,
            "The member of the queue-sharing group that discarded them, if it was a shared queue.",
        ),
    ),
    chart=Chart("messages", by="cause"),
)

_OVERDUE = table(
    "overdue",
    "Queues that hold expired messages now, whatever the period, which no get, scan or REFRESH has "
    "found yet.",
    build=overdue,
    reads=("pending",),
    order=("qmgr", "queue"),
    columns=(
        QMGR,
        _QUEUE,
        Column(
            "messages",
            NUMBER,
            "Number of expired messages still on the queue.",
            problem="expired, still queued",
            worst=True,
        ),
        _BYTES,
        IN_UNITS,
        Column("oldest_expiry", TIME, "When the first of them expired, UTC.", sql="oldest"),
        Column(
            "longest_overdue",
            MICROSECONDS,
            "How long ago that was, seconds.",
            sql="now - oldest",
        ),
        NOW,
    ),
    chart=Chart("messages", by="queue"),
)

_OVERDUE_MESSAGES = table(
    "overdue_messages",
    "The same messages, one row each.",
    build=overdue_messages,
    reads=("pending",),
    order=("qmgr", "queue", "expires_at", "msg_id"),
    columns=(
        QMGR,
        _QUEUE,
        MSG_ID,
        CORREL_ID,
        Column("priority", CODE, "Priority, 0 to 9."),
        Column("persistence", CODE, "1 for a persistent message, 0 for a non-persistent one."),
        Column("length", BYTES, "Bytes of message data."),
        Column("put_at", TIME, "When it was put, UTC."),
        Column("expires_at", TIME, "When it expired, UTC."),
        Column(
            "overdue",
            MICROSECONDS,
            "How long ago that was, seconds.",
            sql="now - expires_at",
            worst=True,
        ),
        Column(
            "put_application",
            TEXT,
            "The application that put it (PutApplName); the queue manager if it is on a "
            "transmission queue.",
        ),
        Column("put_user", TEXT, "The user that put it."),
        STATE,
    ),
)

_EXPIRED_DATA = table(
    "expired_data",
    "Discarded messages whose data was kept, with the beginning of it; only if "
    "--kept-data asks for it.",
    build=expired_data,
    reads=("each", "kept"),
    rows_from=("each",),
    order=("qmgr", "queue", "discarded_at", "msg_id"),
    columns=(
        QMGR,
        _QUEUE,
        Column("discarded_at", TIME, "When it was discarded, UTC.", sql="at"),
        MSG_ID,
        Column("put_at", TIME, "When it was put, UTC."),
        Column("expires_at", TIME, "When it expired, UTC."),
        Column("put_application", TEXT, "The application that put it (PutApplName)."),
        Column("length", BYTES, "Bytes of message data."),
        KEPT_SIZE,
        DATA_AS_TEXT,
        DATA_IN_BASE64,
    ),
)

REPORT = Report(
    "expired-messages",
    "Messages that expired, from the history, and expired messages still on a queue.",
    reads=_READS,
    tables=(_EXPIRED, _EXPIRED_BY_CAUSE, _OVERDUE, _OVERDUE_MESSAGES, _EXPIRED_DATA),
    identities=(
        Identity("expired.messages = expired_by_cause.messages", by=("qmgr", "queue", "hour")),
        Identity("expired.bytes = expired_by_cause.bytes", by=("qmgr", "queue", "hour")),
        Identity("overdue.messages = overdue_messages.*", by=("qmgr", "queue")),
        Identity("overdue.bytes = overdue_messages.length", by=("qmgr", "queue")),
    ),
)
