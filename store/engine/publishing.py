"""A publication reaches its subscribers: which of them, as what, and on which queues
(publish-subscribe §2, §5).

Everything is decided before the first copy is put, so that the history can say first what was
published, and a publication that fails leaves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import name_resolution, queue_events, topic_tree
from mqsc.store.engine.delivery import room_for
from mqsc.store.engine.effects import Arrival, Effect, Placement
from mqsc.store.engine.enqueue import enqueue
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.plain_copies import PlainCopies, PublishedContent, put_plain_copies
from mqsc.store.engine.selectors import selector_of
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stream_copies import refusal, size_of
from mqsc.store.engine.topic_tree import TopicSettings
from mqsc.store.error import required
from mqsc.store.headers import layout, mqrfh2
from mqsc.store.rules.dead_letter import DeadLetterPut, DeliveryFailure, dead_letter
from mqsc.store.rules.expiry import capped
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_set import Properties
from mqsc.store.rules.selector.conditions import Selector
from mqsc.store.rules.topics import delivery, publication
from mqsc.store.rules.topics.matching import PublicationFacts, Verdict, receivers, string_fault
from mqsc.store.rules.topics.wildcards import TopicPattern, buckets
from mqsc.store.sql import queues, subscriptions
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC, SubscriptionRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

_QUEUE_MANAGER = 7


class Receiver(Struct):
    """A subscription as publications need it: its columns, its pattern and its selector."""

    id: int
    # The name, or the identifier of one without a name.
    name: str
    level: int
    durable: int
    request_only: int
    expires_at: int | None
    grouped: int
    destination: str
    destination_manager: str
    connection: int
    user: str
    priority: int
    appl_identity_data: str
    user_data: str
    property_form: str
    # None for that of the publisher.
    correl_id: bytes | None
    accounting_token: bytes | None
    pattern: TopicPattern
    selector: Selector | None


def receiver_of(row: SubscriptionRow) -> Receiver:
    """A subscription with what follows from its texts."""
    selector = selector_of(row.selector, row.name[:48]) if row.selector else None
    return Receiver(
        id=row.id,
        name=row.name or row.identifier,
        level=row.level,
        durable=row.durable,
        request_only=row.request_only,
        expires_at=row.expires_at,
        grouped=row.grouped,
        destination=row.destination,
        destination_manager=row.destination_manager,
        connection=row.connection,
        user=row.user,
        priority=row.priority,
        appl_identity_data=row.appl_identity_data,
        user_data=row.user_data,
        property_form=row.property_form or publication.MESSAGE_PROPERTIES,
        correl_id=bytes.fromhex(row.correlation) or None,
        accounting_token=bytes.fromhex(row.accounting) or None,
        pattern=pattern_of(row),
        selector=selector,
    )


def pattern_of(row: SubscriptionRow) -> TopicPattern:
    """The topic string of a subscription as a pattern."""
    return TopicPattern(row.topic_string, by_character=bool(row.by_character))


# The local queues of destinations by their names, as they were when they were last looked at.
Destinations = dict[tuple[str, str], Destination]


class KnownTopic(Struct, frozen=True):
    """What is known about publications to a topic string, as long as the version of the queue
    manager's row stays the same: its settings, the subscriptions that have it, whether PSMODE lets
    programs publish, and whether both PSMODE and PUB of the topic do.
    """

    version: int
    settings: TopicSettings
    receivers: tuple[Receiver, ...]
    is_enabled: bool
    allows_publishing: bool
    headers: AddedHeaders
    destinations: Destinations


def known_topic(tx: Queries, call: CallContext, string: str) -> KnownTopic:
    """Look up a topic string and its subscriptions."""
    settings = topic_tree.settings(tx, call, string)
    found = map(receiver_of, subscriptions.in_buckets(tx, call.qmgr.name, buckets(string)))
    matching = [each for each in found if _has(each.pattern, settings)]
    is_enabled = topic_tree.is_enabled(tx, call)
    allowed = is_enabled and settings.allows_publishing
    return KnownTopic(call.qmgr.version, settings, tuple(matching), is_enabled, allowed, {}, {})


def _has(pattern: TopicPattern, settings: TopicSettings) -> bool:
    return string_fault(pattern, settings.string, settings.block) is None


class Publication(Struct, frozen=True):
    """A publication, with everything decided about it but the MsgId of copies, if that is zero."""

    topic: str
    descriptor: MessageDescriptor
    body: bytes
    is_retained: bool = False


class Added(NamedTuple):
    """What is put before data that has no header: the header, and how the MQMD describes it."""

    header: bytes
    format: str
    encoding: int
    coded_char_set_id: int


# By form of the properties, user data, and how the MQMD describes the data.
AddedHeaders = dict[tuple[str, str, str, int, int], Added]
_MOST_HEADERS = 256


class Carried:
    """A publication with its properties, and the bodies of copies, which many have in common."""

    def __init__(self, publication: Publication, ccsid: int, headers: AddedHeaders) -> None:
        self.publication = publication
        self._ccsid = ccsid
        self._headers = headers
        self._is_plain = not (
            publication.is_retained or message_data.may_carry(publication.descriptor.format)
        )
        read = None
        if not self._is_plain:
            read = message_data.read(publication.descriptor, publication.body)
        self._by_handle = {} if read is None else read.set_by_handle
        self._properties = {} if read is None else read.properties
        self._format = None if read is None else read.data_format
        self._plain = publication.descriptor, publication.body
        if not self._is_plain:
            self._plain = message_data.without_marked(*self._plain)
        self._forms: dict[tuple[str, str], tuple[MessageDescriptor, bytes]] = {}

    def selects(self, receiver: Receiver) -> bool:
        """Whether the selector of the subscription is true for the publication."""
        return receiver.selector is None or self.outcome(receiver.selector) is True

    def outcome(self, selector: Selector) -> bool | None:
        """The condition of a selector for the publication: true, false, or None if unknown."""
        descriptor = self.publication.descriptor
        if self._format is not None:
            descriptor = descriptor.copy()
            descriptor.format = self._format
        topic = publication.topic_property(self.publication.topic)
        return selector.outcome((descriptor, {**self._properties, topic.name: topic}))

    def to_retain(self) -> tuple[MessageDescriptor, bytes]:
        """The descriptor and the data of the message that is retained, with MQTopicString."""
        topic = publication.topic_property(self.publication.topic)
        properties = {**self._by_handle, topic.name: topic}
        return message_data.with_properties(*self._plain, properties.values(), self._ccsid)

    def formed(self, receiver: Receiver) -> tuple[MessageDescriptor, bytes]:
        """The descriptor and the data in the form that PSPROP of the subscription asks for."""
        key = receiver.property_form, receiver.user_data
        if key not in self._forms:
            self._forms[key] = self._formed(receiver)
        return self._forms[key]

    def _formed(self, receiver: Receiver) -> tuple[MessageDescriptor, bytes]:
        if not self._is_plain:
            return self._with_properties(receiver)
        described, body = self._plain
        key = (
            receiver.property_form,
            receiver.user_data,
            described.format,
            described.encoding,
            described.coded_char_set_id,
        )
        added = self._headers.get(key)
        if added is None:
            whole, data = self._with_properties(receiver)
            header = data[: len(data) - len(body)]
            added = Added(header, whole.format, whole.encoding, whole.coded_char_set_id)
            if len(self._headers) >= _MOST_HEADERS:
                self._headers.clear()
            self._headers[key] = added
        placed = copy(described)
        placed.format, placed.encoding, placed.coded_char_set_id = added[1:]
        return placed, added.header + body

    def _with_properties(self, receiver: Receiver) -> tuple[MessageDescriptor, bytes]:
        descriptor, body = self._plain
        topic, is_retained = self.publication.topic, self.publication.is_retained
        properties: Properties = publication.passed_on(self._by_handle.values())
        # Of one that was retained.
        properties.pop(publication.topic_property(topic).name, None)
        if receiver.property_form == publication.MESSAGE_PROPERTIES:
            properties |= publication.added_properties(receiver, topic, is_retained=is_retained)
        elif receiver.property_form != publication.NO_PROPERTIES:
            folder = publication.publish_folder(topic, is_retained=is_retained)
            descriptor, body = _behind_header(descriptor, body, folder)
        if not properties:
            return descriptor, body
        return message_data.with_properties(descriptor, body, properties.values(), self._ccsid)


def _behind_header(
    descriptor: MessageDescriptor, body: bytes, folder: str
) -> tuple[MessageDescriptor, bytes]:
    """The message behind an MQRFH2 with a folder of data."""
    header = mqrfh2.RulesHeader(
        descriptor.encoding,
        descriptor.coded_char_set_id,
        descriptor.format,
        (mqrfh2.folder_of(folder),),
    )
    placed = descriptor.copy()
    placed.format = mqrfh2.FORMAT
    placed.encoding = layout.NATIVE
    placed.coded_char_set_id = layout.writable(descriptor.coded_char_set_id)
    return placed, mqrfh2.pack(header, placed.encoding, placed.coded_char_set_id) + body


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


def verdict_of(
    call: CallContext,
    known: KnownTopic,
    carried: Carried,
    level: int,
    skipped_connection: int = 0,
) -> Verdict:
    """Which subscriptions receive a publication."""
    facts = PublicationFacts(level, call.now, skipped_connection)
    candidates = [(each, each.pattern) for each in known.receivers]
    return receivers(candidates, facts, carried.selects)


# The most subscriptions that a PUBLISH names as not receiving it.
_MOST_NAMED = 20


def excluded(known: KnownTopic, verdict: Verdict) -> dict[str, object]:
    """The subscriptions of a topic string that do not receive a publication, each with the
    condition that failed, as details of the PUBLISH; empty if there are none.
    """
    failed = verdict.failed
    if not failed:
        return {}
    named = [each for each in known.receivers if each.id in failed][:_MOST_NAMED]
    details: dict[str, object] = {"excluded": {each.name: failed[each.id].value for each in named}}
    if len(failed) > len(named):
        details["excluded_more"] = len(failed) - len(named)
    return details


def planned(
    tx: Queries,
    call: CallContext,
    carried: Carried,
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
            arrival = _copy(call, carried, receiver, destination)
            reason = _add(tx, call, plan, destination, arrival)
        if not reason:
            plan.delivered.append(receiver.id)
            continue
        arrival = arrival or _copy(call, carried, receiver, None)
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
    call: CallContext, carried: Carried, receiver: Receiver, destination: Destination | None
) -> Arrival:
    formed, body = carried.formed(receiver)
    temporary = False
    default_priority, caps = 0, []
    if destination is not None:
        temporary = destination.queue.definition_type == TEMPORARY_DYNAMIC
        default_priority = destination.opened.default_priority
        caps = destination.expiry_caps
    msg_id = call.new_identifier() if formed.msg_id == NO_ID else formed.msg_id
    facts = publication.CopyFacts(msg_id, call.qmgr.name, default_priority, temporary)
    descriptor = publication.copy_for(formed, receiver, facts)
    if carried.publication.is_retained:
        descriptor.put_date = carried.publication.descriptor.given_put_date
        descriptor.put_time = carried.publication.descriptor.given_put_time
    if caps:
        descriptor.expiry = capped(descriptor.expiry, caps)
    return Arrival(descriptor, body, subscription=receiver.name)


def _add(
    tx: Queries, call: CallContext, plan: Plan, destination: Destination, arrival: Arrival
) -> int:
    """Add a copy to those for its queue, if that takes it; else the MQRC that refuses it."""
    copies = plan.copies.get(destination.queue.id)
    pending = len(copies.arrivals) if copies is not None else 0
    size = size_of(arrival)
    reason = destination.refusal(call.qmgr, size, pending)
    if not reason:
        without_copy = refusal(tx, call.qmgr, destination.queue, [size])
        reason = without_copy.reason if without_copy else 0
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
    put = DeadLetterPut(_QUEUE_MANAGER, call.qmgr.name[:28], call.now, call.qmgr.ccsid)
    descriptor, body = dead_letter(arrival.descriptor, arrival.body, failure, put)
    dead = Arrival(descriptor, body, subscription=arrival.subscription)
    _, destination = room_for(tx, call, own, "", size_of(dead))
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
