"""Small charts of a table's sums, as inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from html import escape
from typing import NamedTuple

from reports.moments import EPOCH, MICROSECOND, iso

WIDTH = 760
COLUMN_HEIGHT, ROW_HEIGHT = 120, 20
LABEL_WIDTH, NUMBER_WIDTH = 260, 90
# With more hours than this a column is a day; with more bars than this the smallest are omitted.
MOST_COLUMNS, MOST_ROWS = 120, 12
LONGEST_LABEL = 36


class Sum(NamedTuple):
    """The sum of one hour or one name."""

    label: datetime | str
    value: int


def chart(sums: Sequence[Sum], value: str, readable: Callable[[str], str]) -> str:
    """The sums as SVG: columns over time for hours, bars by size for names; empty if no sum is above 0.

    `value` names the summed column; `readable` makes text from a store safe to show.
    """
    drawn = [each for each in sums if each.value > 0]
    if not drawn:
        return ""
    hourly = [(each.label, each.value) for each in drawn if isinstance(each.label, datetime)]
    return _columns(hourly, value) if hourly else _bars(drawn, value, readable)


def _columns(sums: Sequence[tuple[datetime, int]], value: str) -> str:
    """A column for every hour, or for every day if there are many, from the first to the last."""
    moments = [moment for moment, _ in sums]
    hours = (max(moments) - min(moments)) // timedelta(hours=1) + 1
    step = timedelta(hours=1) if hours <= MOST_COLUMNS else timedelta(days=max(1, -(-hours // (24 * MOST_COLUMNS))))
    totals: dict[int, int] = {}
    for moment, number in sums:
        place = (moment - EPOCH) // step
        totals[place] = totals.get(place, 0) + number
    first, last, most = min(totals), max(totals), max(totals.values())
    width = WIDTH / (last - first + 1)
    parts = []
    for place, total in sorted(totals.items()):
        height = max(1.0, total / most * COLUMN_HEIGHT)
        title = f"{_moment(place * step)}: {total}"
        parts.append(
            f'<rect x="{(place - first) * width:.2f}" y="{COLUMN_HEIGHT + 16 - height:.2f}" '
            f'width="{max(0.5, width - 1):.2f}" height="{height:.2f}"><title>{title}</title></rect>'
        )
    ends = (_moment(first * step), _moment((last + 1) * step))
    parts.append(f'<text x="0" y="11">{escape(value)}, at most {most} in {_length(step)}</text>')
    parts.append(f'<text x="0" y="{COLUMN_HEIGHT + 32}">{ends[0]}</text>')
    parts.append(f'<text x="{WIDTH}" y="{COLUMN_HEIGHT + 32}" text-anchor="end">{ends[1]}</text>')
    return _svg(COLUMN_HEIGHT + 38, f"{value} from {ends[0]} to {ends[1]}", parts)


def _bars(sums: Sequence[Sum], value: str, readable: Callable[[str], str]) -> str:
    """A bar for every name, the longest first; the smallest of many are summed up in one line."""
    ranked = sorted(sums, key=lambda each: (-each.value, str(each.label)))
    shown, rest = ranked[:MOST_ROWS], ranked[MOST_ROWS:]
    room, most = WIDTH - LABEL_WIDTH - NUMBER_WIDTH, shown[0].value
    parts = [f'<text x="0" y="11">{escape(value)}</text>']
    for number, (label, total) in enumerate(shown, start=1):
        name = str(label) or "(blank)"
        cut = name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"
        y = number * ROW_HEIGHT
        parts.append(f'<text x="0" y="{y + 14}">{escape(readable(cut))}<title>{escape(readable(name))}</title></text>')
        length = max(1.0, total / most * room)
        parts.append(f'<rect x="{LABEL_WIDTH}" y="{y + 3}" width="{length:.2f}" height="{ROW_HEIGHT - 6}"/>')
        parts.append(f'<text x="{LABEL_WIDTH + length + 6:.2f}" y="{y + 14}">{total}</text>')
    height = (len(shown) + 1) * ROW_HEIGHT + 4
    if rest:
        parts.append(f'<text x="0" y="{height + 10}">{sum(each.value for each in rest)} in {len(rest)} more</text>')
        height += ROW_HEIGHT
    return _svg(height, f"{value}, largest first", parts)


def _svg(height: int, label: str, parts: Sequence[str]) -> str:
    body = "".join(parts)
    return f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">{body}</svg>'


def _moment(since_epoch: timedelta) -> str:
    return iso(since_epoch // MICROSECOND, " ", "minutes")


def _length(step: timedelta) -> str:
    return "an hour" if step < timedelta(days=1) else f"{step.days} day{'s' if step.days > 1 else ''}"
