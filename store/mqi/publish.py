"""MQPUT and MQPUT1 to a topic (publish-subscribe §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple

from mqsc.store.constants import MQCC, MQMF, MQRC
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import publishing, queue_events, retained, topic_tree
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import Arrival, Effect
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.publishing import Carried, KnownTopic, Plan, Publication
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.headers import mqmd
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi import put_properties
from mqsc.store.mqi.put_context import in_context
from mqsc.store.mqi.state import HandleState, call_context, read, transaction
from mqsc.store.mqi.syncpoint import lacks_room, may_join
from mqsc.store.rules import putting
from mqsc.store.rules.report_message import options_warning
from mqsc.store.rules.topics import publication as publication_rules
from mqsc.store.rules.trace_context import TRACEPARENT, traceparent_in
from mqsc.store.sql import history, queues, subscriptions
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

_SEGMENTATION = int(MQMF.SEGMENTATION_ALLOWED | MQMF.SEGMENT | MQMF.LAST_SEGMENT)
# How long a topic string that was published to need not be noted again, in microseconds.
_NOTED_FOR = 1_000_000


class _Published(NamedTuple):
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
    persistent = (each.descriptor.persistence == putting.PERSISTENT for each in messages)
    durable = not in_unit and any(persistent)
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
        quiescing = option_bits & putting.FAIL_IF_QUIESCING
        call = call_context(tx, connection, fail_if_quiescing=quiescing)
        known = known_topic(tx, call, handle)
        refuse_if(not known.is_enabled, MQRC.PUBSUB_INHIBITED, handle.name)
        alias = _alias(tx, call, handle)
        refuse_if(alias is not None and not alias.put_enabled, MQRC.PUT_INHIBITED, handle.alias)
        refuse_if(not known.settings.allows_publishing, MQRC.PUT_INHIBITED, handle.name)
        one = _Call(tx, call, handle, known, alias, options, option_bits, with_handles)
        unit = connection.unit.begin() if in_unit else None
        for index, message in enumerate(messages):
            published.append(_one(one, index, message, unit))
            if published[-1].has_persistent and not (durable or in_unit):
                raise _MustBeSynced
            caused = deliver(tx, call, published[-1].effects)
            if in_unit:
                _join(handle, call, published[-1], caused)
        _note_use(tx, call, handle)
    for message, each in zip(messages, published, strict=True):
        unmatched = option_bits & putting.WARN_IF_NO_SUBS_MATCHED and not each.matched
        warning = int(MQRC.NO_SUBS_MATCHED) if unmatched else each.warning
        message.completion = MQCC.WARNING if warning else MQCC.OK
        message.reason = warning
    return [each.descriptor for each in published]


class _Call(NamedTuple):
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


def _alias(tx: Transaction, call: CallContext, handle: HandleState) -> QueueRow | None:
    """The alias queue that the handle was opened by; None for a topic."""
    if not handle.alias:
        return None
    alias = queues.by_name(tx, call.qmgr.name, handle.alias)
    refuse_if(alias is None or not alias.target_is_topic, MQRC.OBJECT_CHANGED, handle.alias)
    return alias


def _one(one: _Call, index: int, message: Message, unit: int | None) -> _Published:
    """Publish one message: what is retained first, then the copies."""
    tx, call, handle, known = one[:4]
    returned, publication, warning = _prepared(one, message)
    carried = Carried(publication, call.qmgr.ccsid, known.headers)
    skipped = handle.connection.number if one.option_bits & putting.NOT_OWN_SUBS else 0
    verdict = publishing.verdict_of(call, known, carried, one.options.publication_level, skipped)
    plan = publishing.planned(
        tx,
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
    kept = _kept(one, carried) if is_retained else None
    joining = plan.count + is_retained
    if unit is not None:
        may_join(handle.connection, call, joining)
    excluded = publishing.excluded(known, verdict)
    level = one.options.publication_level
    number = record(
        tx, call, publication, plan, level, unit, is_retained, 0, excluded, returned.msg_id
    )
    effects: list[Effect] = []
    if kept is not None:
        effects += retained.retain(tx, call, publication.topic, *kept, unit)
    effects += publishing.put_copies(tx, call, plan, unit, number, is_changed=is_retained)
    effects += publishing.refusal_events(tx, call, plan)
    has_persistent = plan.has_persistent or bool(is_retained and persistence)
    matched = bool(verdict.receiving)
    return _Published(returned, joining, has_persistent, matched, effects, warning)


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
    shared = copy(stored)
    if one.option_bits & putting.NEW_MSG_ID:
        # No copy has the identifier that the call returns.
        shared.msg_id = NO_ID
    warning = putting.priority_warning(placed.priority) or options_warning(placed.report)
    placed.resolved_q_name = placed.resolved_q_mgr_name = ""
    return placed, Publication(one.handle.topic, shared, data), warning


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
    identifiers = one.handle.connection.identifiers
    if one.option_bits & putting.NEW_MSG_ID:
        placed.msg_id = next(identifiers)
    if one.option_bits & putting.NEW_CORREL_ID:
        placed.correl_id = next(identifiers)
    suppressed = one.option_bits & putting.SUPPRESS_REPLYTO
    if not placed.reply_to_q_mgr and not suppressed:
        placed.reply_to_q_mgr = call.qmgr.name
    context = one.option_bits & putting.CONTEXT
    in_context(one.handle, call, placed, context, one.options.context)


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


def _note_use(tx: Transaction, call: CallContext, handle: HandleState) -> None:
    """Note that the topic string and the handle were used: for a while the string has a node."""
    noted = handle.connection.noted_topics
    if call.now - noted.get(handle.topic, -_NOTED_FOR) >= _NOTED_FOR:
        if len(noted) >= _MOST_KNOWN:
            noted.clear()
        noted[handle.topic] = call.now
        subscriptions.note_topic(tx, call.qmgr.name, handle.topic, call.now)
    if handle.number:
        subscriptions.note_publication(tx, handle.number, call.now)


def record(
    tx: Transaction,
    call: CallContext,
    publication: Publication,
    plan: Plan,
    level: int,
    unit: int | None,
    is_retained: bool,
    reason: int = 0,
    excluded: Mapping[str, object] | None = None,
    msg_id: bytes = NO_ID,
) -> int:
    """Record a publication and what becomes of it, `reason` is why it failed, `excluded` who does
    not get it, `msg_id` what the call returns; the number of the event.
    """
    descriptor = publication.descriptor
    msg_id = msg_id if descriptor.msg_id == NO_ID else descriptor.msg_id
    counts: dict[str, object] = {
        "matched": len(plan.verdict.receiving),
        "delivered": 0 if reason else len(plan.delivered),
        "dead_lettered": 0 if reason else plan.dead_lettered,
        "level": level,
    }
    lost = [each for each in plan.failed if not each.is_dead_lettered]
    if lost:
        counts["failed"] = {each.receiver.name: each.reason for each in lost}
    if excluded:
        counts |= excluded
    if is_retained:
        counts["retained"] = 1
    traceparent = traceparent_in(
        descriptor.format, publication.body, descriptor.encoding, descriptor.coded_char_set_id
    )
    if traceparent is not None:
        counts[TRACEPARENT] = traceparent
    event = call.event(
        "PUBLISH",
        target=publication.topic,
        msg_id=None if msg_id == NO_ID else msg_id,
        correl_id=None if descriptor.correl_id == NO_ID else descriptor.correl_id,
        priority=descriptor.priority,
        persistence=descriptor.persistence,
        length=len(publication.body),
        unit=unit,
        reason=reason or None,
        detail=counts,
    )
    return history.append_numbered(tx, event)


def _record_failure(handle: HandleState, failure: _PublicationFailed, level: int) -> None:
    with transaction(handle.connection) as (tx, call):
        reason = int(MQRC.PUBLICATION_FAILURE)
        record(tx, call, failure.publication, failure.plan, level, None, False, reason)
        deliver(tx, call, publishing.refusal_events(tx, call, failure.plan))


def _raise_inhibited(handle: HandleState) -> None:
    """Put the event about a topic that publishing is disabled for (events §3)."""
    with transaction(handle.connection) as (tx, call):
        deliver(tx, call, queue_events.topic_inhibited(tx, call, handle.topic))
