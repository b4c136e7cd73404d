"""Each fault names the problem, its position and what is valid there, and does not affect the next command."""

from __future__ import annotations

import pytest

from grammar.parse import parse_rules
from grammar.tree import SyntaxFault
from tests.grammar.reading import command_or_fault, commands

# Command, position of the fault, what is found and what is expected there, and the decisive words of the reason.
COMMANDS = [
    # No verb.
    (",", (1, 1), "end of the command", ("a keyword",), "is empty"),
    ("(A)", (1, 1), "(", ("a keyword",), "only after a keyword"),
    ("'DEFINE' A", (1, 1), "'DEFINE'", ("a keyword",), "only between parentheses"),
    # Parentheses: §2, a missing one is a syntax error, nested ones need quotes.
    ("DEFINE QLOCAL(A", (1, 16), "end of the command", (")",), "opens at column 14 is never closed"),
    ("A( , ", (1, 3), "end of the command", (")",), "opens at column 2 is never closed"),
    ("A(B +\n C(D)", (2, 3), "(", (")", "a value"), "opens at line 1, column 2 is still open"),
    ("CONNAME(host(1414))", (1, 13), "(", (")", "a value"), "a value that contains a parenthesis must be in quotes"),
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
    ("A('b' +\n'c'+\n'd' 'e''f'g)", (3, 11), "g", (",", ")"), "a quote inside quotes is written twice"),
    ("A('b'=c)", (1, 6), "=c", (",", ")"), "a quote inside quotes is written twice"),
    ("A 'b'", (1, 3), "'b'", ("a keyword",), "KEYWORD('text')"),
    # Equals signs: §2, of the z/OS console only.
    ("DEFINE QL(A) MAXDEPTH=5", (1, 22), "=", ("(",), "not after an equals sign: MAXDEPTH(value)"),
    ("DEFINE QL(A) maxdepth = 5", (1, 23), "=", ("(",), "not after an equals sign: MAXDEPTH(value)"),
    ("A(B)=C", (1, 5), "=", ("(",), "not after an equals sign: KEYWORD(value)"),
    # Invisible characters.
    ("A\u00a0B", (1, 2), "U+00A0 (no-break space)", ("a blank",), "neither a blank nor valid"),
    ("A( \u2003)", (1, 4), "U+2003 (em space)", ("a blank", "'"), "only inside quotes"),
    ("A \x1aB", (1, 3), "U+001A (a control character)", ("a blank",), "valid in a word"),
    ("A(\ufeff)", (1, 3), "U+FEFF (zero width no-break space)", ("a blank", "'"), "only inside quotes"),
]

ENTRIES = [
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
]


@pytest.mark.parametrize(("source", "place", "found", "expected", "reason"), COMMANDS)
def test_a_command_that_is_wrong(
    source: str, place: tuple[int, int], found: str, expected: tuple[str, ...], reason: str
) -> None:
    bad, good = commands(f"{source}\nDEFINE QLOCAL(A)") if ";" not in source else commands(source)
    check(command_or_fault(bad), place, found, expected, reason)
    assert ";" in source or not isinstance(command_or_fault(good), SyntaxFault)


@pytest.mark.parametrize(("source", "place", "found", "expected", "reason"), ENTRIES)
def test_an_entry_that_is_wrong(
    source: str, place: tuple[int, int], found: str, expected: tuple[str, ...], reason: str
) -> None:
    bad, good = parse_rules(f"{source}\nACTION(RETRY)")
    check(bad, place, found, expected, reason)
    assert not isinstance(good, SyntaxFault)


def check(fault: object, place: tuple[int, int], found: str, expected: tuple[str, ...], reason: str) -> None:
    assert isinstance(fault, SyntaxFault)
    assert ((fault.line, fault.column), fault.found, fault.expected) == (place, found, expected)
    assert reason in fault.reason
    assert str(fault) == f"line {place[0]}, column {place[1]}: {fault.reason}"


def test_no_reason_shows_what_stands_between_parentheses() -> None:
    wrong = ["P('secret", "P(secret(1))", "P('a'secret)", "P(secret", "P('secret') 'secret'", "P(secret)=secret"]
    for source in wrong:
        fault = command_or_fault(commands(source)[0])
        assert isinstance(fault, SyntaxFault), source
        assert "secret" not in fault.reason.lower()
