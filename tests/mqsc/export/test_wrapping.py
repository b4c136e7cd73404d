"""A long line that was broken into several reads back as the original."""

from __future__ import annotations

import pytest
from hypothesis import example, given, strategies as st

from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.parse import parse_command
from mqsc.grammar.printing import print_tree
from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.scripts.export_output import COLUMNS, INDENT, wrapped

WORDS = st.text("ab '*+-()é ", max_size=300)


def the_line(lines: list[str]) -> LogicalLine:
    (line,) = logical_lines([f"{line}\n" for line in lines])
    assert isinstance(line, LogicalLine)
    return line


def joined(lines: list[str]) -> str:
    return the_line(lines).text


@given(WORDS)
@example("x" * 500)
@example(" " * 300 + "b")
@example("'" * 300)
@example("*" * 300)
@example("b" + "+" * 100)
def test_a_cut_value_is_read_as_it_was(text: str) -> None:
    line = f"A('{text.replace(chr(39), chr(39) * 2)}')"
    assert joined([*wrapped(line)]) == line


@given(st.text("abc", min_size=1, max_size=40), WORDS)
def test_a_line_that_goes_on_goes_on(begin: str, text: str) -> None:
    first = f"{begin}('{text.replace(chr(39), chr(39) * 2)}') +"
    assert joined([*wrapped(f"{first}\n   MORE")]) == f"{first[:-1]}MORE"


@given(st.text("ab '*+-", min_size=2100, max_size=4500))
@example("it''s " * 700)
def test_a_value_that_was_cut_before_is_read_as_it_was(text: str) -> None:
    command = Command((Parameter("A", "", (Value(text, "", True, 0, 0),), 0, 0),), 0)
    assert parse_command(the_line([*wrapped(print_tree(command))])) == command


@pytest.mark.parametrize("length", range(60, 160))
def test_no_line_is_longer_than_the_columns(length: int) -> None:
    lines = [*wrapped("DESCR('" + "x" * length + "')")]
    assert max(map(len, lines)) <= COLUMNS
    assert all(line.startswith(INDENT) for line in lines[1:])


@given(WORDS)
@example("'" * 300)
@example(" " * 300)
@example("*" * 300)
def test_no_line_of_a_value_is_longer(text: str) -> None:
    lines = [*wrapped(f"A('{text.replace(chr(39), chr(39) * 2)}') +")]
    assert max(map(len, lines)) <= COLUMNS
    assert not any(line.startswith("*") for line in lines)
    assert all(line.strip() not in ("", "+") for line in lines)


def test_no_line_begins_with_an_asterisk() -> None:
    """It could be taken for a comment, even in quotes and behind blanks."""
    for length in range(30, 64):
        text = f"{'a' * length} * b * c * DELETE QLOCAL(A) *** {'d' * 20} * e"
        lines = [*wrapped(f"ALTER QLOCAL(A) DESCR('{text}')")]
        assert not any(line.strip().startswith("*") for line in lines)
        assert text in joined(lines)
