"""Every change of a queue's depth: its counters, and the performance events that follow (design
§3.22).

Nothing else writes the depth of a queue (an architecture test checks it), so no way of adding or
removing messages can forget the events. Events are looked for only where the queue manager and the
queue have them enabled; for a shared queue any member of the group may have them enabled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.engine import queue_events
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.state import CallContext
from mqsc.store.sql import messages, queues, statistics
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction


def put(tx: Transaction, call: CallContext, queue: QueueRow, count: int) -> list[Effect]:
    """`count` messages were put; `queue` is as it was before."""
    queues.count_puts(tx, queue.id, count, call.now)
    if queue.structure:
        statistics.count_member_puts(
            tx,
            queue.id,
            call.qmgr.name,
            count,
            queue.depth + count,
            call.now,
        )
        return queue_events.arrived(tx, call, queue) if queue.high_event else []
    if may_raise_put_event(call, queue):
        return queue_events.arrived(tx, call, queue)
    return []


def may_raise_put_event(call: CallContext, queue: QueueRow) -> bool:
    """Whether an event may follow a put to a queue of the queue manager itself."""
    return bool(call.qmgr.performance_event and (queue.high_event or queue.service_event))


def put_one_each(tx: Transaction, call: CallContext, ids: str) -> None:
    """One message was put to each of these queues, given as a JSON list of their numbers, for
    which no event can follow and which are not shared.
    """
    queues.count_put_each(tx, ids, call.now)


class BeforeGet(NamedTuple):
    """The state of a queue before a get that may raise an event: when its service timer was
    started, if it was.
    """

    service_timer: int | None


def before_get(tx: Transaction, call: CallContext, queue: QueueRow) -> BeforeGet | None:
    """What `got` needs to know from before the get; None when no event can follow."""
    if queue.structure:
        may_follow = bool(queue.low_event)
    else:
        may_follow = bool(call.qmgr.performance_event and (queue.low_event or queue.service_event))
    return BeforeGet(queue_events.service_timer(tx, call, queue)) if may_follow else None


def got(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    put_at: int,
    before: BeforeGet | None,
) -> list[Effect]:
    """A message put at `put_at` was got, or reserved by a unit of work; `before` is from before
    that.
    """
    queues.count_get(tx, queue.id, call.now, max(0, call.now - put_at))
    if queue.structure:
        statistics.count_member_get(tx, queue.id, call.qmgr.name, call.now)
    return [] if before is None else queue_events.left(tx, call, queue, before.service_timer)


def got_all(tx: Transaction, call: CallContext, queue: QueueRow, put_at: Sequence[int]) -> None:
    """The same for messages put at these times, where `before_get` says that no event can
    follow.
    """
    queues.count_gets(tx, queue.id, call.now, [max(0, call.now - each) for each in put_at])


def removed(tx: Transaction, call: CallContext, queue: int, count: int) -> list[Effect]:
    """`count` messages were discarded or cleared; no get is counted."""
    return _changed(tx, call, queue, -count)


def backed_out(
    tx: Transaction,
    call: CallContext,
    queue: int,
    returned: int,
    withdrawn: int,
) -> list[Effect]:
    """A unit of work returned messages that it had got, and withdrew those that it had put."""
    return _changed(tx, call, queue, returned - withdrawn, returned)


def unlocked(tx: Transaction, queue: int, handle: int) -> bool:
    """Release the lock that a browse through `handle` holds on a message of the queue; whether
    it held one.
    """
    was_locked = bool(messages.unlock(tx, handle))
    if was_locked:
        queues.change_depth(tx, queue, 0, returned=1)
    return was_locked


def corrected(tx: Transaction, queue: int, change: int) -> None:
    """The counter differed from the messages on the queue (`mqsc doctor --repair`), or
    non-persistent ones were lost with a restart, before any program could see an event.
    """
    queues.change_depth(tx, queue, change)


def moved(
    tx: Transaction,
    call: CallContext,
    source: QueueRow,
    target: QueueRow,
    batch: messages.MoveBatch,
    shift: int,
) -> list[Effect]:
    """MOVE QLOCAL: a batch went from one queue to the end of another, `shift` places further on;
    nothing was got.
    """
    left = None if batch.number == source.depth else source.earliest_expiry
    queues.change_depth_by_move(tx, source.id, -batch.number, source.next_sequence, left)
    moments = [at for at in (target.earliest_expiry, batch.earliest_expiry) if at is not None]
    queues.change_depth_by_move(
        tx,
        target.id,
        batch.number,
        batch.last + shift + 1,
        min(moments, default=None),
    )
    return _events(tx, call, source.id, -batch.number) + _events(tx, call, target.id, batch.number)


def _changed(
    tx: Transaction,
    call: CallContext,
    queue: int,
    change: int,
    returned: int = 0,
) -> list[Effect]:
    queues.change_depth(tx, queue, change, returned)
    return _events(tx, call, queue, change)


def _events(tx: Transaction, call: CallContext, queue: int, change: int) -> list[Effect]:
    may_follow = call.qmgr.performance_event or call.qmgr.sharing_group
    return queue_events.depth_changed(tx, call, queue, change) if may_follow else []
