"""Events of queues and of the queue manager, as messages.

An event message is an effect outside the unit of work, and is lost if its queue does not take it
(events R1, R2). These functions are called only when the hot columns say that an event is possible,
so other queues pay nothing.
"""

from collections.abc import Callable

from msgspec.structs import replace

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC
from mqsc.store.engine import name_resolution
from mqsc.store.engine.effects import EVENT, Deliver, Effect
from mqsc.store.engine.name_resolution import Destination, Unresolved
from mqsc.store.engine.state import CallContext
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules import event_message, performance_events
from mqsc.store.rules.admission import queue_fault
from mqsc.store.rules.event_message import (
    EVENTS,
    EventPart,
    Facts,
    parameters_of,
    performance_facts,
)
from mqsc.store.rules.performance_events import PerformanceEvent
from mqsc.store.sql import managers, objects, queues, statistics
from mqsc.store.sql.managers import ENDED
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sql.statistics import MemberStatistics
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

_QMGR = KINDS["QMGR"]
PUT_INHIBITED = int(MQRC.PUT_INHIBITED)
Q_FULL = int(MQRC.Q_FULL)
Q_TYPE_ERROR = int(MQRC.Q_TYPE_ERROR)


def is_enabled(call: CallContext, reason: int) -> bool:
    """Whether the queue manager raises the event of that reason; False if no column decides it."""
    column = EVENTS[reason].enabled_by if reason in EVENTS else ""
    return bool(column and getattr(call.qmgr, column))


def switch(tx: Queries, name: str, keyword: str) -> str:
    """The value of an event attribute of a queue manager that has no column, such as STRSTPEV."""
    stored = objects.attribute(tx, name, _QMGR.namespace, name, keyword)
    return str(_QMGR.attributes[keyword].default if stored is None else stored)


def event(
    tx: Transaction,
    call: CallContext,
    reason: int,
    facts: Facts,
    about: str,
    *,
    correl_id: bytes = bytes(24),
) -> list[Effect]:
    """The message about an event of EVENTS; `about` is the queue or the object concerned."""
    declared = EVENTS[reason]
    parameters = parameters_of(declared.parameters, facts)
    part = EventPart(declared.category, reason, parameters, correl_id)
    return message(tx, call, part, about)


def message(tx: Transaction, call: CallContext, part: EventPart, about: str) -> list[Effect]:
    """The event message; none when its queue cannot be found, which does not fail the call that
    caused it.
    """
    name = event_message.EVENT_QUEUES[part.category]
    _, destination = name_resolution.destination(tx, call.qmgr, name, "")
    if destination is None:
        return []
    opened = destination.opened
    descriptor, body = event_message.message_of_event(
        part,
        call.maker(),
        priority=opened.default_priority,
        persistence=opened.default_persistence,
    )
    return [Deliver(EVENT, name, "", descriptor, body, cause="", about=about, dead_letter=False)]


def arrived(tx: Transaction, call: CallContext, queue: QueueRow) -> list[Effect]:
    """The events raised by messages just put on the queue; `queue` is as it was before."""
    return _raised(tx, call, queue.id, performance_events.after_put, service_timer(tx, call, queue))


def left(tx: Transaction, call: CallContext, queue: QueueRow, timer: int | None) -> list[Effect]:
    """The events raised by a destructive get; `timer` is what `service_timer` returned before
    it.
    """
    return _raised(tx, call, queue.id, performance_events.after_get, timer)


def depth_changed(tx: Transaction, call: CallContext, queue: int, change: int) -> list[Effect]:
    """The event raised by a change of depth that is neither a put nor a get."""
    decide = performance_events.after_rise if change > 0 else performance_events.after_fall
    return _raised(tx, call, queue, decide) if change else []


def _raised(
    tx: Transaction,
    call: CallContext,
    queue: int,
    decide: Callable[[performance_events.MonitoredQueue], list[PerformanceEvent]],
    timer: int | None = None,
) -> list[Effect]:
    """The events that are decided on the queue as it is now; none if they would not be reported."""
    now = queues.by_id(tx, queue, call.qmgr.name)
    if now is None or not (now.structure or call.qmgr.performance_event):
        return []
    return _event_messages(tx, call, now, decide(_monitored(call, now, timer)))


def service_timer(tx: Transaction, call: CallContext, queue: QueueRow) -> int | None:
    """When the service timer of a queue started (microseconds UTC); None where no event depends on
    it.

    A put to the empty queue starts the timer, a get that leaves messages restarts it, and so does a
    start of the queue manager. So it runs from the last get, or from the put of the oldest message
    if that is later.
    """
    if not queue.service_event or queue.structure:
        return None
    row = queues.by_id(tx, queue.id, call.qmgr.name)
    oldest = statistics.oldest_put(tx, queue.id)
    if row is None or oldest is None:
        return None
    return max(oldest, row.last_get_at or 0, call.qmgr.started_at)


def put_refused(
    tx: Transaction,
    call: CallContext,
    name: str,
    destination: Destination,
    reason: int,
    *,
    internal: bool = False,
) -> list[Effect]:
    """The event about a put to `name` that failed with 2051 or 2053; none for other reasons."""
    if reason == PUT_INHIBITED:
        return inhibited(tx, call, name, destination, reason, internal=internal)
    if reason == Q_FULL:
        return _raised(tx, call, destination.queue.id, performance_events.after_queue_full)
    return []


def inhibited(
    tx: Transaction,
    call: CallContext,
    name: str,
    destination: Destination,
    reason: int,
    *,
    internal: bool = False,
) -> list[Effect]:
    """The event about a put (2051) or get (2016) on an inhibited object; `name` is the one
    opened.
    """
    if not call.qmgr.inhibit_event:
        return []
    elsewhere = "" if destination.resolved_through else destination.remote_queue_manager
    facts = event_message.call_facts(
        call.qmgr.name,
        call.application,
        elsewhere,
        by_queue_manager=internal,
    )
    return event(tx, call, reason, {**facts, "QName": name}, destination.queue.name)


def topic_inhibited(tx: Transaction, call: CallContext, topic: str) -> list[Effect]:
    """The event about a publication to a topic that publishing is disabled for."""
    if not call.qmgr.inhibit_event:
        return []
    facts = event_message.call_facts(call.qmgr.name, call.application)
    return event(tx, call, PUT_INHIBITED, {**facts, "TopicString": topic}, topic[:48])


def unresolved(
    tx: Transaction,
    call: CallContext,
    name: str,
    queue_manager: str,
    failure: Unresolved,
    *,
    internal: bool = False,
) -> list[Effect]:
    """The event about an MQOPEN or MQPUT1 whose names, those of the object descriptor, do not
    resolve (events §3).
    """
    reason = failure.reason
    if not is_enabled(call, reason):
        return []
    # A model queue is of the wrong type only behind a queue manager alias; without one this is no
    # event.
    if reason == Q_TYPE_ERROR and queue_manager in ("", call.qmgr.name):
        return []
    facts = event_message.call_facts(
        call.qmgr.name,
        call.application,
        queue_manager,
        by_queue_manager=internal,
    )
    return event(tx, call, reason, {**facts, "QName": name, **failure.facts}, name)


def unknown_process(tx: Transaction, call: CallContext, name: str) -> list[Effect]:
    """The event about an MQOPEN of a process that does not exist."""
    reason = int(MQRC.UNKNOWN_OBJECT_NAME)
    if not is_enabled(call, reason):
        return []
    facts = {**event_message.call_facts(call.qmgr.name, call.application), "ProcessName": name}
    return event(tx, call, reason, facts, name)


def delivery_refused(
    tx: Transaction,
    call: CallContext,
    name: str,
    queue_manager: str,
    reason: int,
) -> list[Effect]:
    """The event about a message of the queue manager's own that could not be put (events R5)."""
    if not is_enabled(call, reason):
        return []
    destination = name_resolution.resolve(tx, call.qmgr, name, queue_manager)
    if isinstance(destination, Unresolved):
        return unresolved(tx, call, name, queue_manager, destination, internal=True)
    queue = destination.queue
    if (
        queue.must_duplicate
        and queue.stream_queue
        and queue_fault(destination.put_enabled, destination.free) != reason
    ):
        # There is room, but not for the copy.
        return delivery_refused(tx, call, queue.stream_queue, "", reason)
    return put_refused(tx, call, name, destination, reason, internal=True)


def _monitored(
    call: CallContext,
    queue: QueueRow,
    timer: int | None,
) -> performance_events.MonitoredQueue:
    # Shared queues have no service interval events (sharing §4).
    service_event = performance_events.NO_EVENTS if queue.structure else queue.service_event
    return performance_events.MonitoredQueue(
        queue.depth,
        queue.max_depth,
        queue.depth_high,
        queue.depth_low,
        queue.high_event,
        queue.low_event,
        queue.full_event,
        service_event,
        queue.service_interval,
        timer,
        call.now,
    )


def _event_messages(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    events: list[PerformanceEvent],
) -> list[Effect]:
    """The messages for events of a queue; each event resets the queue's statistics. Event queues
    have no events.
    """
    if not events or event_message.is_event_queue(queue.name):
        return []
    if queue.structure:
        return _event_messages_by_members(tx, call, queue, events)
    counted = MemberStatistics(queue.puts, queue.gets, queue.high_depth, queue.statistics_reset_at)
    facts = _facts(tx, call, queue, counted)
    queues.set_columns(tx, queue.id, performance_events.all_switches(events))
    statistics.reset(tx, [queue.id], call.now)
    return [effect for each in events for effect in event(tx, call, each.reason, facts, queue.name)]


def _event_messages_by_members(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    events: list[PerformanceEvent],
) -> list[Effect]:
    """The messages about a shared queue: each running member with PERFMEV puts its own, with its
    counts (sharing S25).

    Those about the same event have the same CorrelId. Without such a member nothing is switched.
    """
    members = [
        replace(call, qmgr=each)
        for each in managers.members(tx, queue.owner)
        if each.performance_event and each.state != ENDED
    ]
    if not members:
        return []
    queues.set_columns(tx, queue.id, performance_events.all_switches(events))
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
    return performance_facts(
        call.qmgr.name,
        queue.name,
        seconds,
        counted.high_depth,
        counted.puts,
        counted.gets,
    )
