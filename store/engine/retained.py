"""Retained publications: messages on a queue of the queue manager, one for each topic string
(publish-subscribe §4).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import dequeue, name_resolution
from mqsc.store.engine.delivery import room_for
from mqsc.store.engine.effects import Arrival, Effect, Placement
from mqsc.store.engine.enqueue import enqueue
from mqsc.store.engine.history import record_event
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import descriptor_of
from mqsc.store.engine.stream_copies import size_of
from mqsc.store.error import MQError
from mqsc.store.message_times import put_date, put_time
from mqsc.store.rules.expiry import is_expired
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_names import TOPIC_NAME
from mqsc.store.rules.topics.topic_strings import SEPARATOR
from mqsc.store.rules.topics.wildcards import TopicPattern
from mqsc.store.sql import history, messages, queues, subscriptions
from mqsc.store.sql.rows import MessageState, RetainedRow, StoredMessage
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

RETAINED_QUEUE = "SYSTEM.RETAINED.PUB.QUEUE"
# Of the UTF-8 text of topic strings none is greater.
_BEYOND = "\U0010ffff"
_AFTER_SEPARATOR = chr(ord(SEPARATOR) + 1)


class RetainedPublication(NamedTuple):
    """A retained publication as it is put for a subscriber."""

    topic_string: str
    descriptor: MessageDescriptor
    body: bytes


def room(tx: Transaction, call: CallContext, arrival: Arrival) -> Destination:
    """The queue that takes the message; MQError 2479 when it does not."""
    reason, destination = room_for(tx, call, RETAINED_QUEUE, "", size_of(arrival))
    if destination is None:
        raise MQError(MQRC.PUT_NOT_RETAINED, name_of_reason(reason))
    return destination


def name_of_reason(reason: int) -> str:
    """The queue and why it refuses, for the text of an error."""
    return f"{RETAINED_QUEUE}, {reason}"


def retain(
    tx: Transaction,
    call: CallContext,
    topic_string: str,
    arrival: Arrival,
    destination: Destination,
    unit: int | None,
) -> list[Effect]:
    """Keep the message in place of the one that there is, which stays until the unit of work
    commits.
    """
    name = call.qmgr.name
    effects = _remove(tx, call, _at(tx, name, topic_string), unit, "replaced")
    # What an earlier unit of work replaced, or this call.
    subscriptions.forget_removed(tx, name, topic_string)
    queue = queues.by_id(tx, destination.queue.id, name)
    assert queue is not None
    effects += enqueue(tx, call, queue, [arrival], Placement(unit))
    _, stored = history.bound(tx)
    note = subscriptions.add_retained(tx, name, topic_string, stored, queue.id, queue.next_sequence)
    if unit is None:
        subscriptions.forget_earlier(tx, name, topic_string, note)
    return effects


def settle(tx: Transaction, call: CallContext, held: Iterable[int]) -> list[Effect]:
    """Remove what later publications have replaced, once a unit of work has ended: `held` are the
    numbers of the messages that it held on the queue.

    The latest that is committed stays, and what was retained before it never returns, whatever
    becomes of units of work that are still open, or of the latest.
    """
    left = [each for each in (messages.by_id(tx, id) for id in held) if each is not None]
    effects: list[Effect] = []
    for topic_string, of_topic in _by_topic(left).items():
        committed = _at(tx, call.qmgr.name, topic_string)
        noted = {row.message for row in committed}
        for stored in of_topic:
            if stored.id not in noted:
                effects += _remove_message(tx, call, topic_string, stored, None, "replaced")
        if committed:
            *earlier, latest = committed
            effects += _remove(tx, call, earlier, None, "replaced")
            subscriptions.forget_earlier(tx, call.qmgr.name, topic_string, latest.id)
    return effects


def _by_topic(retained: Iterable[StoredMessage]) -> dict[str, list[StoredMessage]]:
    """Messages of the queue by the topic string that they name; others are left out."""
    found: dict[str, list[StoredMessage]] = {}
    for stored in retained:
        topic_string = topic_of(stored)
        if topic_string is not None:
            found.setdefault(topic_string, []).append(stored)
    return found


def topic_of(stored: StoredMessage) -> str | None:
    """The topic string that a retained publication names; None for a message that names none."""
    carried = message_data.carried(
        stored.format, stored.body, stored.encoding, stored.coded_char_set_id
    )
    named = None if carried is None else carried.properties.get(TOPIC_NAME)
    return None if named is None else str(named.value)


def _at(tx: Queries, qmgr: str, topic_string: str) -> list[RetainedRow]:
    return subscriptions.retained_between(tx, qmgr, topic_string, topic_string + "\0")


def _newest(rows: Iterable[RetainedRow]) -> list[RetainedRow]:
    """The latest of each topic string: units of work that replaced the same one may leave two."""
    return [*{row.topic_string: row for row in rows}.values()]


def strings(tx: Queries, qmgr: str, now: int) -> set[str]:
    """The topic strings that have one that is not expired."""
    rows = _newest(subscriptions.retained_between(tx, qmgr, "", _BEYOND))
    stored = [(row.topic_string, messages.by_id(tx, row.message)) for row in rows]
    return {
        string
        for string, message in stored
        if message is not None and not is_expired(message.expires_at, now)
    }


def clear(tx: Transaction, call: CallContext, pattern: TopicPattern) -> tuple[int, list[Effect]]:
    """Remove the retained publications of all topic strings that match; how many."""
    found = [each for each in _in_range(tx, call, pattern) if pattern.matches(each.topic_string)]
    effects = _remove(tx, call, found, None, "cleared")
    for each in found:
        subscriptions.forget_removed(tx, call.qmgr.name, each.topic_string)
    return len(found), effects


def _remove(
    tx: Transaction, call: CallContext, rows: list[RetainedRow], unit: int | None, cause: str
) -> list[Effect]:
    effects: list[Effect] = []
    for row in rows:
        stored = messages.by_id(tx, row.message)
        if stored is not None:
            effects += _remove_message(tx, call, row.topic_string, stored, unit, cause)
    return effects


def _remove_message(
    tx: Transaction,
    call: CallContext,
    topic_string: str,
    stored: StoredMessage,
    unit: int | None,
    cause: str,
) -> list[Effect]:
    queue = queues.by_id(tx, stored.queue, call.qmgr.name)
    # Another unit of work replaces it, and both will be there: the later one counts.
    if queue is None or stored.state != MessageState.AVAILABLE:
        return []
    effects = dequeue.dequeue(tx, call, queue, stored, unit)
    record_event(
        tx,
        call,
        "RETAIN",
        cause=cause,
        queue=queue.name,
        target=topic_string,
        msg_id=stored.msg_id,
        unit=unit,
    )
    return effects


def _in_range(tx: Queries, call: CallContext, pattern: TopicPattern) -> list[RetainedRow]:
    """The retained publications of the topic strings that may match."""
    name, levels = call.qmgr.name, pattern.levels
    if not pattern.is_wild:
        return _at(tx, name, pattern.literal)
    if not levels:
        return subscriptions.retained_between(tx, name, "", _BEYOND)
    return subscriptions.retained_between(tx, name, levels, levels + _AFTER_SEPARATOR)


def read(tx: Transaction, call: CallContext, pattern: TopicPattern) -> list[RetainedPublication]:
    """The retained publications whose topic string matches, by topic string.

    MQError 2525 when their queue is missing or GET(DISABLED).
    """
    reason, destination = name_resolution.destination(tx, call.qmgr, RETAINED_QUEUE, "")
    if reason or destination is None or destination.get_inhibited:
        raise MQError(MQRC.RETAINED_MSG_Q_ERROR, RETAINED_QUEUE)
    found: list[RetainedPublication] = []
    for row in _newest(_in_range(tx, call, pattern)):
        stored = messages.by_id(tx, row.message)
        if stored is None or is_expired(stored.expires_at, call.now):
            continue
        if pattern.matches(row.topic_string):
            descriptor = descriptor_of(stored, call.now)
            # Copies have the time of the publication.
            descriptor.put_date = stored.put_date or put_date(stored.put_at)
            descriptor.put_time = stored.put_time or put_time(stored.put_at)
            found.append(RetainedPublication(row.topic_string, descriptor, stored.body))
    return found
