"""Charts: what they add up, say and draw."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from reports.catalog import Chart
from reports.page.charts import DAY, HOUR, LAST, MOST_BARS, Drawing, columns_of, draw, sparkline
from reports.page.overview import Sum

# 2023-11-14 22:00.
START = 472_222 * HOUR
BY_HOUR, BY_QUEUE = Chart("messages", "hour"), Chart("messages", "queue")


def bars(svg: str) -> list[str]:
    """The drawn bars."""
    return re.findall(r'<path d="[^"]*" fill="var\(--(bar|beside)\)"', svg)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def drawn(chart: Chart, sums: list[Sum]) -> Drawing:
    drawing = draw(chart, sums)
    assert drawing is not None
    return drawing


def test_hours() -> None:
    drawing = drawn(BY_HOUR, [Sum(START, 5), Sum(START + 2 * HOUR, 7), Sum(START + 3 * HOUR, 0)])
    assert drawing.title == "Messages per hour, 2023-11-14 22:00 to 2023-11-15 01:00 UTC"
    assert drawing.facts == ["12 messages in all", "at most 7 per hour, from 2023-11-15 00:00"]
    assert [bars(svg) for svg in drawing.svg.values()] == [["bar"] * 2] * 2
    assert {"15 Nov", "23:00", "0"} <= set(texts(drawing.svg["wide"]))


def test_two_series_have_a_legend() -> None:
    drawing = drawn(Chart("puts", "hour", "put and got", beside="gets"), [Sum(START, 5, 3), Sum(START + HOUR, 0, 4)])
    assert drawing.title.startswith("Put and got per hour")
    assert drawing.facts[:2] == ["5 puts in all", "7 gets"]
    assert sorted(bars(drawing.svg["narrow"])) == ["bar", "beside", "beside"]
    assert {"puts", "gets"} <= set(texts(drawing.svg["narrow"]))


COLUMNS = [(1, HOUR, 1), (120, HOUR, 120), (121, DAY, 6), (120 * 24, DAY, 121), (125 * 24, 2 * DAY, 64)]


@pytest.mark.parametrize(("hours", "step", "number"), COLUMNS)
def test_many_hours_become_days(hours: int, step: int, number: int) -> None:
    """The first hour is not at midnight, so that there is one more day than full ones."""
    found, columns = columns_of([Sum(START, 1), Sum(START + (hours - 1) * HOUR, 2)])
    assert (found, len(columns)) == (step, number)
    assert sum(column.value for column in columns) == 3


def test_names() -> None:
    drawing = drawn(BY_QUEUE, [Sum("A", 1), Sum("B", 2000), Sum("", 3), Sum("NONE", 0)])
    assert (drawing.title, drawing.facts) == ("Messages by queue", ["2,004 in all"])
    assert texts(drawing.svg["wide"]) == ["B", "(blank)", "A", "2,000", "3", "1"]
    assert drawn(BY_QUEUE, [Sum("A", 1.25)]).facts == ["1.2 in all"]


def test_the_smallest_of_many_names_are_added_up() -> None:
    drawing = drawn(BY_QUEUE, [Sum(f"Q{n}", 1 + (n < MOST_BARS)) for n in range(100)])
    assert drawing.facts == ["112 in all", "88 of them in 88 more, not drawn"]
    assert len(bars(drawing.svg["narrow"])) == MOST_BARS


HOSTILE = {each: each for each in ("<script>1</script>", "\"'&lt;&amp;", "'];alert(1)//")}


@pytest.mark.parametrize(("name", "shown"), (HOSTILE | {"a\x00b\u202e": "a␀b�", "two\nlines": "two lines"}).items())
def test_text_of_a_store_stays_text(name: str, shown: str) -> None:
    svg = drawn(BY_QUEUE, [Sum(name, 1)]).svg["wide"]
    assert texts(svg)[0] == shown
    assert "<script" not in svg


def test_names_that_look_the_same_are_two_bars() -> None:
    assert len(bars(drawn(BY_QUEUE, [Sum("A B", 1), Sum("A\nB", 1)]).svg["wide"])) == 2


@pytest.mark.parametrize("sums", [[], [Sum("A", 0)], [Sum(START, 0)], [Sum(LAST, 1)], [Sum("", 1)]])
def test_nothing_to_draw(sums: list[Sum]) -> None:
    """Also a time that Vega does not have, and none at all."""
    assert draw(BY_HOUR, sums) is None


def test_a_sparkline_has_no_scale() -> None:
    svg = sparkline({START: 1, START + HOUR: 4})
    assert len(bars(svg)) == 2
    assert texts(svg) == []
    assert sparkline({}) == sparkline({START: 1}) == ""
