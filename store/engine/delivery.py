"""Delivering the messages that a call causes: the one loop that delivers effects until none is left."""

from collections import deque
from collections.abc import Iterable

from msgspec.structs import replace

from mqsc.store.engine import authorization, name_resolution, queue_events
from mqsc.store.engine.effects import REPORT, Arrival, CopyToStream, Deliver, Effect, Placement
from mqsc.store.engine.enqueue import enqueue
from mqsc.store.engine.history import record_event
from mqsc.store.engine.name_resolution import Destination, Size
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stream_copies import (
    events_of_missing,
    refusal,
    size_of,
    stream_copies,
    stream_destination,
)
from mqsc.store.rules.dead_letter import DeliveryFailure, dead_letter, put_by_queue_manager
from mqsc.store.rules.report_message import EXPIRATION
from mqsc.store.sql import history
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

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
    if effect.is_event:
        return []
    return queue_events.delivery_refused(tx, call, queue, queue_manager, reason)


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
    refused = refusal_by(tx, call, destination, size)
    return (refused, None) if refused else (0, destination)


def refusal_by(
    tx: Queries, call: CallContext, destination: Destination, size: Size, pending: int = 0
) -> int:
    """The MQRC for which a queue refuses a message of that size after `pending` others, or its
    stream queue the copy that must not be missing; 0 if both have room.
    """
    reason = destination.refusal(call.qmgr, size, pending)
    if reason:
        return reason
    without_copy = refusal(tx, call.qmgr, destination.queue, [size], pending)
    return without_copy.reason if without_copy else 0


def _undeliverable(
    tx: Transaction,
    call: CallContext,
    effect: Deliver,
    reason: int,
) -> tuple[bool, list[Effect]]:
    """Put the message on the dead-letter queue, or lose it (triggering §5, expiry A4)."""
    own = call.qmgr.dead_letter_queue
    lost = LOST.get(effect.kind, effect.kind)
    if not effect.dead_letter or not own:
        _record(tx, call, effect, lost, effect.queue, reason)
        return False, []
    failure = DeliveryFailure(reason, effect.queue, effect.queue_manager or call.qmgr.name)
    put = put_by_queue_manager(call.qmgr.name, call.now, call.qmgr.ccsid)
    descriptor, body = dead_letter(effect.descriptor, effect.body, failure, put)
    arrival = Arrival(descriptor, body)
    again, destination = room_for(tx, call, own, "", size_of(arrival))
    if destination is None:
        _record(
            tx,
            call,
            effect,
            lost,
            effect.queue,
            reason,
            dead_letter_queue=own,
            dead_letter_reason=again,
        )
        return False, _events(tx, call, effect, own, "", again)
    # The event of the put is the one after this.
    put_event = history.last_number(tx) + 2 if destination.queue.recorded else 0
    # It belongs to the owner of the dead-letter queue, as the messages there do.
    owned = replace(effect, owner=destination.queue.owner)
    _record(tx, call, owned, "DEAD_LETTER", own, reason, put_event=put_event)
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
