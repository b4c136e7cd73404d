"""Which messages expired, how long they lived, how late and by what they were found; and expired
ones still queued.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, functions as F

from mqsc.reports.columns import (
    HOUR,
    declared,
    elapsed,
    grouped,
    merged,
    sketch,
    summarised,
    with_kept_data,
)
from mqsc.reports.units import in_detail
from mqsc.store.published import KINDS

# A message on a transmission queue has the queue manager as its origin, and a header before its
# data.
_SENT = {
    "put_application": f"coalesce({in_detail('application')}, put_application)",
    "length": f"coalesce(CAST({in_detail('length')} AS BIGINT), length)",
}
_GATHERED = {
    "messages": "count_if(kind = 'EXPIRE')",
    "bytes": "coalesce(sum(length) FILTER (WHERE kind = 'EXPIRE'), 0)",
    "lifetimes": sketch(f"CASE WHEN kind = 'EXPIRE' THEN {elapsed('put_at', 'at')} END"),
    "latenesses": sketch(f"CASE WHEN kind = 'EXPIRE' THEN {elapsed('expires_at', 'at')} END"),
    "asked": f"count_if(kind = 'EXPIRE' AND {in_detail('report')} IS NOT NULL)",
    "put": "count_if(kind = 'REPORT')",
    "dead_lettered": "count_if(kind = 'DEAD_LETTER')",
    "lost": "count_if(kind = 'REPORT_LOST')",
}
_SKETCHES = ("lifetimes", "latenesses")


def expirations(events: DataFrame) -> DataFrame:
    """One row per queue manager, queue, hour, cause, application and member, with sketches of
    times.
    """
    sent = events.withColumns({name: F.expr(sql) for name, sql in _SENT.items()})
    hours = sent.withColumns({"hour": F.expr(HOUR), "member": F.expr(in_detail("member"))})
    sums = (f"{sql} AS {name}" for name, sql in _GATHERED.items())
    return grouped(hours, "qmgr queue hour cause put_application member", *sums)


def expired(gathered: DataFrame) -> DataFrame:
    """One row per queue manager, queue and hour of the discard."""
    sums = (
        f"{merged(name) if name in _SKETCHES else f'sum({name})'} AS {name}" for name in _GATHERED
    )
    return summarised(grouped(gathered, "qmgr queue hour", *sums), *_SKETCHES)


def expired_by_cause(gathered: DataFrame) -> DataFrame:
    """One row per queue manager, queue, hour, cause, application and member."""
    return summarised(gathered.where("messages > 0"), *_SKETCHES)


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


def expired_data(each: DataFrame, kept: DataFrame) -> DataFrame:
    """One row per discarded message whose data was kept."""
    sent = each.withColumns({name: F.expr(sql) for name, sql in _SENT.items()})
    return with_kept_data(sent, kept)


CAUSES = ", ".join(KINDS["EXPIRE"].causes)
REPORT = declared("expired-messages", globals())
