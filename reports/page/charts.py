"""Charts of a table's sums as Vega-Lite specifications, drawn as SVG. An SVG needs no script in
the page.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from importlib.resources import files
from typing import Any, NamedTuple

from mqsc.reports.declaration import Chart
from mqsc.reports.page.table_sums import Line, Sum
from mqsc.reports.page.values import capitalised, count, visible, words
from mqsc.reports.times import minutes

# Each chart is drawn for both widths, because text in a drawing that is scaled down is too small to
# read.
WIDTHS: Mapping[str, int] = {"wide": 680, "narrow": 310}
COLUMN_HEIGHT = 150
# The width of a letter, and of the longest name; a longer one is cut.
LETTER, WIDEST_LABEL = 11, 240
# With more hours than this a column is a day, or several; with more bars than this the smallest are
# added up.
MOST_COLUMNS, MOST_BARS = 120, 12
# The most points of a line.
MOST_POINTS = 240
HOUR, DAY = 3_600_000_000, 86_400_000_000
# Vega draws no times after the year 9999.
LAST = 253_402_300_800_000_000
SPARK = (150, 26)
# What does not depend on the values. Colours are those of the page, so that they follow its light
# and dark mode. - Labels of times are the day at midnight, otherwise the time. - Numbers are
# formatted one by one: together, Vega writes 0k below 10k. - With `labelFlush` the first and the
# last label would move onto their neighbours.
SPECS: Mapping[str, Any] = json.loads(files(__package__).joinpath("charts.json").read_text("utf-8"))
# Digits after the second one behind the point, which take half of the size of a drawing.
_PATH, _DIGITS = re.compile(r' d="[^"]*"'), re.compile(r"(?<=\.\d\d)\d+")
Spec = dict[str, Any]


class Drawing(NamedTuple):
    """A chart as SVG by the name of its width, what it shows, and its key figures.

    There is nothing to compare a single value with: it is the text `single`, and there is no SVG.
    """

    svg: Mapping[str, str]
    title: str
    facts: Sequence[str]
    single: str = ""


class Column(NamedTuple):
    """The sums of one step of time, from its start (microseconds UTC)."""

    start: int
    value: float
    beside: float


def draw(chart: Chart, sums: Sequence[Sum]) -> Drawing | None:
    """The chart of the sums: columns over time for hours, bars by size for names; None if no sum
    is above 0.
    """
    drawn = [each for each in sums if each.value > 0 or each.beside > 0]
    if chart.by != "hour":
        return _bars(chart, drawn) if drawn else None
    hours = [each for each in drawn if isinstance(each.label, int) and each.label < LAST]
    return _columns(chart, hours) if hours else None


def draw_lines(lines: Sequence[Line], name: str) -> Drawing | None:
    """The lines of some queues over time, as steps; `name` is what they show. None if there are
    none.
    """
    drawn = [line for line in lines if all(0 <= at < LAST for at in line.points)]
    if not drawn:
        return None
    start, end = (pick(pick(line.points) for line in drawn) for pick in (min, max))
    names = [_line(f"{line.queue} of {line.qmgr}") for line in drawn]
    values = [
        {"from": at / 1000, "value": value, "series": label}
        for label, line in zip(names, drawn, strict=True)
        for at, value in steps_of(line.points, start, end)
    ]
    spec = deepcopy(SPECS["lines"])
    spec["encoding"]["x"]["scale"]["domain"] = [start / 1000, end / 1000]
    for channel in ("color", "strokeDash"):
        spec["encoding"][channel]["scale"]["domain"] = names
    drawings = {
        key: _svg({**spec, "width": width, "height": COLUMN_HEIGHT, "data": {"values": values}})
        for key, width in WIDTHS.items()
    }
    facts = [
        f"{label}: at most {count(max(line.points.values()))}"
        for label, line in zip(names, drawn, strict=True)
    ]
    return Drawing(drawings, f"{capitalised(name)}, {minutes(start)} to {minutes(end)} UTC", facts)


def steps_of(points: Mapping[int, int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The points of a line up to the end; of more than there is room for, the greatest value of
    each step.
    """
    step = max(1, -(-(end - start) // MOST_POINTS)) if len(points) > MOST_POINTS else 1
    greatest: dict[int, int] = {}
    last = 0
    for at, value in points.items():
        place = start + (at - start) // step * step
        # What the value was when the step began counts too.
        greatest[place] = max(greatest.get(place, last if place < at else value), value)
        last = value
    yield from greatest.items()
    yield end, last


def sparkline(by_hour: Mapping[int, int]) -> str:
    """A small chart without scales; empty if there are fewer than two columns."""
    hours = [Sum(hour, number) for hour, number in by_hour.items() if number > 0 and hour < LAST]
    if not hours:
        return ""
    step, columns = columns_of(hours)
    if len(columns) < 2:
        return ""
    spec = _over_time(Chart("", "hour"), columns, step, *SPARK)
    spec["encoding"]["x"]["axis"] = spec["encoding"]["y"]["axis"] = None
    return _svg(spec)


def columns_of(sums: Sequence[Sum]) -> tuple[int, list[Column]]:
    """The length of a step and the sums of every step from the first to the last, empty ones
    too.
    """
    hours = [(int(hourly.label), hourly) for hourly in sums]
    first, last = min(hour for hour, _ in hours), max(hour for hour, _ in hours)
    number = (last - first) // HOUR + 1
    step = HOUR if number <= MOST_COLUMNS else DAY * max(1, math.ceil(number / 24 / MOST_COLUMNS))
    totals: dict[int, list[float]] = {
        place: [0, 0] for place in range(first // step, last // step + 1)
    }
    for hour, hourly in hours:
        totals[hour // step][0] += hourly.value
        totals[hour // step][1] += hourly.beside
    return step, [Column(place * step, *pair) for place, pair in totals.items()]


def _columns(chart: Chart, sums: Sequence[Sum]) -> Drawing:
    step, columns = columns_of(sums)
    top = max(columns, key=lambda column: column.value)
    facts = [
        f"{words(chart.value)}: {_number(sum(column.value for column in columns))} in all",
        f"at most {_number(top.value)} per {_per(step)}, from {minutes(top.start)}",
    ]
    if chart.beside:
        facts.insert(
            1, f"{words(chart.beside)}: {_number(sum(column.beside for column in columns))}"
        )
    start, end = minutes(columns[0].start), minutes(columns[-1].start + step)
    title = (
        f"{capitalised(chart.label or words(chart.value))} per {_per(step)}, {start} to {end} UTC"
    )
    if len(columns) == 1:
        # The second fact would say the same again.
        return Drawing(
            {},
            title,
            [fact for fact in facts if not fact.startswith("at most ")],
            _number(top.value),
        )
    specs = {
        name: _over_time(chart, columns, step, width, COLUMN_HEIGHT)
        for name, width in WIDTHS.items()
    }
    return Drawing({name: _svg(spec) for name, spec in specs.items()}, title, facts)


def _over_time(chart: Chart, columns: Sequence[Column], step: int, width: int, height: int) -> Spec:
    names = [words(chart.value), words(chart.beside)] if chart.beside else [words(chart.value)]
    values = [
        # Columns beside each other share the step, with a gap after them.
        {
            "from": (column.start + step * (0.04 + 0.92 * place / len(names))) / 1000,
            "to": (column.start + step * (0.04 + 0.92 * (place + 1) / len(names))) / 1000,
            "value": value,
            "series": name,
        }
        for column in columns
        for place, (name, value) in enumerate(zip(names, column[1:], strict=False))
        if value
    ]
    spec = deepcopy(SPECS["over_time"])
    encoding = spec["encoding"]
    encoding["x"]["scale"]["domain"] = [columns[0].start / 1000, (columns[-1].start + step) / 1000]
    encoding["x"]["axis"]["tickCount"] = max(2, width // 75)
    if chart.beside:
        encoding["color"] = deepcopy(SPECS["beside"])
        encoding["color"]["scale"]["domain"] = names
    return {**spec, "width": width, "height": height, "data": {"values": values}}


def _bars(chart: Chart, sums: Sequence[Sum]) -> Drawing:
    ordered = sorted(sums, key=lambda bar: (-bar.value, str(bar.label)))
    shown, rest = ordered[:MOST_BARS], ordered[MOST_BARS:]
    facts = [f"{_number(sum(bar.value for bar in sums))} in all"]
    if rest:
        facts.append(
            f"{_number(sum(bar.value for bar in rest))} of them in {count(len(rest))} more, not "
            "drawn",
        )
    title = f"{capitalised(chart.label or words(chart.value))} by {words(chart.by)}"
    if len(shown) == 1:
        return Drawing({}, title, [_line(str(shown[0].label))], _number(shown[0].value))
    specs = {name: _by_name(shown, width) for name, width in WIDTHS.items()}
    return Drawing({name: _svg(spec) for name, spec in specs.items()}, title, facts)


def _by_name(sums: Sequence[Sum], width: int) -> Spec:
    values = [
        # Names that look the same when they are visible stay apart by their places.
        {"place": place, "value": bar.value, "text": _number(bar.value)}
        for place, bar in enumerate(sums)
    ]
    names = [_line(str(bar.label)) for bar in sums]
    labels = min(WIDEST_LABEL, width // 2 - 20, max(map(len, names)) * LETTER + 12)
    spec = deepcopy(SPECS["by_name"])
    spec["encoding"]["y"]["axis"] |= {
        # The fonts of the browser may be wider than those that Vega measures with.
        "labelLimit": (labels - 8) * 0.85,
        "minExtent": labels,
        "maxExtent": labels,
    }
    # Room for the number after the longest bar.
    spec["encoding"]["x"]["scale"]["domain"] = [0, max(bar.value for bar in sums) * 1.22]
    params = [{"name": "names", "value": names}]
    return {**spec, "width": width - labels, "data": {"values": values}, "params": params}


def _svg(spec: Spec) -> str:
    # Only pages need it; a run says which library is missing.
    import vl_convert

    whole = {"background": None, "padding": 4, "config": SPECS["config"], **spec}
    drawn: str = vl_convert.vegalite_to_svg(whole, allowed_base_urls=[])
    return _PATH.sub(lambda path: _DIGITS.sub("", path[0]), drawn)


def _line(name: str) -> str:
    """A name in one line."""
    return " ".join(visible(name).split()) or "(blank)"


def _number(value: float) -> str:
    return count(int(value)) if value == int(value) else f"{value:,.1f}"


def _per(step: int) -> str:
    if step == HOUR:
        return "hour"
    return "day" if step == DAY else f"{step // DAY} days"
