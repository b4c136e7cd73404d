"""Logical lines in, trees or faults with their positions out; a fault does not affect the next
command.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TypeAlias

import pytest

from mqsc.grammar.diagnosis import Begun, unfinished
from mqsc.grammar.parse import parse_entry, parse_rules
from mqsc.grammar.tree import Command, Entry, SyntaxFault
from tests.grammar.reading import command, command_or_fault, commands
from tests.rows import rows
from tests.source import ROOT

# A keyword alone, or with its values; a quoted value is in a list of its own.
Said: TypeAlias = "str | tuple[str, *tuple[str | list[str], ...]]"


def said(tree: Command | Entry) -> list[Said]:
    return [
        each.keyword
        if each.values is None
        else (
            each.keyword,
            *([value.text] if value.quoted else value.text for value in each.values),
        )
        for each in tree.parameters
    ]


# The rule of mqsc-lexical §2 and §3, the command, and the expected tree.
@rows(
    ("§2 order", "DEFINE QLOCAL(A) REPLACE", ["DEFINE", ("QLOCAL", "A"), "REPLACE"]),
    ("§2 order", "DISPLAY QMGR", ["DISPLAY", "QMGR"]),
    ("§2 separators", "A   B", ["A", "B"]),
    ("§2 separators", "A,B,,C , D", ["A", "B", "C", "D"]),
    ("§2 separators", ", A", ["A"]),
    ("§2 separators", "A B ,", ["A", "B"]),
    ("§2 separators", "A\tB(\tC\t)\t", ["A", ("B", "C")]),
    (
        "§2 separators",
        "A QLOCAL ('Account' )      DPTH ( 1)",
        ["A", ("QLOCAL", ["Account"]), ("DPTH", "1")],
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
)
def test_commands_say(rule: str, source: str, expected: list[Said]) -> None:
    assert said(command(source)) == expected, rule


def test_what_was_written_is_kept_beside_what_it_means() -> None:
    qlocal, descr = command("define Qlocal (orders) descr\t('it''s')").parameters[1:]
    assert (qlocal.raw, qlocal.values and qlocal.values[0].raw) == ("Qlocal", "orders")
    assert (descr.raw, descr.values and descr.values[0].raw) == ("descr", "'it''s'")


def test_every_word_knows_its_place_through_continuations() -> None:
    """Also in a command that begins in the middle of a line."""
    source = (
        "* x\nDEFINE +\n  QLOCAL ( 'a' ) +\n\n* x\n\tNAMES(B,+\n   C -\n D) PU-\nT('x+\n     y')"
    )
    tree = command(source)
    keywords = [(each.keyword, each.line, each.column) for each in tree.parameters]
    assert keywords == [("DEFINE", 2, 1), ("QLOCAL", 3, 3), ("NAMES", 6, 2), ("PUT", 8, 5)]
    values = [value for each in tree.parameters for value in each.values or ()]
    places = [(value.text, value.line, value.column) for value in values]
    assert (tree.line, places) == (
        2,
        [("a", 3, 12), ("B", 6, 8), ("C", 7, 4), ("D", 8, 2), ("xy", 9, 3)],
    )
    (after,) = command("A(1); B (2)", 1).parameters
    assert (after.keyword, after.line, after.column) == ("B", 1, 7)
    assert [(value.line, value.column) for value in after.values or ()] == [(1, 10)]


def test_trees_are_equal_when_they_say_the_same() -> None:
    assert command("define  ql(a)") == command("\n DEFINE QL ( A )")
    assert hash(command("define  ql(a)")) == hash(command("\n DEFINE QL ( A )"))
    assert command("DEFINE QL(A)") != command("DEFINE QL('A')")
    assert command("NAMES()") != command("NAMES")


# The rule of dlq-rules §3, the entry, and the expected tree.
@rows(
    ("3, 12", "inputqm(' ') retryint(30)", [("INPUTQM", [" "]), ("RETRYINT", "30")]),
    (
        "4",
        "REASON ( 2053 ),ACTION(RETRY) , RETRY (3)",
        [("REASON", "2053"), ("ACTION", "RETRY"), ("RETRY", "3")],
    ),
    ("9", "APPLNAME('ABC+\n  D')", [("APPLNAME", ["ABCD"])]),
    ("9", "APPLNAME('ABC-\n  D')", [("APPLNAME", ["ABC  D"])]),
    ("9", "PERSIST(1) +\n ACT+\n  ION(DISCARD)", [("PERSIST", "1"), ("ACTION", "DISCARD")]),
    ("11", "FORMAT('')", [("FORMAT", [""])]),
    ("12", "FWDQ(&replyq) DESTQ('it''s')", [("FWDQ", "&REPLYQ"), ("DESTQ", ["it's"])]),
    ("13", "REPLYQ(?*) DESTQM('AAAA*')", [("REPLYQ", "?*"), ("DESTQM", ["AAAA*"])]),
)
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
    assert [
        (each.line, each.column) if isinstance(each, SyntaxFault) else (each.line, said(each))
        for each in parse_rules(TABLE)
    ] == [
        *((3, [("INPUTQ", [" "])]), (5, [("REASON", "2053"), ("ACTION", "RETRY")])),
        *((8, 8), (9, 1), (10, 12), (11, 15), (12, [("ACTION", "DISCARD")]), (13, 10)),
    ]
    with_end, without = list(parse_rules("ACTION(RETRY)\n")), list(parse_rules(["ACTION(RETRY)"]))
    assert (with_end, len(without)) == (without, 1)


def test_lark_is_loaded_for_the_first_command() -> None:
    code = (
        "import sys; import grammar.parse as parse, grammar.lines as lines; assert 'lark' not in "
        "sys.modules;"
        "(line,) = lines.logical_lines('A'); parse.parse_command(line); assert 'lark' in "
        "sys.modules;"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        == b""
    )


def test_commands_of_the_same_terminals_keep_their_own_words() -> None:
    """They can be a command or not."""
    found = [
        said(command(text)) for text in ("A(b 'c') D", "E('f'  g),h", "I( j k ) L", "A(b 'c')")
    ]
    assert found[:3] == [[("A", "B", ["c"]), "D"], [("E", ["f"], "G"), "H"], [("I", "J", "K"), "L"]]
    assert found[3] == [("A", "B", ["c"])]
    with pytest.raises(SyntaxFault, match="ends too early"):
        command("A(b'c')")


@rows(51, 52, 200)
def test_a_long_command_has_all_its_parameters(count: int) -> None:
    assert said(command("A(b c) D " * count)) == [("A", "B", "C"), "D"] * count


KEYWORD, VALUE = "keyword", "value"


@rows(
    ("", "", KEYWORD, [], None),
    ("def", "def", KEYWORD, [], None),
    ("define ", "", KEYWORD, [Begun("DEFINE")], None),
    ("define ql(", "", VALUE, [Begun("DEFINE")], Begun("QL", ())),
    ("define ql ( 'A", "A", VALUE, [Begun("DEFINE")], Begun("QL", ())),
    ("define ql(a) 'b", "b", KEYWORD, [Begun("DEFINE"), Begun("QL", ("A",))], None),
    ("x descr('it''s ", "it''s ", VALUE, [Begun("X")], Begun("DESCR", ())),
    ("x names('it''s', b, c", "c", VALUE, [Begun("X")], Begun("NAMES", ("it's", "B"))),
    ("a(b)c(d),", "", KEYWORD, [Begun("A", ("B",)), Begun("C", ("D",))], None),
    ("define ) x", "x", "", [], None),
    ("define 'a' ", "", "", [], None),
)
def test_the_parser_at_the_cursor(
    text: str,
    word: str,
    taken: str,
    parameters: list[Begun],
    opened: Begun | None,
) -> None:
    found = unfinished(text)
    assert (found.word, [*found.parameters], found.opened) == (word, parameters, opened)
    assert (found.takes_keyword, found.takes_value) == (taken == KEYWORD, taken == VALUE)
    assert found.quoted == ("'" in text and text.count("'") % 2 == 1)


def check(
    fault: object,
    place: tuple[int, int],
    found: str,
    expected: tuple[str, ...],
    reason: str,
) -> None:
    assert isinstance(fault, SyntaxFault)
    assert ((fault.line, fault.column), fault.found, fault.expected) == (place, found, expected)
    assert reason in fault.reason
    assert str(fault) == f"line {place[0]}, column {place[1]}: {fault.reason}"


# Command, position of the fault, what is found and what is expected there, and the decisive words
# of the reason.
@rows(
    # No verb.
    (",", (1, 1), "end of the command", ("a keyword",), "is empty"),
    ("(A)", (1, 1), "(", ("a keyword",), "only after a keyword"),
    ("'DEFINE' A", (1, 1), "'DEFINE'", ("a keyword",), "only between parentheses"),
    # Parentheses: §2, a missing one is a syntax error, nested ones need quotes.
    (
        "DEFINE QLOCAL(A",
        (1, 16),
        "end of the command",
        (")",),
        "opens at column 14 is never closed",
    ),
    ("A( , ", (1, 3), "end of the command", (")",), "opens at column 2 is never closed"),
    ("A(B +\n C(D)", (2, 3), "(", (")", "a value"), "opens at line 1, column 2 is still open"),
    (
        "CONNAME(host(1414))",
        (1, 13),
        "(",
        (")", "a value"),
        "a value that contains a parenthesis must be in quotes",
    ),
    ("A(B)(C)", (1, 5), "(", ("a keyword",), "only after a keyword"),
    ("A(B))", (1, 5), ")", ("a keyword",), "no parenthesis is open"),
    ("A(x;y)", (1, 4), "end of the command", (")",), "opens at column 2 is never closed"),
    # Quotes: §2, an odd number is a syntax error; §3, one inside is doubled.
    ("A('B", (1, 3), "'", ("'",), "never closed"),
    ("A('B''", (1, 3), "'", ("'",), "never closed"),
    ("A B('x') 'C", (1, 10), "'", ("'",), "never closed"),
    ("DESCR('it's here')", (1, 17), "'", ("'",), "a quote inside quotes is written twice"),
    ("DESCR('it's Bob's')", (1, 11), "s", (",", ")"), "a quote inside quotes is written twice"),
    ("A(b'c')", (1, 4), "'c'", (",", ")"), "a quote inside quotes is written twice"),
    (
        "A('b' +\n'c'+\n'd' 'e''f'g)",
        (3, 11),
        "g",
        (",", ")"),
        "a quote inside quotes is written twice",
    ),
    ("A('b'=c)", (1, 6), "=c", (",", ")"), "a quote inside quotes is written twice"),
    ("A 'b'", (1, 3), "'b'", ("a keyword",), "KEYWORD('text')"),
    # Equals signs: §2, of the z/OS console only.
    ("DEFINE QL(A) MAXDEPTH=5", (1, 22), "=", ("(",), "not after an equals sign: MAXDEPTH(value)"),
    (
        "DEFINE QL(A) maxdepth = 5",
        (1, 23),
        "=",
        ("(",),
        "not after an equals sign: MAXDEPTH(value)",
    ),
    ("A(B)=C", (1, 5), "=", ("(",), "not after an equals sign: KEYWORD(value)"),
    # Invisible characters.
    ("A\u00a0B", (1, 2), "U+00A0 (no-break space)", ("a blank",), "neither a blank nor valid"),
    ("A( \u2003)", (1, 4), "U+2003 (em space)", ("a blank", "'"), "only inside quotes"),
    ("A \x1aB", (1, 3), "U+001A (a control character)", ("a blank",), "valid in a word"),
    (
        "A(\ufeff)",
        (1, 3),
        "U+FEFF (zero width no-break space)",
        ("a blank", "'"),
        "only inside quotes",
    ),
)
def test_a_command_that_is_wrong(
    source: str,
    place: tuple[int, int],
    found: str,
    expected: tuple[str, ...],
    reason: str,
) -> None:
    bad, good = commands(f"{source}\nDEFINE QLOCAL(A)") if ";" not in source else commands(source)
    check(command_or_fault(bad), place, found, expected, reason)
    assert ";" in source or not isinstance(command_or_fault(good), SyntaxFault)


@rows(
    (",", (1, 1), "end of the entry", ("a keyword",), "is empty"),
    ("A(B", (1, 4), "end of the entry", (")",), "opens at column 2 is never closed"),
    # dlq-rules §3.11: every keyword needs a value.
    ("FORMAT()", (1, 8), ")", ("a value",), "FORMAT needs a value"),
    ("format ( )", (1, 10), ")", ("a value",), "FORMAT needs a value"),
    ("FORMAT", (1, 1), "FORMAT", ("(",), "FORMAT must be followed by a value"),
    ("A(B) FORMAT +\n ACTION(C)", (1, 6), "FORMAT", ("(",), "FORMAT must be followed by a value"),
    ("A(B C)", (1, 5), "C", (")",), "A takes one value"),
    ("A(B,'C')", (1, 5), "'C'", (")",), "A takes one value"),
    ("A(B =C)", (1, 5), "=C", (")",), "A takes one value"),
    ("A('B'C)", (1, 6), "C", (",", ")"), "written twice"),
    ("RETRY=5", (1, 6), "=", ("(",), "RETRY(value)"),
    ("A(B);", (1, 5), ";", ("a keyword",), "semicolon is not valid"),
    ("A(B;C)", (1, 4), ";", (")", "'"), "in quotes"),
    ("A(B) (C)", (1, 6), "(", ("a keyword",), "only after a keyword"),
    ("A(B) )", (1, 6), ")", ("a keyword",), "no parenthesis is open"),
    ("A(B) 'C'", (1, 6), "'C'", ("a keyword",), "only between parentheses"),
    ("A(B) 'C", (1, 6), "'", ("'",), "never closed"),
    ("A(B(C))", (1, 4), "(", (")", "a value"), "still open"),
    (f"A(B) {'x' * 41}", (1, 6), f"{'x' * 40}\u2026", ("(",), "must be followed"),
)
def test_an_entry_that_is_wrong(
    source: str,
    place: tuple[int, int],
    found: str,
    expected: tuple[str, ...],
    reason: str,
) -> None:
    bad, good = parse_rules(f"{source}\nACTION(RETRY)")
    check(bad, place, found, expected, reason)
    assert not isinstance(good, SyntaxFault)


@rows(
    "P('secret",
    "P(secret(1))",
    "P('a'secret)",
    "P(secret",
    "P('secret') 'secret'",
    "P(secret)=secret",
)
def test_no_reason_shows_what_stands_between_parentheses(source: str) -> None:
    fault = command_or_fault(commands(source)[0])
    assert isinstance(fault, SyntaxFault)
    assert "secret" not in fault.reason.lower()
