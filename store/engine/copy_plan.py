"""The copies of a publication: for which queues, or the dead-letter queue, and their put
(publish-subscribe §2, §5).

All copies are planned before the first one is put, so that the history can say first what was
published, and a publication that fails leaves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import NO_ID
from mqsc.store.engine import name_resolution, queue_events
from mqsc.store.engine.delivery import refusal_by
from mqsc.store.engine.effects import Arrival, Effect, Placement
from mqsc.store.engine.enqueue import enqueue
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.plain_copies import PlainCopies, PublishedContent, put_plain_copies
from mqsc.store.engine.published_message import PublishedMessage
from mqsc.store.engine.receivers import Receiver
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stream_copies import size_of
from mqsc.store.engine.topic_tree import TopicSettings
from mqsc.store.error import required
from mqsc.store.rules.dead_letter import DeliveryFailure, dead_letter, put_by_queue_manager
from mqsc.store.rules.expiry import capped
from mqsc.store.rules.topics import delivery, publication
from mqsc.store.rules.topics.matching import Verdict
from mqsc.store.sql import queues, subscriptions
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

# The local queues of destinations by their names, as they were when they were last looked at.
Destinations = dict[tuple[str, str], Destination]


class Copies(Struct):
    """The copies for one local queue."""

    destination: Destination
    arrivals: list[Arrival] = field(default_factory=list)


class FailedCopy(NamedTuple):
    """A copy that its queue refuses, for the MQRC, and whether the dead-letter queue takes it."""

    receiver: Receiver
    reason: int
    is_dead_lettered: bool


class PlainPut(NamedTuple):
    """Copies from which nothing else follows, what they have from the publication, and new MsgIds
    for them.
    """

    together: tuple[PlainCopies, ...]
    content: PublishedContent
    identifiers: Iterator[bytes]


class Plan(Struct):
    """Where the copies of a publication go, and which cannot be put where they should. `plain` has
    all of them where they are known to be that.
    """

    verdict: Verdict
    copies: dict[int, Copies] = field(default_factory=dict)
    delivered: list[int] = field(default_factory=list)
    failed: list[FailedCopy] = field(default_factory=list)
    plain: PlainPut | None = None

    @property
    def dead_lettered(self) -> int:
        return sum(each.is_dead_lettered for each in self.failed)

    @property
    def count(self) -> int:
        """How many messages are put."""
        if self.plain is not None:
            return sum(each.count for each in self.plain.together)
        return sum(len(each.arrivals) for each in self.copies.values())

    @property
    def has_persistent(self) -> bool:
        arrivals = [each for copies in self.copies.values() for each in copies.arrivals]
        return any(each.descriptor.persistence for each in arrivals)

    def fault(self, settings: TopicSettings, persistence: int) -> int:
        """2502 when a copy that must be delivered cannot be, else 0."""
        said = settings.delivery(persistence)
        lost = [each for each in self.failed if not each.is_dead_lettered]
        fails = (
            delivery.fails_publication(said, is_durable=bool(each.receiver.durable))
            for each in lost
        )
        return int(MQRC.PUBLICATION_FAILURE) if any(fails) else 0

    def queue_faults(self) -> list[tuple[str, str, int]]:
        """The destinations that refused copies: queue, queue manager and reason, each once."""
        found = {
            (each.receiver.destination, each.receiver.destination_manager): each.reason
            for each in self.failed
        }
        return [(*names, reason) for names, reason in found.items()]


def plan_copies(
    tx: Queries,
    call: CallContext,
    published: PublishedMessage,
    candidates: Sequence[Receiver],
    verdict: Verdict,
    *,
    uses_dead_letter_queue: bool,
    kept: Destinations | None = None,
) -> Plan:
    """Decide where the copy of each candidate goes that receives the publication; nothing is put.
    `kept`: destinations that are known.
    """
    kept = {} if kept is None else kept
    receiving = {*verdict.receiving}
    plan = Plan(verdict)
    destinations: dict[tuple[str, str], tuple[int, Destination | None]] = {}
    for receiver in (each for each in candidates if each.id in receiving):
        names = receiver.destination, receiver.destination_manager
        found = destinations.get(names)
        if found is None:
            found = destinations[names] = _resolved(tx, call, names, kept)
        reason, destination = found
        arrival = None
        if destination is not None:
            arrival = _copy(call, published, receiver, destination)
            reason = _add(tx, call, plan, destination, arrival)
        if not reason:
            plan.delivered.append(receiver.id)
            continue
        arrival = arrival or _copy(call, published, receiver, None)
        taken = uses_dead_letter_queue and _add_dead_letter(
            tx, call, plan, receiver, arrival, reason
        )
        plan.failed.append(FailedCopy(receiver, reason, bool(taken)))
    return plan


def _resolved(
    tx: Queries, call: CallContext, names: tuple[str, str], kept: Destinations
) -> tuple[int, Destination | None]:
    """Where messages for that queue and queue manager go now."""
    known = kept.get(names)
    if known is not None and is_current(tx, call, known):
        return 0, known
    kept.pop(names, None)
    reason, destination = name_resolution.destination(tx, call.qmgr, *names)
    if destination is not None and len(destination.rows) == 1 and not call.qmgr.sharing_group:
        kept[names] = destination
    return reason, destination


def is_current(tx: Queries, call: CallContext, known: Destination) -> bool:
    """Whether no attribute of the queue has changed; what every call changes is read."""
    queue = known.queue
    seen = queues.read_hot_columns(tx, queue.id, call.qmgr.name)
    if seen is None or seen[0] != queue.version:
        return False
    _, queue.depth, queue.next_sequence, queue.earliest_expiry, *_ = seen
    return True


def are_current(tx: Queries, known: Sequence[Destination]) -> bool:
    """Whether no attribute of several queues has changed; what every call changes is read."""
    queues_by_id = {each.queue.id: each.queue for each in known}
    found = queues.read_hot_columns_of(tx, [*queues_by_id])
    for id, version, depth, next_sequence, earliest_expiry in found:
        queue = queues_by_id[id]
        if version != queue.version:
            return False
        queue.depth, queue.next_sequence = depth, next_sequence
        queue.earliest_expiry = earliest_expiry
    return len(found) == len(queues_by_id)


def _copy(
    call: CallContext,
    published: PublishedMessage,
    receiver: Receiver,
    destination: Destination | None,
) -> Arrival:
    formed, body = published.formed(receiver)
    temporary = False
    default_priority, caps = 0, []
    if destination is not None:
        temporary = destination.queue.definition_type == TEMPORARY_DYNAMIC
        default_priority = destination.opened.default_priority
        caps = destination.expiry_caps
    msg_id = call.new_identifier() if formed.msg_id == NO_ID else formed.msg_id
    facts = publication.CopyFacts(msg_id, call.qmgr.name, default_priority, temporary)
    descriptor = publication.copy_for(formed, receiver, facts)
    if published.publication.is_retained:
        descriptor.put_date = published.publication.descriptor.given_put_date
        descriptor.put_time = published.publication.descriptor.given_put_time
    if caps:
        descriptor.expiry = capped(descriptor.expiry, caps)
    return Arrival(descriptor, body, subscription=receiver.name)


def _add(
    tx: Queries, call: CallContext, plan: Plan, destination: Destination, arrival: Arrival
) -> int:
    """Add a copy to those for its queue, if that takes it; else the MQRC that refuses it."""
    copies = plan.copies.get(destination.queue.id)
    pending = len(copies.arrivals) if copies is not None else 0
    reason = refusal_by(tx, call, destination, size_of(arrival), pending)
    if reason:
        return reason
    if copies is None:
        copies = plan.copies[destination.queue.id] = Copies(destination)
    wrapped = destination.wrapped(call, arrival)
    wrapped.subscription = arrival.subscription
    copies.arrivals.append(wrapped)
    return 0


def _add_dead_letter(
    tx: Queries,
    call: CallContext,
    plan: Plan,
    receiver: Receiver,
    arrival: Arrival,
    reason: int,
) -> bool:
    """Add a copy to those for the dead-letter queue; False when that does not take it."""
    own = call.qmgr.dead_letter_queue
    if not own:
        return False
    manager = receiver.destination_manager or call.qmgr.name
    failure = DeliveryFailure(reason, receiver.destination, manager)
    put = put_by_queue_manager(call.qmgr.name, call.now, call.qmgr.ccsid)
    descriptor, body = dead_letter(arrival.descriptor, arrival.body, failure, put)
    dead = Arrival(descriptor, body, subscription=arrival.subscription)
    _, destination = name_resolution.destination(tx, call.qmgr, own, "")
    return destination is not None and not _add(tx, call, plan, destination, dead)


def put_copies(
    tx: Transaction,
    call: CallContext,
    plan: Plan,
    unit: int | None,
    publication_event: int,
    *,
    is_changed: bool = False,
) -> list[Effect]:
    """Put all copies; the effects of that, which are still to be delivered.

    `publication_event` is the number of the PUBLISH, 0 for copies of what was retained before.
    `is_changed`: other messages were put since the copies were planned.
    """
    effects: list[Effect] = []
    if plan.plain is not None:
        together, content, identifiers = plan.plain
        for each in together:
            put_plain_copies(tx, call, each, content, identifiers, unit, publication_event)
    how = Placement(unit, publication=publication_event)
    for copies in plan.copies.values():
        queue = copies.destination.queue
        if is_changed:
            queue = required(queues.by_id(tx, queue.id, call.qmgr.name), MQRC.Q_DELETED)
        effects += enqueue(tx, call, queue, copies.arrivals, how)
    if plan.delivered:
        subscriptions.note_delivery(tx, plan.delivered, call.now)
    return effects


def refusal_events(tx: Transaction, call: CallContext, plan: Plan) -> list[Effect]:
    """The events of the queues that refused copies."""
    effects: list[Effect] = []
    for queue, queue_manager, reason in plan.queue_faults():
        effects += queue_events.delivery_refused(tx, call, queue, queue_manager, reason)
    return effects
