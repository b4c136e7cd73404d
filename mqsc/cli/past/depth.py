"""`mqsc depth`: the depth of a queue in the past, exact to the event: counted back from the depth now, and drawn."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mqsc.console.object_names import ObjectName, queues_to_complete
from mqsc.console.options import Choices, command
from mqsc.console.parameters import UNITS, PastMoment, iso
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import columns, print_json
from mqsc.history.output import moment
from store.admin.event_search import EventSelection, events
from store.admin.inquiring import inquire
from store.admin.statistics import load
from store.catalog import kinds_of
from store.constants import MQRC
from store.error import MQError
from store.rules.message_trace import TracedEvent

if TYPE_CHECKING:
    from store.engine.state import StoreState

# The kinds of events that change a depth; EXPIRE and DISCARD in a unit of work describe a get.
OF_QUEUES = frozenset({"PUT", "GET", "EXPIRE", "DISCARD", "CLEAR", "MOVE"})
OF_UNITS = frozenset({"BACKOUT"})
_LEVELS = " ▁▂▃▄▅▆▇█"
_A_DAY = UNITS["d"]
_CHART_WIDTH = 100


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


def depths(happened: Iterable[TracedEvent], queue: str, now: int) -> list[DepthAfter]:
    """The depth after each event that changed it, in order; `now` is the depth after the last of the events."""
    found = []
    depth = now
    for event in reversed([*happened]):
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


@command()
@click.argument("queue", type=ObjectName(), shell_complete=queues_to_complete)
@click.option("--since", type=PastMoment(), help="The begin: a time, or how long ago it was (default: 1d).")
@click.option("--until", type=PastMoment(), help="The end: a time, or how long ago it was (default: now).")
@click.option("--height", type=click.IntRange(2, 60), default=10, metavar="LINES", help="The height of the chart.")
def depth(choices: Choices, queue: str, since: Any, until: Any, height: int) -> None:
    """Draw the depth of QUEUE over time, exact to the event: the greatest depth in each column.

    With --format json or jsonl, prints the depth after each event that changed it. A queue with ACCTQ(OFF) has puts and
    gets that the history does not know.
    """
    with opened_queue_manager(choices) as qmgr:
        row = next(inquire(qmgr, kinds_of("QLOCAL"), queue), None)
        found = load(qmgr)
        now = next((each.depth for each in found.queues if each.name == queue), None)
        if row is None or now is None:
            raise MQError(MQRC.UNKNOWN_OBJECT_NAME, queue)
        begin, end = (moment(each, qmgr.store, choices) for each in (since, until))
        begin, end = found.now - _A_DAY if begin is None else begin, found.now if end is None else end
        if begin >= end:
            raise click.UsageError("--since is not before --until")
        group = qmgr.row().sharing_group if row.get("QSGDISP") == "SHARED" else ""
        happened = _events(qmgr.store, queue, begin, found.last)
        members = {each.name for each in qmgr.store.queue_managers() if each.sharing_group == group} or {qmgr.name}
        own = (each for each in happened if each.qmgr in ({group or qmgr.name} if each.kind in OF_QUEUES else members))
        every = depths(own, queue, now)
    before = every[0].depth - every[0].change if every else now
    points = [each for each in every if each.at <= end]
    if print_json(choices.format, map(as_row, points)):
        return
    for line in chart(points, before, begin, end, min(columns(), _CHART_WIDTH) - 12, height):
        click.echo(line)


def _events(store: StoreState, queue: str, since: int, last: int) -> Iterator[TracedEvent]:
    """The events on the queue, and all backouts, from the first event at or after a moment; a clock may be set back."""
    first = next(events(store, EventSelection(since=since), last=last), None)
    if first is None:
        return iter(())
    selections = EventSelection(queue=queue, kinds=OF_QUEUES), EventSelection(kinds=OF_UNITS)
    found = (events(store, each, first=first.seq, last=last) for each in selections)
    return heapq.merge(*found, key=lambda event: event.seq)
