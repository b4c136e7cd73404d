"""The depth of a queue in the past, exact to the event: counted back from the depth now, and drawn over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.console.parameters import iso
from store.rules.message_trace import TracedEvent

# The kinds of events that change a depth; EXPIRE and DISCARD in a unit of work describe a get.
OF_QUEUES = frozenset({"PUT", "GET", "EXPIRE", "DISCARD", "CLEAR", "MOVE"})
OF_UNITS = frozenset({"BACKOUT"})
_LEVELS = " ▁▂▃▄▅▆▇█"


class DepthAfter(NamedTuple):
    """The depth after an event, and how the event changed it."""

    seq: int
    at: int
    kind: str
    change: int
    depth: int


def change_of(event: TracedEvent, queue: str) -> int:
    """How an event changed the depth of a queue. Got messages do not count, uncommitted puts do, as in CURDEPTH."""
    if event.kind == "BACKOUT":
        undone = event.detail.get(queue)
        return undone.get("gets", 0) - undone.get("puts", 0) if isinstance(undone, Mapping) else 0
    if event.kind in ("CLEAR", "MOVE"):
        moved = event.detail.get("messages", 0) - event.detail.get("got", 0)
        return int(moved) * ((event.kind == "MOVE" and event.target == queue) - (event.queue == queue))
    if event.queue != queue:
        return 0
    if event.kind in ("EXPIRE", "DISCARD"):
        # Without the time of its put, a message was on no queue: a channel carried it.
        return -1 if event.unit is None and event.put_at is not None else 0
    return {"PUT": 1, "GET": -1}.get(event.kind, 0)


def depths(events: Iterable[TracedEvent], queue: str, now: int) -> list[DepthAfter]:
    """The depth after each event that changed it, in order; `now` is the depth after the last of the events."""
    found = []
    depth = now
    for event in reversed([*events]):
        change = change_of(event, queue)
        if change:
            found.append(DepthAfter(event.seq, event.at, event.kind, change, depth))
            depth -= change
    return found[::-1]


def chart(points: Sequence[DepthAfter], before: int, since: int, until: int, width: int, height: int) -> Iterator[str]:
    """The greatest depth of each column of time, as lines with a scale; `before` is the depth when it begins."""
    heights, last = [0] * width, before
    index = 0
    for column in range(width):
        end = since + (until - since) * (column + 1) // width
        heights[column] = last
        while index < len(points) and (points[index].at <= end or column == width - 1):
            last = points[index].depth
            heights[column] = max(heights[column], last)
            index += 1
    most = max(heights, default=0)
    label = len(f"{most:,}")
    for row in range(height, 0, -1):
        eighths = (max(min(each * height * 8 // max(most, 1) - (row - 1) * 8, 8), 0) for each in heights)
        # A depth that is not 0 is visible.
        line = "".join(
            _LEVELS[max(level, 1) if each and row == 1 else level] for level, each in zip(eighths, heights, strict=True)
        )
        yield f"{f'{most:,}' if row == height else '':>{label}} ┤{line}".rstrip()
    yield f"{0:>{label}} ┼{'─' * width}"
    first, final = (iso(at)[:19].replace("T", " ") for at in (since, until))
    yield f"{'':>{label}}  {first}{final:>{max(width - len(first), len(final) + 1)}}"


def as_row(point: DepthAfter) -> dict[str, Any]:
    """A point as data."""
    return {**point._asdict(), "at": iso(point.at)}
