"""What a consumer would do with the messages that were backed out; nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.admin.expiry import matching_queues, resolved_queue
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import backout_queues
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.engine.stored_message import descriptor_of
from mqsc.store.headers import mqdlh
from mqsc.store.rules.expiry import is_expired
from mqsc.store.rules.message_trace import is_marked, skip_of
from mqsc.store.rules.poison_message import Action, PoisonFacts, decide
from mqsc.store.sql import history, queues
from mqsc.store.sql.messages import BACKED_OUT_AT_ONCE, QueuePosition, backed_out
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Reading

# Events per read of the history.
EVENTS = 20_000


class LastBackout(NamedTuple):
    """Who had got a message, and when and why the unit of work was backed out."""

    application: str
    user: str
    at: int
    cause: str


class PoisonPreview(Struct, frozen=True):
    """A message with a backout count, and what a consumer would do with it now.

    `action` is None for a message that has expired, and that a get discards, and for one that
    `is_locked` by a browse of another program, so that no get finds it. `target` is the queue it
    would be put on, blank for none. `requeue_reason` and `dead_letter_reason` say why a queue would
    not take it: an MQRC, NOT_NAMED or LEADS_BACK of `store.rules.poison_message`, 0 if it would or
    if that is not asked. `last` is None where the history does not say who backed it out.
    """

    queue: str
    descriptor: MessageDescriptor
    length: int
    threshold: int
    backout_queue: str
    dead_letter_queue: str
    last: LastBackout | None
    action: Action | None
    target: str
    requeue_reason: int
    dead_letter_reason: int
    is_locked: bool


def poison_preview(qmgr: QueueManagerState, pattern: str) -> Iterator[PoisonPreview] | None:
    """The messages of the local queues whose name matches, by queue in delivery order; None if
    there is no queue.

    A name that is not generic may be an alias or a remote queue, and stands for the local queue it
    resolves to.
    """
    matching = list(
        matching_queues(qmgr, pattern) if pattern.endswith("*") else resolved_queue(qmgr, pattern),
    )
    return (each for queue in matching for each in _of_queue(qmgr, queue)) if matching else None


def _of_queue(qmgr: QueueManagerState, queue: queues.LocalQueue) -> Iterator[PoisonPreview]:
    now, manager = qmgr.now(), qmgr.row()
    place, puts = QueuePosition(), None
    while True:
        with Reading(qmgr.store.database) as reading:
            poison_messages = backed_out(reading, queue.id, *place)
            if not poison_messages:
                return
            settings = backout_queues.backout_settings(reading, manager, queue.name)
            dead_letters = backout_queues.dead_letter_target(reading, manager, queue.name)
        last = _last_backouts(qmgr, queue, {each.msg_id for each in poison_messages})
        puts = puts or PutPreview(qmgr, queue.name)
        for each in poison_messages:
            yield _foreseen(
                _Consumer(queue.name, settings, dead_letters, puts, now),
                each,
                last.get(each.msg_id),
            )
        if len(poison_messages) < BACKED_OUT_AT_ONCE:
            return
        place = QueuePosition(poison_messages[-1].rank, poison_messages[-1].sequence)


def _last_backouts(
    qmgr: QueueManagerState,
    queue: queues.LocalQueue,
    msg_ids: set[bytes],
) -> dict[bytes, LastBackout]:
    """The last backouts by MsgId, from the end of the history backwards; it has no index by
    message.
    """
    database = qmgr.store.database
    with Reading(database) as reading:
        last, _ = history.bound(reading)
    gets: dict[bytes, history.LastGet] = {}
    while last > 0 and gets.keys() != msg_ids:
        first = last - EVENTS + 1
        with Reading(database) as reading:
            gets |= history.last_gets(
                reading,
                queue.owner,
                queue.name,
                msg_ids - gets.keys(),
                first,
                last,
            )
        last = first - 1
    if not gets:
        return {}
    earliest = min(each.seq for each in gets.values())
    with Reading(database) as reading:
        backouts = history.backouts(reading, {each.unit for each in gets.values()}, earliest)
        # A message that skipped a backout was returned by that of the unit of work that it joined.
        returned = {msg_id: _joined(msg_id, get, backouts) for msg_id, get in gets.items()}
        backouts |= history.backouts(reading, returned.values(), earliest)
    backed_out_gets = (
        (msg_id, gets[msg_id], backouts[unit])
        for msg_id, unit in returned.items()
        if unit in backouts
    )
    return {
        msg_id: LastBackout(get.application, get.user, at, cause)
        for msg_id, get, (at, cause, _) in backed_out_gets
    }


def _joined(
    msg_id: bytes,
    get: history.LastGet,
    backouts: Mapping[int, tuple[int, str, str]],
) -> int:
    """The unit of work that a message belonged to in the end."""
    if get.detail is None or get.unit not in backouts or not is_marked(json.loads(get.detail)):
        return get.unit
    skip = skip_of(json.loads(backouts[get.unit][2]))
    return skip.unit if skip and skip.msg_id == msg_id else get.unit


class _Consumer(Struct, frozen=True):
    """A consumer of a queue that starts now; its puts so far count."""

    queue: str
    settings: backout_queues.BackoutSettings
    dead_letters: backout_queues.Target
    puts: PutPreview
    now: int

    def outcome(
        self,
        target: backout_queues.Target,
        descriptor: MessageDescriptor,
        length: int,
    ) -> int:
        """The outcome of a put, as `store.rules.poison_message` takes it."""
        if target.fault:
            return target.fault
        return self.puts.put(target.queue, "", descriptor, length).failure


def _foreseen(
    consumer: _Consumer,
    message: StoredMessage,
    last: LastBackout | None,
) -> PoisonPreview:
    descriptor = descriptor_of(message, consumer.now)
    threshold, backout_queue = consumer.settings
    dead_letters = consumer.dead_letters
    facts = PoisonFacts(
        descriptor.backout_count,
        threshold,
        backout_queue.fault,
        descriptor.report,
        descriptor.persistence,
        0,
    )
    action: Action | None = decide(facts)
    if action is Action.REQUEUE:
        facts = facts._replace(requeue=consumer.outcome(backout_queue, descriptor, message.length))
        action = decide(facts)
    if action is Action.DEAD_LETTER:
        outcome = consumer.outcome(dead_letters, descriptor, message.length + mqdlh.MQDLH_LENGTH)
        facts = facts._replace(dead_letter=outcome)
        action = decide(facts)
    is_locked = message.locked_by is not None
    if is_locked or is_expired(message.expires_at, consumer.now):
        action = None
    targets = {Action.REQUEUE: backout_queue.queue, Action.DEAD_LETTER: dead_letters.queue}
    return PoisonPreview(
        consumer.queue,
        descriptor,
        message.length,
        threshold,
        backout_queue.queue,
        dead_letters.queue,
        last,
        action,
        "" if action is None else targets.get(action, ""),
        facts.requeue,
        facts.dead_letter,
        is_locked,
    )
