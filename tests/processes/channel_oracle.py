"""What must hold for a channel after any fault, restart and drain: the seven points of
poison-and-channels §4.

Each point is a function of facts read once from both ends; it yields a sentence for each violation.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mqsc.channels.end import RECEIVER, SENDER, ChannelEnd
from mqsc.channels.sync_record import SyncRecord, SyncRecords
from mqsc.store.admin.channel import status
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQFB
from mqsc.store.descriptor import ID_LENGTH
from mqsc.store.headers import mqdlh, mqxqh
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.sqlite.database import Reading

_MESSAGES, _DEPTHS, _HANDLES, _CONNECTIONS, _EVENTS = (
    "SELECT queue.name, message.state, message.msg_id, message.correl_id, message.priority, "
    "message.feedback,"
    " message.format, message.body FROM message JOIN queue ON queue.id = message.queue"
    " WHERE queue.owner = :qmgr ORDER BY queue.name, message.rank DESC, message.sequence",
    "SELECT name, depth FROM queue WHERE owner = :qmgr",
    "SELECT queue.name, input_handles + output_handles FROM queue_member JOIN queue ON queue.id = "
    "queue"
    " WHERE qmgr = :qmgr AND input_handles + output_handles > 0",
    "SELECT application FROM connection WHERE qmgr = :qmgr",
    "SELECT seq, kind, cause, queue, target, msg_id, correl_id, connection, detail FROM event"
    " WHERE qmgr = :qmgr AND kind IN ('CHANNEL', 'GET', 'EXPIRE', 'DISCARD') ORDER BY seq",
)


class Sent(NamedTuple):
    """A message put for the channel. If `fast`, it may be lost with a batch in flight."""

    number: int
    priority: int
    fast: bool

    def msg_id(self, channel: str) -> bytes:
        return identifier(channel, self.number)

    def body(self, channel: str) -> bytes:
        return f"{channel} {self.number} ".encode()


def identifier(channel: str, number: int) -> bytes:
    return f"{channel}.{number}".encode().ljust(ID_LENGTH, b"\0")


class Arrived(NamedTuple):
    """A message at its target or on a dead-letter queue: the number in its data, its MsgId and
    its priority.
    """

    number: int
    msg_id: bytes
    priority: int


class Happened(NamedTuple):
    """An event in the history of one end."""

    seq: int
    kind: str
    cause: str | None
    queue: str | None
    target: str | None
    msg_id: bytes | None
    correl_id: bytes | None
    connection: int | None
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Route:
    """A channel, and the queues that its messages can be on. Applications in `idle` may stay
    connected.
    """

    sender: QueueManager
    receiver: QueueManager
    channel: str = "C"
    transmission_queue: str = "X"
    target: str = "Q"
    dead_letter_queue: str = "DLQ"
    reply_queue: str = "REPLIES"
    idle: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts that the points check. Pairs are those of the sender and of the receiver, in
    this order.
    """

    channel: str
    sent: Sequence[Sent]
    target: Sequence[Arrived]
    dead: Sequence[Arrived]
    reported: frozenset[bytes]
    records: tuple[SyncRecord, SyncRecord]
    doubts: Sequence[str]
    left: Sequence[str]
    histories: tuple[Sequence[Happened], Sequence[Happened]]

    @property
    def arrived(self) -> list[Arrived]:
        return [*self.target, *self.dead]

    def ids(self, *, fast: bool) -> dict[bytes, Sent]:
        return {each.msg_id(self.channel): each for each in self.sent if each.fast is fast}

    @property
    def gone(self) -> Counter[bytes]:
        """Count, by MsgId, how often a message expired or was discarded at its own request."""
        found: Counter[bytes] = Counter()
        for happened in (each for history in self.histories for each in history):
            if happened.kind in ("EXPIRE", "DISCARD"):
                found.update({each for each in (happened.msg_id, happened.correl_id) if each})
        return found


def faults(route: Route, sent: Iterable[Sent]) -> list[str]:
    """Return all violations at the two ends, each prefixed with the name of its point."""
    facts = read(route, sent)
    return [f"{name}: {fault}" for name, point in POINTS.items() for fault in point(facts)]


def exactly_once(facts: Facts) -> Iterator[str]:
    """Persistent and NORMAL messages arrive exactly once, both by MsgId and by the number in
    their data.
    """
    wanted, gone = facts.ids(fast=False), facts.gone
    arrived = [each for each in facts.arrived if each.msg_id not in facts.ids(fast=True)]
    by_id = Counter(each.msg_id for each in arrived)
    by_number = Counter(each.number for each in arrived)
    for msg_id, message in wanted.items():
        times = (by_id[msg_id] + gone[msg_id], by_number[message.number] + gone[msg_id])
        if min(times) < 1:
            yield f"message {message.number} is lost"
        if max(times) > 1:
            yield f"message {message.number} is there {max(times)} times"
    for strange in arrived:
        if strange.msg_id not in wanted or wanted[strange.msg_id].number != strange.number:
            yield f"message {strange.number} with the MsgId {strange.msg_id.hex()} was never put"


def in_order(facts: Facts) -> Iterator[str]:
    """For each priority, numbers ascend at the target; a dead letter or an expiration must
    account for each gap.
    """
    yield from _order(facts, fast=False)
    there = {each.number for each in facts.target}
    explained = {each.number for each in facts.dead}
    for priority in {each.priority for each in facts.sent}:
        of_priority = [each for each in facts.sent if each.priority == priority and not each.fast]
        present = [each.number for each in of_priority if each.number in there]
        for each in of_priority:
            is_gap = (
                each.number not in there | explained and not facts.gone[each.msg_id(facts.channel)]
            )
            if is_gap and present and present[0] < each.number < present[-1]:
                yield (
                    f"number {each.number} of priority {priority} is missing between others, and "
                    "is no dead letter"
                )


def _order(facts: Facts, *, fast: bool) -> Iterator[str]:
    known = facts.ids(fast=fast)
    last: dict[int, int] = {}
    for each in facts.target:
        if each.msg_id not in known:
            continue
        before = last.get(each.priority, 0)
        if each.number < before:
            yield f"number {each.number} of priority {each.priority} is behind {before}"
        last[each.priority] = each.number


def fast_messages(facts: Facts) -> Iterator[str]:
    """FAST messages arrive in order and at most once; only those in flight are lost."""
    known = facts.ids(fast=True)
    by_id = Counter(each.msg_id for each in facts.arrived if each.msg_id in known)
    for msg_id, message in known.items():
        fates = by_id[msg_id] + facts.gone[msg_id]
        if fates > 1:
            yield f"FAST message {message.number} is there {fates} times"
        if not fates:
            yield from _loss(facts, msg_id, message.number)
    yield from _order(facts, fast=True)


def _loss(facts: Facts, msg_id: bytes, number: int) -> Iterator[str]:
    history = facts.histories[0]
    taken = [
        each for each in history if each.kind == "GET" and msg_id in (each.correl_id, each.msg_id)
    ]
    if not taken:
        yield f"FAST message {number} is lost, and the channel has never got it"
        return
    batches = [
        each.seq
        for each in history
        if each.cause == "batch" and each.connection == taken[-1].connection
    ]
    if any(seq > taken[-1].seq for seq in batches):
        yield f"FAST message {number} is lost in a batch that was committed"


def records_agree(facts: Facts) -> Iterator[str]:
    """Both synchronization records name the same batch and sequence number, and no batch is in
    doubt.
    """
    own, other = facts.records
    if own != other:
        yield f"the sender's record is {own}, the receiver's {other}"
    for luwid in facts.doubts:
        yield f"the batch {luwid} is in doubt"


def nothing_left(facts: Facts) -> Iterator[str]:
    """The transmission queue is empty; no prepared unit, handle, connection or running instance
    is left.
    """
    yield from facts.left


def one_event_a_batch(facts: Facts) -> Iterator[str]:
    """Each committed batch has one event at each end, and the batches account for all messages
    that have arrived.
    """
    sender, receiver = (Counter(_committed(history, facts.channel)) for history in facts.histories)
    for luwid, times in (sender + receiver).items():
        if sender[luwid] > 1 or receiver[luwid] > 1:
            yield (
                f"the batch {luwid} has {sender[luwid]} events at the sender and {receiver[luwid]} "
                "at the receiver"
            )
        elif times == 1:
            yield f"the batch {luwid} has an event at only one end"
    batches = [
        each for each in facts.histories[1] if (each.cause, each.target) == ("batch", facts.channel)
    ]
    confirmed = sum(
        each.detail["messages"] - each.detail["fast"] for each in batches if each.kind == "CHANNEL"
    )
    # A message that expires in transit has a sequence number; one that expires on the transmission
    # queue is never sent.
    reliable = facts.ids(fast=False)
    arrived = sum(each.msg_id in reliable for each in facts.arrived) + _expired_there(
        facts,
        reliable,
    )
    if confirmed != arrived:
        yield f"the batches of the receiver hold {confirmed} messages, but {arrived} have arrived"


def _committed(history: Iterable[Happened], channel: str) -> Iterator[str]:
    """Yield the LUWID of each committed batch with messages other than FAST ones, once per event
    that records it.
    """
    for each in history:
        if each.kind != "CHANNEL" or each.target != channel:
            continue
        is_batch = each.cause == "batch" and each.detail["messages"] > each.detail["fast"]
        if is_batch or (each.cause == "resolved" and each.detail["decision"] == "commit"):
            yield each.detail["luwid"]


def _expired_there(facts: Facts, reliable: Mapping[bytes, Sent]) -> int:
    """Return the number of messages that the receiver has discarded."""
    gone = [
        each
        for each in facts.histories[1]
        if each.kind in ("EXPIRE", "DISCARD") and each.cause == "channel"
    ]
    return sum(each.msg_id in reliable for each in gone)


def no_false_expiration(facts: Facts) -> Iterator[str]:
    """No message is both delivered and reported, or recorded, as expired."""
    for each in facts.arrived:
        if each.msg_id in facts.reported:
            yield f"there is an expiration report for message {each.number}, which was delivered"
        elif facts.gone[each.msg_id]:
            yield f"message {each.number} has expired, but was delivered"


POINTS: Mapping[str, Callable[[Facts], Iterator[str]]] = {
    **{
        "exactly once": exactly_once,
        "order": in_order,
        "FAST": fast_messages,
        "records": records_agree,
    },
    **{"nothing left": nothing_left, "one event a batch": one_event_a_batch},
    "no false expiration": no_false_expiration,
}


def read(route: Route, sent: Iterable[Sent]) -> Facts:
    """Read the facts at both ends. The data of a message begins with the name of its channel."""
    ends = (route.sender, route.receiver)
    rows = [_rows(each) for each in ends]
    left = [
        each for qmgr, held in zip(ends, rows, strict=True) for each in _left(qmgr, held, route)
    ]
    doubts = [unit.luwid for unit in route.sender.in_doubt() if unit.name == route.channel]
    prepared = [(each.name, unit) for each in ends for unit in each.in_doubt()]
    left += [f"the unit {unit.name} {unit.luwid} of {name} is prepared" for name, unit in prepared]
    dead = [each for held in rows for each in held if each.queue == route.dead_letter_queue]
    return Facts(
        channel=route.channel,
        sent=list(sent),
        target=list(_arrived(route, (each for each in rows[1] if each.queue == route.target), 0)),
        dead=list(_arrived(route, dead, mqdlh.MQDLH_LENGTH)),
        reported=frozenset(_reported(route, rows)),
        records=(_record(route.sender, SENDER, route), _record(route.receiver, RECEIVER, route)),
        doubts=doubts,
        left=left,
        histories=(_history(route.sender), _history(route.receiver)),
    )


class _Stored(NamedTuple):
    queue: str
    state: int
    msg_id: bytes
    correl_id: bytes | None
    priority: int
    feedback: int
    format: str
    body: bytes


def _rows(qmgr: QueueManager) -> list[_Stored]:
    with Reading(qmgr.store.database) as reading:
        return [_Stored._make(row) for row in reading.all(_MESSAGES, {"qmgr": qmgr.name})]


def _arrived(route: Route, rows: Iterable[_Stored], header: int) -> Iterator[Arrived]:
    for each in rows:
        channel, number, _ = each.body[header:].split(b" ", 2)
        if channel.decode() == route.channel:
            yield Arrived(int(number), each.msg_id.ljust(ID_LENGTH, b"\0"), each.priority)


def _reported(route: Route, rows: Sequence[Sequence[_Stored]]) -> Iterator[bytes]:
    """Yield the MsgIds that expiration reports name, including reports that are still in
    transit.
    """
    for each in (each for held in rows for each in held):
        if each.feedback == MQFB.EXPIRATION and each.correl_id:
            yield each.correl_id.ljust(ID_LENGTH, b"\0")
        elif each.format == mqxqh.FORMAT and each.queue != route.transmission_queue:
            inner = mqxqh.unpack(each.body).descriptor
            if inner.feedback == MQFB.EXPIRATION:
                yield inner.correl_id


def _record(qmgr: QueueManager, role: str, route: Route) -> SyncRecord:
    partner = route.receiver if role == SENDER else route.sender
    with qmgr.connect("oracle") as connection:
        end = ChannelEnd(qmgr, route.channel, role, {}, print)
        kept = SyncRecords(connection, end, PartnerIdentity(partner.name)).read()
    # A receiver keeps one even before the first batch with numbers.
    return kept._replace(is_kept=True)


def _left(qmgr: QueueManager, rows: Sequence[_Stored], route: Route) -> Iterator[str]:
    held = Counter(each.queue for each in rows)
    with Reading(qmgr.store.database) as reading:
        depths = dict(reading.all(_DEPTHS, {"qmgr": qmgr.name}))
        handles = list(reading.all(_HANDLES, {"qmgr": qmgr.name}))
        connections = [row[0] for row in reading.all(_CONNECTIONS, {"qmgr": qmgr.name})]
    for queue, depth in depths.items():
        if depth != held[queue]:
            yield f"CURDEPTH of {queue} at {qmgr.name} is {depth}, but it holds {held[queue]}"
    if qmgr is route.sender and held[route.transmission_queue]:
        yield f"{route.transmission_queue} holds {held[route.transmission_queue]} messages"
    for each in rows:
        if each.state:
            yield f"a message on {each.queue} at {qmgr.name} belongs to a unit of work"
    for queue, number in handles:
        if not route.idle:
            yield f"{queue} at {qmgr.name} has {number} handles"
    for application in connections:
        if application not in route.idle:
            yield f"{application} is connected to {qmgr.name}"
    for instance in status.instances(qmgr, route.channel):
        if instance.process is not None:
            yield f"{route.channel} is {instance.status.name} at {qmgr.name}"


def _history(qmgr: QueueManager) -> list[Happened]:
    with Reading(qmgr.store.database) as reading:
        rows = list(reading.all(_EVENTS, {"qmgr": qmgr.name}))
    return [Happened._make((*row[:-1], json.loads(row[-1]) if row[-1] else {})) for row in rows]
