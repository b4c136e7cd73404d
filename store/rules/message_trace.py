"""The life of one message: which events belong to it, what each says about it, and their order
across stores.

A message keeps its MsgId when it is copied to a stream queue, moved to a backout or dead-letter
queue, or carried to another queue manager. On a transmission queue its MsgId is the CorrelId of
another message, which carries it. Of a report it is the CorrelId, unless the message asked
otherwise; the history then has it in the detail.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.store.error import DamagedStoreError
from mqsc.store.rules import event_index

# The times that can be shown, in microseconds: the years 1 to 9999.
_FIRST, _END = -62_135_596_800_000_000, 253_402_300_800_000_000
# The part of a queue manager's name that fits in PutApplName.
_APPLICATION_LENGTH = 28
# The most messages to follow: programs may give all their messages the same CorrelId.
MOST_FOLLOWED = 4_000


# In the detail of a BACKOUT event, the key of the message that skipped it. The other keys are names
# of queues: without blanks.
SKIPPED = "skipped message"


# The cause of a copy of a publication; its detail has the number of the PUBLISH under this key, too.
PUBLICATION = "publication"


class TracedEvent(NamedTuple):
    """An event of the history; `detail` is the JSON object of that column, empty for NULL."""

    seq: int
    at: int
    qmgr: str
    kind: str
    cause: str | None
    queue: str | None
    target: str | None
    msg_id: bytes | None
    correl_id: bytes | None
    priority: int | None
    persistence: int | None
    length: int | None
    put_at: int | None
    expires_at: int | None
    put_application: str | None
    put_user: str | None
    unit: int | None
    connection: int | None
    application: str | None
    user: str | None
    reason: int | None
    rule: str | None
    detail: Mapping[str, Any]


def event_of(row: Sequence[Any]) -> TracedEvent:
    """The event in a row of the history with all its columns; DamagedStoreError if a store
    cannot have written it.
    """
    event = TracedEvent._make(row)
    try:
        detail = json.loads(str(event.detail)) if event.detail else {}
    except ValueError as error:
        raise _damaged(event, f"its details are not JSON: {error}") from error
    for at in (event.at, event.put_at, event.expires_at):
        if at is not None and not (isinstance(at, int) and _FIRST <= at < _END):
            raise _damaged(event, f"{at!r} is not a time")
    return event._replace(detail=detail)


class Skip(NamedTuple):
    """The message that skipped a backout, and the unit of work that it belongs to since."""

    msg_id: bytes
    unit: int


def skip_of(detail: Mapping[str, Any]) -> Skip | None:
    """The message that skipped a backout, from the detail of its event."""
    told = detail.get(SKIPPED)
    return (
        Skip(bytes.fromhex(str(told["msg_id"])), int(told["unit"]))
        if isinstance(told, Mapping)
        else None
    )


def is_marked(detail: Mapping[str, Any]) -> bool:
    """Whether a GET has MQGMO_MARK_SKIP_BACKOUT: its message skips the backout of its own unit of
    work, and no other.

    Another message with its MsgId may skip the next one.
    """
    return "mark" in detail


def _damaged(event: TracedEvent, why: str) -> DamagedStoreError:
    return DamagedStoreError(
        f"event {event.seq} of the history is damaged; restore the store from a copy ({why})",
    )


class Role(StrEnum):
    """What an event is about: the message itself, or something that carries, answers or affects
    it.
    """

    MESSAGE = "message"
    TRANSMISSION = "transmission"
    COPY = "copy"
    REPORT = "report"
    REPLY = "reply"
    UNIT = "unit of work"
    QUEUE = "queue"
    CHANNEL = "channel"


class TraceStep(NamedTuple):
    """An event of the life of a message.

    `about` is the MsgId of the message that the event is about, if it is one. On a transmission
    queue, that is the message that is carried, and `carried` its role.
    """

    event: TracedEvent
    role: Role
    about: bytes | None
    carried: Role | None = None


_ONLY_REPORTS = frozenset({"REPORT", "REPORT_LOST"})
_REPORTS = _ONLY_REPORTS | {"DEAD_LETTER"}
_UNITS = frozenset({"COMMIT", "BACKOUT"})
_QUEUES = frozenset({"CLEAR", "MOVE", "DELETE"})
# Events that are not about one message or unit of work, and concern a life only once it has begun.
COMMANDS = _QUEUES | {"CHANNEL"}
_ARRIVALS = frozenset({"PUT"})
_DEPARTURES = frozenset({"GET", "EXPIRE", "DISCARD", "REQUEUE", "FORWARD"})
# The sender's batch may be in doubt after this, and be resolved later, perhaps by another program.
_IN_DOUBT, _RESOLVED = "in-doubt", "resolved"
_OF_A_BATCH = frozenset({"batch", _IN_DOUBT, _RESOLVED})


def is_transmission(event: TracedEvent) -> bool:
    """Whether the message of an event was made by the queue manager and has another's MsgId as its
    CorrelId.

    So has a report by default, which is known by its REPORT event.
    """
    if event.kind in _ONLY_REPORTS or original_of(event) is not None:
        return False
    if event.cause == PUBLICATION:
        return False
    return _carries(event.qmgr, event.queue or "", event.correl_id, event.put_application)


def _carries(
    qmgr: str,
    queue: str,
    correl_id: bytes | None,
    put_application: str | None,
) -> bool:
    # The event messages of one command have a CorrelId in common, which no message has as its MsgId.
    is_event_message = queue.startswith("SYSTEM.ADMIN.") and queue.endswith(".EVENT")
    is_own = put_application == _writer(qmgr)
    return (
        correl_id is not None
        and is_own
        and not is_event_message
        and not _is_of_subscription(queue, correl_id)
    )


# How the CorrelId that a subscription gives its copies begins, and the queues of managed ones.
_OF_SUBSCRIPTIONS = b"AMQX"
_MANAGED = "SYSTEM.MANAGED."


def _is_of_subscription(queue: str, correl_id: bytes) -> bool:
    return correl_id.startswith(_OF_SUBSCRIPTIONS) or queue.startswith(_MANAGED)


def _writer(qmgr: str) -> str:
    """PutApplName of messages that a queue manager makes."""
    return qmgr[:_APPLICATION_LENGTH]


class Followed(Struct):
    """The messages to follow in all stores: the one that was asked for, reports on it, replies
    to it, and theirs.
    """

    root: bytes
    roles: dict[bytes, Role] = field(default_factory=dict)
    is_complete: bool = True
    # The PUBLISH events of the life, by queue manager and number: most have no MsgId.
    publications: set[tuple[str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.roles[self.root] = Role.MESSAGE

    def learn(self, event: TracedEvent) -> bool:
        """Follow what the event shows to belong to the life; whether there is something new to
        follow.
        """
        role = self._related(event)
        if role is None or event.msg_id is None:
            return False
        known = self.roles.get(event.msg_id)
        if known is not None:
            # At its reply queue a report looks like a reply.
            self.roles[event.msg_id] = role if known is Role.REPLY else known
            return False
        return self._follow(event.msg_id, role)

    def _follow(self, msg_id: bytes, role: Role) -> bool:
        if len(self.roles) >= MOST_FOLLOWED:
            self.is_complete = False
            return False
        self.roles[msg_id] = role
        return True

    def publication_of(self, event: TracedEvent) -> int | None:
        """The number of the PUBLISH whose copies belong to the life because of the event: that of
        the message, or the one that the message is a copy of; None for an event of no publication.
        """
        if self.roles.get(event.msg_id or b"") not in (Role.MESSAGE, Role.COPY):
            return None
        if event.kind == "PUBLISH":
            return event.seq
        number = event.detail.get(PUBLICATION) if event.cause == PUBLICATION else None
        return number if isinstance(number, int) else None

    def add_copy(self, event: TracedEvent) -> None:
        """Follow a copy of a publication of the life."""
        if event.msg_id is not None and event.msg_id not in self.roles:
            self._follow(event.msg_id, Role.COPY)

    def _related(self, event: TracedEvent) -> Role | None:
        """The role of a message that is new to the life."""
        if original_of(event) in self.roles:
            return Role.REPORT
        if is_transmission(event):
            return None
        # A reply to a reply belongs to the life of that reply.
        return Role.REPLY if event.correl_id == self.root else None

    def step(self, event: TracedEvent) -> TraceStep | None:
        """The event as a step of the life, if it is about one of the messages."""
        known = self.roles.get(event.msg_id or b"")
        if event.kind == "PUBLISH" and (event.qmgr, event.seq) in self.publications:
            return TraceStep(event, Role.MESSAGE, event.msg_id)
        if original_of(event) in self.roles:
            return TraceStep(event, Role.REPORT, event.msg_id)
        if known is not None:
            return TraceStep(event, known, event.msg_id)
        carried = self.roles.get(event.correl_id or b"")
        if carried is not None and is_transmission(event):
            return TraceStep(event, Role.TRANSMISSION, event.correl_id, carried)
        return None


def copies_of(publication: TracedEvent) -> int:
    """How many copies of a publication were put."""
    return int(publication.detail.get("delivered", 0)) + int(
        publication.detail.get("dead_lettered", 0)
    )


def original_of(event: TracedEvent) -> bytes | None:
    """MsgId of the message that a report is about, if the event is about a report."""
    written = event.detail.get("original") if event.kind in _REPORTS else None
    return bytes.fromhex(written) if isinstance(written, str) else None


def subject_of(event: TracedEvent) -> bytes | None:
    """MsgId of the message that an event is about: for one that the queue manager made to carry
    another, or to report on it, the MsgId of that other.
    """
    original = original_of(event)
    if original is not None:
        return original
    return event.correl_id if is_transmission(event) else event.msg_id


def is_same_put(put: TracedEvent, event: TracedEvent) -> bool:
    """Whether an event is about the message that a PUT event put, where it put it."""
    return (put.qmgr, put.queue, put.msg_id, put.put_at) == (
        event.qmgr,
        event.queue,
        event.msg_id,
        event.put_at,
    )


def undone_by(backout: TracedEvent, calls: Iterable[TracedEvent]) -> Iterator[TracedEvent]:
    """The puts and gets of a unit of work that its backout undid: without one that skipped it."""
    skip = skip_of(backout.detail)
    for call in calls:
        if call.kind in ("PUT", "GET") and not (skip and _goes_on(call, backout, skip)):
            yield call


def role_on_queue(
    followed: Followed,
    qmgr: str,
    queue: str,
    msg_id: bytes,
    correl_id: bytes | None,
    put_application: str,
) -> Role | None:
    """The role of a message that is on a queue; None if it has none. The history may not have it
    (ACCTQ(OFF)).
    """
    known = followed.roles.get(msg_id)
    if known is not None:
        return known
    if _carries(qmgr, queue, correl_id, put_application):
        return Role.TRANSMISSION
    return Role.REPLY if correl_id == followed.root else None


class OpenUnits(Struct):
    """The units of work that put or got a message of the life, and that have not ended."""

    followed: Followed
    _open: dict[int, None] = field(default_factory=dict)
    _ended: set[int] = field(default_factory=set)

    def learn(self, event: TracedEvent) -> bool:
        """Learn from an event; whether there is another open unit. Events may be repeated."""
        if event.unit is None:
            return False
        if event.kind in _UNITS:
            self._ended.add(event.unit)
            self._open.pop(event.unit, None)
            skip = _skip(event, self.followed)
            unit = skip.unit if skip else None
        else:
            unit = event.unit if self.followed.step(event) is not None else None
        if unit is None or unit in self._open or unit in self._ended:
            return False
        self._open[unit] = None
        return True

    def last(self, most: int) -> list[int]:
        """The last `most` of them."""
        return [*self._open][-most:]


def _skip(event: TracedEvent, followed: Followed) -> Skip | None:
    """The message of the life that skipped a backout."""
    skip = skip_of(event.detail)
    return skip if skip and skip.msg_id in followed.roles else None


def _goes_on(call: TracedEvent, backout: TracedEvent, skip: Skip) -> bool:
    return is_marked(call.detail) and (call.unit, call.msg_id) == (backout.unit, skip.msg_id)


class StoreTrace(Struct):
    """The steps of a life in one store, from its events in their order.

    Besides those about messages: the ends of their units of work, commands on a queue while a
    message was on it, and what became of the batches that carried them.
    """

    followed: Followed
    steps: list[TraceStep] = field(default_factory=list)
    _units: dict[int, list[TracedEvent]] = field(default_factory=dict)
    _there: set[tuple[str, str]] = field(default_factory=set)
    # Where a batch carries a message: connections of receivers, and transmission queues, which one
    # sender has open.
    _carriers: set[int | tuple[str, str]] = field(default_factory=set)
    # Reports with the MsgId of the message (MQRO_PASS_MSG_ID), and their CorrelIds.
    _same_id: set[tuple[bytes | None, bytes | None]] = field(default_factory=set)

    def prints(self) -> Iterator[int]:
        """The prints of the events that the life needs next, apart from messages and units: see
        `event_index`.
        """
        for _, queue in self._there:
            yield from (event_index.of_kind_on_queue(kind, queue) for kind in _QUEUES)
        for carrier in self._carriers:
            if isinstance(carrier, int):
                yield event_index.of_channel_events(carrier)
            else:
                yield event_index.of_kind_on_queue("CHANNEL", carrier[1])

    def learn(self, event: TracedEvent) -> None:
        step = self.followed.step(event)
        if step is not None:
            self.steps.append(self._with_report(step))
            self._learn_place(event)
        elif event.kind in _UNITS:
            self._learn_end(event)
        elif event.kind in _QUEUES:
            self._learn_command(event)
        elif event.kind == "CHANNEL":
            self._learn_batch(event)

    def _with_report(self, step: TraceStep) -> TraceStep:
        """The step with the role of a report, if it is about one that has the MsgId of the
        message.
        """
        event = step.event
        ids = (event.msg_id, event.correl_id)
        if step.role is Role.REPORT:
            self._same_id.add(ids)
        elif (
            step.role is Role.MESSAGE
            and ids in self._same_id
            and event.put_application == _writer(event.qmgr)
        ):
            return step._replace(role=Role.REPORT)
        return step

    def _learn_place(self, event: TracedEvent) -> None:
        place = (event.qmgr, event.queue or "")
        if event.kind in _ARRIVALS:
            self._there.add(place)
        elif event.kind in _DEPARTURES:
            self._there.discard(place)
        if event.kind in ("PUT", "GET") and event.unit is not None:
            self._units.setdefault(event.unit, []).append(event)
        if event.kind == "GET":
            self._carriers.add(place)
        elif event.kind in _ARRIVALS and event.connection is not None:
            self._carriers.add(event.connection)

    def _learn_end(self, event: TracedEvent) -> None:
        members = self._units.pop(event.unit or 0, None)
        if members is None:
            return
        self.steps.append(TraceStep(event, Role.UNIT, None))
        if event.kind == "COMMIT":
            return
        skip = _skip(event, self.followed)
        went_on = [each for each in members if skip and _goes_on(each, event, skip)]
        if skip:
            self._units[skip.unit] = went_on
        for each in members:
            if each in went_on:
                continue
            place = (each.qmgr, each.queue or "")
            (self._there.add if each.kind == "GET" else self._there.discard)(place)
            if event.cause != _RESOLVED:
                self._carriers -= {place, each.connection}

    def _learn_command(self, event: TracedEvent) -> None:
        place = (event.qmgr, event.queue or "")
        if place not in self._there or not event.detail.get("messages"):
            return
        self.steps.append(TraceStep(event, Role.QUEUE, None))
        self._there.discard(place)
        if event.kind == "MOVE":
            self._there.add((event.qmgr, event.target or ""))

    def _learn_batch(self, event: TracedEvent) -> None:
        if event.cause not in _OF_A_BATCH:
            return
        carrier = (event.qmgr, event.queue) if event.queue else event.connection
        if carrier not in self._carriers:
            return
        self.steps.append(TraceStep(event, Role.CHANNEL, None))
        if event.cause != _IN_DOUBT:
            self._carriers.discard(carrier)


def in_order(stores: Sequence[Sequence[TraceStep]]) -> list[tuple[int, TraceStep]]:
    """The steps of several stores with the number of the store, by time; each store's own order is
    kept.

    Clocks may differ: a message does not arrive in a store before it has left a transmission queue
    of another one.
    """
    rests = [list(reversed(_timed(steps))) for steps in stores]
    left: set[bytes] = set()
    to_leave = [{step.about for step in steps if _leaves(step)} for steps in stores]
    present: list[set[bytes | None]] = [set() for _ in stores]
    merged: list[tuple[int, TraceStep]] = []

    def comes_too_early(number: int) -> bool:
        step = rests[number][-1][1]
        if (
            step.role is Role.TRANSMISSION
            or step.about is None
            or step.about in present[number] | left
        ):
            return False
        return any(
            step.about in leaving for other, leaving in enumerate(to_leave) if other != number
        )

    while any(rests):
        heads = [number for number, rest in enumerate(rests) if rest]
        latest = merged[-1][0] if merged else 0
        number = min(
            heads,
            key=lambda each: (comes_too_early(each), rests[each][-1][0], each != latest, each),
        )
        step = rests[number].pop()[1]
        present[number].add(step.about)
        if _leaves(step) and step.about is not None:
            left.add(step.about)
        merged.append((number, step))
    return merged


def _timed(steps: Sequence[TraceStep]) -> list[tuple[int, TraceStep]]:
    """The steps with the latest time so far: a clock may have run backwards."""
    latest, timed = 0, []
    for step in steps:
        latest = max(latest, step.event.at)
        timed.append((latest, step))
    return timed


def _leaves(step: TraceStep) -> bool:
    return step.role is Role.TRANSMISSION and step.event.kind == "GET"


class Embedded(NamedTuple):
    """The MsgIds of the messages that messages of transmission queues carry.

    `is_all`: no other message has the MsgId of those that carry them.
    """

    msg_ids: list[bytes]
    is_all: bool


def embedded(events: Iterable[TracedEvent], msg_id: bytes) -> Embedded:
    """The messages that those with this MsgId carry."""
    own = [event for event in events if event.msg_id == msg_id]
    if any(event.kind in _ONLY_REPORTS or original_of(event) is not None for event in own):
        return Embedded([], is_all=False)
    carrying = [event for event in own if is_transmission(event)]
    msg_ids = dict.fromkeys(event.correl_id for event in carrying if event.correl_id is not None)
    placed = [event for event in own if event.kind in ("PUT", "GET")]
    return Embedded([*msg_ids], is_all=all(map(is_transmission, placed)))
