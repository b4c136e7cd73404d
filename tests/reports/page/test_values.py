"""Values as people read them, and charts of them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import pytest

from mqsc.reports.declaration import Chart, ReportColumn, Unit
from mqsc.reports.page.charts import (
    DAY,
    HOUR,
    LAST,
    MOST_BARS,
    Drawing,
    columns_of,
    draw,
    sparkline,
)
from mqsc.reports.page.table_sums import Sum
from mqsc.reports.page.values import bytes_of, exact, percentage, seconds, visible, written
from tests.rows import rows

DURATIONS = {
    **{
        "0": "0 s",
        "0.000001": "1 µs",
        "0.000250": "250 µs",
        "0.35": "350 ms",
        "0.9999": "1 s",
        "3.3": "3.3 s",
    },
    **{
        "12.345": "12.3 s",
        "59.4": "59.4 s",
        "59.6": "1 min",
        "125.2": "2 min 5 s",
        "3599.9": "1 h",
    },
    **{
        "3840": "1 h 4 min",
        "86399": "1 d",
        "277200": "3 d 5 h",
        "864000000": "10,000 d",
        "-3.3": "-3.3 s",
    },
}
BYTES = {
    **{
        0: "0 B",
        999: "999 B",
        1000: "1 kB",
        1234: "1.23 kB",
        999_999: "1 MB",
        123_456_789: "123 MB",
    },
    **{10**15: "1 PB", 10**19: "10000 PB"},
}


def test_durations_and_bytes() -> None:
    assert {value: seconds(Decimal(value)) for value in DURATIONS} == DURATIONS
    assert {value: bytes_of(value) for value in BYTES} == BYTES


TEN = datetime(2023, 11, 14, 22, tzinfo=UTC)


@rows(
    *(
        ("bigint", None, 1234567, "1,234,567", "1234567"),
        ("bigint", Unit.CODE, 2053, "2053", "2053"),
    ),
    *(
        ("bigint", Unit.BYTES, 2048, "2.05 kB", "2048"),
        ("decimal(20,6)", None, Decimal("3.300000"), "3.3 s", "3.3"),
    ),
    ("decimal(20,6)", Unit.PER_SECOND, Decimal("1234.567800"), "1235/s", "1234.5678"),
    ("timestamp", None, TEN, "2023-11-14 22:00", "2023-11-14 22:00"),
    (
        "timestamp",
        None,
        TEN.replace(second=1, microsecond=5),
        "2023-11-14 22:00:01",
        "2023-11-14 22:00:01.000005",
    ),
    ("timestamp", None, "12024-01-01T00:00:00Z", "12024-01-01T00:00:00Z", "12024-01-01T00:00:00Z"),
    ("string", None, "a\x00b", "a␀b", "a\x00b"),
)
def test_values(type: str, unit: Unit | None, value: Any, text: str, in_full: str) -> None:
    column = ReportColumn("it", type, "it", "It.", unit)
    assert ((written(column, value), exact(value)), written(column, None)) == ((text, in_full), "–")


def test_changes_in_percent() -> None:
    changes = ((1, 2), (-1, 1000), (-5, 5), (5000, 1))
    found = [percentage(*each).replace("\N{NO-BREAK SPACE}", " ") for each in changes]
    assert found == ["+50 %", "−0.1 %", "−100 %", "+500,000 %"]


def test_text_cannot_hide_or_reverse_anything() -> None:
    assert visible("a\x00b\x1b[2J\x7f\x85 \u202exe.\u2066\tÄЖ\n") == "a␀b␛[2J␡� �xe.�\tÄЖ\n"


# 2023-11-14 22:00.
START = 472_222 * HOUR
BY_HOUR, BY_QUEUE = Chart("messages", "hour"), Chart("messages", "queue")


def bars(svg: str) -> list[str]:
    return re.findall(r'<path d="[^"]*" fill="var\(--(bar|beside)\)"', svg)


def texts(svg: str) -> list[str]:
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg).iter()
        if element.tag.endswith("text")
    ]


def drawn(chart: Chart, sums: list[Sum]) -> Drawing:
    drawing = draw(chart, sums)
    assert drawing is not None
    return drawing


def test_hours() -> None:
    drawing = drawn(BY_HOUR, [Sum(START, 5), Sum(START + 2 * HOUR, 7), Sum(START + 3 * HOUR, 0)])
    assert drawing.title == "Messages per hour, 2023-11-14 22:00 to 2023-11-15 01:00 UTC"
    assert drawing.facts == ["messages: 12 in all", "at most 7 per hour, from 2023-11-15 00:00"]
    assert [bars(svg) for svg in drawing.svg.values()] == [["bar"] * 2] * 2
    assert {"15 Nov", "23:00", "0"} <= set(texts(drawing.svg["wide"]))
    few = drawn(BY_HOUR, [Sum(START, 1), Sum(START + HOUR, 1)])
    assert texts(few.svg["wide"])[-2:] == ["0", "1"]


@rows(
    ((BY_HOUR, [Sum(START, 1234)]), "1,234", ["messages: 1,234 in all"]),
    (
        (Chart("puts", "hour", beside="gets"), [Sum(START, 5, 3)]),
        "5",
        ["puts: 5 in all", "gets: 3"],
    ),
    ((BY_QUEUE, [Sum("A", 1.25), Sum("B", 0)]), "1.2", ["A"]),
)
def test_a_single_value_is_a_figure(
    given: tuple[Chart, list[Sum]],
    value: str,
    facts: list[str],
) -> None:
    """A bar alone says nothing: there is no other to compare it with."""
    drawing = drawn(*given)
    assert (drawing.single, drawing.svg, drawing.facts) == (value, {}, facts)


def test_two_series_have_a_legend() -> None:
    drawing = drawn(
        Chart("puts", "hour", "put and got", beside="gets"),
        [Sum(START, 5, 3), Sum(START + HOUR, 0, 4)],
    )
    assert drawing.title.startswith("Put and got per hour")
    assert drawing.facts[:2] == ["puts: 5 in all", "gets: 7"]
    assert sorted(bars(drawing.svg["narrow"])) == ["bar", "beside", "beside"]
    assert {"puts", "gets"} <= set(texts(drawing.svg["narrow"]))


@rows((1, HOUR, 1), (120, HOUR, 120), (121, DAY, 6), (120 * 24, DAY, 121), (125 * 24, 2 * DAY, 64))
def test_many_hours_become_days(hours: int, step: int, number: int) -> None:
    """The first hour is not at midnight, so that there is one more day than full ones."""
    found, columns = columns_of([Sum(START, 1), Sum(START + (hours - 1) * HOUR, 2)])
    assert ((found, len(columns)), sum(column.value for column in columns)) == ((step, number), 3)


def test_names() -> None:
    drawing = drawn(BY_QUEUE, [Sum("A", 1), Sum("B", 2000), Sum("", 3), Sum("NONE", 0)])
    assert (drawing.title, drawing.facts) == ("Messages by queue", ["2,004 in all"])
    assert texts(drawing.svg["wide"]) == ["B", "(blank)", "A", "2,000", "3", "1"]
    assert drawn(BY_QUEUE, [Sum("A", 1.25), Sum("B", 1)]).facts == ["2.2 in all"]


def test_the_smallest_of_many_names_are_added_up() -> None:
    drawing = drawn(BY_QUEUE, [Sum(f"Q{n}", 1 + (n < MOST_BARS)) for n in range(100)])
    assert drawing.facts == ["112 in all", "88 of them in 88 more, not drawn"]
    assert len(bars(drawing.svg["narrow"])) == MOST_BARS


HOSTILE = {each: each for each in ("<script>1</script>", "\"'&lt;&amp;", "'];alert(1)//")}


@pytest.mark.parametrize(
    ("name", "shown"),
    (HOSTILE | {"a\x00b\u202e": "a␀b�", "two\nlines": "two lines"}).items(),
)
def test_text_of_a_store_stays_text(name: str, shown: str) -> None:
    svg = drawn(BY_QUEUE, [Sum(name, 2), Sum("B", 1)]).svg["wide"]
    assert texts(svg)[0] == shown
    assert "<script" not in svg


def test_names_that_look_the_same_are_two_bars() -> None:
    assert len(bars(drawn(BY_QUEUE, [Sum("A B", 1), Sum("A\nB", 1)]).svg["wide"])) == 2


@rows([], [Sum("A", 0)], [Sum(START, 0)], [Sum(LAST, 1)], [Sum("", 1)])
def test_nothing_to_draw(sums: list[Sum]) -> None:
    """Also a time that Vega does not have, and none at all."""
    assert draw(BY_HOUR, sums) is None


def test_a_sparkline_has_no_scale() -> None:
    svg = sparkline({START: 1, START + HOUR: 4})
    assert (len(bars(svg)), texts(svg)) == (2, [])
    assert sparkline({}) == sparkline({START: 1}) == ""
