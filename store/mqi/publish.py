"""MQPUT and MQPUT1 to a topic (publish-subscribe §2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mqsc.store.constants import MQCC, MQRC
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import copy_plan, queue_events, retained, topic_tree
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.known_topic import KnownTopic, look_up_topic
from mqsc.store.engine.published_message import Publication
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_if
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi.publication_decisions import PublicationFailed, TopicPut, decided, details
from mqsc.store.mqi.state import HandleState, call_context, context_beside_queue, read, transaction
from mqsc.store.mqi.syncpoint import lacks_room, may_join
from mqsc.store.rules import putting
from mqsc.store.sql import history, queues, subscriptions
from mqsc.store.sql.objects import to_json
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

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
    publication cannot be retained, 2502 when a copy that must be delivered cannot be; then no
    message of the call is published. The warning 2550 is set on a message that matches no subscription, if
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
        except PublicationFailed as failure:
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
        if alias is not None or not known.allows_publishing:
            _check_allowed(handle, known, alias)
        put = TopicPut(tx, call, handle, known, alias, options, option_bits, with_handles)
        unit = connection.unit.begin() if in_unit else None
        for index, message in enumerate(messages):
            done = _one(put, index, message, unit, queue)
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
        known = look_up_topic(tx, call, handle.topic)
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


def _one(
    put: TopicPut, index: int, message: Message, unit: int | None, queue: QueueRow | None
) -> _Published:
    """Publish one message: what is retained first, then the copies. The columns of `queue` are
    read.
    """
    tx, call = put.tx, put.call
    found = decided(put, index, message, queue)
    plan, publication = found.plan, found.publication
    is_retained = found.retained is not None
    joining = 0
    if unit is not None:
        joining = plan.count + is_retained
        may_join(put.handle.connection, call, joining)
        put.handle.connection.unit.retains |= is_retained
    number = _record(tx, call, publication, found.detail, found.returned.msg_id, unit)
    effects: list[Effect] = []
    if found.retained is not None:
        effects += retained.retain(tx, call, publication.topic, *found.retained, unit)
    effects += copy_plan.put_copies(tx, call, plan, unit, number, is_changed=is_retained)
    if plan.failed:
        effects += copy_plan.refusal_events(tx, call, plan)
    return _Published(
        found.returned,
        joining,
        found.has_persistent,
        bool(plan.verdict.receiving),
        effects,
        found.warning,
    )


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
    """Note that the topic string and the handle were used for `count` publications: for a while
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


def _record_failure(handle: HandleState, failure: PublicationFailed, level: int) -> None:
    with transaction(handle.connection) as (tx, call):
        detail = to_json(details(failure.plan, level, is_failure=True))
        reason = int(MQRC.PUBLICATION_FAILURE)
        _record(tx, call, failure.publication, detail, NO_ID, None, reason)
        deliver(tx, call, copy_plan.refusal_events(tx, call, failure.plan))


def _raise_inhibited(handle: HandleState) -> None:
    """Put the event about a topic that publishing is disabled for (events §3)."""
    with transaction(handle.connection) as (tx, call):
        deliver(tx, call, queue_events.topic_inhibited(tx, call, handle.topic))
