"""Every change of a queue's depth: its counters, and the performance events that follow (design §3.22).

Nothing else writes the depth of a queue (an architecture test checks it), so no way of adding or removing messages can
forget the events. Events are looked for only where the queue manager and the queue have them enabled, so other queues
pay nothing; for a shared queue any member of the group may have them enabled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from store.catalog import KINDS
from store.constants import MQRC
from store.engine import name_resolution
from store.engine.history import EVENT, Deliver, Effect
from store.engine.name_resolution import Destination, Unresolved
from store.engine.state import CallContext
from store.environment import MICROSECONDS
from store.rules import event_message
from store.rules.admission import queue_fault
from store.rules.event_message import EVENTS, EventPart, Facts, PerformanceEvent, event_parameters, performance_facts
from store.sql import managers, messages, objects, queues, statistics
from store.sql.managers import ENDED
from store.sql.rows import QueueRow
from store.sql.statistics import MemberStatistics
from store.sqlite.database import Queries, Transaction

# Event messages as effects: outside the unit of work, and lost if their queue does not take them (events R1, R2).

_QMGR = KINDS["QMGR"]


def is_enabled(call: CallContext, reason: int) -> bool:
    """Whether the queue manager raises the event of that reason, if a column of its row says so."""
    column = EVENTS[reason].enabled_by if reason in EVENTS else ""
    return bool(column and getattr(call.qmgr, column))


def switch(tx: Queries, name: str, keyword: str) -> str:
    """The value of an event attribute of a queue manager that has no column, such as STRSTPEV."""
    stored = objects.attribute(tx, name, _QMGR.namespace, name, keyword)
    return str(_QMGR.attributes[keyword].default if stored is None else stored)


def event(
    tx: Transaction, call: CallContext, reason: int, facts: Facts, about: str, *, correl_id: bytes = bytes(24)
) -> list[Effect]:
    """The message about an event of EVENTS; `about` is the queue or the object concerned."""
    part = EventPart(EVENTS[reason].category, reason, event_parameters(reason, facts), correl_id)
    return message(tx, call, part, about)


def message(tx: Transaction, call: CallContext, part: EventPart, about: str) -> list[Effect]:
    """The event message; none when its queue cannot be found, which does not fail the call that caused it."""
    name = event_message.EVENT_QUEUES[part.category]
    _, destination = name_resolution.destination(tx, call.qmgr, name, "")
    if destination is None:
        return []
    opened = destination.opened
    descriptor, body = event_message.message_of_event(
        part, call.maker(), priority=opened.default_priority, persistence=opened.default_persistence
    )
    return [Deliver(EVENT, name, "", descriptor, body, cause="", about=about, dead_letter=False)]


PUT_INHIBITED, Q_FULL, Q_TYPE_ERROR = int(MQRC.PUT_INHIBITED), int(MQRC.Q_FULL), int(MQRC.Q_TYPE_ERROR)


def arrived(tx: Transaction, call: CallContext, queue: QueueRow) -> list[Effect]:
    """The events raised by messages just put on the queue; `queue` is as it was before."""
    return _raised(tx, call, queue.id, event_message.after_put, service_timer(tx, call, queue))


def left(tx: Transaction, call: CallContext, queue: QueueRow, timer: int | None) -> list[Effect]:
    """The events raised by a destructive get; `timer` is what `service_timer` returned before it."""
    return _raised(tx, call, queue.id, event_message.after_get, timer)


def depth_changed(tx: Transaction, call: CallContext, queue: int, change: int) -> list[Effect]:
    """The event raised by a change of depth that is neither a put nor a get."""
    decide = event_message.after_rise if change > 0 else event_message.after_fall
    return _raised(tx, call, queue, decide) if change else []


def _raised(
    tx: Transaction,
    call: CallContext,
    queue: int,
    decide: Callable[[event_message.MonitoredQueue], list[PerformanceEvent]],
    timer: int | None = None,
) -> list[Effect]:
    """The events that are decided on the queue as it is now; none if nobody would get them."""
    now = queues.by_id(tx, queue, call.qmgr.name)
    if now is None or not (now.structure or call.qmgr.performance_event):
        return []
    return _made(tx, call, now, decide(_monitored(call, now, timer)))


def service_timer(tx: Transaction, call: CallContext, queue: QueueRow) -> int | None:
    """When the service timer of a queue started (microseconds UTC); None where no event depends on it.

    A put to the empty queue starts the timer, a get that leaves messages restarts it, and so does a start of the queue
    manager. So it runs from the last get, or from the put of the oldest message if that is later.
    """
    if not queue.service_event or queue.structure:
        return None
    row = queues.by_id(tx, queue.id, call.qmgr.name)
    oldest = statistics.oldest_put(tx, queue.id)
    if row is None or oldest is None:
        return None
    return max(oldest, row.last_get_at or 0, call.qmgr.started_at)


def put_refused(
    tx: Transaction, call: CallContext, name: str, destination: Destination, reason: int, *, internal: bool = False
) -> list[Effect]:
    """The event about a put to `name` that failed with 2051 or 2053; none for other reasons."""
    if reason == PUT_INHIBITED:
        return inhibited(tx, call, name, destination, reason, internal=internal)
    return _raised(tx, call, destination.queue.id, event_message.after_queue_full) if reason == Q_FULL else []


def inhibited(
    tx: Transaction, call: CallContext, name: str, destination: Destination, reason: int, *, internal: bool = False
) -> list[Effect]:
    """The event about a put (2051) or get (2016) on an inhibited object; `name` is the one opened."""
    if not call.qmgr.inhibit_event:
        return []
    elsewhere = "" if destination.resolved_through else destination.remote_queue_manager
    facts = event_message.call_facts(call.qmgr.name, call.application, elsewhere, by_queue_manager=internal)
    return event(tx, call, reason, {**facts, "QName": name}, destination.queue.name)


def unresolved(
    tx: Transaction, call: CallContext, name: str, queue_manager: str, failure: Unresolved, *, internal: bool = False
) -> list[Effect]:
    """The event about an MQOPEN or MQPUT1 whose names, those of the object descriptor, do not resolve (events §3)."""
    reason = failure.reason
    if not is_enabled(call, reason):
        return []
    # A model queue is of the wrong type only behind a queue manager alias; without one this is no event.
    if reason == Q_TYPE_ERROR and queue_manager in ("", call.qmgr.name):
        return []
    facts = event_message.call_facts(call.qmgr.name, call.application, queue_manager, by_queue_manager=internal)
    return event(tx, call, reason, {**facts, "QName": name, **failure.facts}, name)


def unknown_process(tx: Transaction, call: CallContext, name: str) -> list[Effect]:
    """The event about an MQOPEN of a process that does not exist."""
    reason = int(MQRC.UNKNOWN_OBJECT_NAME)
    if not is_enabled(call, reason):
        return []
    facts = {**event_message.call_facts(call.qmgr.name, call.application), "ProcessName": name}
    return event(tx, call, reason, facts, name)


def delivery_refused(tx: Transaction, call: CallContext, name: str, queue_manager: str, reason: int) -> list[Effect]:
    """The event about a message of the queue manager's own that could not be put (events R5)."""
    if not is_enabled(call, reason):
        return []
    found = name_resolution.resolve(tx, call.qmgr, name, queue_manager)
    if isinstance(found, Unresolved):
        return unresolved(tx, call, name, queue_manager, found, internal=True)
    queue = found.queue
    if queue.must_duplicate and queue.stream_queue and queue_fault(found.put_enabled, found.free) != reason:
        # There is room, but not for the copy.
        return delivery_refused(tx, call, queue.stream_queue, "", reason)
    return put_refused(tx, call, name, found, reason, internal=True)


def _monitored(call: CallContext, queue: QueueRow, timer: int | None) -> event_message.MonitoredQueue:
    # Shared queues have no service interval events (sharing §4).
    service_event = event_message.NO_EVENTS if queue.structure else queue.service_event
    return event_message.MonitoredQueue(
        queue.depth, queue.max_depth, queue.depth_high, queue.depth_low, queue.high_event, queue.low_event,
        queue.full_event, service_event, queue.service_interval, timer, call.now,
    )  # fmt: skip


def _made(tx: Transaction, call: CallContext, queue: QueueRow, events: list[PerformanceEvent]) -> list[Effect]:
    """The messages for events of a queue; each event resets the queue's statistics. Event queues have no events."""
    if not events or event_message.is_event_queue(queue.name):
        return []
    if queue.structure:
        return _made_by_members(tx, call, queue, events)
    counted = MemberStatistics(queue.puts, queue.gets, queue.high_depth, queue.statistics_reset_at)
    facts = _facts(tx, call, queue, counted)
    queues.set_columns(tx, queue.id, event_message.all_switches(events))
    statistics.reset(tx, [queue.id], call.now)
    made = [event(tx, call, each.reason, facts, queue.name) for each in events]
    return [effect for effects in made for effect in effects]


def _made_by_members(
    tx: Transaction, call: CallContext, queue: QueueRow, events: list[PerformanceEvent]
) -> list[Effect]:
    """The messages about a shared queue: each running member with PERFMEV puts its own, with its counts (sharing S25).

    Those about the same event have the same CorrelId. Without such a member nothing is switched.
    """
    members = [
        replace(call, qmgr=each)
        for each in managers.members(tx, queue.owner)
        if each.performance_event and each.state != ENDED
    ]
    if not members:
        return []
    queues.set_columns(tx, queue.id, event_message.all_switches(events))
    identifiers = [(each.reason, call.new_identifier()) for each in events]
    effects: list[Effect] = []
    for acting in members:
        name = acting.qmgr.name
        facts = _facts(tx, acting, queue, statistics.of_member(tx, queue.id, name))
        statistics.reset_member(tx, queue.id, name, call.now)
        for reason, correl_id in identifiers:
            for effect in event(tx, acting, reason, facts, queue.name, correl_id=correl_id):
                assert isinstance(effect, Deliver)
                effect.acting = acting
                effects.append(effect)
    return effects


def _facts(tx: Transaction, call: CallContext, queue: QueueRow, counted: MemberStatistics) -> Facts:
    since = counted.since
    if since is None:
        definition = objects.by_name(tx, queue.owner, "queue", queue.name)
        since = call.now if definition is None else definition.created_at
    seconds = max(0, call.now - since) // MICROSECONDS
    return performance_facts(call.qmgr.name, queue.name, seconds, counted.high_depth, counted.puts, counted.gets)


# The changes of the depth.


def put(tx: Transaction, call: CallContext, queue: QueueRow, count: int) -> list[Effect]:
    """`count` messages were put; `queue` is as it was before."""
    queues.count_puts(tx, queue.id, count, call.now)
    if queue.structure:
        statistics.count_member_puts(tx, queue.id, call.qmgr.name, count, queue.depth + count, call.now)
        return arrived(tx, call, queue) if queue.high_event else []
    if call.qmgr.performance_event and (queue.high_event or queue.service_event):
        return arrived(tx, call, queue)
    return []


class BeforeGet(NamedTuple):
    """The state of a queue before a get that may raise an event: when its service timer was started, if it was."""

    service_timer: int | None


def before_get(tx: Transaction, call: CallContext, queue: QueueRow) -> BeforeGet | None:
    """What `got` needs to know from before the get; None when no event can follow."""
    if queue.structure:
        may_follow = bool(queue.low_event)
    else:
        may_follow = bool(call.qmgr.performance_event and (queue.low_event or queue.service_event))
    return BeforeGet(service_timer(tx, call, queue)) if may_follow else None


def got(tx: Transaction, call: CallContext, queue: QueueRow, put_at: int, before: BeforeGet | None) -> list[Effect]:
    """A message put at `put_at` was got, or reserved by a unit of work; `before` is from before that."""
    queues.count_get(tx, queue.id, call.now, max(0, call.now - put_at))
    if queue.structure:
        statistics.count_member_get(tx, queue.id, call.qmgr.name, call.now)
    return [] if before is None else left(tx, call, queue, before.service_timer)


def got_all(tx: Transaction, call: CallContext, queue: QueueRow, put_at: Sequence[int]) -> None:
    """The same for messages put at these times, where `before_get` says that no event can follow."""
    queues.count_gets(tx, queue.id, call.now, [max(0, call.now - each) for each in put_at])


def removed(tx: Transaction, call: CallContext, queue: int, count: int) -> list[Effect]:
    """`count` messages were discarded or cleared; no get is counted."""
    return _changed(tx, call, queue, -count)


def backed_out(tx: Transaction, call: CallContext, queue: int, returned: int, withdrawn: int) -> list[Effect]:
    """A unit of work returned messages that it had got, and withdrew those that it had put."""
    return _changed(tx, call, queue, returned - withdrawn, returned)


def unlocked(tx: Transaction, queue: int, handle: int) -> bool:
    """Release the lock that a browse through `handle` holds on a message of the queue; whether it held one."""
    was_locked = bool(messages.unlock(tx, handle))
    if was_locked:
        queues.change_depth(tx, queue, 0, returned=1)
    return was_locked


def corrected(tx: Transaction, queue: int, change: int) -> None:
    """The counter differed from the messages on the queue (`mqsc doctor --repair`), or non-persistent ones were lost
    with a restart, before any program could see an event.
    """
    queues.change_depth(tx, queue, change)


def moved(
    tx: Transaction, call: CallContext, source: QueueRow, target: QueueRow, batch: messages.MoveBatch, shift: int
) -> list[Effect]:
    """MOVE QLOCAL: a batch went from one queue to the end of another, `shift` places further on; nothing was got."""
    left = None if batch.number == source.depth else source.earliest_expiry
    queues.change_depth_by_move(tx, source.id, -batch.number, source.next_sequence, left)
    moments = [at for at in (target.earliest_expiry, batch.earliest_expiry) if at is not None]
    queues.change_depth_by_move(tx, target.id, batch.number, batch.last + shift + 1, min(moments, default=None))
    return _events(tx, call, source.id, -batch.number) + _events(tx, call, target.id, batch.number)


def _changed(tx: Transaction, call: CallContext, queue: int, change: int, returned: int = 0) -> list[Effect]:
    queues.change_depth(tx, queue, change, returned)
    return _events(tx, call, queue, change)


def _events(tx: Transaction, call: CallContext, queue: int, change: int) -> list[Effect]:
    may_follow = call.qmgr.performance_event or call.qmgr.sharing_group
    return depth_changed(tx, call, queue, change) if may_follow else []
