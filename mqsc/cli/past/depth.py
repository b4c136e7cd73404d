"""`mqsc depth`: the depth of a queue in the past, exact to the event: counted back from the
depth now, and drawn.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import Any

import click

from mqsc.console import json_rows, parameters, target, terminal
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import PastMoment
from mqsc.console.removed import inform_about_removed
from mqsc.history.period import period
from mqsc.store.admin.archiving import archived_to, pruning_prevented
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import kinds_of
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.past.depths import DepthAfter, past_depths

_LEVELS = " ▁▂▃▄▅▆▇█"
_A_DAY = parameters.UNITS["d"]
_CHART_WIDTH = 100
# The axis has a mark with the time at every multiple of one of these, at most _MOST_MARKS of them.
_STEPS = tuple(minutes * parameters.UNITS["m"] for minutes in (1, 5, 15, 30, 60, 180, 360, 720))
_MOST_MARKS = 4
_LEAST_WIDTH_WITH_MARKS = 56
# A time at an end has 19 characters; two blanks and half a text follow.
_ROOM_FOR_END = 24


def chart(
    points: Iterable[DepthAfter],
    before: int,
    since: int,
    until: int,
    width: int,
    height: int,
) -> Iterator[str]:
    """The greatest depth of each column of time, as lines with a scale; `before` is the depth
    when it begins.
    """
    heights = _heights(points, before, since, until, width)
    most = max(heights, default=0)
    label = len(f"{most:,}")
    for row in range(height, 0, -1):
        eighths = (
            max(min(each * height * 8 // max(most, 1) - (row - 1) * 8, 8), 0) for each in heights
        )
        # A depth that is not 0 is visible.
        line = "".join(
            _LEVELS[max(level, 1) if each and row == 1 else level]
            for level, each in zip(eighths, heights, strict=True)
        )
        yield f"{f'{most:,}' if row == height else '':>{label}} ┤{line}".rstrip()
    marks = _marks(since, until, width)
    line = "".join("┬" if column in marks else "─" for column in range(width))
    yield f"{0:>{label}} ┼{line}"
    first, final = (parameters.iso(at)[:19].replace("T", " ") for at in (since, until))
    times = first
    for column, text in marks.items():
        times = f"{times:<{column - len(text) // 2}}{text}"
    yield f"{'':>{label}}  {times}{final:>{max(width - len(times), len(final) + 1)}}"


def _marks(since: int, until: int, width: int) -> dict[int, str]:
    """The times between the ends of the axis that have a mark: column and text; none where the
    axis has no room.
    """
    span = until - since
    if width < _LEAST_WIDTH_WITH_MARKS or span <= 0:
        return {}
    step = next((each for each in _STEPS if span <= each * _MOST_MARKS), None)
    if step is None:
        return {}
    marks = dict[int, str]()
    at = since - since % step + step
    while at < until:
        column = (at - since) * width // span
        # The text must not touch the times at the ends.
        if _ROOM_FOR_END <= column < width - _ROOM_FOR_END:
            marks[column] = parameters.iso(at)[11:16]
        at += step
    return marks


def _heights(
    points: Iterable[DepthAfter],
    before: int,
    since: int,
    until: int,
    width: int,
) -> list[int]:
    """The greatest depth in each of `width` columns."""
    heights = [before] * width
    column = 0
    messages = before
    for point in points:
        while column < width - 1 and point.at > since + (until - since) * (column + 1) // width:
            column += 1
            heights[column] = messages
        messages = point.depth
        heights[column] = max(heights[column], messages)
    return [*heights[: column + 1], *[messages] * (width - column - 1)]


def as_row(point: DepthAfter) -> dict[str, Any]:
    """A point as data."""
    return {**point._asdict(), "at": parameters.iso(point.at)}


@command(reads=True)
@click.argument("queue", type=ObjectName())
@click.option(
    "--since",
    type=PastMoment(),
    help="The begin: a time, or how long ago it was (default: 1d).",
)
@click.option(
    "--until",
    type=PastMoment(),
    help="The end: a time, or how long ago it was (default: now).",
)
@click.option(
    "--height",
    type=click.IntRange(2, 60),
    default=10,
    metavar="LINES",
    help="The height of the chart.",
)
def depth(
    choices: Choices,
    queue: str,
    since: int | parameters.Ago | None,
    until: int | parameters.Ago | None,
    height: int,
) -> None:
    """Print the depth of QUEUE now, and draw it over time, exact to the event: the greatest depth
    in each column.

    With --format json or jsonl, prints the depth after each event that changed it. A queue with
    ACCTQ(OFF) has puts and gets that the history does not know.
    """
    with target.opened_queue_manager(choices) as qmgr, _pruning_prevented(qmgr):
        begin, end = period(
            since or parameters.Ago(_A_DAY),
            until or parameters.Ago(0),
            qmgr.store,
            choices,
        )
        assert begin is not None
        assert end is not None
        pruned = archived_to(qmgr.store)[1]
        depths = past_depths(qmgr, queue, since=begin, first=pruned + 1)
        inform_about_removed(
            choices,
            qmgr.store,
            "earlier depths are not known",
            since=begin + 1,
            qmgr=qmgr.name,
        )
        if next(inquire(qmgr, kinds_of("QLOCAL"), queue))["ACCTQ"] == "OFF":
            choices.inform(
                f"mqsc: {queue} has ACCTQ(OFF), so the history does not have its depths, only the "
                "last",
            )
        points = (each for each in depths.points() if each.at <= end)
        lines = chart(
            points,
            depths.before,
            begin,
            end,
            min(terminal.columns(), _CHART_WIDTH) - 12,
            height,
        )
        text = chain((now_line(queue, depths.current),), lines)
        json_rows.print_rows(choices.format, map(as_row, points), text)


def now_line(queue: str, messages: int) -> str:
    """The depth now, as a sentence."""
    return f"{queue}: {messages:,} message{'' if messages == 1 else 's'} now"


def _pruning_prevented(qmgr: QueueManager) -> AbstractContextManager[None]:
    """The history is read twice: to find the depth at the beginning, and to count from there."""
    path = qmgr.store.path
    return nullcontext() if path is None else pruning_prevented(path)
