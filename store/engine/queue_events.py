"""Event messages about queues: read the facts, let the rules decide, reset the statistics (mqi-semantics §11).

Called only when the hot columns say that an event is possible, so other queues pay nothing.
"""

from __future__ import annotations

from store.engine import name_resolution
from store.engine.call_context import CallContext
from store.engine.effects import EVENT, Deliver, Effect
from store.engine.name_resolution import Destination
from store.environment import MICROSECONDS
from store.headers.pcf import Parameter
from store.rules import performance_events as rules
from store.rules.event_message import (
    EVENT_QUEUES,
    PERFORMANCE,
    QUEUE_MANAGER,
    QueueStatistics,
    event_message,
    inhibit_parameters,
    performance_parameters,
)
from store.rules.performance_events import MonitoredQueue, PerformanceEvent
from store.sql import objects, queue_statistics, queues
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction

PUT_INHIBITED, GET_INHIBITED, Q_FULL = 2051, 2016, 2053


def arrived(tx: Transaction, call: CallContext, queue: QueueRow) -> list[Effect]:
    """The events raised by messages just put on the queue; `queue` is as it was before."""
    after = queues.by_id(tx, queue.id, call.qmgr.name)
    if after is None:
        return []
    timer = service_timer(tx, call, after)
    return _made(tx, call, after, rules.after_put(_monitored(call, after, timer)))


def left(tx: Transaction, call: CallContext, queue: QueueRow, timer: int | None) -> list[Effect]:
    """The events raised by a destructive get; `timer` is what `service_timer` returned before it."""
    after = queues.by_id(tx, queue.id, call.qmgr.name)
    if after is None:
        return []
    return _made(tx, call, after, rules.after_get(_monitored(call, after, timer)))


def depth_changed(tx: Transaction, call: CallContext, queue: int, change: int) -> list[Effect]:
    """The event raised by a change of depth that is neither a put nor a get."""
    after = queues.by_id(tx, queue, call.qmgr.name)
    if after is None or not change:
        return []
    decide = rules.after_rise if change > 0 else rules.after_fall
    return _made(tx, call, after, decide(_monitored(call, after, None)))


def service_timer(tx: Transaction, call: CallContext, queue: QueueRow) -> int | None:
    """When the service timer of a queue started (microseconds UTC); None where no event depends on it.

    A put to the empty queue starts the timer, a get that leaves messages restarts it, and so does a start of the queue
    manager. So it runs from the last get, or from the put of the oldest message if that is later.
    """
    if not queue.service_event:
        return None
    row = queues.by_id(tx, queue.id, call.qmgr.name)
    oldest = queue_statistics.oldest_put(tx, queue.id)
    if row is None or oldest is None:
        return None
    return max(oldest, row.last_get_at or 0, call.qmgr.started_at)


def put_refused(tx: Transaction, call: CallContext, name: str, destination: Destination, reason: int) -> list[Effect]:
    """The event about a put to `name` that failed; only 2051 and 2053 have one."""
    if reason == PUT_INHIBITED:
        return inhibited(tx, call, name, destination, reason)
    if reason != Q_FULL:
        return []
    full = queues.by_id(tx, destination.queue.id, call.qmgr.name)
    if full is None or not call.qmgr.performance_event:
        return []
    return _made(tx, call, full, rules.after_queue_full(_monitored(call, full, None)))


def inhibited(tx: Transaction, call: CallContext, name: str, destination: Destination, reason: int) -> list[Effect]:
    """The event about a put (2051) or get (2016) on an inhibited object; `name` is the one opened."""
    if not call.qmgr.inhibit_event:
        return []
    elsewhere = "" if destination.resolved_through else destination.remote_queue_manager
    told = inhibit_parameters(call.qmgr.name, name, call.application, elsewhere)
    return _message(tx, call, QUEUE_MANAGER, reason, told, destination.queue.name)


def _monitored(call: CallContext, queue: QueueRow, timer: int | None) -> MonitoredQueue:
    return MonitoredQueue(
        queue.depth,
        queue.max_depth,
        queue.depth_high,
        queue.depth_low,
        queue.high_event,
        queue.low_event,
        queue.full_event,
        queue.service_event,
        queue.service_interval,
        timer,
        call.now,
    )


def _made(tx: Transaction, call: CallContext, queue: QueueRow, events: list[PerformanceEvent]) -> list[Effect]:
    """The messages for events of a queue; each event resets the queue's statistics."""
    if not events:
        return []
    since = queue.statistics_reset_at
    if since is None:
        definition = objects.by_name(tx, queue.owner, "queue", queue.name)
        since = call.now if definition is None else definition.created_at
    seconds = max(0, call.now - since) // MICROSECONDS
    told = performance_parameters(
        call.qmgr.name, queue.name, QueueStatistics(seconds, queue.high_depth, queue.puts, queue.gets)
    )
    queues.set_columns(tx, queue.id, rules.all_switches(events))
    queue_statistics.reset(tx, [queue.id], call.now)
    return [effect for event in events for effect in _message(tx, call, PERFORMANCE, event.reason, told, queue.name)]


def _message(
    tx: Transaction, call: CallContext, category: int, reason: int, told: list[Parameter], about: str
) -> list[Effect]:
    """The event message; none when its queue cannot be found, which does not fail the call that caused it."""
    name = EVENT_QUEUES[category]
    _, destination = name_resolution.destination(tx, call.qmgr, name, "")
    if destination is None:
        return []
    descriptor, body = event_message(
        category,
        reason,
        told,
        priority=destination.opened.default_priority,
        persistence=destination.opened.default_persistence,
        queue_manager=call.qmgr.name,
        msg_id=call.new_identifier(),
        coded_char_set_id=call.qmgr.ccsid,
        now=call.now,
    )
    return [Deliver(EVENT, name, "", descriptor, body, cause="", about=about, dead_letter=False)]
