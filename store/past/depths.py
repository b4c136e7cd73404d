"""The depth of a queue after events of the history, counted from the depth now."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mqsc.store.admin import event_search, inquiring, load
from mqsc.store.catalog import kinds_of
from mqsc.store.constants import MQRC
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.error import MQError
from mqsc.store.past.clocks import number_at, owners_with_clock
from mqsc.store.rules.event_index import BACKOUT_ON_ANY_QUEUE, Wanted, of_kind, of_queue
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sql import depths, managers
from mqsc.store.sqlite.database import Reading

# The kinds of events that change a depth; EXPIRE and DISCARD in a unit of work describe a get.
OF_QUEUES = frozenset({"PUT", "GET", "EXPIRE", "DISCARD", "CLEAR", "MOVE"})
OF_UNITS = frozenset({"BACKOUT"})


class DepthAfter(NamedTuple):
    """The depth after an event, and how the event changed it."""

    seq: int
    at: int
    kind: str
    change: int
    depth: int


def change_of(event: TracedEvent, queue: str) -> int:
    """How an event changed the depth of a queue. Got messages do not count, uncommitted puts do,
    as in CURDEPTH.
    """
    if event.kind == "BACKOUT":
        undone = event.detail.get(queue)
        return undone.get("gets", 0) - undone.get("puts", 0) if isinstance(undone, Mapping) else 0
    if event.kind in ("CLEAR", "MOVE"):
        moved = event.detail.get("messages", 0) - event.detail.get("got", 0)
        return int(moved) * (
            (event.kind == "MOVE" and event.target == queue) - (event.queue == queue)
        )
    if event.queue != queue:
        return 0
    if event.kind in ("EXPIRE", "DISCARD"):
        # Without the time of its put, a message was on no queue: a channel carried it.
        return -1 if event.unit is None and event.put_at is not None else 0
    return {"PUT": 1, "GET": -1}.get(event.kind, 0)


class _Subject(NamedTuple):
    """A queue, its owner, and the queue managers whose backouts may be about it."""

    queue: str
    owner: str
    members: list[str]


class PastDepths:
    """The depth at the beginning, and after each event that changed it since, up to `now`
    (microseconds UTC), when it is `current`.
    """

    def __init__(
        self,
        store: StoreState,
        subject: _Subject,
        ranges: list[tuple[int, int]],
        depth: int,
        now: int,
    ) -> None:
        """`ranges`: the numbers of the first and last events of parts of the history; `depth`
        after the last one.
        """
        self._store = store
        self._subject = subject
        self._ranges = ranges
        self.now = now
        self.current = depth
        queue, owner, members = subject
        changes = (
            store.read(depths.sum_of_changes, first, last, queue, owner, members)
            for first, last in ranges
        )
        self.before = depth - sum(changes)

    def points(self) -> Iterator[DepthAfter]:
        """The depth after each event that changed it, in order, read from the history part by
        part.
        """
        depth = self.before
        queue, owner, members = self._subject
        for first, last in self._ranges:
            for seq, at, kind, change in self._store.read(
                depths.changes,
                first,
                last,
                queue,
                owner,
                members,
            ):
                depth += change
                yield DepthAfter(seq, at, kind, change, depth)


def past_depths(
    qmgr: QueueManagerState,
    queue: str,
    *,
    since: int | None = None,
    first: int = 1,
) -> PastDepths:
    """The depths of a local queue, since a time or from event `first` on; MQError 2085 if there is
    no such queue.

    A queue with ACCTQ(OFF) has puts and gets that the history does not know.
    """
    row = next(inquiring.inquire(qmgr, kinds_of("QLOCAL"), queue), None)
    current = load.load(qmgr)
    now = next((statistic.depth for statistic in current.queues if statistic.name == queue), None)
    if row is None or now is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, queue)
    group = qmgr.row().sharing_group if row.get("QSGDISP") == "SHARED" else ""
    with Reading(qmgr.store.database) as reading:
        members = {
            qmgr.name,
            *(
                manager.name
                for manager in managers.all(reading)
                if group and manager.sharing_group == group
            ),
        }
    if since is not None:
        first = max(
            first,
            number_at(qmgr.store, since, owners_with_clock(qmgr.store, qmgr.name)) + 1,
        )
    of_units = (*map(of_kind, OF_UNITS), BACKOUT_ON_ANY_QUEUE)
    wanted = Wanted(((of_queue(queue), *of_units),))
    ranges = [*event_search.EventIndex(qmgr.store).ranges(wanted, first=first, last=current.last)]
    subject = _Subject(queue, group or qmgr.name, sorted(members))
    return PastDepths(qmgr.store, subject, ranges, now, current.now)


def changing(
    store: StoreState,
    queue: str | None,
    *,
    first: int = 1,
    last: int | None = None,
) -> Iterator[TracedEvent]:
    """The events from number `first` that may change the depth of a queue, or of a generic name,
    with all backouts.
    """
    selections = (
        event_search.EventSelection(queue=queue, kinds=OF_QUEUES),
        event_search.EventSelection(kinds=OF_UNITS),
    )
    events = (
        event_search.events(store, selection, first=first, last=last) for selection in selections
    )
    return heapq.merge(*events, key=lambda event: event.seq)
