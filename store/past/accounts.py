"""Whether the history and the messages that are there agree: for every queue, what came equals what went and what is
there, and every event about a message can have happened.

Events are taken one after the other, and only the messages that are on queues or in open units of work are remembered.
CLEAR and MOVE say how many messages they moved, not which: if those are not all of a queue, its messages can only be
counted until it is empty again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from store.published import KINDS

# The values of a queue; what came equals what went and `there`.
CAME = ("before", "put", "moved_in", "returned")
WENT = ("got", "withdrawn", "expired", "discarded", "cleared", "moved_out", "dead_lettered", "forwarded")
_ENDS = {
    "EXPIRE": "expired", "DISCARD": "discarded", "DEAD_LETTER": "dead_lettered", "REQUEUE": "forwarded",
    "FORWARD": "forwarded",
}  # fmt: skip
_TAKES = frozenset({"GET", "EXPIRE", "DISCARD"})
_SPECIAL = frozenset({"skipped message", "kept message", "deleted queue"})
# Of the numbers of a message's events, the last ones are shown.
_SHOWN = 8


class AuditedEvent(NamedTuple):
    """The columns of an event that an audit needs, in this order."""

    seq: int
    kind: str
    qmgr: str
    queue: str | None
    msg_id: bytes | None
    unit: int | None
    cause: str | None
    target: str | None
    rule: str | None
    detail: str | None
    put_at: int | None
    expires_at: int | None


class MessageThere(NamedTuple):
    """A message of the store: owner and name of its queue, MsgId, and the unit of work that has put or got it."""

    qmgr: str
    queue: str
    msg_id: bytes
    unit: int | None
    is_got: bool


class QueueThere(NamedTuple):
    """A local queue now: its depth, how many messages the store has, and whether its puts and gets are recorded."""

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


class Finding(NamedTuple):
    """Something that cannot be: `what` in words, where, about which message, and the numbers of the events."""

    what: str
    qmgr: str = ""
    queue: str = ""
    msg_id: bytes | None = None
    events: tuple[int, ...] = ()


class QueueSums(NamedTuple):
    """The sums of a queue by CAME and WENT, and how many were there at the end; `unknown` says why they prove nothing.

    `by_count`: at the end, CLEAR or MOVE had taken or brought messages whose MsgIds are not known.
    """

    qmgr: str
    queue: str
    sums: Mapping[str, int]
    there: int
    unknown: str
    by_count: bool


class _Place(Struct):
    """A queue, from its definition until it is deleted: what came and went, and its messages by MsgId."""

    qmgr: str
    queue: str
    unknown: str = ""
    put: int = 0
    got: int = 0
    other: Counter[str] = field(default_factory=Counter)
    alive: dict[bytes, int] = field(default_factory=dict)
    # Messages that went to a queue, or to none, without it being known which; and unknown ones that came.
    debt: dict[int, tuple[_Place | None, int]] = field(default_factory=dict)
    guests: int = 0
    is_gone: bool = False

    def sums(self) -> dict[str, int]:
        return {name: self.other[name] for name in (*CAME, *WENT)} | {"put": self.put, "got": self.got}

    def owed(self) -> int:
        return sum(number for _, number in self.debt.values())

    def there(self) -> int:
        return sum(self.alive.values()) + self.guests - self.owed()


class _Call(NamedTuple):
    """A put or get in an open unit of work."""

    place: _Place
    msg_id: bytes
    is_put: bool
    seq: int


class Audit:
    """Takes the events of a history in order, then the state after the last; `findings` and `sums` are the result.

    `since` and `until`: the numbers of the first event of the time that `sums` are about, and of the first one after.
    """

    def __init__(self, there: StateThere, since: int = 0, until: int = 1 << 62) -> None:
        self.findings: list[Finding] = []
        self._there = there
        self._since, self._until = since, until
        self._places: dict[tuple[str, str], _Place] = {}
        self._gone: dict[tuple[str, str], _Place] = {}
        # Each as the values of a _Call, which take longer to make.
        self._units: dict[int, list[tuple[_Place, bytes, bool, int]]] = {}
        # Trigger messages, and dead letters in place of them, which a backout keeps.
        self._kept: dict[int, set[bytes]] = {}
        self._silent_models: set[tuple[str, str]] = set()
        self._silent_now = {(each.qmgr, each.queue) for each in there.queues if not each.recorded}
        # Whether a queue has, or had, ACCTQ(OFF).
        self._is_silent = bool(self._silent_now)
        self._expected = there.pruned + 1
        self._sums: list[QueueSums] | None = None

    def take(self, events: Iterable[tuple[Any, ...]]) -> None:
        """Take the next events: tuples with the values of AuditedEvent. Most are of three kinds."""
        places, units, expected = self._places, self._units, self._expected
        boundary = self._next_boundary(expected - 1)
        for event in events:
            seq, kind, qmgr, queue, msg_id, unit, cause, _, _, _, _, _ = event
            if seq != expected:
                self._gap(expected, seq - 1)
            expected = seq + 1
            if seq >= boundary:
                boundary = self._at_boundary(seq)
            if cause is None and queue is not None and msg_id is not None and (kind == "PUT" or kind == "GET"):
                place = places.get((qmgr, queue)) or self._place(qmgr, queue)
                alive = place.alive
                number = alive.get(msg_id, 0)
                if kind == "PUT":
                    place.put += 1
                    alive[msg_id] = number + 1
                else:
                    place.got += 1
                    if number == 1:
                        del alive[msg_id]
                    else:
                        self._take_away(place, msg_id, "got", seq)
                if unit is not None:
                    calls = units.get(unit)
                    if calls is None:
                        units[unit] = calls = []
                    calls.append((place, msg_id, kind == "PUT", seq))
            elif kind == "COMMIT":
                if units.pop(unit, None) is None:
                    self._end_without_unit(seq, qmgr, unit)
                self._kept.pop(unit, None)
            else:
                self._other(AuditedEvent._make(event))
        self._expected = expected

    def _end_without_unit(self, seq: int, qmgr: str, unit: int | None) -> None:
        # Its puts and gets may be pruned, or not recorded: a commit of copies for a stream queue is recorded anyway.
        if not (self._there.pruned or self._is_silent):
            self._find(f"unit of work {unit} ends, but has no put or get, or has ended before", seq, qmgr=qmgr)

    def _next_boundary(self, after: int) -> int:
        return next((each for each in (self._since, self._until) if each > after), 1 << 62)

    def _at_boundary(self, seq: int) -> int:
        if self._until <= seq and self._sums is None:
            self._sums = self._all_sums()
        elif self._since <= seq < self._until:
            self._gone.clear()
            for place in self._places.values():
                place.put = place.got = 0
                place.other = Counter(before=place.there())
        return self._next_boundary(seq)

    def _find(self, what: str, *events: int, qmgr: str = "", queue: str = "", msg_id: bytes | None = None) -> None:
        self.findings.append(Finding(what, qmgr, queue, msg_id, events))

    def _find_at(self, place: _Place, what: str, *events: int, msg_id: bytes | None = None) -> None:
        if not place.unknown:
            self.findings.append(Finding(what, place.qmgr, place.queue, msg_id, events))

    def _gap(self, first: int, last: int) -> None:
        if last < first:
            self._find(f"event {last + 1} is doubled or out of order", last + 1)
            return
        self._find(f"events {first} to {last} are missing" if last > first else f"event {first} is missing", first)

    def _place(self, qmgr: str, queue: str) -> _Place:
        found = self._places.get((qmgr, queue))
        if found is None:
            found = self._places[qmgr, queue] = _Place(qmgr, queue)
            if self._there.pruned:
                found.unknown = f"events up to {self._there.pruned} are pruned"
            if (qmgr, queue) in self._silent_now:
                found.unknown = "ACCTQ(OFF)"
        return found

    # Single messages.

    def _add(self, place: _Place, msg_id: bytes) -> None:
        place.alive[msg_id] = place.alive.get(msg_id, 0) + 1

    def _take_away(self, place: _Place, msg_id: bytes, how: str, *events: int) -> None:
        number = place.alive.get(msg_id, 0)
        if number > 1:
            place.alive[msg_id] = number - 1
        elif number:
            del place.alive[msg_id]
        elif place.guests > 0:
            place.guests -= 1
        else:
            self._find_at(place, f"{how}, but not on the queue then", *events, msg_id=msg_id)

    def _other(self, event: AuditedEvent) -> None:
        kind = KINDS.get(event.kind)
        detail = self._detail(event)
        if kind is None or (event.cause is not None and event.cause not in kind.causes):
            what = f"{event.kind} is no kind of event" if kind is None else f"{event.kind} has no cause {event.cause}"
            self._find(what, event.seq, qmgr=event.qmgr, queue=event.queue or "", msg_id=event.msg_id)
        step = _STEPS.get(event.kind)
        if step is not None and detail is not None:
            step(self, event, detail)

    def _detail(self, event: AuditedEvent) -> dict[str, Any] | None:
        try:
            found = json.loads(event.detail) if event.detail else {}
        except (ValueError, TypeError):
            found = None
        if not isinstance(found, dict):
            self._find("its details are not a JSON object", event.seq, qmgr=event.qmgr, queue=event.queue or "")
            return None
        return found

    def _put_or_get(self, event: AuditedEvent, _: dict[str, Any]) -> None:
        """A put of a copy, or a damaged event."""
        if event.queue is None or event.msg_id is None:
            self._find(f"{event.kind} without a queue or a MsgId", event.seq, qmgr=event.qmgr)
            return
        place = self._place(event.qmgr, event.queue)
        is_put = event.kind == "PUT"
        if is_put:
            place.put += 1
            self._add(place, event.msg_id)
        else:
            place.got += 1
            self._take_away(place, event.msg_id, "got", event.seq)
        if event.unit is not None:
            self._units.setdefault(event.unit, []).append(_Call(place, event.msg_id, is_put, event.seq))

    def _end(self, event: AuditedEvent, detail: dict[str, Any]) -> None:
        """EXPIRE, DISCARD and others: of a message on a queue, or in a unit of work the description of a get."""
        if event.kind == "DEAD_LETTER" and event.unit is not None and event.msg_id is not None:
            self._keep(event, detail)
        # Without the time of its put, the message was on no queue.
        if event.put_at is None or event.queue is None or event.msg_id is None:
            return
        place, name = self._place(event.qmgr, event.queue), _ENDS[event.kind]
        if event.kind == "EXPIRE" and (event.cause is None or event.expires_at is None):
            self._find_at(place, "expired, but had no expiry or no cause", event.seq, msg_id=event.msg_id)
        if event.unit is None and event.kind in _TAKES:
            place.other[name] += 1
            self._take_away(place, event.msg_id, name, event.seq)
        elif any(
            each.place is place and each.msg_id == event.msg_id and not each.is_put
            for each in self._calls(event.unit or 0)
        ):
            place.got -= 1
            place.other[name] += 1
        else:
            said = name.replace("_", "-")
            self._find_at(place, f"{said} in a unit of work that had not got it", event.seq, msg_id=event.msg_id)

    def _calls(self, unit: int) -> list[_Call]:
        return [_Call._make(each) for each in self._units.get(unit, ())]

    def _keep(self, event: AuditedEvent, detail: dict[str, Any]) -> None:
        if event.unit is not None and event.msg_id is not None and detail.get("type") in ("FIRST", "DEPTH"):
            self._kept.setdefault(event.unit, set()).add(event.msg_id)

    # Units of work.

    def _back_out(self, event: AuditedEvent, detail: dict[str, Any]) -> None:
        unit = event.unit or 0
        calls, kept = self._calls(unit), self._kept.pop(unit, set())
        self._units.pop(unit, None)
        skipped = detail.get("skipped message")
        if isinstance(skipped, dict):
            # It goes on in another unit of work, also if its queue records no gets.
            self._units.setdefault(skipped.get("unit", 0), [])
        by_queue: dict[str, list[_Call]] = {}
        for each in calls:
            if not each.place.is_gone:
                by_queue.setdefault(each.place.queue, []).append(each)
        for name in detail.keys() - by_queue.keys() - _SPECIAL:
            told = detail[name]
            if told != {"puts": 0, "gets": 0}:
                place = self._place(event.qmgr, name)
                # The queue may be a group's: then nothing is known of it under this name.
                if (event.qmgr, name) in self._places and not self._is_shared(name):
                    self._find_at(place, f"a backout undid calls in unit of work {unit} that are missing", event.seq)
        for name, ours in by_queue.items():
            told = detail.get(name)
            self._undo(event, ours, told if isinstance(told, dict) else {}, kept, skipped)

    def _is_shared(self, name: str) -> bool:
        return sum(queue == name for _, queue in self._places) > 1

    def _undo(
        self, event: AuditedEvent, calls: list[_Call], told: dict[str, Any], kept: set[bytes], skipped: Any
    ) -> None:
        puts, gets = [each for each in calls if each.is_put], [each for each in calls if not each.is_put]
        excess = len(puts) - told.get("puts", 0)
        if excess > 0 and kept:
            staying = [each for each in puts if each.msg_id in kept][:excess]
            puts = [each for each in puts if each not in staying]
        if len(gets) == told.get("gets", 0) + 1 and isinstance(skipped, dict):
            stays = next((each for each in reversed(gets) if each.msg_id.hex() == skipped.get("msg_id")), None)
            if stays is not None:
                gets.remove(stays)
                self._units.setdefault(skipped.get("unit", 0), []).append(stays)
        if (len(puts), len(gets)) != (told.get("puts", 0), told.get("gets", 0)):
            found = f"{len(puts)} puts and {len(gets)} gets"
            what = (
                f"a backout undid {told.get('puts', 0)} puts and {told.get('gets', 0)} gets, but the unit had {found}"
            )
            self._find_at(calls[0].place, what, event.seq)
        for each in puts:
            each.place.other["withdrawn"] += 1
            self._take_away(each.place, each.msg_id, "backed out", each.seq, event.seq)
        for each in gets:
            each.place.other["returned"] += 1
            self._add(each.place, each.msg_id)

    # Many messages, and queues.

    def _leave(self, event: AuditedEvent, detail: dict[str, Any]) -> None:
        """CLEAR and MOVE."""
        if event.queue is None:
            return
        here, there = self._place(event.qmgr, event.queue), None
        number = detail.get("messages", 0) - detail.get("got", 0)
        if event.kind == "MOVE":
            there = self._place(detail.get("target_owner", event.qmgr), event.target or "")
            there.other["moved_in"] += number
        here.other["moved_out" if there else "cleared"] += number
        if number > here.there():
            said = f"{event.kind} of {number} messages, but the queue had {here.there()}"
            self._find_at(here, said, event.seq)
        target, before = here.debt.get(id(there), (there, 0))
        here.debt[id(there)] = target, before + number
        if there is not None:
            there.guests += number
        if here.there() <= 0:
            self._settle(here)

    def _settle(self, here: _Place) -> None:
        """The queue is empty, so all of its messages went; if they went to one queue, it has become known which."""
        debts, here.debt = [*here.debt.values()], {}
        there, number = debts[0]
        # Messages that were got meanwhile are not among them.
        is_all = len(debts) == 1 and not here.guests and sum(here.alive.values()) == number
        if is_all and there is not None and there.guests >= number:
            there.guests -= number
            for msg_id, count in here.alive.items():
                there.alive[msg_id] = there.alive.get(msg_id, 0) + count
        here.alive.clear()
        here.guests = 0

    def _define(self, event: AuditedEvent, detail: dict[str, Any]) -> None:
        key = event.qmgr, event.queue or ""
        changed = detail.get("ACCTQ")
        is_off = isinstance(changed, list) and "OFF" in changed
        self._is_silent |= is_off
        if event.target == "QMODEL" and is_off:
            self._silent_models.add(key)
        if event.target != "QLOCAL":
            return
        if event.kind == "DEFINE" and key not in self._places:
            self._places[key] = _Place(*key)
        if is_off or (event.qmgr, event.rule) in self._silent_models or key in self._silent_now:
            self._place(*key).unknown = "ACCTQ(OFF)"

    def _delete(self, event: AuditedEvent, _: dict[str, Any]) -> None:
        if event.target == "QMGR":
            gone = [key for key in self._places if key[0] == event.queue]
        elif event.target == "QLOCAL":
            gone = [key for key in self._places if key == (event.qmgr, event.queue)]
        else:
            return
        for key in gone:
            place = self._places.pop(key)
            if place.there():
                what = f"deleted, but {place.there()} messages were on it that nothing took away"
                self._find_at(place, what, event.seq)
            place.is_gone = True
            self._gone[key] = place

    # The end.

    def end(self) -> None:
        """Compare what the history says is there with what is there."""
        there = self._there
        if self._expected <= self._since < self._until:
            # Nothing has happened since.
            self._at_boundary(self._since)
        if there.counter >= self._expected:
            self._gap(self._expected, there.counter)
        for queue in there.queues:
            if queue.depth != queue.messages:
                what = f"CURDEPTH is {queue.depth}, but {queue.messages} messages are on the queue"
                self._find(what, qmgr=queue.qmgr, queue=queue.queue)
        rows: dict[tuple[str, str], Counter[bytes]] = {}
        in_units: Counter[tuple[str, str, int, bytes, bool]] = Counter()
        for each in there.messages:
            key = each.qmgr, each.queue
            if not each.is_got:
                rows.setdefault(key, Counter())[each.msg_id] += 1
            if each.unit is not None:
                in_units[(*key, each.unit, each.msg_id, not each.is_got)] += 1
        for key in {*rows, *self._places}:
            self._compare(self._place(*key), rows.get(key, Counter()))
        self._compare_units(in_units)
        if self._sums is None:
            self._sums = self._all_sums({key: found.total() for key, found in rows.items()})

    def _compare(self, place: _Place, rows: Counter[bytes]) -> None:
        if place.debt or place.guests:
            if place.there() != rows.total():
                what = f"{place.there()} messages should be there, but {rows.total()} are"
                self._find_at(place, f"{what}; CLEAR or MOVE took or brought some, so it is not known which")
            return
        expected = Counter(place.alive)
        for msg_id, number in (expected - rows).items():
            self._find_at(place, f"should be there{_times(number)}, but is not", msg_id=msg_id)
        for msg_id in rows - expected:
            wrong = f" instead of {expected[msg_id]}" if expected[msg_id] else ", but no event put it there"
            self._find_at(place, f"is there{_times(rows[msg_id])}{wrong}", msg_id=msg_id)

    def _compare_units(self, in_units: Counter[tuple[str, str, int, bytes, bool]]) -> None:
        recorded = Counter(
            (call.place.qmgr, call.place.queue, unit, call.msg_id, call.is_put)
            for unit in self._units
            for call in self._calls(unit)
            if not call.place.is_gone
        )
        for sign, found in (("", recorded - in_units), ("not ", in_units - recorded)):
            for qmgr, queue, unit, msg_id, is_put in found:
                call = "put" if is_put else "got"
                what = f"unit of work {unit} that {call} it is {sign}open in the history, but {sign and 'is '}"
                what += "in the store" if sign else "not in the store"
                self._find_at(self._place(qmgr, queue), what, msg_id=msg_id)

    def _all_sums(self, there: Mapping[tuple[str, str], int] | None = None) -> list[QueueSums]:
        found = []
        for key in sorted({*self._places, *self._gone}):
            places = [each for each in (self._gone.get(key), self._places.get(key)) if each is not None]
            sums = {name: sum(each.sums()[name] for each in places) for name in (*CAME, *WENT)}
            now = sum(each.there() for each in places if not each.is_gone)
            number = now if there is None else there.get(key, 0)
            unknown = next((each.unknown for each in places if each.unknown), "")
            if any(sums.values()) or number:
                by_count = any(each.debt or each.guests for each in places)
                found.append(QueueSums(*key, sums, number, unknown, by_count))
        return found

    def sums(self) -> list[QueueSums]:
        """The sums of all queues that had messages in the time, once the last event was taken."""
        return self._sums or []

    def results(self, numbers: Mapping[bytes, list[tuple[int, str, str, str | None]]]) -> Iterator[Finding]:
        """The findings of the time, with the numbers of all events about their messages.

        `numbers`: the events of a MsgId as number, kind, queue manager and queue.
        """
        for each in self.findings:
            about = [row for row in numbers.get(each.msg_id or b"", ()) if row[2:] == (each.qmgr, each.queue)]
            found = _explained(each, about)
            if not found.events or any(self._since <= seq < self._until for seq in found.events):
                yield found


def _times(number: int) -> str:
    return "" if number == 1 else f" {number} times"


def _explained(finding: Finding, about: list[tuple[int, str, str, str | None]]) -> Finding:
    """A finding about an event that took a message which was not there: ended twice, before its put, or without one."""
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


_STEPS = {
    "PUT": Audit._put_or_get,
    "GET": Audit._put_or_get,
    **dict.fromkeys(_ENDS, Audit._end),
    "TRIGGER": Audit._keep,
    "BACKOUT": Audit._back_out,
    "CLEAR": Audit._leave,
    "MOVE": Audit._leave,
    **dict.fromkeys(("DEFINE", "ALTER", "SET"), Audit._define),
    "DELETE": Audit._delete,
}
