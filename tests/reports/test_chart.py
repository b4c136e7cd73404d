"""Charts of sums: columns over time, and bars by size."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from reports.chart import COLUMN_HEIGHT, MOST_COLUMNS, MOST_ROWS, WIDTH, Sum, chart

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


def rectangles(drawn: str) -> list[dict[str, float]]:
    """Return the positions and sizes of all columns or bars."""
    return [
        {name: float(number) for name, number in re.findall(r'(\w+)="([\d.]+)"', each)}
        for each in re.findall(r"<rect [^>]+>", drawn)
    ]


def draw(*sums: Sum) -> str:
    """Draw a chart of messages."""
    return chart(sums, "messages", str)


@pytest.mark.parametrize("sums", [(), (Sum("A", 0),), (Sum(START, 0), Sum(START + HOUR, 0))])
def test_nothing_to_draw(sums: tuple[Sum, ...]) -> None:
    assert draw(*sums) == ""


def test_columns_stand_at_their_hour() -> None:
    drawn = draw(Sum(START + 3 * HOUR, 5), Sum(START, 10))
    first, last = rectangles(drawn)
    assert (first["x"], first["height"]) == (0, COLUMN_HEIGHT)
    assert (last["x"], last["height"]) == (WIDTH / 4 * 3, COLUMN_HEIGHT / 2)
    assert "<title>2026-03-02 09:00Z: 10</title>" in drawn
    assert "messages, at most 10 in an hour" in drawn
    assert re.findall(r">(2026[^<:]+:\d\dZ)</text>", drawn) == ["2026-03-02 09:00Z", "2026-03-02 13:00Z"]


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (MOST_COLUMNS - 1, "in an hour"),
        (MOST_COLUMNS, "in 1 day"),
        (24 * MOST_COLUMNS - 1, "in 1 day"),
        (24 * MOST_COLUMNS, "in 2 days"),
        (24 * 365 * 50, "days"),
    ],
)
def test_a_long_time_has_wider_columns(hours: int, said: str) -> None:
    drawn = draw(Sum(START, 1), Sum(START + hours * HOUR, 1))
    assert said in drawn
    assert all(each["x"] >= 0 and each["x"] + each["width"] <= WIDTH for each in rectangles(drawn))


def test_hours_of_a_day_are_summed() -> None:
    drawn = draw(Sum(START, 1), Sum(START + HOUR, 2), Sum(START + 24 * 10 * HOUR, 1))
    assert "at most 3 in 1 day" in drawn
    assert len(rectangles(drawn)) == 2


def test_bars_are_ordered_and_the_rest_is_counted() -> None:
    drawn = draw(*(Sum(f"Q{number:02}", number) for number in range(MOST_ROWS + 4)))
    lengths = [each["width"] for each in rectangles(drawn)]
    assert len(lengths) == MOST_ROWS
    assert lengths == sorted(lengths, reverse=True)
    # Q00 has no messages, so no bar; Q01 to Q03 do not fit.
    assert "6 in 3 more" in drawn


def test_a_long_name_is_cut_and_told_whole() -> None:
    name = "SYSTEM." + "X" * 41
    drawn = draw(Sum(name, 1), Sum("", 1))
    assert f"<title>{name}</title>" in drawn
    assert f">{name}<title>" not in drawn
    assert ">(blank)<title>" in drawn
