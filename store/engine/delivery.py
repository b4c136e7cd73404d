"""Enqueuing messages, and delivering the messages that this causes, copies for stream queues
included.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.store.constants import MQRC
from mqsc.store.engine import authorization, depth, name_resolution, queue_events, triggering
from mqsc.store.engine.effects import (
    ALONE,
    REPORT,
    Arrival,
    CopyToStream,
    Deliver,
    Effect,
    Placement,
)
from mqsc.store.engine.history import record_event, record_puts
from mqsc.store.engine.name_resolution import Destination, Size
from mqsc.store.engine.report_messages import confirm_arrival
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import extension_length
from mqsc.store.engine.triggering import Puts
from mqsc.store.rules.dead_letter import DeadLetterPut, DeliveryFailure, dead_letter
from mqsc.store.rules.event_message import is_event_message
from mqsc.store.rules.expiry import expires_at
from mqsc.store.rules.putting import rank
from mqsc.store.rules.report_message import COA, EXPIRATION
from mqsc.store.rules.streaming import copy_of
from mqsc.store.sql import history, queues
from mqsc.store.sql.message_insert import BoundInsert, form_of, insert
from mqsc.store.sql.rows import ManagerRow, QueueRow
from mqsc.store.sqlite.database import Queries, Transaction

# The one loop that delivers effects until none is left.

# The event for a generated message that could not be put anywhere.
LOST = {"TRIGGER": "TRIGGER_LOST", "REPORT": "REPORT_LOST"}


def deliver(tx: Transaction, call: CallContext, effects: Iterable[Effect]) -> int:
    """Deliver effects and the effects that they cause in turn; how many messages joined the
    caller's unit of work.

    Copies for a stream queue come before everything else that their originals cause, and are not
    counted (MAXUMSGS).
    """
    waiting = deque((call, effect) for effect in effects)
    in_unit = 0
    while waiting:
        acting, effect = waiting.popleft()
        if isinstance(effect, CopyToStream):
            waiting.extend((acting, each) for each in _copy(tx, acting, effect))
            continue
        acting = effect.acting or acting
        stored, follows = _deliver(tx, acting, effect)
        in_unit += stored and effect.unit is not None
        if follows and isinstance(follows[0], CopyToStream):
            waiting.appendleft((acting, follows.pop(0)))
        waiting.extend((acting, each) for each in follows)
    return in_unit


def _copy(tx: Transaction, call: CallContext, effect: CopyToStream) -> list[Effect]:
    """Enqueue the copies that fit and return the effects of that; the others are missing
    (streaming §4).
    """
    reason, destination = stream_destination(tx, call.qmgr, effect.stream_queue)
    if destination is None:
        return events_of_missing(tx, call, effect, reason) if reason else []
    copies, missing = stream_copies(call.qmgr, destination, effect.arrivals)
    effects: list[Effect] = []
    if copies:
        arrivals = [destination.wrapped(call, each) for each in copies]
        how = Placement(effect.unit, effect.kept, effect.chain, copies=True)
        effects += enqueue(tx, call, destination.queue, arrivals, how)
    if missing:
        effects += events_of_missing(tx, call, effect, missing)
    return effects


def _deliver(tx: Transaction, call: CallContext, effect: Deliver) -> tuple[bool, list[Effect]]:
    """Enqueue the message: whether it was stored, rather than lost, and the effects of that."""
    arrival = Arrival(effect.descriptor, effect.body)
    reason, destination = room_for(tx, call, effect.queue, effect.queue_manager, size_of(arrival))
    if destination is not None and effect.kind == REPORT and effect.reason != EXPIRATION.feedback:
        reason = authorization.report_refused(tx, call, effect, destination)
        if reason:
            return _undeliverable(tx, call, effect, reason)
    if destination is None:
        raised = _events(tx, call, effect, effect.queue, effect.queue_manager, reason)
        stored, follows = _undeliverable(tx, call, effect, reason)
        return stored, raised + follows
    _record(tx, call, effect, effect.kind, destination.queue.name, effect.reason)
    how = Placement(effect.unit, effect.kept, effect.chain)
    return True, enqueue(tx, call, destination.queue, [destination.wrapped(call, arrival)], how)


def _events(
    tx: Transaction,
    call: CallContext,
    effect: Deliver,
    queue: str,
    queue_manager: str,
    reason: int,
) -> list[Effect]:
    """The event that a refusal raises; an event message that is refused raises none (events R3)."""
    return (
        []
        if effect.is_event
        else queue_events.delivery_refused(tx, call, queue, queue_manager, reason)
    )


def room_for(
    tx: Queries,
    call: CallContext,
    queue: str,
    queue_manager: str,
    size: Size,
) -> tuple[int, Destination | None]:
    """(0, destination) when a message of that size can be put there now, else (the MQRC, None)."""
    reason, destination = name_resolution.destination(tx, call.qmgr, queue, queue_manager)
    if destination is None:
        return reason, None
    refused = destination.refusal(call.qmgr, size)
    if not refused:
        without_copy = refusal(tx, call.qmgr, destination.queue, [size])
        refused = without_copy.reason if without_copy else 0
    return (refused, None) if refused else (0, destination)


def _undeliverable(
    tx: Transaction,
    call: CallContext,
    effect: Deliver,
    reason: int,
) -> tuple[bool, list[Effect]]:
    """Put the message on the dead-letter queue, or lose it (triggering §5, expiry A4)."""
    own = call.qmgr.dead_letter_queue
    if not effect.dead_letter or not own:
        _record(tx, call, effect, LOST.get(effect.kind, effect.kind), effect.queue, reason)
        return False, []
    failure = DeliveryFailure(reason, effect.queue, effect.queue_manager or call.qmgr.name)
    put = DeadLetterPut(7, call.qmgr.name[:28], call.now, call.qmgr.ccsid)
    descriptor, body = dead_letter(effect.descriptor, effect.body, failure, put)
    arrival = Arrival(descriptor, body)
    again, destination = room_for(tx, call, own, "", size_of(arrival))
    if destination is None:
        refused: dict[str, object] = {"dead_letter_queue": own, "dead_letter_reason": again}
        _record(
            tx,
            call,
            effect,
            LOST.get(effect.kind, effect.kind),
            effect.queue,
            reason,
            **refused,
        )
        return False, _events(tx, call, effect, own, "", again)
    # The event of the put follows this one at once.
    twin = history.last_number(tx) + 2 if destination.queue.recorded else 0
    # It belongs to the owner of the dead-letter queue, as the messages there do.
    _record(
        tx,
        call,
        replace(effect, owner=destination.queue.owner),
        "DEAD_LETTER",
        own,
        reason,
        put_event=twin,
    )
    how = Placement(effect.unit, effect.kept, effect.chain, dead_letter_triggers=False)
    return True, enqueue(tx, call, destination.queue, [destination.wrapped(call, arrival)], how)


def _record(
    tx: Transaction,
    call: CallContext,
    effect: Deliver,
    kind: str,
    target: str,
    reason: int,
    **more: object,
) -> None:
    if effect.is_event:
        return
    record_event(
        tx,
        call,
        kind,
        owner=effect.owner,
        cause=effect.cause,
        queue=effect.about,
        target=target,
        msg_id=effect.descriptor.msg_id,
        correl_id=effect.descriptor.correl_id,
        length=len(effect.body),
        unit=effect.unit,
        reason=reason or None,
        rule=effect.rule,
        detail={**effect.detail, **more} or None,
    )


# The copies for a stream queue: where they go, which fit, and when a put is refused for them
# (streaming §2-§4).

PUT_INHIBITED = int(MQRC.PUT_INHIBITED)


class CopyRefusal(NamedTuple):
    """Why STRMQOS(MUSTDUP) refuses a put: reason and stream queue, and the message that has no
    room, if it is one.
    """

    reason: int
    stream_queue: str
    message: int | None = None


class Copies(NamedTuple):
    """The copies that fit on the stream queue, in order, and the reason that refused the first
    of the others, or 0.
    """

    fitting: list[Arrival]
    reason: int


def size_of(arrival: Arrival) -> Size:
    descriptor = arrival.descriptor
    return Size(descriptor.persistence, len(arrival.body), extension_length(descriptor))


def stream_destination(
    tx: Queries,
    qmgr: ManagerRow,
    stream_queue: str,
) -> tuple[int, Destination | None]:
    """(0, where the copies go), or (the MQRC of a name that does not resolve, None).

    (0, None) for an alias of a topic: the copy would be published, but nothing is published here.
    """
    reason, found = name_resolution.destination(tx, qmgr, stream_queue, "")
    if reason == MQRC.ALIAS_BASE_Q_TYPE_ERROR:
        alias = queues.visible(tx, qmgr, stream_queue)
        if alias is not None and alias.target_is_topic:
            return 0, None
    return reason, found


def refusal(
    tx: Queries,
    qmgr: ManagerRow,
    queue: QueueRow,
    sizes: Sequence[Size],
) -> CopyRefusal | None:
    """Why the queue cannot take messages of these sizes because their copies have no room; only
    for MUSTDUP.
    """
    if not (queue.must_duplicate and queue.stream_queue):
        return None
    reason, found = stream_destination(tx, qmgr, queue.stream_queue)
    if found is None:
        return CopyRefusal(reason, queue.stream_queue) if reason else None
    for position, size in enumerate(sizes):
        reason = found.refusal(qmgr, size, position)
        if reason:
            at = None if reason == PUT_INHIBITED else position
            return CopyRefusal(reason, queue.stream_queue, at)
    return None


def stream_copies(qmgr: ManagerRow, found: Destination, arrivals: Sequence[Arrival]) -> Copies:
    """Copies of the messages, without those that have no room."""
    caps, first_reason = found.expiry_caps, 0
    fitting: list[Arrival] = []
    for each in arrivals:
        reason = found.refusal(qmgr, size_of(each), len(fitting))
        if reason:
            first_reason = first_reason or reason
        else:
            fitting.append(Arrival(copy_of(each.descriptor, caps), each.body, each.continues))
    return Copies(fitting, first_reason)


def events_of_missing(
    tx: Transaction,
    call: CallContext,
    effect: CopyToStream,
    reason: int,
) -> list[Effect]:
    """The event about a copy that is missing; none about the copy of an event message, or it
    would never end.
    """
    if all(is_event_message(each.descriptor) for each in effect.arrivals):
        return []
    return queue_events.delivery_refused(tx, call, effect.stream_queue, "", reason)


# Messages are put on a local queue: rows, counters, history, and the effects that follow.


def enqueue(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    how: Placement = ALONE,
) -> list[Effect]:
    """Store messages on a local queue that has room for them; the effects returned are still to
    be delivered.
    """
    now, number, fifo, default_priority = (
        call.now,
        queue.next_sequence,
        bool(queue.fifo),
        queue.default_priority,
    )
    slot = queue.id, now, how.unit, how.kept
    rows: list[BoundInsert] = []
    ranks: list[int] = []
    reports = 0
    earliest = queue.earliest_expiry
    for arrival in arrivals:
        descriptor = arrival.descriptor
        ranked = rank(descriptor.priority, fifo, default_priority)
        expires = None if descriptor.expiry < 0 else expires_at(descriptor.expiry, now)
        if expires is not None and (earliest is None or expires < earliest):
            earliest = expires
        form = arrival.form or form_of(descriptor)
        rows.append(form.bind(descriptor, arrival.body, slot, number, ranked, expires))
        ranks.append(ranked)
        reports |= descriptor.report
        number += 1
    last = insert(tx, rows)
    if earliest is not None and earliest != queue.earliest_expiry:
        queues.lower_earliest_expiry(tx, queue.id, earliest)
    if queue.recorded:
        record_puts(tx, call, queue, arrivals, last, copies=how.copies)
    depth_events = depth.put(tx, call, queue, len(rows))
    effects: list[Effect] = []
    if queue.trigger_on or reports:
        effects += _follow_up(tx, call, queue, arrivals, ranks, how)
    effects += depth_events
    if queue.stream_queue and not how.copies:
        # First, so that the stream queue still has the room that was found when the put was
        # admitted.
        effects.insert(0, CopyToStream(queue.stream_queue, arrivals, how.unit, how.kept, how.chain))
    return effects


def _follow_up(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    ranks: list[int],
    how: Placement,
) -> list[Effect]:
    """The trigger messages and COA reports that newly stored messages cause."""
    asking = (
        []
        if queue.is_transmission
        else [each for each in arrivals if COA.is_requested(each.descriptor.report)]
    )
    effects: list[Effect] = [confirm_arrival(call, queue, each, how.unit) for each in asking]
    if queue.trigger_on and queue.name not in how.chain:
        firsts = [
            rank for rank, arrival in zip(ranks, arrivals, strict=True) if not arrival.continues
        ]
        effects += triggering.arrived(tx, call, queue, Puts(ranks, firsts), how)
    return effects
