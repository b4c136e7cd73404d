"""MQPUT and MQPUT1 to a topic (publish-subscribe §2)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from msgspec import Struct

from mqsc.store.constants import MQCC, MQMF, MQRC
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import publishing, queue_events, retained, topic_tree
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import Arrival, Effect
from mqsc.store.engine.known_publications import (
    KnownPublication,
    PublicationKey,
    holds_for_all_alike,
    known_publication,
)
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.publishing import Carried, KnownTopic, Plan, Publication
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.headers import mqmd
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi import put_properties
from mqsc.store.mqi.put_context import in_context
from mqsc.store.mqi.state import HandleState, call_context, context_beside_queue, read, transaction
from mqsc.store.mqi.syncpoint import lacks_room, may_join
from mqsc.store.rules import putting
from mqsc.store.rules.report_message import options_warning
from mqsc.store.rules.topics import publication as publication_rules
from mqsc.store.sql import history, queues, subscriptions
from mqsc.store.sql.objects import to_json
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

_SEGMENTATION = int(MQMF.SEGMENTATION_ALLOWED | MQMF.SEGMENT | MQMF.LAST_SEGMENT)
# How long a topic string that was published to need not be noted again, in microseconds.
_NOTED_FOR = 1_000_000


class _Published(Struct, frozen=True):
    """One publication of a call: the descriptor to return, how many messages joined the unit of
    work, whether one is persistent, and whether a subscription matched.
    """

    descriptor: MessageDescriptor
    joining: int
    has_persistent: bool
    matched: bool
    effects: list[Effect]
    warning: int


class _MustBeSynced(Exception):
    """A message is persistent: the transaction is rolled back, and begun as a synced one."""


class _PublicationFailed(Exception):
    """A publication that nobody gets (2502): the transaction is rolled back, and then recorded."""

    def __init__(self, index: int, publication: Publication, plan: Plan) -> None:
        super().__init__(index, publication, plan)
        self.index = index
        self.publication = publication
        self.plan = plan


def publish(
    handle: HandleState,
    messages: Sequence[Message],
    options: PutMessageOptions,
    option_bits: int,
    *,
    with_handles: bool,
) -> list[MessageDescriptor]:
    """Publish messages through an open handle, again after dead programs have made room, and in a
    synced transaction if one is persistent; their descriptors as a put returns them.

    MQError 2531 while PSMODE is DISABLED, 2051 for a topic with PUB(DISABLED), 2479 when a
    publication cannot be retained, 2502 when a copy that must be delivered cannot be; nobody gets
    any of the messages then. The warning 2550 is set on a message that matches no subscription, if
    asked for.
    """
    connection = handle.connection
    in_unit = bool(option_bits & putting.SYNCPOINT)
    before = connection.unit.snapshot
    durable = not in_unit and _expects_persistent(handle, messages)
    while True:
        try:
            return _publish(handle, messages, options, option_bits, durable, with_handles)
        except _MustBeSynced:
            durable = True
        except _PublicationFailed as failure:
            connection.unit.restore(before)
            if recover(connection.store):
                continue
            _record_failure(handle, failure, options.publication_level)
            index = failure.index if len(messages) > 1 else None
            raise MQError(MQRC.PUBLICATION_FAILURE, handle.name, index=index) from None
        except Exception as error:
            if in_unit:
                connection.unit.restore(before)
            if _may_have_room_later(error) and recover(connection.store):
                continue
            if isinstance(error, MQError) and error.reason == MQRC.PUT_INHIBITED:
                _raise_inhibited(handle)
            raise


def _expects_persistent(handle: HandleState, messages: Sequence[Message]) -> bool:
    """Whether a message given is persistent, judging by what is remembered of the topic."""
    given = {each.descriptor.persistence for each in messages}
    if putting.PERSISTENT in given:
        return True
    known = handle.connection.known_topics.get(handle.topic)
    if known is None or putting.AS_Q_DEF_PERSISTENCE not in given:
        return False
    return bool(known.settings.attributes["DEFPSIST"] == topic_tree.YES)


def _may_have_room_later(error: Exception) -> bool:
    is_full = isinstance(error, MQError) and error.reason == MQRC.PUT_NOT_RETAINED
    return is_full or lacks_room(error)


def _publish(
    handle: HandleState,
    messages: Sequence[Message],
    options: PutMessageOptions,
    option_bits: int,
    durable: bool,
    with_handles: bool,
) -> list[MessageDescriptor]:
    connection = handle.connection
    in_unit = bool(option_bits & putting.SYNCPOINT)
    published: list[_Published] = []
    with Transaction(connection.store.database, durable) as tx:
        call, queue = _context(tx, handle, option_bits & putting.FAIL_IF_QUIESCING)
        known = known_topic(tx, call, handle)
        alias = _alias(tx, call, handle) if handle.alias else None
        if alias is not None or not known.is_open:
            _check_allowed(handle, known, alias)
        one = _Call(tx, call, handle, known, alias, options, option_bits, with_handles)
        unit = connection.unit.begin() if in_unit else None
        for index, message in enumerate(messages):
            done = _one(one, index, message, unit, queue)
            published.append(done)
            if done.has_persistent and not (durable or in_unit):
                raise _MustBeSynced
            caused = deliver(tx, call, done.effects) if done.effects else 0
            if in_unit:
                _join(handle, call, done, caused)
            # A publication changes the columns of its queue.
            queue = None
        _note_use(tx, call, handle, len(messages))
    for message, each in zip(messages, published, strict=True):
        unmatched = option_bits & putting.WARN_IF_NO_SUBS_MATCHED and not each.matched
        warning = int(MQRC.NO_SUBS_MATCHED) if unmatched else each.warning
        message.completion = MQCC.WARNING if warning else MQCC.OK
        message.reason = warning
    return [each.descriptor for each in published]


def _context(
    tx: Transaction, handle: HandleState, fail_if_quiescing: int
) -> tuple[CallContext, QueueRow | None]:
    """The context of the call, and a queue whose columns are read: the first of those that the
    last publication went to, if no attribute of it has changed.
    """
    connection, queue = handle.connection, handle.known_publications.first_queue
    if queue is None:
        return call_context(tx, connection, fail_if_quiescing=fail_if_quiescing), None
    call, is_current = context_beside_queue(
        tx, connection, queue, fail_if_quiescing=fail_if_quiescing
    )
    return call, queue if is_current else None


def _check_allowed(handle: HandleState, known: KnownTopic, alias: QueueRow | None) -> None:
    """MQError 2531 while PSMODE is DISABLED, 2051 where the alias or the topic is inhibited."""
    refuse_if(not known.is_enabled, MQRC.PUBSUB_INHIBITED, handle.name)
    refuse_if(alias is not None and not alias.put_enabled, MQRC.PUT_INHIBITED, handle.alias)
    refuse_if(not known.settings.allows_publishing, MQRC.PUT_INHIBITED, handle.name)


class _Call(Struct, frozen=True):
    """One call: through which handle, to which topic, and how."""

    tx: Transaction
    call: CallContext
    handle: HandleState
    known: KnownTopic
    alias: QueueRow | None
    options: PutMessageOptions
    option_bits: int
    with_handles: bool


def publishes_asynchronously(handle: HandleState) -> bool:
    """Whether DEFPRESP of the topic says ASYNC."""
    if handle.is_asynchronous is None:
        with read(handle.connection) as (reading, call):
            settings = topic_tree.settings(reading, call, handle.topic)
        handle.is_asynchronous = settings.attributes["DEFPRESP"] == "ASYNC"
    return handle.is_asynchronous


def known_topic(tx: Transaction, call: CallContext, handle: HandleState) -> KnownTopic:
    """The topic of a handle with its subscriptions, as the connection remembers them."""
    kept = handle.connection.known_topics
    known: KnownTopic | None = kept.get(handle.topic)
    if known is None or known.version != call.qmgr.version:
        known = publishing.known_topic(tx, call, handle.topic)
        if len(kept) >= _MOST_KNOWN:
            kept.clear()
        # A transaction that others follow in may be rolled back, and its version be given again.
        if handle.connection.store.database.enclosing.connection is None:
            kept[handle.topic] = known
        handle.is_asynchronous = known.settings.attributes["DEFPRESP"] == "ASYNC"
    return known


_MOST_KNOWN = 256


def _alias(tx: Transaction, call: CallContext, handle: HandleState) -> QueueRow:
    """The alias queue that the handle was opened by."""
    alias = queues.by_name(tx, call.qmgr.name, handle.alias)
    if alias is None or not alias.target_is_topic:
        raise MQError(MQRC.OBJECT_CHANGED, handle.alias)
    return alias


class _Decided(Struct, frozen=True):
    """What is decided about a publication before anything is put: the descriptor to return, the
    copies, the details of the PUBLISH, a warning or 0, and what is retained, on which queue.
    """

    returned: MessageDescriptor
    publication: Publication
    plan: Plan
    detail: str
    warning: int
    has_persistent: bool
    retained: tuple[Arrival, Destination] | None


def _one(
    one: _Call, index: int, message: Message, unit: int | None, queue: QueueRow | None
) -> _Published:
    """Publish one message: what is retained first, then the copies. The columns of `queue` are
    read.
    """
    tx, call = one.tx, one.call
    decided = _decided(one, index, message, queue)
    plan, publication = decided.plan, decided.publication
    is_retained = decided.retained is not None
    joining = 0
    if unit is not None:
        joining = plan.count + is_retained
        may_join(one.handle.connection, call, joining)
    number = _record(tx, call, publication, decided.detail, decided.returned.msg_id, unit)
    effects: list[Effect] = []
    if decided.retained is not None:
        effects += retained.retain(tx, call, publication.topic, *decided.retained, unit)
    effects += publishing.put_copies(tx, call, plan, unit, number, is_changed=is_retained)
    if plan.failed:
        effects += publishing.refusal_events(tx, call, plan)
    return _Published(
        decided.returned,
        joining,
        decided.has_persistent,
        bool(plan.verdict.receiving),
        effects,
        decided.warning,
    )


def _decided(one: _Call, index: int, message: Message, queue: QueueRow | None) -> _Decided:
    """Decide everything about one message, or take what was decided about one like it."""
    key = _key(one, message)
    if key is None:
        return _newly_decided(one, index, message)
    known = one.handle.known_publications.get(one.known, key)
    decided = None if known is None else _as_before(one, message, known, queue)
    if decided is not None:
        return decided
    decided = _newly_decided(one, index, message)
    publication, returned, plan = decided.publication, decided.returned, decided.plan
    # In a transaction that others follow in, what is decided may be rolled back.
    is_lasting = one.handle.connection.store.database.enclosing.connection is None
    if is_lasting and holds_for_all_alike(one.known, plan, publication, returned):
        known = known_publication(
            one.call,
            one.known,
            plan,
            publication,
            returned,
            warning=decided.warning,
            detail=decided.detail,
        )
        one.handle.known_publications.keep(one.known, key, known)
    return decided


# Options with which more decides than the descriptor, or more is done than to put copies.
_DECIDED_ELSEWHERE = (
    putting.PASSED | putting.SET_ALL_CONTEXT | putting.SUPPRESS_REPLYTO | putting.RETAIN
)


def _key(one: _Call, message: Message) -> PublicationKey | None:
    """What publications have in common that are decided alike; None where more decides."""
    if one.option_bits & _DECIDED_ELSEWHERE or one.with_handles or one.alias is not None:
        return None
    try:
        likeness = message.descriptor.likeness()
    except TypeError:
        # A value does not fit its field: deciding about the message explains the fault.
        return None
    return one.option_bits, one.options.publication_level, likeness


def _as_before(
    one: _Call, message: Message, known: KnownPublication, queue: QueueRow | None
) -> _Decided | None:
    """What is decided about a message like one before it; None when it is longer, or a queue does
    not take a copy as it did.
    """
    if len(message.body) > known.longest:
        return None
    given, identifiers = message.descriptor, one.handle.connection.identifiers
    placed = copy(known.placed)
    placed.put_at = one.call.now
    placed.group_id = given.group_id
    placed.msg_id = given.msg_id
    placed.correl_id = given.correl_id
    _renew_identifiers(one, placed)
    publication = Publication(one.handle.topic, _shared(one, placed), message.body)
    plan = known.planned(one.tx, one.call, publication, identifiers, queue)
    if plan is None:
        return None
    return _Decided(
        placed, publication, plan, known.detail, known.warning, known.has_persistent, None
    )


def _newly_decided(one: _Call, index: int, message: Message) -> _Decided:
    """Decide everything about one message."""
    call, known, level = one.call, one.known, one.options.publication_level
    returned, publication, warning = _prepared(one, message)
    carried = Carried(publication, call.qmgr.ccsid, known.headers)
    skipped = one.handle.connection.number if one.option_bits & putting.NOT_OWN_SUBS else 0
    verdict = publishing.verdict_of(call, known, carried, level, skipped)
    plan = publishing.planned(
        one.tx,
        call,
        carried,
        known.receivers,
        verdict,
        uses_dead_letter_queue=known.settings.uses_dead_letter_queue,
        kept=known.destinations,
    )
    persistence = publication.descriptor.persistence
    if plan.fault(known.settings, persistence):
        raise _PublicationFailed(index, publication, plan)
    is_retained = bool(one.option_bits & putting.RETAIN)
    details = _details(plan, level) | publishing.excluded(known, verdict)
    if is_retained:
        details["retained"] = 1
    return _Decided(
        returned,
        publication,
        plan,
        to_json(details),
        warning,
        plan.has_persistent or bool(is_retained and persistence),
        _kept(one, carried) if is_retained else None,
    )


def _kept(one: _Call, carried: Carried) -> tuple[Arrival, Destination]:
    """The message that is retained, and its queue; MQError 2479 when that does not take it."""
    descriptor, body = carried.to_retain()
    descriptor = descriptor.copy()
    if descriptor.msg_id == NO_ID:
        descriptor.msg_id = one.call.new_identifier()
    kept = Arrival(descriptor, body)
    return kept, retained.room(one.tx, one.call, kept)


def _prepared(one: _Call, message: Message) -> tuple[MessageDescriptor, Publication, int]:
    """Validate one message: the descriptor to return, the publication, and a warning or 0."""
    descriptor, body = message.descriptor, message.body
    if one.with_handles:
        descriptor = put_properties.given_descriptor(descriptor, one.options, one.option_bits)
    unfit = mqmd.descriptor_fault(descriptor)
    if unfit:
        raise ValueError(unfit)
    name = one.handle.name
    placed = descriptor.copy()
    if one.option_bits & putting.SUPPRESS_REPLYTO:
        placed.reply_to_q = placed.reply_to_q_mgr = ""
    refuse_if(placed.msg_flags & _SEGMENTATION, MQRC.SEGMENTATION_NOT_ALLOWED, name)
    refuse_for(putting.descriptor_fault(placed), name)
    refuse_for(putting.context_fault(one.option_bits, one.handle.options), name)
    _decide(one, placed)
    stored, data, counted = put_properties.with_properties(
        one.tx, one.call, placed, body, one.options
    )
    refuse_if(counted > one.call.qmgr.max_length, MQRC.MSG_TOO_BIG_FOR_Q_MGR, name)
    warning = putting.priority_warning(placed.priority) or options_warning(placed.report)
    placed.resolved_q_name = placed.resolved_q_mgr_name = ""
    return placed, Publication(one.handle.topic, _shared(one, stored), data), warning


def _shared(one: _Call, descriptor: MessageDescriptor) -> MessageDescriptor:
    """The descriptor as all copies have it: none has a new identifier that the call returns."""
    if not one.option_bits & putting.NEW_MSG_ID:
        return descriptor
    shared = copy(descriptor)
    shared.msg_id = NO_ID
    return shared


def _decide(one: _Call, placed: MessageDescriptor) -> None:
    """Set every field that the queue manager decides."""
    call, defaults = one.call, one.known.settings.defaults(one.call.qmgr.ccsid)
    if one.alias is not None:
        priority, persistence = one.alias.default_priority, one.alias.default_persistence
        defaults = defaults._replace(priority=priority, persistence=persistence)
    mqmd.make_plain(placed)
    publication_rules.fill(placed, defaults)
    placed.backout_count = 0
    placed.put_at = call.now
    _renew_identifiers(one, placed)
    suppressed = one.option_bits & putting.SUPPRESS_REPLYTO
    if not placed.reply_to_q_mgr and not suppressed:
        placed.reply_to_q_mgr = call.qmgr.name
    context = one.option_bits & putting.CONTEXT
    in_context(one.handle, call, placed, context, one.options.context)


def _renew_identifiers(one: _Call, placed: MessageDescriptor) -> None:
    """Set the identifiers that the options ask for."""
    identifiers = one.handle.connection.identifiers
    if one.option_bits & putting.NEW_MSG_ID:
        placed.msg_id = next(identifiers)
    if one.option_bits & putting.NEW_CORREL_ID:
        placed.correl_id = next(identifiers)


def _join(handle: HandleState, call: CallContext, published: _Published, caused: int) -> None:
    """Count the messages that joined the unit of work, and what its end must do."""
    connection = handle.connection
    if caused:
        may_join(connection, call, published.joining + caused)
    unit = connection.unit
    unit.count += published.joining + caused
    unit.recorded = True
    unit.durable = unit.durable or published.has_persistent
    unit.on_shared = unit.on_shared or bool(call.qmgr.sharing_group)


def _note_use(tx: Transaction, call: CallContext, handle: HandleState, count: int) -> None:
    """Note that the topic string and the handle were used for so many publications: for a while
    the string has a node.
    """
    noted = handle.connection.noted_topics
    if call.now - noted.get(handle.topic, -_NOTED_FOR) >= _NOTED_FOR:
        if len(noted) >= _MOST_KNOWN:
            noted.clear()
        noted[handle.topic] = call.now
        subscriptions.note_topic(tx, call.qmgr.name, handle.topic, call.now)
    if handle.number:
        subscriptions.note_publications(tx, handle.number, call.now, count)


def _details(plan: Plan, level: int, *, is_failure: bool = False) -> dict[str, object]:
    """What becomes of a publication, as the PUBLISH says it."""
    details: dict[str, object] = {
        "matched": len(plan.verdict.receiving),
        "delivered": 0 if is_failure else len(plan.delivered),
        "dead_lettered": 0 if is_failure else plan.dead_lettered,
        "level": level,
    }
    lost = [each for each in plan.failed if not each.is_dead_lettered]
    if lost:
        details["failed"] = {each.receiver.name: each.reason for each in lost}
    return details


def _record(
    tx: Transaction,
    call: CallContext,
    publication: Publication,
    detail: str,
    returned: bytes,
    unit: int | None,
    reason: int = 0,
) -> int:
    """Record a publication, with the MsgId `returned` by the call if its copies have others;
    `reason` is why it failed. The number of the event.
    """
    descriptor = publication.descriptor
    msg_id = returned if descriptor.msg_id == NO_ID else descriptor.msg_id
    event = call.event(
        "PUBLISH",
        target=publication.topic,
        priority=descriptor.priority,
        persistence=descriptor.persistence,
        length=len(publication.body),
        detail=detail,
    )
    # The driver takes long to bind None, and bytes that are no bytearray.
    if msg_id != NO_ID:
        event["msg_id"] = bytearray(msg_id)
    if descriptor.correl_id != NO_ID:
        event["correl_id"] = bytearray(descriptor.correl_id)
    if unit is not None:
        event["unit"] = unit
    if reason:
        event["reason"] = reason
    return history.append_numbered(tx, event)


def _record_failure(handle: HandleState, failure: _PublicationFailed, level: int) -> None:
    with transaction(handle.connection) as (tx, call):
        detail = to_json(_details(failure.plan, level, is_failure=True))
        reason = int(MQRC.PUBLICATION_FAILURE)
        _record(tx, call, failure.publication, detail, NO_ID, None, reason)
        deliver(tx, call, publishing.refusal_events(tx, call, failure.plan))


def _raise_inhibited(handle: HandleState) -> None:
    """Put the event about a topic that publishing is disabled for (events §3)."""
    with transaction(handle.connection) as (tx, call):
        deliver(tx, call, queue_events.topic_inhibited(tx, call, handle.topic))
