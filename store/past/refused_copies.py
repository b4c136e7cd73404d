"""What becomes of a copy of a publication that its queue refuses when it is put again: it goes to
the dead-letter queue, is lost, or no subscription gets the publication (publish-subscribe §5).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from mqsc.store.admin.event_search import numbered
from mqsc.store.constants import MQGMO, MQMO
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import state, topic_tree
from mqsc.store.engine.topic_tree import TopicSettings
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi.get import get
from mqsc.store.mqi.put import put
from mqsc.store.mqi.state import call_context
from mqsc.store.past.programs import Program
from mqsc.store.rules.dead_letter import DeliveryFailure, dead_letter, put_by_queue_manager
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.rules.opening import INPUT_SHARED, OUTPUT, SET_ALL_CONTEXT
from mqsc.store.rules.topics.delivery import fails_publication
from mqsc.store.sql import subscriptions
from mqsc.store.sqlite.database import Reading

DEAD_LETTERED = "been dead-lettered"
LOST = "been lost"
# No fate of the copy alone: the publication fails with 2502.
FAILS = ""


class RefusedCopy(NamedTuple):
    """The event of the copy, the MQRC with which its queue refuses it, its descriptor and data."""

    event: TracedEvent
    reason: int
    descriptor: MessageDescriptor
    body: bytes


class _Subscriber(NamedTuple):
    """What applies at the topic string, and whether the subscription is durable; the name of the
    dead-letter queue, or blank.
    """

    settings: TopicSettings
    is_durable: bool
    dead_letter_queue: str


def fate_of(
    original: state.StoreState, program: Program, refused: RefusedCopy, options: PutMessageOptions
) -> str:
    """Put the copy on the dead-letter queue if that is what follows; what becomes of it.

    MQError for a copy of a retained publication: the call that asked for it fails.
    """
    event = refused.event
    topic = _topic_of(original, event)
    if topic is None:
        raise MQError(refused.reason, event.queue or "")
    with Reading(program.state.qmgr.store.database) as reading:
        subscriber = _subscriber(reading, program, event, topic)
    if subscriber.dead_letter_queue and _is_dead_lettered(program, subscriber, refused, options):
        return DEAD_LETTERED
    said = subscriber.settings.delivery(event.persistence or 0)
    return FAILS if fails_publication(said, is_durable=subscriber.is_durable) else LOST


def publication_of(copy: TracedEvent) -> int:
    """The number of the PUBLISH of a copy, 0 for one that was retained before."""
    return int(copy.detail.get("publication", 0))


def withdraw(copies: Iterable[TracedEvent], publication: int, program: Program) -> None:
    """Remove the copies of a publication that failed. Those in a unit of work remain in it, like
    everything that it has put.
    """
    for copy in copies:
        if publication_of(copy) == publication and copy.unit is None:
            options = GetMessageOptions(
                MQGMO.NO_SYNCPOINT,
                match_options=int(MQMO.MATCH_MSG_ID),
                msg_id=copy.msg_id or NO_ID,
            )
            with suppress(MQError):
                get(program.unregistered(copy.queue or "", INPUT_SHARED), options)


def _topic_of(original: state.StoreState, event: TracedEvent) -> str | None:
    """The topic string of the PUBLISH that the copy is from; None for one that was retained."""
    number = publication_of(event)
    published = numbered(original, [number]) if number else []
    return next((each.target for each in published), None)


def _subscriber(reading: Reading, program: Program, event: TracedEvent, topic: str) -> _Subscriber:
    call = call_context(reading, program.state)
    settings = topic_tree.settings(reading, call, topic)
    name = str(event.detail.get("subscription", ""))
    row = subscriptions.by_name(reading, call.qmgr.name, name)
    if row is None:
        row = subscriptions.by_identifier(reading, call.qmgr.name, name)
    own = call.qmgr.dead_letter_queue if settings.uses_dead_letter_queue else ""
    return _Subscriber(settings, row is not None and bool(row.durable), own)


def _is_dead_lettered(
    program: Program, subscriber: _Subscriber, refused: RefusedCopy, options: PutMessageOptions
) -> bool:
    """Put the copy on the dead-letter queue; whether that takes it."""
    connection = program.state
    with Reading(connection.qmgr.store.database) as reading:
        call = call_context(reading, connection)
    name = call.qmgr.name
    failure = DeliveryFailure(refused.reason, refused.event.queue or "", name)
    by = put_by_queue_manager(name, call.now, call.qmgr.ccsid)
    descriptor, body = dead_letter(refused.descriptor, refused.body, failure, by)
    try:
        handle = program.unregistered(subscriber.dead_letter_queue, OUTPUT | SET_ALL_CONTEXT)
        put(handle, [Message(body, descriptor)], options, options.options)
    except MQError:
        return False
    return True
