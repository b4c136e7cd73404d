"""Trees are printed as text that parses to the same tree."""

from __future__ import annotations

import pytest

from grammar.lines import LINE_LENGTH
from grammar.parse import parse_rules
from grammar.printing import print_tree
from grammar.tree import Command, Entry, Parameter, Value
from tests.grammar.reading import command, commands

# A command as written and as printed.
ROWS = [
    ("define  qlocal ( orders )replace", "DEFINE QLOCAL(ORDERS) REPLACE"),
    ("define qlocal('orders')", "DEFINE QLOCAL('orders')"),
    ("DESCR('it''s') B('')", "DESCR('it''s') B('')"),
    ("NAMES( ) OTHER(A B,'C')", "NAMES() OTHER(A,B,'C')"),
    ("WHERE(CURDEPTH GT 10)", "WHERE(CURDEPTH,GT,10)"),
    ("A B+;", "A B+;"),
    ("A B-;", "A B-;"),
    ("A *B", "A *B"),
    (", *A", ",*A"),
]


@pytest.mark.parametrize(("written", "printed"), ROWS)
def test_a_command_is_printed_in_one_way(written: str, printed: str) -> None:
    assert print_tree(command(written)) == printed
    assert command(printed) == command(written)


def test_lines_are_as_wide_as_is_asked_for() -> None:
    tree = command("DEFINE QLOCAL(A) MAXDEPTH(5) DESCR('a long text, longer than a line') *FLAG REPLACE")
    printed = print_tree(tree, 24)
    assert printed.splitlines() == [
        "DEFINE QLOCAL(A) +",
        "   MAXDEPTH(5) +",
        "   DESCR('a long text, longer than a line') *FLAG +",
        "   REPLACE",
    ]
    assert command(printed) == tree


LONG = [
    "x" * 5000,
    "x " * 2500,
    " " * 5000,
    f"{'x' * 2046}*y",
    f"{'x' * 2030}{'*' * 50}{'y' * 3000}",
    "\ufeff" * 3000 + "x",
    "it's " * 1000,
    "+-" * 2000,
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:5])
def test_a_text_longer_than_a_line_is_continued(text: str) -> None:
    tree = Command((Parameter("A", "A", (Value(text, "", True, 1, 1),), 1, 1), Parameter("B", "B", None, 1, 1)), 1)
    printed = print_tree(tree)
    assert command(printed) == tree
    assert max(map(len, printed.splitlines())) <= LINE_LENGTH


def test_asterisks_that_cannot_be_cut_make_a_longer_line() -> None:
    tree = Entry((Parameter("A", "A", (Value("*" * 3000, "", False, 1, 1),), 1, 1),), 1)
    assert list(parse_rules(print_tree(tree))) == [tree]


@pytest.mark.parametrize("text", ["a", "a b", "", "it's", "a,b", "(", ";", "\u00a0"])
def test_a_text_that_needs_quotes_gets_them(text: str) -> None:
    tree = Entry((Parameter("A", "A", (Value(text, "", False, 1, 1),), 1, 1),), 1)
    (back,) = parse_rules(print_tree(tree))
    assert isinstance(back, Entry)
    assert [(value.text, value.quoted) for value in back.parameters[0].values or ()] == [(text, True)]


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\0b", "a\ud800b"])
def test_what_cannot_be_said_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="MQSC cannot express this value of 'A'"):
        print_tree(Entry((Parameter("A", "A", (Value(text, "", True, 1, 1),), 1, 1),), 1))


def test_a_printed_entry_is_one_entry() -> None:
    table = "REASON(2053) DESTQ('a;b') ACTION(RETRY)"
    (entry,) = parse_rules(table)
    assert isinstance(entry, Entry)
    assert print_tree(entry) == table
    assert len(commands(print_tree(entry, 10), semicolon=False)) == 1
