"""Whether the history and the messages that are there agree, and what an audit finds where they do
not.

For every queue, what came equals what went and what is there, and every event about a message can
have happened. Only the messages that are on queues or in open units of work are remembered
(`store.past.messages`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.store.past.messages import Call, Fault, PastEvent, PastQueues
from mqsc.store.past.places import Place
from mqsc.store.published import KINDS
from mqsc.store.sql.rows import MessageState

_TAKES = frozenset({"GET", "EXPIRE", "DISCARD"})
_WITHOUT_UNIT: Mapping[int, str] = {
    MessageState.PUT: "is put and not committed, but belongs to no unit of work",
    MessageState.GOT: "is got and not committed, but belongs to no unit of work",
}
# Of the numbers of a message's events, the last ones are shown.
_SHOWN = 8


class MessageThere(NamedTuple):
    """A message of the store: owner and name of its queue, MsgId, and the unit of work that has
    put or got it.

    `is_locked_by_nobody`: it is locked by a handle that does not exist.
    """

    qmgr: str
    queue: str
    msg_id: bytes
    unit: int | None
    state: int
    is_locked_by_nobody: int = 0

    @property
    def is_got(self) -> bool:
        """Whether a unit of work has got it."""
        return self.state == MessageState.GOT

    @property
    def contradiction(self) -> str:
        """What its state and its unit of work say about each other that cannot be; blank for
        nothing.
        """
        if self.state not in set(MessageState):
            return f"has the state {self.state}, which does not exist"
        if self.unit is None:
            return _WITHOUT_UNIT.get(self.state, "")
        is_in_unit = self.state in _WITHOUT_UNIT
        return (
            ""
            if is_in_unit
            else f"belongs to unit of work {self.unit}, which has neither put nor got it"
        )


class QueueThere(NamedTuple):
    """A local queue now: its depth, how many messages the store has, and whether its puts and
    gets are recorded.
    """

    qmgr: str
    queue: str
    depth: int
    messages: int
    recorded: bool


class StateThere(NamedTuple):
    """What the store holds after the event `last`; events up to `pruned` are no longer there.

    `counter` is the last number that was ever given to an event.
    """

    messages: list[MessageThere]
    queues: list[QueueThere]
    pruned: int
    last: int
    counter: int

    def numbers(self) -> dict[tuple[str, str], int]:
        """How many messages are on each queue, without those that units of work have got."""
        return dict(
            Counter(
                (message.qmgr, message.queue) for message in self.messages if not message.is_got
            )
        )


class Finding(NamedTuple):
    """Something that cannot be: `what` in words, where, about which message, and the numbers of
    the events.
    """

    what: str
    qmgr: str = ""
    queue: str = ""
    msg_id: bytes | None = None
    events: tuple[int, ...] = ()


class QueueSums(NamedTuple):
    """The sums of a queue by CAME and WENT, and how many were there at the end; `unknown` says why
    they prove nothing.

    `by_count`: at the end, CLEAR or MOVE had taken or brought messages whose MsgIds are not known.
    """

    qmgr: str
    queue: str
    sums: Mapping[str, int]
    there: int
    unknown: str
    by_count: bool


# The end of the history and the state of the store.


def compared(followed: PastQueues, there: StateThere) -> Iterator[Finding]:
    """What differs between the messages after the last event and those of the store."""
    for queue in there.queues:
        if queue.depth != queue.messages:
            what = f"CURDEPTH is {queue.depth}, but {queue.messages} messages are on the queue"
            yield Finding(what, queue.qmgr, queue.queue)
    rows: dict[tuple[str, str], Counter[bytes]] = {}
    in_units: Counter[tuple[Place, int, bytes, bool]] = Counter()
    for message in there.messages:
        if message.is_locked_by_nobody:
            what = "is locked by a handle that does not exist, so no get or browse finds it"
            yield Finding(what, message.qmgr, message.queue, message.msg_id)
        if message.contradiction:
            yield Finding(message.contradiction, message.qmgr, message.queue, message.msg_id)
        if not message.is_got:
            rows.setdefault((message.qmgr, message.queue), Counter())[message.msg_id] += 1
        if message.unit is not None:
            in_units[
                followed.place(message.qmgr, message.queue),
                message.unit,
                message.msg_id,
                not message.is_got,
            ] += 1
    for key in rows:
        followed.place(*key)
    for place in list(followed.places.values()):
        if not place.unknown:
            yield from _of_place(place, rows.get((place.owner, place.name), Counter()))
    yield from _of_units(followed, in_units)


def _of_place(place: Place, rows: Counter[bytes]) -> Iterator[Finding]:
    where = place.owner, place.name
    expected = Counter(
        {
            msg_id: number
            for msg_id, same in place.messages.items()
            if (number := sum(each.got_by is None for each in same))
        },
    )
    if place.is_counted():
        if expected.total() + place.guests != rows.total():
            what = (
                f"{expected.total() + place.guests} messages should be there, but {rows.total()} "
                "are"
            )
            yield Finding(
                f"{what}; CLEAR or MOVE took or brought some, so it is not known which",
                *where,
            )
        return
    for msg_id, number in (expected - rows).items():
        yield Finding(f"should be there{_times(number)}, but is not", *where, msg_id)
    for msg_id in rows - expected:
        wrong = (
            f" instead of {expected[msg_id]}" if expected[msg_id] else ", but no event put it there"
        )
        yield Finding(f"is there{_times(rows[msg_id])}{wrong}", *where, msg_id)


def _of_units(
    followed: PastQueues,
    in_units: Counter[tuple[Place, int, bytes, bool]],
) -> Iterator[Finding]:
    recorded = Counter(
        (each.place, unit, each.msg_id, each.got_by is None)
        for unit, ours in followed.units.items()
        for each in ours
        if not each.place.is_gone
    )
    for sign, messages in (("", recorded - in_units), ("not ", in_units - recorded)):
        for place, unit, msg_id, is_put in messages:
            call = "put" if is_put else "got"
            what = f"was {call} by unit of work {unit}, which is "
            what += (
                "open in the store, but not in the history"
                if sign
                else "open in the history, but not in the store"
            )
            if not place.unknown:
                yield Finding(what, place.owner, place.name, msg_id)


def _times(number: int) -> str:
    return "" if number == 1 else f" {number} times"


# Findings for people.

Numbers = Mapping[bytes, Sequence[tuple[int, str, str, str | None]]]


def explained(
    findings: Sequence[Finding],
    numbers: Numbers,
    shown: Callable[[Finding], range],
) -> Iterator[Finding]:
    """The findings about no event or about events in the range `shown`, with the events about their
    messages.

    `numbers`: the events of a MsgId as number, kind, queue manager and queue.
    """
    for finding in findings:
        about = [
            row
            for row in numbers.get(finding.msg_id or b"", ())
            if row[2:] == (finding.qmgr, finding.queue)
        ]
        explained_finding = _explained(finding, about)
        if not explained_finding.events or any(
            seq in shown(explained_finding) for seq in explained_finding.events
        ):
            yield explained_finding


def _explained(finding: Finding, about: Sequence[tuple[int, str, str, str | None]]) -> Finding:
    """A finding about an event that took a message which was not there: ended twice, before its
    put, or without one.
    """
    seqs = tuple(sorted({*finding.events, *(row[0] for row in about)}))
    what = finding.what
    if what.endswith("not on the queue then") and finding.events:
        puts = [seq for seq, kind, *_ in about if kind == "PUT"]
        ends = [seq for seq, kind, *_ in about if kind in _TAKES and seq < finding.events[0]]
        if ends and any(seq < finding.events[0] for seq in puts):
            what = f"{what}: event {ends[-1]} had ended it already"
        elif puts and min(puts) > finding.events[0]:
            what = f"{what}: its PUT is later"
        elif not puts:
            what = f"{what}: it was never put there"
    return finding._replace(what=what, events=seqs[-_SHOWN:])


# The accounts of queues.

# Without these there is nothing that such an event could be about.
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "PUT": ("queue", "msg_id"),
    "GET": ("queue", "msg_id"),
    "CLEAR": ("queue",),
    "MOVE": ("queue", "target"),
    "COMMIT": ("unit",),
}
_WRONG = "its details are not those of such an event"
_DEFINED = frozenset({"DEFINE", "ALTER", "SET"})


class Page(NamedTuple):
    """Events `first` to `last`: the numbers of ordinary calls, these calls, and the other
    events, all in order.
    """

    first: int
    last: int
    numbers: Sequence[int]
    calls: Iterable[Call]
    others: Sequence[PastEvent]


class FormerLives(Struct):
    """What came to the queues of one name, and went, that are deleted, each of them added up."""

    sums: Counter[str] = field(default_factory=Counter)
    unknown: str = ""
    by_count: bool = False

    def add(self, place: Place) -> None:
        """Add a queue that is deleted."""
        self.sums.update(place.sums())
        self.unknown = self.unknown or place.unknown
        self.by_count |= place.is_counted()


class Audit:
    """Takes the events of a history in order, then the state after the last; `findings` and
    `sums` are the result.
    """

    def __init__(self, there: StateThere) -> None:
        self.findings: list[Finding] = []
        self._there = there
        self._followed = PastQueues(self._cannot_be, self._why_unknown)
        # By owner and name, as in PastQueues.
        self._gone: dict[str, FormerLives] = {}
        # Queues and model queues that have, or had, ACCTQ(OFF), and STREAMQ.
        self._silent: set[tuple[str, str]] = set()
        self._streamed: set[tuple[str, str]] = set()
        self._silent_now = {
            (queue.qmgr, queue.queue) for queue in there.queues if not queue.recorded
        }
        self._last = there.pruned

    def take(self, page: Page) -> None:
        """Take the next events."""
        if len(page.numbers) + len(page.others) != page.last - page.first + 1:
            self._miss(page)
        self._followed.follow_calls(page.calls, page.others, self._take_other)
        self._last = page.last

    def begin(self, is_own: Callable[[str], bool]) -> None:
        """The time that the sums of these owners are about begins with the next event."""
        self._gone = {
            both: each for both, each in self._gone.items() if not is_own(both.partition(" ")[0])
        }
        for place in self._followed.places.values():
            if not is_own(place.owner):
                continue
            place.other, place.excess = Counter(before=place.there()), 0
            place.put = place.got = 0

    def sums(
        self,
        is_own: Callable[[str], bool],
        there: Mapping[tuple[str, str], int] | None = None,
    ) -> list[QueueSums]:
        """The sums of the queues of these owners that had messages up to now; `there` is how
        many the store has.
        """
        queue_sums = []
        for both in sorted(
            {*self._followed.places, *self._gone, *(" ".join(key) for key in there or ())},
        ):
            owner, _, name = both.partition(" ")
            if not is_own(owner):
                continue
            former, place = self._gone.get(both), self._followed.places.get(both)
            if place is None:
                # Of a queue that is deleted, nothing is unknown that was known before.
                place = (
                    Place(owner, name) if former is not None else self._followed.place(owner, name)
                )
            former = former or FormerLives()
            sums = {each: number + former.sums[each] for each, number in place.sums().items()}
            number = place.there() if there is None else there.get((owner, name), 0)
            if any(sums.values()) or number:
                unknown = former.unknown or place.unknown
                by_count = former.by_count or place.is_counted()
                queue_sums.append(QueueSums(owner, name, sums, number, unknown, by_count))
        return queue_sums

    def end(self) -> None:
        """Compare what the history says is there with what is there."""
        if self._there.counter > self._last:
            self._find(_missing(self._last + 1, self._there.counter), self._last + 1)
        self.findings += compared(self._followed, self._there)

    # What cannot be.

    def _find(
        self,
        what: str,
        *events: int,
        qmgr: str = "",
        queue: str = "",
        msg_id: bytes | None = None,
    ) -> None:
        self.findings.append(Finding(what, qmgr, queue, msg_id, events))

    def _cannot_be(self, fault: Fault) -> None:
        place = fault.place
        # Without a queue, it is the end of a unit of work without events, which may be pruned.
        # Otherwise such an end is recorded only if the unit put messages on a queue with ACCTQ(OFF)
        # and STREAMQ, whatever became of the copies.
        is_unknown = place.unknown if place else self._there.pruned or self._silent & self._streamed
        if fault.is_certain or not is_unknown:
            self._find(
                fault.what,
                *fault.events,
                qmgr=fault.qmgr,
                queue=place.name if place else "",
                msg_id=fault.msg_id,
            )

    def _why_unknown(self, owner: str, name: str) -> str:
        if (owner, name) in self._silent_now:
            return "ACCTQ(OFF)"
        return f"events up to {self._there.pruned} are pruned" if self._there.pruned else ""

    def _miss(self, page: Page) -> None:
        expected = page.first
        for seq in sorted((*page.numbers, *(each.seq for each in page.others))):
            if seq > expected:
                self._find(_missing(expected, seq - 1), expected)
            expected = seq + 1
        if expected <= page.last:
            self._find(_missing(expected, page.last), expected)

    # Events that are no ordinary put, get or commit.

    def _take_other(self, event: PastEvent) -> None:
        about: dict[str, Any] = {
            "qmgr": event.qmgr,
            "queue": event.queue or "",
            "msg_id": event.msg_id,
        }
        where = {name: value for name, value in about.items() if _fits(name, value)}
        faults, detail = checked(event)
        for fault in faults:
            self._find(fault, event.seq, **where)
        if detail is not None:
            self._follow(event, detail, where)

    def _follow(
        self,
        event: PastEvent,
        detail: Mapping[str, Any],
        where: Mapping[str, Any],
    ) -> None:
        is_of_unit = event.unit is not None and event.kind not in ("COMMIT", "BACKOUT")
        if is_of_unit and not self._followed.ended.has(event.unit):
            # Its end is recorded, also if nothing else of it is.
            self._followed.units.setdefault(event.unit or 0, [])
        if event.kind in _DEFINED:
            self._define(event, detail)
        elif event.kind == "DELETE":
            self._delete(event)
        try:
            self._followed.follow(event)
        except (TypeError, ValueError, AttributeError, KeyError):
            self._find(_WRONG, event.seq, **where)

    def _define(self, event: PastEvent, detail: Mapping[str, Any]) -> None:
        key = event.qmgr, event.queue or ""
        changed = detail.get("ACCTQ")
        is_off = (isinstance(changed, list) and "OFF" in changed) or (
            event.qmgr,
            event.rule,
        ) in self._silent
        if event.target in ("QLOCAL", "QMODEL"):
            self._silent |= {key} if is_off or key in self._silent_now else set()
            self._streamed |= (
                {key}
                if "STREAMQ" in detail or (event.qmgr, event.rule) in self._streamed
                else set()
            )
        if event.target != "QLOCAL":
            return
        if event.kind == "DEFINE" and " ".join(key) not in self._followed.places:
            self._followed.places[" ".join(key)] = Place(*key)
        if is_off or key in self._silent_now:
            self._followed.place(*key).unknown = "ACCTQ(OFF)"

    def _delete(self, event: PastEvent) -> None:
        places = self._followed.places
        if event.target == "QMGR":
            gone = [both for both, place in places.items() if place.owner == event.queue]
        elif event.target == "QLOCAL":
            gone = [both for both in [f"{event.qmgr} {event.queue}"] if both in places]
        else:
            return
        for both in gone:
            place = places.pop(both)
            if place.there():
                what = f"deleted, but {place.there()} messages were on it that nothing took away"
                self._cannot_be(Fault(what, (event.seq,), place.owner, place))
            place.is_gone = True
            self._gone.setdefault(both, FormerLives()).add(place)


def checked(event: PastEvent) -> tuple[list[str], dict[str, Any] | None]:
    """What is wrong with an event by itself, and its details; None if it cannot be followed."""
    wrong = next((name for name, value in event._asdict().items() if not _fits(name, value)), None)
    if wrong is not None:
        return [f"its {wrong} is of a wrong type"], None
    faults, kind = [], KINDS.get(event.kind)
    if kind is None:
        faults.append(f"{event.kind} is no kind of event")
    elif event.cause is not None and event.cause not in kind.causes:
        faults.append(f"{event.kind} has no cause {event.cause}")
    absent = [each for each in _NEEDED.get(event.kind, ()) if getattr(event, each) is None]
    detail = _detail(event)
    if detail is None:
        faults.append("its details are not a JSON object")
    elif absent:
        faults.append(f"{event.kind} without its {' and '.join(absent)}")
    elif (
        event.kind == "EXPIRE"
        and event.put_at is not None
        and (event.cause is None or event.expires_at is None)
    ):
        faults.append("expired, but had no expiry or no cause")
    elif not _is_complete(event.kind, detail):
        faults.append(_WRONG)
        detail = None
    return faults, None if absent else detail


def _missing(first: int, last: int) -> str:
    return f"events {first} to {last} are missing" if last > first else f"event {first} is missing"


def _fits(name: str, value: Any) -> bool:
    if value is None:
        return name not in ("seq", "kind", "qmgr")
    return isinstance(value, PastEvent.__annotations__[name])


def _is_complete(kind: str, detail: Mapping[str, Any]) -> bool:
    """Whether an event about a handle has its numbers, and one about a definition each value
    before and after.
    """
    if kind in ("OPEN", "CLOSE"):
        return all(
            isinstance(detail.get(each), int)
            for each in ("handle", "options")[: 1 + (kind == "OPEN")]
        )
    pairs = [value for word, value in detail.items() if word.isupper() and isinstance(value, list)]
    return kind not in _DEFINED | {"DELETE"} or all(len(pair) == 2 for pair in pairs)


def _detail(event: PastEvent) -> dict[str, Any] | None:
    try:
        detail = json.loads(event.detail) if event.detail else {}
    except ValueError:
        return None
    return detail if isinstance(detail, dict) else None
