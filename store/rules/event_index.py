"""The index of the history.

A segment is SEGMENT events in a row. Its entry has a 32-bit print of each identifier, unit of work,
connection, queue, kind and cause in it. The entry shows that a segment does not hold an event; only
the events show that it does.
"""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import NamedTuple
from zlib import crc32

SEGMENT = 8_192
# The prints of an identifier are those of its beginnings of these lengths, so that a prefix can be
# looked up.
PREFIXES = (6, 12, 20, 24)


class EventFacts(NamedTuple):
    """The facts that some events of a segment have in common."""

    kind: str
    cause: str | None
    queue: str | None
    target: str | None
    connection: int | None
    # The connection that the unit of work belongs to.
    owner: int | None


class SegmentEntry(NamedTuple):
    """The entry of a segment: the earliest and the latest time in it, microseconds UTC, and the
    sorted prints.

    If the segment has no events, the times are None.
    """

    segment: int
    earliest: int | None
    latest: int | None
    prints: bytes

    def has_any(self, wanted: Iterable[int]) -> bool:
        """Whether one of the prints is among those of the segment."""
        prints = array("I", self.prints)
        if sys.byteorder == "big":
            prints.byteswap()
        size = len(prints)
        for each in wanted:
            place = bisect_left(prints, each)
            if place < size and prints[place] == each:
                return True
        return False


def segment_of(seq: int) -> int:
    """The segment of an event by its number."""
    return (seq - 1) // SEGMENT


def bounds_of(segment: int) -> tuple[int, int]:
    """The numbers of the first and the last event of a segment."""
    return segment * SEGMENT + 1, (segment + 1) * SEGMENT


def _print(seed: int, name: bytes | str | int) -> int:
    return crc32(name if isinstance(name, bytes) else str(name).encode(), seed)


# The print of a whole identifier, of a unit of work, of a connection, of a name in the columns
# `queue` and `target`, of a kind of event, of a cause, and of events of the channel that has a
# connection. Each subject has prints of its own: a queue may be called GET.
_ID, *_OTHERS, _KIND_ON_QUEUE, _CHANNEL = (crc32(bytes([number])) for number in range(8))
of_id, of_channel_events = partial(_print, _ID), partial(_print, _CHANNEL)
of_unit, of_connection, of_queue, _of_kind, of_cause = (partial(_print, seed) for seed in _OTHERS)
# Entries of earlier versions do not have the queues of backouts. This print of the kind is in them
# alone: they may have a backout on any queue.
BACKOUT_ON_ANY_QUEUE = _of_kind("BACKOUT")


def of_kind(kind: str) -> int:
    """The print of a kind of event."""
    return _of_kind("BACKOUT with queues" if kind == "BACKOUT" else kind)


def of_prefix(prefix: bytes) -> int | None:
    """The print of the longest beginning of a prefix that has one; None if the prefix is too
    short.
    """
    length = max((each for each in PREFIXES if each <= len(prefix)), default=None)
    return None if length is None else of_id(prefix[:length])


def of_kind_on_queue(kind: str, queue: str) -> int:
    """The print of a kind of event about a queue."""
    return _print(_KIND_ON_QUEUE, f"{kind} {queue}")


def prints_of(
    ids: Iterable[bytes],
    units: Iterable[int],
    facts: Iterable[EventFacts],
    backed_out_on: Iterable[str] = (),
) -> bytes:
    """The prints of a segment with these identifiers, units of work and facts, and backouts on
    these queues, as SegmentEntry holds them.
    """
    known = set(ids)
    hashes = {*map(of_unit, units), *map(of_queue, backed_out_on)}
    for length in PREFIXES:
        hashes.update(crc32(each, _ID) for each in {each[:length] for each in known})
    for each in facts:
        hashes.update(_of_facts(each))
    prints = array("I", sorted(hashes))
    if sys.byteorder == "big":
        prints.byteswap()
    return prints.tobytes()


def _of_facts(facts: EventFacts) -> Iterator[int]:
    yield of_kind(facts.kind)
    if facts.cause is not None:
        yield of_cause(facts.cause)
    if facts.queue is not None:
        yield of_queue(facts.queue)
        yield of_kind_on_queue(facts.kind, facts.queue)
    if facts.target is not None:
        yield of_queue(facts.target)
    if facts.owner is not None:
        yield of_connection(facts.owner)
    if facts.connection is not None:
        yield of_connection(facts.connection)
        if facts.kind == "CHANNEL":
            yield of_channel_events(facts.connection)


class Wanted(NamedTuple):
    """The search: events that may have one print of each group, from `since` up to, not
    including, `until`.
    """

    groups: tuple[Collection[int], ...] = ()
    since: int | None = None
    until: int | None = None

    def may_be_in(self, entry: SegmentEntry) -> bool:
        """Whether the segment may hold such events."""
        if entry.earliest is None or entry.latest is None:
            return False
        if self.since is not None and entry.latest < self.since:
            return False
        if self.until is not None and entry.earliest >= self.until:
            return False
        return all(entry.has_any(group) for group in self.groups)
