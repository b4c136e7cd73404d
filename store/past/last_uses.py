"""When queues were last used, and the handles that were open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mqsc.store.past.event_ranges import GROWTH, Range, backwards
from mqsc.store.past.places import Queue
from mqsc.store.rules import opening
from mqsc.store.sql import past, queues
from mqsc.store.sqlite.database import Transaction

# Owner and name of a queue, and PUT or GET.
Use = tuple[str, str, str]
LAST: Mapping[str, str] = {"PUT": "last_put_at", "GET": "last_get_at"}


class LocalQueue(NamedTuple):
    """A local queue of the copy; `recorded`: not with ACCTQ(OFF)."""

    owner: str
    name: str
    id: int
    fifo: int
    recorded: int


def set_last_uses(
    tx: Transaction,
    where: Range,
    local: Mapping[Queue, LocalQueue],
    uses: set[Use],
) -> None:
    """Set when queues were last put on or got from: those of `uses`, owner, name and kind of
    event.
    """
    sought, unused = {use for use in uses if use[:2] in local}, set[Use]()
    for first, last in backwards(1, where.moment, growth=GROWTH):
        names = sorted({name for _, name, _ in sought})
        last_used = past.last_uses(tx, first, last, names) if names else []
        # Of a queue that was made anew, earlier uses were of another one.
        begun = {(qmgr, name): seq for qmgr, name, kind, seq, _ in last_used if kind == "DELETE"}
        for qmgr, name, kind, seq, at in last_used:
            if (qmgr, name, kind) in sought and seq > begun.get((qmgr, name), 0):
                sought.discard((qmgr, name, kind))
                queues.set_columns(tx, local[qmgr, name].id, {LAST[kind]: at})
        unused |= {use for use in sought if use[:2] in begun}
        sought -= unused
    for qmgr, name, kind in sought | unused:
        queues.set_columns(tx, local[qmgr, name].id, {LAST[kind]: None})


def count_handles(tx: Transaction, where: Range, deleted: set[Queue]) -> None:
    """Count the handles that were open: those that are, without those opened since, and with those
    closed since.

    `deleted`: queues that are new in the copy, which no handle has open yet.
    """
    opened: dict[int, past.ObjectEvent] = {}
    closed: set[int] = set()
    for event in past.of_objects(tx, where.moment + 1, where.last, ["OPEN", "CLOSE"]):
        handle = event.told["handle"]
        if event.kind == "OPEN":
            opened[handle] = event
        elif opened.pop(handle, None) is None:
            closed.add(handle)
    changes = [(event, -1) for event in opened.values() if (event.qmgr, event.name) not in deleted]
    for first, last in backwards(1, where.moment, growth=GROWTH):
        if not closed:
            break
        openings = [
            event
            for event in past.of_objects(tx, first, last, ["OPEN"])
            if event.told["handle"] in closed
        ]
        closed -= {event.told["handle"] for event in openings}
        changes += [(event, 1) for event in openings]
    for event, number in changes:
        queue = queues.by_name(tx, event.qmgr, event.name)
        if queue is not None:
            by_default, shareable = bool(queue.default_exclusive), bool(queue.shareable)
            use = opening.handle_use(
                event.told["options"],
                default_exclusive=by_default,
                shareable=shareable,
            )
            queues.count_handles(
                tx,
                queue.id,
                event.told.get("member", event.qmgr),
                number * use.input,
                number * use.exclusive,
                number * use.output,
            )
