"""Sums over events before a period, which its tables do not need one by one."""

from __future__ import annotations

import json
from collections import Counter

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from mqsc.reports.earlier_rows import EARLIER, schema_of
from mqsc.reports.endings import EMPTYING, ENDINGS, MOVED_IN
from mqsc.reports.row_conditions import both, is_in

_LEAVE_ALONE = ("EXPIRE", "DISCARD")
_OF_EMPTYING = ("qmgr", "kind", "queue", "target", "detail")
_SUMS = ("messages", "undone")


def is_of_depth(events: pa.Table) -> pa.ChunkedArray:
    """Whether each event changes the depth of its queue. In a unit of work EXPIRE and DISCARD
    describe a get; without the time of the put, a message that was on no queue.
    """
    kind = events["kind"]
    was_on_queue = both(pc.is_null(events["unit"]), pc.is_valid(events["put_at"]))
    counts = pc.or_(pc.invert(is_in(kind, _LEAVE_ALONE)), was_on_queue)
    return both(is_in(kind, (*ENDINGS, *EMPTYING)), counts)


def counted(events: pa.Table) -> pa.Table:
    """How many messages came to each queue and left it: rows of EARLIER."""
    of_depth = events.filter(is_of_depth(events))
    return pa.concat_tables([_one_by_one(of_depth), _emptied(of_depth)])


def summed(sums: pa.Table) -> pa.Table:
    """Rows of EARLIER with the column `store`, each queue, ending and cause once."""
    names = [name for name in sums.column_names if name not in _SUMS]
    added = sums.group_by(names).aggregate([(name, "sum") for name in _SUMS])
    return added.rename_columns([*names, *_SUMS]).select(sums.column_names).cast(sums.schema)


def _one_by_one(events: pa.Table) -> pa.Table:
    """The events of one message each, by queue, kind and cause."""
    of_one = events.filter(is_in(events["kind"], ENDINGS))
    sums = of_one.group_by(["qmgr", "queue", "kind", "cause"]).aggregate([("seq", "count")])
    kinds, endings = pa.array([*ENDINGS]), pa.array([*ENDINGS.values()])
    columns = {
        "qmgr": sums["qmgr"],
        "queue": sums["queue"],
        "ending": endings.take(pc.index_in(sums["kind"], kinds).combine_chunks()),
        "cause": sums["cause"],
        "messages": sums["seq_count"],
        "undone": pa.repeat(pa.scalar(0), sums.num_rows),
    }
    return pa.table(columns).cast(schema_of(EARLIER))


def _emptied(events: pa.Table) -> pa.Table:
    """The messages that CLEAR and MOVE took off each queue, and that MOVE brought to its target."""
    messages: Counter[tuple[str, str, str]] = Counter()
    emptying = events.filter(is_in(events["kind"], EMPTYING)).select(_OF_EMPTYING)
    for row in emptying.to_pylist():
        told = json.loads(row["detail"] or "{}")
        # Those that a unit of work had got were off the queue already.
        removed = int(told.get("messages") or 0) - int(told.get("got") or 0)
        messages[row["qmgr"], row["queue"], EMPTYING[row["kind"]]] += removed
        if row["kind"] == "MOVE":
            owner = told.get("target_owner")
            messages[row["qmgr"] if owner is None else owner, row["target"], MOVED_IN] += removed
    rows = [
        {"qmgr": qmgr, "queue": queue, "ending": ending, "messages": number, "undone": 0}
        for (qmgr, queue, ending), number in messages.items()
    ]
    return pa.Table.from_pylist(rows, schema_of(EARLIER))
