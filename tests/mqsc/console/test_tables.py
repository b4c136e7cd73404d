"""Output: tables, columns of DISPLAY and plans at several widths, wide characters too, and rows
as JSON.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from rich.cells import cell_len

from mqsc.console.json_rows import JsonRows
from mqsc.console.tables import (
    Screen,
    TableRow,
    bar,
    blocks,
    fraction_full,
    padded,
    table,
    table_lines,
)
from mqsc.console.terminal import columns as terminal_columns, printable
from mqsc.plan import Action, Planned
from mqsc.scripts.plan_output import INDENT, Counts, as_row, lines_of, planned_of
from tests.rows import rows

ROWS: list[TableRow] = [
    {
        "QUEUE": "A",
        "TYPE": "QLOCAL",
        "DESCR": "日本 orders for all customers",
        "CURDEPTH": 3,
        "MAXDEPTH": 10,
    },
    {"QUEUE": "LONGER.NAME", "TYPE": "QLOCAL", "DESCR": "", "CURDEPTH": 1200, "MAXDEPTH": 5000},
]


def test_a_table() -> None:
    """Texts are broken, then the bar and the type are left out."""
    assert [*table(ROWS, Screen(100))] == [
        "QUEUE        TYPE    DESCR                          CURDEPTH  FULL           MAXDEPTH",
        "A            QLOCAL  日本 orders for all customers         3  ██░░░░░░  30%        10",
        "LONGER.NAME  QLOCAL                                     1200  ██░░░░░░  24%      5000",
    ]
    first, second = [*table(ROWS, Screen(72))][1:3]
    assert first == "A            QLOCAL  日本 orders for          3  ██░░░░░░  30%        10"
    assert second == "                     all customers"
    assert next(table(ROWS, Screen(50))) == "QUEUE        DESCR              CURDEPTH  MAXDEPTH"
    assert next(table([], Screen(80)), None) is None


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
    rows: list[TableRow] = [
        {"QUEUE": "A", "CURDEPTH": 1},
        {"QUEUE": "B", "TARGET": "x\x1b[2J", "NAMES": ["P", "Q"]},
    ]
    assert [*table(rows, Screen(80))] == [
        "QUEUE  CURDEPTH  TARGET    NAMES",
        "A             1",
        "B                x\\x1b[2J  P, Q",
    ]


def test_styles_do_not_change_the_text() -> None:
    styled = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in table(ROWS, Screen(100, styled=True))]
    assert styled == [*table(ROWS, Screen(100))]


@rows(
    *(
        (0, 10, "........   0%"),
        (1, 5000, "#.......  <1%"),
        (5000, 5000, "######## 100%"),
        (4999, 5000, "########  99%"),
    ),
    *((7, 5, "######## 100%"), (0, 0, "........   0%"), (1, 0, "######## 100%")),
)
def test_bars(depth: int, most: int, shown: str) -> None:
    fraction = fraction_full({"CURDEPTH": depth, "MAXDEPTH": most})
    assert fraction is not None
    assert bar(fraction, with_blocks=False) == shown


def test_a_long_table_begins_at_once() -> None:
    """Only the rows that determine the widths are read before the first line."""
    read = 0

    def many() -> object:
        nonlocal read
        for number in range(10_000):
            read += 1
            yield {"QUEUE": f"Q{number:05}", "CURDEPTH": number}

    lines = table(many(), Screen(80))  # type: ignore[arg-type]
    assert (next(lines).split(), read, len([*lines])) == (["QUEUE", "CURDEPTH"], 200, 10_000)


LINES = [("ORDERS", 3, Decimal("1.500000")), ("Q", 12, Decimal("20.000000"))]


@rows(
    (
        40,
        ["queue   messages  lateness", "ORDERS         3       1.5", "Q             12        20"],
    ),
    (25, ["queue     ORDERS  Q", "messages  3       12", "lateness  1.5     20"]),
    (
        20,
        [
            "queue     ORDERS",
            "messages  3",
            "lateness  1.5",
            "",
            "queue     Q",
            "messages  12",
            "lateness  20",
        ],
    ),
)
def test_table(width: int, lines: list[str]) -> None:
    assert list(table_lines(("queue", "messages", "lateness"), LINES, width)) == lines


def test_a_text_is_broken_before_rows_become_columns() -> None:
    text = "discarded by a get that found it"
    rows = [("ORDERS", 3, text), ("Q", 12, "none")]
    assert list(table_lines(("queue", "messages", "why"), rows, 40)) == [
        "queue   messages  why",
        "ORDERS         3  discarded by a get",
        "                  that found it",
        "Q             12  none",
    ]
    # A column that is too narrow for its texts is harder to read than columns of rows.
    assert next(table_lines(("queue", "messages", "why"), rows, 30)) == "queue     ORDERS"


def test_moments_nothing_and_wide_characters() -> None:
    rows = [(datetime(2026, 3, 2, 9, tzinfo=UTC), None)]
    assert list(table_lines(("hour", "cause"), rows, 80)) == [
        "hour                  cause",
        "2026-03-02T09:00:00Z  -",
    ]
    assert [*table_lines(("name", "n"), [("日本", 1), ("ab", 2)], 80)] == [
        "name  n",
        "日本  1",
        "ab    2",
    ]
    assert [padded("日本", 5), padded("日本", 5, right=True), padded("日本", 3)] == [
        "日本 ",
        " 日本",
        "日本",
    ]


@rows(
    ("plain", "plain"),
    ("\x1b[31mred", "\\x1b[31mred"),
    ("Zürich", "Zürich"),
    ("a\u202eb", "a\\u202eb"),
    ("\t", "\t"),
)
def test_a_terminal_is_not_steered(text: str, shown: str) -> None:
    assert printable(text) == shown


def planned(action: Action, **more: Any) -> Planned:
    facts: dict[str, Any] = {
        "file": "a.mqsc",
        "line": 3,
        "command": "ALTER QLOCAL(A)",
        "type": "QLOCAL",
        "name": "A",
    }
    return Planned(action=action, **(facts | more))


@rows(
    *(
        (1, 2, "1 -> 2"),
        (None, 2, "2"),
        ("", "A", "' ' -> A"),
        ("A", "", "A -> ' '"),
        ("x", None, "x -> (none)"),
    ),
    *(("a b", "it's", "'a b' -> 'it''s'"), (["A", "b c"], [], "(A,'b c') -> ()")),
    ("NOTRIGGER", "TRIGGER", "NOTRIGGER -> TRIGGER"),
)
def test_a_change_of_one_attribute(before: Any, after: Any, shown: str) -> None:
    _, line = lines_of(planned(Action.UPDATE, changes={"WORD": (before, after)}))
    assert line == f"{INDENT}WORD  {shown}"


@rows(
    (planned(Action.CREATE), "CREATE     QLOCAL(A)", "a.mqsc:3"),
    (planned(Action.CREATE, file=None), "CREATE     QLOCAL(A)", "line 3"),
    (planned(Action.UNCHANGED, name=""), "UNCHANGED  QLOCAL", "a.mqsc:3"),
    (planned(Action.DELETE, messages=1), "DELETE     QLOCAL(A), 1 message", "a.mqsc:3"),
    (
        planned(Action.ACTION, command="CLEAR QLOCAL(A)", messages=0),
        "ACTION     CLEAR QLOCAL(A), 0 messages",
        "a.mqsc:3",
    ),
    (
        planned(Action.ACTION, command="CLEAR QLOCAL(" + "A" * 48 + ")", messages=12),
        *("ACTION     CLEAR QLOCAL(AAAAAAAAAAAAAAAAAAAA..., 12 messages", "a.mqsc:3"),
    ),
)
def test_a_line(line: Planned, told: str, place: str) -> None:
    """The place begins in column 63."""
    assert list(lines_of(line)) == [f"{told:<62}{place}"]


def test_attributes_stand_below_each_other() -> None:
    _, first, second = lines_of(
        planned(Action.CREATE, changes={"GET": (None, "DISABLED"), "MAXDEPTH": (None, 1)}),
    )
    assert (first, second) == (f"{INDENT}GET       DISABLED", f"{INDENT}MAXDEPTH  1")


def test_the_reason_of_an_error_is_told_without_the_syntax() -> None:
    said = ("Syntax error:-", "DEFINE QLOCAL(A) X", "", "line 3, column 5: why")
    text = "\n".join((*said, "AMQ8427I: Valid syntax:", "", "  DEFINE QLOCAL( name )"))
    _, *reason = lines_of(planned(Action.ERROR, message_id="AMQ8405I", text=text))
    assert reason == [INDENT + line for line in (f"AMQ8405I: {said[0]}", said[1], said[3])]
    assert as_row(planned(Action.ERROR, text=text))["text"] == text


@rows(
    *(([], 0, ""), ([Action.UNCHANGED], 0, "1 unchanged"), ([Action.DELETE], 2, "1 to delete")),
    ([Action.UNCHANGED, Action.ACTION], 2, "1 unchanged, 1 to carry out"),
    ([Action.CREATE, Action.CREATE, Action.UPDATE], 2, "2 to create, 1 to update"),
    ([Action.DELETE, Action.ERROR], 10, "1 to delete, 1 in error"),
)
def test_what_a_plan_comes_to(actions: list[Action], code: int, told: str) -> None:
    counts = Counts()
    assert [*counts.counting(map(planned, actions))] == [*map(planned, actions)]
    assert (counts.exit_code, counts.sentence()) == (code, told)


def test_what_comes_only_from_a_changed_default_object_is_counted() -> None:
    changes = {"GET": ("ENABLED", "DISABLED"), "MAXDEPTH": (5000, 9)}
    given: list[dict[str, str]] = [{}, {"GET": "D"}, {"GET": "D", "MAXDEPTH": "D"}]
    counts = Counts(done=True)
    assert (
        len(
            [
                *counts.counting(
                    planned(Action.UPDATE, changes=changes, inherited=each) for each in given
                ),
            ],
        )
        == 3
    )
    assert counts.sentence() == "3 updated, 1 of them only because a default object was changed"


def test_a_row_can_be_read_again() -> None:
    more = {
        "record": ("QUEUE", "GROUP", "g"),
        "inherited": {"A": "B"},
        "warnings": ("w",),
        "member": "QM2",
    }
    for row in (
        planned(Action.DELETE),
        planned(Action.UPDATE, changes={"A": (None, ["x"]), "B": (1, "")}, **more),
    ):
        assert planned_of(as_row(row)) == row


WIDTHS = "from mqsc.console.terminal import columns; print(columns())"


def test_a_table_is_as_wide_as_its_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Or as it is, for a program."""
    assert terminal_columns() == sys.maxsize
    reading, terminal = os.openpty()
    with os.fdopen(reading, "rb", buffering=0) as screen:
        subprocess.run(
            [sys.executable, "-c", WIDTHS],
            stdout=terminal,
            env={**os.environ, "COLUMNS": "50"},
            check=True,
        )
        os.close(terminal)
        assert screen.read(80).strip() == b"50"


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@rows(
    (io.StringIO, True, [], "[\n]\n"),
    (io.StringIO, True, [{"a": 1}, {"b": "é"}], '[\n{"a": 1},\n{"b": "é"}\n]\n'),
    (io.StringIO, False, [], ""),
    (io.StringIO, False, [{"a": 1}, {"b": None}], '{"a": 1}\n{"b": null}\n'),
    (Terminal, False, [{"a": "\u202e"}], '{"a": "\\u202e"}\n'),
)
def test_rows(
    stream: type[io.StringIO],
    array: bool,
    rows: list[dict[str, object]],
    text: str,
) -> None:
    """A terminal gets ASCII only."""
    out = stream()
    with JsonRows(out, array=array) as writer:
        for row in rows:
            writer.write(row)
    assert out.getvalue() == text
