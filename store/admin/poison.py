"""What a consumer would do with the messages that were backed out; changes nothing (poison-and-channels §1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from store.admin.expiry import matching_queues, resolved_queue
from store.admin.put_preview import PutPreview
from store.constants import MQRC
from store.descriptor import MessageDescriptor
from store.engine import poison
from store.engine.poison import BackoutSettings, Target
from store.engine.state import QueueManagerState
from store.engine.stored_descriptor import descriptor_of
from store.headers import mqdlh
from store.rules.expiry import is_expired
from store.rules.poison import Action, PoisonFacts, decide
from store.sql import history
from store.sql.history import LastGet, backouts, last_gets
from store.sql.messages import BACKED_OUT_AT_ONCE, QueuePosition, backed_out
from store.sql.queues import LocalQueue
from store.sql.rows import StoredMessage
from store.sqlite.database import Reading

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

    `action` is None for a message that has expired, and that a get discards. `target` is the queue it would be put on,
    blank for none. `requeue_reason` and `dead_letter_reason` say why a queue would not take it: an MQRC, NOT_NAMED or
    LEADS_BACK of `store.rules.poison`, 0 if it would or if that is not asked. `last` is None where the history does not
    say who backed it out.
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


def preview(qmgr: QueueManagerState, pattern: str) -> Iterator[PoisonPreview] | None:
    """The messages of the local queues whose name matches, by queue in delivery order; None if there is no queue.

    A name that is not generic may be an alias or a remote queue, and stands for the local queue it resolves to.
    """
    queues = list(matching_queues(qmgr, pattern) if pattern.endswith("*") else resolved_queue(qmgr, pattern))
    return (each for queue in queues for each in _of_queue(qmgr, queue)) if queues else None


def _of_queue(qmgr: QueueManagerState, queue: LocalQueue) -> Iterator[PoisonPreview]:
    now, manager = qmgr.now(), qmgr.row()
    place, puts = QueuePosition(), None
    while True:
        with Reading(qmgr.store.database) as reading:
            found = backed_out(reading, queue.id, *place)
            if not found:
                return
            settings = poison.backout_settings(reading, manager, queue.name)
            dead_letters = poison.dead_letter_target(reading, manager, queue.name)
        last = _last_backouts(qmgr, queue, {each.msg_id for each in found})
        puts = puts or PutPreview(qmgr, queue.name)
        for each in found:
            yield _foreseen(_Consumer(queue.name, settings, dead_letters, puts, now), each, last.get(each.msg_id))
        if len(found) < BACKED_OUT_AT_ONCE:
            return
        place = QueuePosition(found[-1].rank, found[-1].sequence)


def _last_backouts(qmgr: QueueManagerState, queue: LocalQueue, msg_ids: set[bytes]) -> dict[bytes, LastBackout]:
    """The last backouts by MsgId, from the end of the history backwards; it has no index by message."""
    database = qmgr.store.database
    with Reading(database) as reading:
        last, _ = history.bound(reading)
    gets: dict[bytes, LastGet] = {}
    while last > 0 and gets.keys() != msg_ids:
        first = last - EVENTS + 1
        with Reading(database) as reading:
            gets |= last_gets(reading, queue.owner, queue.name, msg_ids - gets.keys(), first, last)
        last = first - 1
    if not gets:
        return {}
    earliest = min(each.seq for each in gets.values())
    with Reading(database) as reading:
        units = backouts(reading, {each.unit for each in gets.values()}, earliest)
    return {
        msg_id: LastBackout(each.application, each.user, *units[each.unit])
        for msg_id, each in gets.items()
        if each.unit in units
    }


class _Consumer(Struct, frozen=True):
    """A consumer of a queue that starts now; its puts so far count."""

    queue: str
    settings: BackoutSettings
    dead_letters: Target
    puts: PutPreview
    now: int

    def outcome(self, target: Target, descriptor: MessageDescriptor, length: int) -> int:
        """The outcome of a put, as `store.rules.poison` takes it."""
        if target.fault:
            return target.fault
        reason = self.puts.put(target.queue, "", descriptor, length).reason
        return 0 if reason == MQRC.PRIORITY_EXCEEDS_MAXIMUM else reason


def _foreseen(consumer: _Consumer, message: StoredMessage, last: LastBackout | None) -> PoisonPreview:
    descriptor = descriptor_of(message, consumer.now)
    threshold, backout_queue = consumer.settings
    dead_letters = consumer.dead_letters
    facts = PoisonFacts(
        descriptor.backout_count, threshold, backout_queue.fault, descriptor.report, descriptor.persistence, 0
    )
    action: Action | None = decide(facts)
    if action is Action.REQUEUE:
        facts = facts._replace(requeue=consumer.outcome(backout_queue, descriptor, message.length))
        action = decide(facts)
    if action is Action.DEAD_LETTER:
        outcome = consumer.outcome(dead_letters, descriptor, message.length + mqdlh.LENGTH)
        facts = facts._replace(dead_letter=outcome)
        action = decide(facts)
    if is_expired(message.expires_at, consumer.now):
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
    )
