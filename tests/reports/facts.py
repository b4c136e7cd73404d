"""The events of a store as a second program that counts sees them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.reports.played import played

Row = dict[str, Any]
Figures = Counter[tuple[Any, ...]]
HOUR = 3_600_000_000


class Facts(NamedTuple):
    """The events of a store with what every figure needs: details, and which units of work were
    backed out or end.
    """

    events: Sequence[Row]
    pending: Sequence[Row]
    undone: frozenset[int]
    put_of: dict[int, Row]


def facts_of(events: Sequence[Row], pending: Sequence[Row]) -> Facts:
    told = [{**each, "detail": json.loads(each["detail"] or "{}")} for each in events]
    undone = frozenset(
        each["unit"] for each in told if each["kind"] == "BACKOUT" and each["unit"] is not None
    )
    return Facts(
        told,
        pending,
        undone,
        {each["seq"]: each for each in told if each["kind"] == "PUT"},
    )


def was_on_queue(event: Row) -> bool:
    """Not what a channel discarded or found expired on the way."""
    return event["kind"] not in ("DISCARD", "EXPIRE") or event["put_at"] is not None


def identity(event: Row) -> tuple[Any, ...]:
    """The queue of a message, its MsgId and the time of its put."""
    return event["qmgr"], event["queue"], event["msg_id"], event["put_at"]


def hour_of(event: Row) -> int:
    return int(event["at"]) // HOUR * HOUR


def rows_of_histories(seeds: Sequence[int]) -> dict[str, list[Row]]:
    """The events and messages of histories that were played, each of a store of its own, whose
    number the names of its queue managers have.
    """
    rows: dict[str, list[Row]] = {"event": [], "pending": []}
    for seed in seeds:
        for relation, found in played(seed)._asdict().items():
            rows[relation] += (
                {**each, "qmgr": f"{each['qmgr']}/{seed}", "store": seed} for each in found
            )
    return rows


def facts_of_stores(rows: dict[str, list[Row]]) -> list[Facts]:
    """The facts of each store."""
    return [
        facts_of(
            *(
                [each for each in rows[name] if each["store"] == store]
                for name in ("event", "pending")
            ),
        )
        for store in sorted({each["store"] for each in rows["event"]})
    ]
