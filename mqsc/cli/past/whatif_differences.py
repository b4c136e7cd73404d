"""What differs between two replays: calls, programs, messages and depths.

The events of both are taken some at a time. Those that say the same cancel each other out, so what
is remembered grows with the differences, and is on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from mqsc.cli.past.whatif_replay import Trial
from mqsc.console import parameters
from mqsc.console.text.reasons import name_of_code
from mqsc.store.admin.event_search import EventSelection, events, numbered
from mqsc.store.engine.state import StoreState
from mqsc.store.past.depths import change_of
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sqlite.disk_map import DiskMap, Key

_CALLS = {
    "put": "MQPUT",
    "get": "MQGET",
    "open": "MQOPEN",
    "close": "MQCLOSE",
    "commit": "MQCMIT",
    "backout": "MQBACK",
}
# Rows that are made at a time.
_PAGE = 500


# The kinds of events whose message came by a put; others are about one that the queue manager made.
_OF_PUTS = frozenset({"DISCARD", "REQUEUE", "FORWARD", "EXPIRE"})


class Fate(NamedTuple):
    """What may become of a message: the words after "would have", the kinds and the cause of the
    events that say so (blank for any), and what two such events have in common if they are the
    same.
    """

    words: str
    kinds: frozenset[str]
    cause: str
    identity: Callable[[TracedEvent], Key]

    def has(self, event: TracedEvent) -> bool:
        """Whether an event says so."""
        return event.kind in self.kinds and self.cause in ("", event.cause)


def _queue_and_message(event: TracedEvent) -> Key:
    return event.queue, event.msg_id


def _queue_and_moment(event: TracedEvent) -> Key:
    # A trigger message that is made again has another MsgId.
    return event.queue, event.at


def _removal(event: TracedEvent) -> Key:
    return event.queue, event.msg_id, event.kind, event.target


_REMOVALS = frozenset({"DISCARD", "REQUEUE", "FORWARD"})
_FATES = (
    Fate("expired", frozenset({"EXPIRE"}), "", _queue_and_message),
    Fate("been dead-lettered", frozenset({"DEAD_LETTER"}), "", _queue_and_message),
    Fate("gone to a backout queue", _REMOVALS, "poison", _removal),
    Fate("been moved or discarded by the handler", _REMOVALS, "handler", _removal),
    Fate("triggered", frozenset({"TRIGGER"}), "", _queue_and_moment),
    Fate("failed to trigger", frozenset({"TRIGGER_LOST"}), "", _queue_and_moment),
    Fate("been reported", frozenset({"REPORT", "REPORT_LOST"}), "", _queue_and_message),
)


class Line(NamedTuple):
    """Events of one identity that only one of the replays has so far, by the numbers of their
    places.
    """

    is_after: bool
    first: int
    end: int


class Place(NamedTuple):
    """The number and the time of such an event."""

    seq: int
    at: int


class Unmatched:
    """The events of a fate that only one of the replays has: the first event of an identity in one
    of them and the first one in the other are the same, and so on.
    """

    def __init__(self, fate: Fate) -> None:
        self.fate = fate
        self._lines = DiskMap(Line)
        self._places = DiskMap(Place)
        # When they were in the replay without changes, by the numbers of the others.
        self.times = DiskMap(int)

    def take(self, event: TracedEvent, *, is_after: bool) -> None:
        """Take the next event of a replay."""
        key = self.fate.identity(event)
        line = self._lines.get(key)
        place = Place(event.seq, event.at)
        if line is not None and line.is_after != is_after:
            self._match(key, line, place)
            return
        if line is None:
            line = Line(is_after, 0, 0)
        self._places[(*key, line.end)] = place
        self._lines[key] = line._replace(end=line.end + 1)

    def _match(self, key: Key, line: Line, place: Place) -> None:
        """The first in the line and an event of the other replay are the same."""
        first = self._places.pop((*key, line.first))
        assert first is not None
        rest = line._replace(first=line.first + 1)
        if rest.first < rest.end:
            self._lines[key] = rest
        else:
            self._lines.pop(key)
        after, before = (first, place) if line.is_after else (place, first)
        if after.at != before.at:
            self.times[(after.seq,)] = before.at

    def numbers(self, *, is_after: bool) -> list[int]:
        """The numbers of the events that only this replay has, in order."""
        event_numbers: list[int] = []
        for key, line in self._lines.items():
            if line.is_after == is_after:
                places = (self._places.get((*key, each)) for each in range(line.first, line.end))
                event_numbers += (each.seq for each in places if each is not None)
        return sorted(event_numbers)

    def close(self) -> None:
        """Remove what is on disk."""
        for each in (self._lines, self._places, self.times):
            each.close()


class Depths:
    """The greatest depth of each queue of a queue manager, and the last, as events are taken.

    Other queue managers may have queues of the same names; those of its group are its own.
    """

    def __init__(self, trial: Trial) -> None:
        self.now = dict(trial.depths)
        self.most = dict(trial.depths)
        self._owners = trial.owners
        self._shared = set(trial.shared)

    def take(self, event: TracedEvent) -> None:
        """Take the next event."""
        for queue in self._own_queues(event):
            if queue in self.now or event.kind == "PUT":
                self.now[queue] = self.now.get(queue, 0) + change_of(event, queue)
                self.most[queue] = max(self.most.get(queue, 0), self.now[queue])

    def _own_queues(self, event: TracedEvent) -> Iterator[str]:
        """The queues whose depth the event may change."""
        owners = self._owners
        if event.kind == "BACKOUT":
            # It says the names alone: of its own queues, and of those of the group.
            own = event.qmgr == owners.qmgr
            yield from (each for each in event.detail if own or each in self._shared)
            return
        target_owner = event.detail.get("target_owner", event.qmgr)
        for queue, owner in ((event.queue, event.qmgr), (event.target, target_owner)):
            if queue and owner and owner in (owners.qmgr, owners.group):
                if owner == owners.group:
                    self._shared.add(queue)
                yield queue


class Left(NamedTuple):
    """Where a program would have gone on differently for the first time; it is not followed after
    that.

    `application`: the last name that is known. `skipped`: how many of its calls were not played
    with the changes, less those that were not played without them either.
    """

    at: int | None = None
    application: str | None = None
    skipped: int = 0
    is_listed: bool = False


class Refused(NamedTuple):
    """A call with another result: its event, as in `store.past.replay.Departure`."""

    seq: int
    reason: int
    received: bytes | None
    fate: str


class Differences:
    """Takes what both trials have made, again and again, and says what differs in the end."""

    def __init__(self, before: Trial, after: Trial, recorded: StoreState) -> None:
        self._before = before
        self._after = after
        self._recorded = recorded
        self._fates = [Unmatched(each) for each in _FATES]
        self._depths_before, self._depths_after = Depths(before), Depths(after)
        self._calls, self._number_of_calls = DiskMap(Refused), 0
        self._programs = DiskMap(Left)
        # The connections of programs with calls that were not played, in their order.
        self._skipping, self._number_skipping = DiskMap(int), 0
        # The first event of which the history does not say enough.
        self.unknown_after: int | None = None

    def take(self) -> None:
        """Take what was made since the last time."""
        for event in self._before.new_events():
            self._take_event(event, self._depths_before, is_after=False)
        for event in self._after.new_events():
            self._take_event(event, self._depths_after, is_after=True)
        self._take_departures()
        self._take_skipped()

    def _take_event(self, event: TracedEvent, depths: Depths, *, is_after: bool) -> None:
        depths.take(event)
        for fates in self._fates:
            if fates.fate.has(event):
                fates.take(event, is_after=is_after)

    def _take_departures(self) -> None:
        without_changes = {each.event.seq for each in self._before.departures()}
        if without_changes and self.unknown_after is None:
            self.unknown_after = min(without_changes)
        for event, reason, received, fate in self._after.departures():
            key = (event.connection,)
            program = self._programs.get(key) or Left()
            self._programs[key] = program._replace(
                at=event.at if program.at is None else program.at,
                application=event.application,
            )
            if event.seq not in without_changes:
                self._calls[(self._number_of_calls,)] = Refused(event.seq, reason, received, fate)
                self._number_of_calls += 1

    def _take_skipped(self) -> None:
        without_changes = self._before.skipped()
        with_changes = self._after.skipped()
        for connection in {**with_changes, **without_changes}:
            key = (connection,)
            program = self._programs.get(key) or Left()
            if connection in with_changes and not program.is_listed:
                self._skipping[(self._number_skipping,)] = connection
                self._number_skipping += 1
                program = program._replace(is_listed=True)
            number = with_changes[connection] - without_changes[connection]
            self._programs[key] = program._replace(skipped=program.skipped + number)

    # What differs in the end.

    def rows(self) -> Iterator[dict[str, Any]]:
        """What would have been different, as data: calls, programs, messages and depths, in this
        order.

        Of messages that would not have been put, nothing else is said, nor of dead letters of
        channels not followed.
        """
        yield from self._call_rows()
        yield from self._program_rows()
        yield from self._message_rows()
        yield from self._later_rows()
        yield from self._depth_rows()

    def close(self) -> None:
        """Remove what is on disk."""
        for each in self._fates:
            each.close()
        for noted in (self._calls, self._programs, self._skipping):
            noted.close()

    def _call_rows(self) -> Iterator[dict[str, Any]]:
        calls = (call for _, call in self._calls.items())
        while page := [*islice(calls, _PAGE)]:
            numbers = sorted(each.seq for each in page)
            recorded = {each.seq: each for each in numbered(self._recorded, numbers)}
            for call in page:
                event = recorded[call.seq]
                if call.fate:
                    yield _copy_row(event, call.fate, call.reason)
                else:
                    yield _call_row(event, call.reason, call.received)

    def _program_rows(self) -> Iterator[dict[str, Any]]:
        for _, connection in self._skipping.items():
            program = self._programs.get((connection,)) or Left()
            if program.skipped > 0:
                yield {
                    "type": "program",
                    "connection": connection,
                    "application": program.application,
                    "not_played": program.skipped,
                }

    def _message_rows(self) -> Iterator[dict[str, Any]]:
        never_put = self._never_put()
        for fates in self._fates:
            words = fates.fate.words
            for event in numbered(self._after.copy, fates.numbers(is_after=True)):
                yield _message_row(event, words, would_have=True)
            for event in numbered(self._before.copy, fates.numbers(is_after=False)):
                is_of_put = event.kind in _OF_PUTS and (event.msg_id,) in never_put
                if not is_of_put and not self._is_of_departed_channel(event):
                    yield _message_row(event, words, would_have=False)
        never_put.close()

    def _is_of_departed_channel(self, event: TracedEvent) -> bool:
        if event.cause != "channel":
            return False
        program = self._programs.get((event.connection,))
        return program is not None and program.at is not None and program.at <= event.at

    def _never_put(self) -> DiskMap[bool]:
        """Those of the messages with another fate that would not have been put."""
        put_before = DiskMap(bool)
        is_any = False
        for fates in self._fates:
            if fates.fate.kinds & _OF_PUTS:
                for event in numbered(self._before.copy, fates.numbers(is_after=False)):
                    put_before[(event.msg_id,)] = is_any = True
        if not is_any:
            return put_before
        never_put = DiskMap(bool)
        for event in self._puts(self._before):
            if (event.msg_id,) in put_before:
                never_put[(event.msg_id,)] = True
        for event in self._puts(self._after):
            never_put.pop((event.msg_id,))
        put_before.close()
        return never_put

    def _puts(self, trial: Trial) -> Iterator[TracedEvent]:
        return events(trial.copy, EventSelection(kinds=frozenset({"PUT"})), first=trial.first)

    def _later_rows(self) -> Iterator[dict[str, Any]]:
        """Messages that expired in both cases, and would have been discarded at another time."""
        for fates in self._fates:
            if fates.fate.words == "expired":
                yield from self._at_other_times(fates.times)

    def _at_other_times(self, times: DiskMap[int]) -> Iterator[dict[str, Any]]:
        found = ((int(str(seq)), at) for (seq,), at in times.items())
        while page := dict(islice(found, _PAGE)):
            for event in numbered(self._after.copy, page):
                row = _message_row(event, "been discarded at another time", would_have=True)
                yield {**row, "before": parameters.iso(page[event.seq])}

    def _depth_rows(self) -> Iterator[dict[str, Any]]:
        was, would = self._depths_before, self._depths_after
        for queue in sorted(was.now.keys() | would.now.keys()):
            row = {
                "type": "depth",
                "queue": queue,
                "greatest": was.most.get(queue, 0),
                "would_be_greatest": would.most.get(queue, 0),
                "at_end": was.now.get(queue, 0),
                "would_be_at_end": would.now.get(queue, 0),
            }
            is_same = row["greatest"] == row["would_be_greatest"]
            if not is_same or row["at_end"] != row["would_be_at_end"]:
                yield row


def _call_row(event: TracedEvent, reason: int, received: bytes | None) -> dict[str, Any]:
    return {
        "type": "call",
        "call": _CALLS.get(event.kind.lower(), event.kind),
        "qmgr": event.qmgr,
        "queue": event.queue,
        "at": parameters.iso(event.at),
        "seq": event.seq,
        "application": event.application,
        "user": event.user,
        "connection": event.connection,
        "msg_id": event.msg_id and event.msg_id.hex(),
        "reason": reason or None,
        "name": _name(reason),
        "received": received and received.hex(),
    }


def _copy_row(event: TracedEvent, fate: str, reason: int) -> dict[str, Any]:
    """A copy of a publication that its queue would not have taken."""
    return {
        "type": "copy",
        "fate": fate,
        "qmgr": event.qmgr,
        "queue": event.queue,
        "subscription": event.detail.get("subscription"),
        "at": parameters.iso(event.at),
        "seq": event.seq,
        "msg_id": event.msg_id and event.msg_id.hex(),
        "reason": reason,
        "name": _name(reason),
    }


def _name(reason: int) -> str | None:
    return next(iter(name_of_code(reason)), None) if reason else None


def _message_row(event: TracedEvent, fate: str, *, would_have: bool) -> dict[str, Any]:
    return {
        "type": "message",
        "fate": fate,
        "would_have": would_have,
        "qmgr": event.qmgr,
        "queue": event.queue,
        "target": event.target,
        "msg_id": event.msg_id and event.msg_id.hex(),
        "at": parameters.iso(event.at),
        "cause": event.cause,
        "reason": event.reason,
        "name": _name(event.reason or 0),
    }
