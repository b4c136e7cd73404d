"""Logical lines in, trees out: separators, values, quotes, upper and lower case, positions."""

from __future__ import annotations

import subprocess
import sys
from typing import TypeAlias

import pytest

from grammar.parse import parse_entry, parse_rules
from grammar.tree import Command, Entry, SyntaxFault
from tests.grammar.reading import command, commands
from tests.source import ROOT

# A keyword alone, or with its values; a quoted value is in a list of its own.
Said: TypeAlias = "str | tuple[str, *tuple[str | list[str], ...]]"


def said(tree: Command | Entry) -> list[Said]:
    return [
        each.keyword
        if each.values is None
        else (each.keyword, *([value.text] if value.quoted else value.text for value in each.values))
        for each in tree.parameters
    ]


# The rule of mqsc-lexical §2 and §3, the command, and the expected tree.
ROWS: list[tuple[str, str, list[Said]]] = [
    ("§2 order", "DEFINE QLOCAL(A) REPLACE", ["DEFINE", ("QLOCAL", "A"), "REPLACE"]),
    ("§2 order", "DISPLAY QMGR", ["DISPLAY", "QMGR"]),
    ("§2 separators", "A   B", ["A", "B"]),
    ("§2 separators", "A,B,,C , D", ["A", "B", "C", "D"]),
    ("§2 separators", ", A", ["A"]),
    ("§2 separators", "A B ,", ["A", "B"]),
    ("§2 separators", "A\tB(\tC\t)\t", ["A", ("B", "C")]),
    (
        "§2 separators",
        "ALTER QLOCAL ('Account' )      TRIGDPTH ( 1)",
        ["ALTER", ("QLOCAL", ["Account"]), ("TRIGDPTH", "1")],
    ),
    ("§2 separators", "A ,( , B , )", [("A", "B")]),
    ("§2 no blank after )", "DESCR('x')PUT(ENABLED)", [("DESCR", ["x"]), ("PUT", "ENABLED")]),
    ("§2 letters", "AltER qLocal(a)", ["ALTER", ("QLOCAL", "A")]),
    ("§2 empty parentheses", "NAMES() B( ) C(,)", [("NAMES",), ("B",), ("C",)]),
    ("§2 empty parentheses", "QALIAS('')", [("QALIAS", [""])]),
    ("§2 brackets in quotes", "CONNAME('host(1414)')", [("CONNAME", ["host(1414)"])]),
    ("§2 synonyms are words", "DEFI QL(A)", ["DEFI", ("QL", "A")]),
    ("§3 folding", "DEFINE QLOCAL(orders)", ["DEFINE", ("QLOCAL", "ORDERS")]),
    ("§3 folding", "DESCR(gr\u00fc\u00df\u0131)", [("DESCR", "GR\u00fc\u00df\u0131")]),
    ("§3 quotes", "DESCR('It is, (so) ; A.b')", [("DESCR", ["It is, (so) ; A.b"])]),
    ("§3 doubled quotes", "DESCR('it''s')", [("DESCR", ["it's"])]),
    ("§3 doubled quotes", "DESCR('''''')", [("DESCR", ["''"])]),
    ("§3 double quotes", 'DESCR("a B")', [("DESCR", '"A', 'B"')]),
    ("§3 unquoted characters", 'A(./_%*&+-@#:="?{$}\\<>|[])', [("A", './_%*&+-@#:="?{$}\\<>|[]')]),
    ("§3 empty string", "CONNAUTH('') B(' ')", [("CONNAUTH", [""]), ("B", [" "])]),
    ("§3 lists", "NAMES(A,B)", [("NAMES", "A", "B")]),
    ("§3 lists", "NAMES( A B,'c' , D)", [("NAMES", "A", "B", ["c"], "D")]),
    ("§3 lists", "WHERE(CURDEPTH GT 10)", [("WHERE", "CURDEPTH", "GT", "10")]),
    ("§3 generic", "QUEUE(*) B('abc*')", [("QUEUE", "*"), ("B", ["abc*"])]),
    ("§5 words by position", "TYPE(QUEUE) QUEUE(TYPE)", [("TYPE", "QUEUE"), ("QUEUE", "TYPE")]),
    ("§5 words by position", "USERLIST(*MQADMIN)", [("USERLIST", "*MQADMIN")]),
    ("§1 continuation", "DEF+\n  INE QLO-\nCAL('A+\n  B')", ["DEFINE", ("QLOCAL", ["AB"])]),
]


@pytest.mark.parametrize(("rule", "source", "expected"), ROWS)
def test_commands_say(rule: str, source: str, expected: list[Said]) -> None:
    assert said(command(source)) == expected, rule


def test_what_was_written_is_kept_beside_what_it_means() -> None:
    qlocal, descr = command("define Qlocal (orders) descr\t('it''s')").parameters[1:]
    assert (qlocal.raw, qlocal.values and qlocal.values[0].raw) == ("Qlocal", "orders")
    assert (descr.raw, descr.values and descr.values[0].raw) == ("descr", "'it''s'")


def test_every_word_knows_its_place_through_continuations() -> None:
    source = "* x\nDEFINE +\n  QLOCAL ( 'a' ) +\n\n* x\n\tNAMES(B,+\n   C -\n D) PU-\nT('x+\n     y')"
    tree = command(source)
    assert tree.line == 2
    assert [(each.keyword, each.line, each.column) for each in tree.parameters] == [
        ("DEFINE", 2, 1),
        ("QLOCAL", 3, 3),
        ("NAMES", 6, 2),
        ("PUT", 8, 5),
    ]
    values = [value for each in tree.parameters for value in each.values or ()]
    assert [(value.text, value.line, value.column) for value in values] == [
        ("a", 3, 12),
        ("B", 6, 8),
        ("C", 7, 4),
        ("D", 8, 2),
        ("xy", 9, 3),
    ]


def test_a_command_may_begin_in_the_middle_of_a_line() -> None:
    (after,) = command("A(1); B (2)", 1).parameters
    assert (after.keyword, after.line, after.column) == ("B", 1, 7)
    assert after.values is not None
    assert (after.values[0].line, after.values[0].column) == (1, 10)


def test_trees_are_equal_when_they_say_the_same() -> None:
    assert command("define  ql(a)") == command("\n DEFINE QL ( A )")
    assert hash(command("define  ql(a)")) == hash(command("\n DEFINE QL ( A )"))
    assert command("DEFINE QL(A)") != command("DEFINE QL('A')")
    assert command("NAMES()") != command("NAMES")


# The rule of dlq-rules §3, the entry, and the expected tree.
ENTRIES: list[tuple[str, str, list[Said]]] = [
    ("3, 12", "inputqm(' ') retryint(30)", [("INPUTQM", [" "]), ("RETRYINT", "30")]),
    ("4", "REASON ( 2053 ),ACTION(RETRY) , RETRY (3)", [("REASON", "2053"), ("ACTION", "RETRY"), ("RETRY", "3")]),
    ("9", "APPLNAME('ABC+\n  D')", [("APPLNAME", ["ABCD"])]),
    ("9", "APPLNAME('ABC-\n  D')", [("APPLNAME", ["ABC  D"])]),
    ("9", "PERSIST(1) +\n ACT+\n  ION(DISCARD)", [("PERSIST", "1"), ("ACTION", "DISCARD")]),
    ("11", "FORMAT('')", [("FORMAT", [""])]),
    ("12", "FWDQ(&replyq) DESTQ('it''s')", [("FWDQ", "&REPLYQ"), ("DESTQ", ["it's"])]),
    ("13", "REPLYQ(?*) DESTQM('AAAA*')", [("REPLYQ", "?*"), ("DESTQM", ["AAAA*"])]),
]


@pytest.mark.parametrize(("rule", "source", "expected"), ENTRIES)
def test_entries_say(rule: str, source: str, expected: list[Said]) -> None:
    assert said(parse_entry(commands(source, semicolon=False)[0])) == expected, rule


TABLE = """\
* a table
  * with remarks
inputq(' ')

REASON(2053) +
* inside
   ACTION(RETRY)
FORMAT() ACTION(RETRY)
FORMAT ACTION(RETRY)
ACTION(FWD HEADER(YES)
ACTION(IGNORE); ACTION(DISCARD)
ACTION(DISCARD)
FWDQ('x) +
"""


def test_a_rules_table_is_read_to_its_end_whatever_is_wrong() -> None:
    places = [
        (each.line, each.column) if isinstance(each, SyntaxFault) else (each.line, said(each))
        for each in parse_rules(TABLE)
    ]
    assert places == [
        (3, [("INPUTQ", [" "])]),
        (5, [("REASON", "2053"), ("ACTION", "RETRY")]),
        (8, 8),
        (9, 1),
        (10, 12),
        (11, 15),
        (12, [("ACTION", "DISCARD")]),
        (13, 10),
    ]


def test_the_last_line_of_a_table_needs_no_end() -> None:
    with_end, without = list(parse_rules("ACTION(RETRY)\n")), list(parse_rules(["ACTION(RETRY)"]))
    assert with_end == without
    assert len(without) == 1


def test_lark_is_loaded_for_the_first_command() -> None:
    code = (
        "import sys; import grammar.parse as parse, grammar.lines as lines; assert 'lark' not in sys.modules;"
        "(line,) = lines.logical_lines('A'); parse.parse_command(line); assert 'lark' in sys.modules;"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True).stdout == b""


def test_commands_of_the_same_terminals_keep_their_own_words() -> None:
    assert [said(command(text)) for text in ("A(b 'c') D", "E('f'  g),h", "I( j k ) L")] == [
        [("A", "B", ["c"]), "D"],
        [("E", ["f"], "G"), "H"],
        [("I", "J", "K"), "L"],
    ]


def test_the_same_terminals_can_be_a_command_or_not() -> None:
    assert said(command("A(b 'c')")) == [("A", "B", ["c"])]
    with pytest.raises(SyntaxFault, match="ends too early"):
        command("A(b'c')")


@pytest.mark.parametrize("count", [51, 52, 200])
def test_a_long_command_has_all_its_parameters(count: int) -> None:
    found = said(command("A(b c) D " * count))
    assert found == [("A", "B", "C"), "D"] * count
