"""Tables of rows on terminals of several widths: everything is shown, columns line up, wide characters too."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from rich.cells import cell_len

from mqsc.console.tables import Row, Screen, bar, blocks, fraction_full, padded, table, table_lines

ROWS: list[Row] = [
    {"QUEUE": "A", "TYPE": "QLOCAL", "DESCR": "日本 orders for all customers", "CURDEPTH": 3, "MAXDEPTH": 10},
    {"QUEUE": "LONGER.NAME", "TYPE": "QLOCAL", "DESCR": "", "CURDEPTH": 1200, "MAXDEPTH": 5000},
]


def test_a_table() -> None:
    assert [*table(ROWS, Screen(100))] == [
        "QUEUE        TYPE    DESCR                          CURDEPTH  FULL           MAXDEPTH",
        "A            QLOCAL  日本 orders for all customers         3  ██░░░░░░  30%        10",
        "LONGER.NAME  QLOCAL                                     1200  ██░░░░░░  24%      5000",
    ]


def test_texts_are_broken_then_the_bar_and_the_type_are_left_out() -> None:
    assert [*table(ROWS, Screen(72))][1:3] == [
        "A            QLOCAL  日本 orders for          3  ██░░░░░░  30%        10",
        "                     all customers",
    ]
    assert next(table(ROWS, Screen(50))) == "QUEUE        DESCR              CURDEPTH  MAXDEPTH"


@pytest.mark.parametrize("width", [20, 40, 80, 100, 200])
def test_nothing_is_lost_and_lines_fit(width: int) -> None:
    lines = [*table(ROWS, Screen(width))]
    text = " ".join(" ".join(lines).split())
    for row in ROWS:
        assert all(word in text for value in row.values() for word in str(value).split())
    assert all(cell_len(line) <= width for line in lines) or width < 40


def test_blocks_when_there_is_no_room() -> None:
    assert [*table(ROWS[:1], Screen(30), frozenset({"MAXDEPTH"}))] == [
        "QUEUE  A",
        "  TYPE      QLOCAL",
        "  CURDEPTH  3",
        "  FULL      ██░░░░░░  30%",
        "  DESCR  日本 orders for all",
        "         customers",
    ]
    assert [*blocks(ROWS[1:], Screen(60))] == [
        "QUEUE  LONGER.NAME",
        "  TYPE   QLOCAL   CURDEPTH  1200            MAXDEPTH  5000",
        "  DESCR           FULL      ██░░░░░░  24%",
    ]


def test_rows_with_different_attributes_and_control_characters() -> None:
    rows: list[Row] = [{"QUEUE": "A", "CURDEPTH": 1}, {"QUEUE": "B", "TARGET": "x\x1b[2J", "NAMES": ["P", "Q"]}]
    assert [*table(rows, Screen(80))] == [
        "QUEUE  CURDEPTH  TARGET    NAMES",
        "A             1",
        "B                x\\x1b[2J  P, Q",
    ]


def test_no_rows() -> None:
    assert next(table([], Screen(80)), None) is None


def test_styles_do_not_change_the_text() -> None:
    import re

    styled = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in table(ROWS, Screen(100, styled=True))]
    assert styled == [*table(ROWS, Screen(100))]


@pytest.mark.parametrize(
    ("depth", "most", "shown"),
    [
        (0, 10, "........   0%"),
        (1, 5000, "#.......  <1%"),
        (5000, 5000, "######## 100%"),
        (4999, 5000, "########  99%"),
        (7, 5, "######## 100%"),
        (0, 0, "........   0%"),
        (1, 0, "######## 100%"),
    ],
)
def test_bars(depth: int, most: int, shown: str) -> None:
    fraction = fraction_full({"CURDEPTH": depth, "MAXDEPTH": most})
    assert fraction is not None
    assert bar(fraction, blocks=False) == shown


def test_a_long_table_begins_at_once() -> None:
    """Only the rows that determine the widths are read before the first line."""
    read = 0

    def many() -> object:
        nonlocal read
        for number in range(10_000):
            read += 1
            yield {"QUEUE": f"Q{number:05}", "CURDEPTH": number}

    lines = table(many(), Screen(80))  # type: ignore[arg-type]
    assert next(lines).split() == ["QUEUE", "CURDEPTH"]
    assert read == 200
    assert len([*lines]) == 10_000


LINES = [("ORDERS", 3, Decimal("1.500000")), ("Q", 12, Decimal("20.000000"))]


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (40, ["queue   messages  lateness", "ORDERS         3       1.5", "Q             12        20"]),
        (25, ["queue     ORDERS  Q", "messages  3       12", "lateness  1.5     20"]),
        (
            20,
            ["queue     ORDERS", "messages  3", "lateness  1.5", "", "queue     Q", "messages  12", "lateness  20"],
        ),
    ],
)
def test_table(width: int, lines: list[str]) -> None:
    assert list(table_lines(("queue", "messages", "lateness"), LINES, width)) == lines


def test_moments_and_nothing() -> None:
    rows = [(datetime(2026, 3, 2, 9, tzinfo=UTC), None)]
    assert list(table_lines(("hour", "cause"), rows, 80)) == ["hour                  cause", "2026-03-02T09:00:00Z  -"]


def test_wide_characters_in_a_table() -> None:
    assert [*table_lines(("name", "n"), [("日本", 1), ("ab", 2)], 80)] == ["name  n", "日本  1", "ab    2"]


def test_a_longer_text_is_not_cut() -> None:
    assert [padded("日本", 5), padded("日本", 5, right=True), padded("日本", 3)] == ["日本 ", " 日本", "日本"]
