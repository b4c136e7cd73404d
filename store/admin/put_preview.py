"""Previews that change nothing: the result of a put, the messages on a queue, uncommitted work,
poison messages.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.admin.expiry import matching_queues, resolved_queue
from mqsc.store.admin.status import connection_id, unit_id
from mqsc.store.constants import MQFMT, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import backout_queues, name_resolution, stream_copies
from mqsc.store.engine.name_resolution import Destination, Size
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.engine.stored_message import descriptor_of, extension_length
from mqsc.store.error import refuse_if, required
from mqsc.store.headers import mqxqh
from mqsc.store.rules import names, putting
from mqsc.store.rules.expiry import is_expired
from mqsc.store.rules.message_trace import is_marked, skip_of
from mqsc.store.rules.poison_message import Action, PoisonFacts, decide
from mqsc.store.rules.trigger.trigger_message import TRIGGER_FORMAT, start_of_data
from mqsc.store.sql import history, queues, units_of_work
from mqsc.store.sql.messages import BACKED_OUT_AT_ONCE, QueuePosition, backed_out, page
from mqsc.store.sql.rows import MessageState, QueueRow, StoredMessage
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.locks import folder_beside
from mqsc.store.sqlite.owners import Owner, owner_of
from mqsc.store.sqlite.queries import Queries


class PutOutlook(NamedTuple):
    """The MQRC that a put would end with, 0 for success, and the local queue it would arrive on
    (may be blank).
    """

    reason: int
    queue: str

    @property
    def failure(self) -> int:
        """The reason unless it is a warning."""
        return 0 if self.reason == MQRC.PRIORITY_EXCEEDS_MAXIMUM else self.reason


class PutPreview:
    """Previews puts of messages that are taken from a queue, `source`; every queue is read once, on
    first use.

    Messages that would have been put before count: a queue they fill is full for the next. Not
    previewed: segmentation, and invalid data for a transmission queue.
    """

    def __init__(self, qmgr: QueueManagerState, source: str = "") -> None:
        self._qmgr = qmgr
        self._known: dict[tuple[str, str], tuple[int, Destination | None]] = {}
        self._streams: dict[str, tuple[int, Destination | None]] = {}
        self._change: Counter[int] = Counter()
        self._call = qmgr.store.read(qmgr.call_context)
        found = self._destination(source, "")[1] if source else None
        self._source = None if found is None else found.queue.id

    def reason_for(self, queue: str, queue_manager: str) -> int:
        """The MQRC of a name that does not resolve, 0 for one that resolves to a queue."""
        return self._destination(queue, queue_manager)[0]

    def put(
        self,
        queue: str,
        queue_manager: str,
        descriptor: MessageDescriptor,
        length: int,
    ) -> PutOutlook:
        """The result of putting one more message with `length` bytes of data; it is counted if
        it would succeed.
        """
        reason, destination = self._destination(queue, queue_manager)
        if destination is None:
            return PutOutlook(reason, "")
        target = destination.queue
        reason = self._fault(destination, descriptor, length)
        if not reason:
            self._change[target.id] += 1
            persistence = putting.persistence_in_force(
                descriptor.persistence,
                destination.opened.default_persistence,
            )
            copy_fault, stream = self._copy(target, descriptor, persistence, length)
            if stream is not None and not copy_fault:
                self._change[stream.queue.id] += 1
            if self._source is not None:
                self._change[self._source] -= 1
        return PutOutlook(reason, target.name)

    def _destination(self, queue: str, queue_manager: str) -> tuple[int, Destination | None]:
        key = (queue, queue_manager)
        if key not in self._known:
            self._known[key] = self._resolved(queue, queue_manager)
        return self._known[key]

    def _resolved(self, queue: str, queue_manager: str) -> tuple[int, Destination | None]:
        fault = names.name_fault(queue, queue_manager, self._call.qmgr.name)
        if fault:
            return fault, None
        return self._qmgr.store.read(
            name_resolution.destination,
            self._call.qmgr,
            queue,
            queue_manager,
        )

    def _fault(self, destination: Destination, descriptor: MessageDescriptor, length: int) -> int:
        """The reason in MQPUT's own order (mqi-semantics §12); warnings come last."""
        target = destination.queue
        transmission = bool(target.is_transmission)
        fault = putting.descriptor_fault(descriptor, transmission=transmission)
        persistence = putting.persistence_in_force(
            descriptor.persistence,
            destination.opened.default_persistence,
        )
        fault = fault or self._refusal(destination, descriptor, persistence, length)
        if not fault and target.must_duplicate:
            fault, _ = self._copy(target, descriptor, persistence, length)
        return fault or putting.priority_warning(descriptor.priority)

    def _refusal(
        self,
        destination: Destination,
        descriptor: MessageDescriptor,
        persistence: int,
        length: int,
    ) -> int:
        queue = destination.queue
        pending = self._change[queue.id] - (queue.id == self._source)
        return destination.refusal(
            self._call.qmgr,
            Size(persistence, length, extension_length(descriptor)),
            pending,
        )

    def _copy(
        self,
        queue: QueueRow,
        descriptor: MessageDescriptor,
        persistence: int,
        length: int,
    ) -> tuple[int, Destination | None]:
        """The reason that refuses the copy for the stream queue, or 0, and where it goes; (0,
        None) for no copy.
        """
        name = queue.stream_queue
        if not name:
            return 0, None
        if name not in self._streams:
            self._streams[name] = self._qmgr.store.read(
                stream_copies.stream_destination,
                self._call.qmgr,
                name,
            )
        reason, found = self._streams[name]
        return (
            (reason, None)
            if found is None
            else (self._refusal(found, descriptor, persistence, length), found)
        )


def leads_to(qmgr: QueueManagerState, queue: str, queue_manager: str = "") -> str:
    """The local queue on which a put to that name arrives now; blank if it does not resolve."""
    with Reading(qmgr.store.database) as reading:
        destination = name_resolution.destination(
            reading,
            qmgr.call_context(reading).qmgr,
            queue,
            queue_manager,
        )[1]
    return "" if destination is None else destination.queue.name


# The messages of a queue for people to look at: nothing is locked, marked or discarded.

# Messages per read; no read transaction is held between two reads.
PAGE = 100


class PeekedMessage(NamedTuple):
    """A committed message: its descriptor (Expiry is what remains, at least 1), the start of its
    data, its length.

    `is_expired`: the next get or scan that finds it discards it. `expires_at` is microseconds UTC,
    None for never. `number` is that of its row in the store, `locked_by` that of the handle that
    locked it with a browse, if one did.
    """

    descriptor: MessageDescriptor
    body: bytes
    length: int
    is_expired: bool
    expires_at: int | None
    number: int
    locked_by: int | None


def peek(
    qmgr: QueueManagerState,
    queue: str,
    most: int | None = None,
    *,
    at_once: int = PAGE,
) -> Iterator[PeekedMessage]:
    """The messages of a local queue at this moment, in delivery order; `most` bytes of each, or
    all.

    An alias stands for its queue. `at_once` messages are read together. Dead programs are recovered
    first. MQError 2085 when there is no such queue, 2045 when it cannot hold messages.
    """
    recover(qmgr.store)
    return _pages(qmgr, local_queue(qmgr, queue), qmgr.now(), most, at_once)


def got_by_open_units(qmgr: QueueManagerState, queue: str) -> int:
    """How many messages of the queue open units of work have got; they return when a unit is
    backed out.
    """
    found = local_queue(qmgr, queue)
    return qmgr.store.read(units_of_work.got_on_queue, found.id)


def _pages(
    qmgr: QueueManagerState,
    queue: QueueRow,
    now: int,
    most: int | None,
    size: int,
) -> Iterator[PeekedMessage]:
    place = QueuePosition()
    while True:
        rows = qmgr.store.read(
            page,
            queue.id,
            place,
            before=queue.next_sequence,
            size=size,
            most=most,
        )
        for message in rows:
            expired = is_expired(message.expires_at, now)
            descriptor, at = descriptor_of(message, now), message.expires_at
            yield PeekedMessage(
                descriptor,
                message.body,
                message.length,
                expired,
                at,
                message.id,
                message.locked_by,
            )
        if len(rows) < size:
            return
        place = QueuePosition(rows[-1].rank, rows[-1].sequence)


def local_queue(qmgr: QueueManagerState, name: str) -> QueueRow:
    manager = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        queue = queues.visible(reading, manager, name)
        if queue is not None and queue.type == "QALIAS":
            queue = queues.visible(reading, manager, queue.target)
    queue = required(queue, MQRC.UNKNOWN_OBJECT_NAME, name)
    refuse_if(queue.type != "QLOCAL", MQRC.OPTION_NOT_VALID_FOR_TYPE, name)
    return queue


# Uncommitted work that matters to the triggering of a queue, and the programs that hold it.

TRIGGER_MESSAGE = "trigger message"
PUT = "put"
GET = "get"


class UncommittedWork(NamedTuple):
    """Messages of one queue that one unit of work holds.

    `what`: trigger messages that wait for the end of the unit; messages that it put, which count
    although they cannot be got yet; or messages that it got, which do not count unless it is backed
    out. `since`: microseconds UTC, None if the history does not say it. `kept`: a backout leaves
    the trigger messages there. `connection` and `unit` are CONN and QMURID of DISPLAY CONN.
    `in_doubt` is the name of a unit in doubt, which has no connection and no process.
    `process_place` says where `process_id` is valid, blank if it is here.
    """

    what: str
    queue: str
    messages: int
    since: int | None
    kept: bool
    application: str
    user: str
    connection: str
    unit: str
    process_id: int
    process_place: str
    in_doubt: str


def uncommitted_work(
    store: StoreState,
    reading: Queries,
    call: CallContext,
    queue: QueueRow,
    lowest_priority: int,
) -> tuple[UncommittedWork, ...]:
    """The trigger messages for a queue that wait for a commit, then the uncommitted puts and gets
    of the queue.

    Only messages of effective priority `lowest_priority` or higher count.
    """
    start = start_of_data(queue.name, call.qmgr.ccsid)
    wanted = units_of_work.StartOfData(
        start,
        TRIGGER_FORMAT,
        mqxqh.MQDLH_LENGTH,
        str(MQFMT.DEAD_LETTER_HEADER),
    )
    waiting = units_of_work.held_trigger_messages(reading, call.qmgr.name, wanted)
    held = units_of_work.held_on_queue(reading, queue.id, lowest_priority)
    puts = [each for each in held if each.state == MessageState.PUT]
    gets = [each for each in held if each.state == MessageState.GOT]
    return (
        *(_work(store, TRIGGER_MESSAGE, each, each.first_put_at) for each in waiting),
        *(_work(store, PUT, each, each.first_put_at) for each in puts),
        *(_work(store, GET, each, _first_get(reading, each)) for each in gets),
    )


def work_on(qmgr: QueueManagerState, queue: str) -> tuple[UncommittedWork, ...]:
    """What open units of work put on a local queue and got from it; an alias stands for its
    queue. Errors as `peek`.
    """
    found = local_queue(qmgr, queue)
    with qmgr.reading() as (reading, call):
        every = uncommitted_work(qmgr.store, reading, call, found, lowest_priority=0)
    return tuple(each for each in every if each.what != TRIGGER_MESSAGE)


def _first_get(reading: Queries, held: units_of_work.Held) -> int | None:
    return units_of_work.first_get(reading, held.queue, held.unit, held.messages)


def _work(
    store: StoreState,
    what: str,
    held: units_of_work.Held,
    since: int | None,
) -> UncommittedWork:
    owner = Owner(0) if held.in_doubt else owner_of(folder_beside(store.path or ""), held.file)
    return UncommittedWork(
        what=what,
        queue=held.queue,
        messages=held.messages,
        since=since,
        kept=bool(held.kept),
        application=held.application,
        user=held.user,
        connection=connection_id(held.connection),
        unit=unit_id(held.unit),
        process_id=owner.process,
        process_place=owner.place,
        in_doubt=held.in_doubt,
    )


# The action of a consumer on each message that was backed out; changes nothing (poison-and-channels
# §1).

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
    queues = list(
        matching_queues(qmgr, pattern) if pattern.endswith("*") else resolved_queue(qmgr, pattern),
    )
    return (each for queue in queues for each in _of_queue(qmgr, queue)) if queues else None


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
        outcome = consumer.outcome(dead_letters, descriptor, message.length + mqxqh.MQDLH_LENGTH)
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
