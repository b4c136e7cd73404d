"""Whether the history and the messages that are there agree, and what an audit finds where they do
not.

For every queue, what came equals what went and what is there, and every event about a message can
have happened. Only the messages that are on queues or in open units of work are remembered
(`store.past.messages`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.store.past.event_checks import DEFINED, WRONG, checked, fits, missing
from mqsc.store.past.messages import Call, Fault, PastEvent, PastQueues
from mqsc.store.past.places import PastMessage, Place
from mqsc.store.past.state_comparison import Finding, StateThere, compared

TAKES = frozenset({"GET", "EXPIRE", "DISCARD"})
# Of the numbers of a message's events, the last ones are shown.
SHOWN = 8


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
        # What units of work had got, and not ended, before the time that the sums are about.
        self._held_before: set[tuple[PastMessage, int]] = set()
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
        self._held_before |= {
            (message, unit)
            for message, unit in self._followed.held()
            if is_own(message.place.owner)
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
        held = Counter(
            f"{message.place.owner} {message.place.name}"
            for message, _ in self._followed.held() - self._held_before
        )
        for both in sorted(
            {*self._followed.places, *self._gone, *(" ".join(key) for key in there or ())},
        ):
            owner, _, name = both.partition(" ")
            if not is_own(owner):
                continue
            former, place = self._gone.get(both), self._followed.places.get(both)
            stored = 0 if there is None else there.get((owner, name), 0)
            if former is None and place is not None and place.is_unused() and not stored:
                # As most queues of SYSTEM objects; adding up zeros takes as long as other sums.
                continue
            if place is None:
                # Of a queue that is deleted, nothing is unknown that was known before.
                place = (
                    Place(owner, name) if former is not None else self._followed.place(owner, name)
                )
            former = former or FormerLives()
            sums = {each: number + former.sums[each] for each, number in place.sums().items()}
            sums["got"] -= held[both]
            sums["held"] = held[both]
            number = place.there() if there is None else stored
            if any(sums.values()) or number:
                unknown = former.unknown or place.unknown
                by_count = former.by_count or place.is_counted()
                queue_sums.append(QueueSums(owner, name, sums, number, unknown, by_count))
        return queue_sums

    def end(self) -> None:
        """Compare what the history says is there with what is there."""
        if self._there.counter > self._last:
            self._find(missing(self._last + 1, self._there.counter), self._last + 1)
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
                self._find(missing(expected, seq - 1), expected)
            expected = seq + 1
        if expected <= page.last:
            self._find(missing(expected, page.last), expected)

    # Events that are no ordinary put, get or commit.

    def _take_other(self, event: PastEvent) -> None:
        faults, detail = checked(event)
        for fault in faults:
            self._find(fault, event.seq, **_where(event))
        if detail is not None:
            self._follow(event, detail)

    def _follow(self, event: PastEvent, detail: Mapping[str, Any]) -> None:
        is_of_unit = event.unit is not None and event.kind not in ("COMMIT", "BACKOUT")
        if is_of_unit and not self._followed.ended.has(event.unit):
            # Its end is recorded, also if nothing else of it is.
            self._followed.units.setdefault(event.unit or 0, [])
        if event.kind in DEFINED:
            self._define(event, detail)
        elif event.kind == "DELETE":
            self._delete(event)
        try:
            self._followed.follow(event)
        except (TypeError, ValueError, AttributeError, KeyError):
            self._find(WRONG, event.seq, **_where(event))

    def _define(self, event: PastEvent, detail: Mapping[str, Any]) -> None:
        key = event.qmgr, event.queue or ""
        changed = detail.get("ACCTQ")
        is_off = (isinstance(changed, list) and "OFF" in changed) or (
            event.qmgr,
            event.rule,
        ) in self._silent
        if event.target in ("QLOCAL", "QMODEL"):
            if is_off or key in self._silent_now:
                self._silent.add(key)
            if "STREAMQ" in detail or (event.qmgr, event.rule) in self._streamed:
                self._streamed.add(key)
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


def _where(event: PastEvent) -> dict[str, Any]:
    """The place of an event in a finding, without values of a wrong type."""
    place: dict[str, Any] = {
        "qmgr": event.qmgr,
        "queue": event.queue or "",
        "msg_id": event.msg_id,
    }
    return {name: value for name, value in place.items() if fits(name, value)}
