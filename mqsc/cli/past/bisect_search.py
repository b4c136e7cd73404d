"""The search of `mqsc bisect` for the event after which a DISPLAY first, or last, had an answer: what
it shows is followed from event to event, or looked up in states of the past.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from mqsc.language.request import Request
from mqsc.language.where import WhereFilter
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.engine.definitions import shipped, subtype_of
from mqsc.store.engine.state import StoreState
from mqsc.store.error import MQError
from mqsc.store.past.calls import changed_attributes
from mqsc.store.past.depths import change_of, changing
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.rules.names import matches
from mqsc.verbs import perform_request
from mqsc.verbs.row_sources import filter_of

# After which a definition, or whether it can be displayed, may be another.
_OF_DEFINITIONS = frozenset("DEFINE ALTER SET DELETE TRIGGER CREATE JOIN LEAVE".split())
# The status of a queue manager, of which an ended one has none.
_OF_RUN = "QMSTATUS"
DEPTH = "CURDEPTH"
_COUNTS_OF_HANDLES = frozenset({"IPPROCS", "OPPROCS"})
# So many states are looked at one by one; of more, only those that a search by halves needs.
MOST_STATES = 16


class Turn(NamedTuple):
    """The place in a row of states at which the answer changed, 0 if it was so before them all.

    `certain`: it cannot be at an earlier or later one.
    """

    place: int
    certain: bool


def turn(
    states: Sequence[int],
    holds: Callable[[int], bool],
    *,
    last: bool,
    most: int = MOST_STATES,
) -> Turn | None:
    """The first of the states that holds after one that does not; `last`: that does not after the
    last that holds.

    Up to `most` states are all looked at. With more, the search assumes that there was one change.
    None if there is no such state; of many, if none was found at the beginning, at the end and at
    moments between them.
    """
    end = len(states) - 1
    certain = end < most
    if last and holds(states[end]):
        return None
    if not last and holds(states[0]):
        return Turn(0, certain=True)
    if certain:
        marks = [*range(len(states))]
    elif holds(states[0 if last else end]):
        marks = [0, end]
    else:
        marks = [end * each // most for each in range(most + 1)]
    pairs = [*pairwise(marks)]
    low, high = next(
        (
            pair
            for pair in (reversed(pairs) if last else pairs)
            if holds(states[pair[0 if last else 1]])
        ),
        (0, 0),
    )
    if not high:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(states[middle]) is last else (low, middle)
    return Turn(high, certain)


def asks_for_status(request: Request) -> bool:
    """Whether a DISPLAY depends on more than definitions."""
    where = filter_of(request)
    words = {*request.options, *([where.keyword] if where else [])} - {"WHERE"}
    rows = [
        kind.attributes[each] for kind in request.kinds for each in words if each in kind.attributes
    ]
    is_status = any(kind.keyword not in KINDS for kind in request.kinds)
    return is_status or any({*each.verbs} == {"DISPLAY"} for each in rows)


class PastDisplay:
    """Whether a DISPLAY has an answer in states of the past; each state is made once."""

    def __init__(self, qmgr: QueueManager, request: Request) -> None:
        self._qmgr = qmgr
        self._request = request
        self._with_messages = asks_for_status(request)
        self.known: dict[int, bool] = {0: False}

    def has_answer(self, seq: int) -> bool:
        """Whether the DISPLAY has an answer after an event; NoSuchMomentError if what was then
        is not known.
        """
        if seq not in self.known:
            self.known[seq] = self._look(seq)
        return self.known[seq]

    def _look(self, seq: int) -> bool:
        from mqsc.store.past.as_of import copy_as_of, moment_of_event, treat_as_running

        store = self._qmgr.store
        with (
            copy_as_of(store, moment_of_event(store, seq), messages=self._with_messages) as past,
            open_store(url_of_file(past.file), create=False) as copy,
        ):
            try:
                qmgr = copy.queue_manager(self._qmgr.name)
                if all(each.keyword != _OF_RUN for each in self._request.kinds):
                    # What an ended queue manager has can be displayed when it runs again.
                    treat_as_running(qmgr)
                found = perform_request(qmgr, self._request)
                return next(iter(found.rows), None) is not None
            except MQError:
                # The queue manager was not there yet.
                return False


def is_followed(request: Request) -> bool:
    """Whether the events say which objects a DISPLAY selects, so that every change can be
    followed.
    """
    where = filter_of(request)
    if where is not None and where.keyword == DEPTH:
        return True
    # An authority and a queue manager have no DEFINE, and a trigger switches TRIGGER off.
    is_plain = request.name and not any(
        each.identity or each.keyword == "QMGR" for each in request.kinds
    )
    is_all = request.options.keys() <= {"WHERE"} and (where is None or where.keyword != "TRIGGER")
    return bool(is_plain and is_all and not asks_for_status(request))


class Owners(NamedTuple):
    """The queue manager of a DISPLAY; its queue-sharing group and the members of that, if it has
    one.
    """

    qmgr: str
    group: str
    members: frozenset[str]

    def has(self, event: TracedEvent) -> bool:
        """Whether an event may be about an object that the DISPLAY shows."""
        return event.qmgr in (self.qmgr, self.group) or (
            event.kind == "BACKOUT" and event.qmgr in self.members
        )


# Owner and name of an object.
Key = tuple[str, str]


class Following:
    """Which objects pass the filter of a DISPLAY that `is_followed`, as events are taken."""

    def __init__(self, request: Request, owners: Owners) -> None:
        self._request = request
        self._owners = owners
        self._where = filter_of(request)
        self._keyword = "" if self._where is None else self._where.keyword
        self._rows: dict[Key, dict[str, Any]] = {}
        self.passed: set[Key] = set()

    def take(self, event: TracedEvent) -> None:
        """Take the next event."""
        kind, key = KINDS.get(str(event.target)), (event.qmgr, str(event.queue))
        is_of_depth = self._keyword == DEPTH
        is_wanted = kind is not None and (
            kind in self._request.kinds or (is_of_depth and kind.keyword == "QLOCAL")
        )
        if (
            event.kind == "DEFINE"
            and kind is not None
            and is_wanted
            and matches(self._request.name, key[1])
        ):
            self._define(event, kind, key)
        for object_key in self._touched(event):
            if is_of_depth:
                self._rows[object_key][DEPTH] += change_of(event, object_key[1])
            elif is_wanted:
                self._rows[object_key] |= {
                    word: pair[1] for word, pair in changed_attributes(event.detail).items()
                }
            passes = self._where is None or self._where.passes(self._rows[object_key])
            (self.passed.add if passes else self.passed.discard)(object_key)
        if event.kind == "DELETE" and is_wanted:
            self._rows.pop(key, None)
            self.passed.discard(key)

    def _define(self, event: TracedEvent, kind: Kind, key: Key) -> None:
        subtype = subtype_of(
            kind,
            {word: pair[1] for word, pair in changed_attributes(event.detail).items()},
        )
        self._rows[key] = {DEPTH: 0} if self._keyword == DEPTH else dict(shipped(kind, subtype))

    def _touched(self, event: TracedEvent) -> set[Key]:
        """The objects that an event may change."""
        if event.kind == "BACKOUT":
            # It says the names alone: of its own queues, and of those of the group.
            keys = {
                (owner, name) for owner in (event.qmgr, self._owners.group) for name in event.detail
            }
        else:
            keys = {(event.qmgr, str(event.queue))}
        if event.kind == "MOVE":
            keys.add((str(event.detail.get("target_owner", event.qmgr)), str(event.target)))
        return keys & self._rows.keys()


def passing(
    happened: Iterable[TracedEvent],
    request: Request,
    owners: Owners,
) -> Iterator[tuple[int, bool]]:
    """The events after which one of the objects of a DISPLAY that `is_followed` began or ceased
    to pass its filter.
    """
    following = Following(request, owners)
    for event in happened:
        before = bool(following.passed)
        following.take(event)
        if bool(following.passed) != before:
            yield event.seq, bool(following.passed)


class _DynamicQueueError(Exception):
    """A dynamic queue was made: it is as its model was, which the events do not say."""


def _without_dynamic(happened: Iterable[TracedEvent]) -> Iterator[TracedEvent]:
    for event in happened:
        if event.cause == "dynamic":
            raise _DynamicQueueError
        yield event


class Search(NamedTuple):
    """What is looked for, in the states after event `first` up to event `last`, for events of
    these owners.
    """

    display: PastDisplay
    request: Request
    owners: Owners
    first: int
    last: int
    for_last: bool
    # Up to this event the history was archived and removed.
    pruned: int

    def is_own(self, event: TracedEvent) -> bool:
        """Whether an event is one of the queue manager, of its group or of a member of that."""
        return (
            event.qmgr in (self.owners.qmgr, self.owners.group) or event.qmgr in self.owners.members
        )

    def event_of_change(self, store: StoreState) -> tuple[int, bool] | None:
        """The number of the event, and whether it is certainly the one; the first number if it
        was so before.
        """
        where, last = filter_of(self.request), self.for_last
        states: Sequence[int]
        passed = (
            self._followed(store, where) if not self.pruned and is_followed(self.request) else {}
        )
        if passed:
            states = [*passed]
            there = turn(states, passed.__getitem__, last=last, most=len(states))
            if there is None or there.place == 0 or self._agree(states[there.place]):
                return None if there is None else (states[there.place], True)
        states = self._states(store)
        there = turn(states, self.display.has_answer, last=last)
        return None if there is None else (states[there.place], there.certain)

    def _followed(self, store: StoreState, where: WhereFilter | None) -> dict[int, bool]:
        """Whether an object passed at the beginning, and after events that changed that; nothing
        if it is not known.
        """
        name = None if self.request.name == "*" else self.request.name
        by_depth = where is not None and where.keyword == DEPTH
        kinds = frozenset(
            {"DEFINE", "DELETE"} if by_depth else {"DEFINE", "ALTER", "SET", "DELETE"},
        )
        defined = events(store, EventSelection(kinds=kinds), last=self.last)
        changed = changing(store, name, last=self.last) if by_depth else ()
        own = filter(self.owners.has, heapq.merge(defined, changed, key=lambda each: each.seq))
        answers = {self.first: False}
        known = own if by_depth or where is None else _without_dynamic(own)
        try:
            for seq, passes in passing(known, self.request, self.owners):
                answers[max(seq, self.first)] = passes
        except _DynamicQueueError:
            return {}
        return answers

    def _agree(self, seq: int) -> bool:
        """Whether the states before and after an event agree with what was followed: the DISPLAY
        may ask for more.
        """
        before, after = (self.display.has_answer(each) for each in (seq - 1, seq))
        return before is self.for_last and after is not self.for_last

    def _states(self, store: StoreState) -> Sequence[int]:
        """The state at the beginning, and those after events that can change the answer."""
        where = filter_of(self.request)
        counts_handles = where is not None and where.keyword in _COUNTS_OF_HANDLES
        kinds = _OF_DEFINITIONS | ({"OPEN", "CLOSE"} if counts_handles else set())
        if asks_for_status(self.request) and not counts_handles:
            return range(self.first, self.last + 1)
        changes = events(store, EventSelection(kinds=kinds), first=self.first + 1, last=self.last)
        return [
            self.first,
            *(each.seq for each in changes if self.is_own(each) and self._may_change(each)),
        ]

    def _may_change(self, event: TracedEvent) -> bool:
        is_named = (
            self.request.name and not self.request.kinds[0].identity and event.target in KINDS
        )
        return not is_named or matches(self.request.name, str(event.queue))
