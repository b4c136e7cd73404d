"""The totals at the top of a page: compared with the period before, and queues ranked by their
problems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mqsc.reports.declaration import Total
from mqsc.reports.page.table_sums import HOUR, Summed
from mqsc.reports.times import minutes

DAY = 24 * HOUR
MOST_QUEUES = 10


class Figure(NamedTuple):
    """A total of a report; `before` is that of the period before, None if there is none to
    compare with.
    """

    report: str
    total: Total
    summed: Summed
    before: int | None = None


class Change(NamedTuple):
    """Two numbers to compare: of a period and of the one before it, of the same length."""

    now: int
    before: int


class Period(NamedTuple):
    """What a page compares: two periods of the same length, the second from `middle`;
    microseconds UTC.
    """

    start: int
    middle: int
    end: int
    # Whether the totals are those of the second period, not of everything.
    is_selected: bool


class RankedQueue(NamedTuple):
    """A queue with its number of each problem, in the order of the problems."""

    qmgr: str
    queue: str
    numbers: tuple[int, ...]


def compared(since: int | None, until: int | None, now: int | None) -> Period | None:
    """The selected period and the one before it; without a selected one, the last 24 hours and the
    24 before.

    None if the end is not known: it is that of the selection, or `now`.
    """
    end = until if until is not None else now
    if end is None or (since is not None and since >= end):
        return None
    if since is not None:
        return Period(since - (end - since), since, end, True)
    full = -(-end // HOUR) * HOUR
    return Period(full - 2 * DAY, full - DAY, full, False)


def change(figure: Figure, period: Period | None) -> Change | None:
    """How a figure changed; None if it has no times, or there is nothing to compare with."""
    if period is None:
        return None
    if period.is_selected:
        return None if figure.before is None else Change(figure.summed.total, figure.before)
    hours = figure.summed.by_hour
    if not hours or min(hours) >= period.middle:
        return None
    return Change(
        _within(hours, period.middle, period.end),
        _within(hours, period.start, period.middle),
    )


def _within(hours: Mapping[int, int], first: int, last: int) -> int:
    return sum(number for hour, number in hours.items() if first <= hour < last)


def described(period: Period) -> str:
    """The sentence about what is compared."""
    start, middle, end = (minutes(moment) for moment in period[:3])
    what = "the period" if period.is_selected else "the last 24 hours"
    return f"Changes compare {what}, {middle} to {end}, with the same time before it, from {start}."


def problems(figures: Sequence[Figure]) -> list[Figure]:
    """The figures of which 0 is best and that are not 0."""
    return [
        figure
        for figure in figures
        if figure.total.problem and (figure.summed.total or any(figure.summed.by_queue.values()))
    ]


def ranked(figures: Sequence[Figure]) -> tuple[list[Figure], list[RankedQueue], int]:
    """The problems that queues have, the worst queues, and how many have any.

    A queue ranks by its shares of all problems: one with every expired message and half of the dead
    letters has 1.5.
    """
    shown = [figure for figure in problems(figures) if any(figure.summed.by_queue.values())]
    totals = [sum(figure.summed.by_queue.values()) for figure in shown]
    queues = {key for figure in shown for key, number in figure.summed.by_queue.items() if number}

    def rank(key: tuple[str, str]) -> tuple[float, tuple[str, str]]:
        shares = (
            figure.summed.by_queue.get(key, 0) / total
            for figure, total in zip(shown, totals, strict=True)
        )
        return -sum(shares), key

    worst = [
        RankedQueue(*key, tuple(figure.summed.by_queue.get(key, 0) for figure in shown))
        for key in sorted(queues, key=rank)
    ]
    return shown, worst[:MOST_QUEUES], len(worst)
