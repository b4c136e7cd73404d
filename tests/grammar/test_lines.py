"""Source lines in, commands out: continuation, comments, semicolons, limits, and source
positions.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from mqsc.grammar.lines import COMMAND_LENGTH, LINE_LENGTH, LogicalLine, Remark, logical_lines
from tests.grammar.reading import commands
from tests.rows import rows

# The rule of mqsc-lexical §1 by its first words, the source, and the expected commands.
ROWS = [
    ("starts on a new line", "A\nB", ["A", "B"]),
    ("starts on a new line", "  A B  \n\tC\t", ["A B", "C"]),
    ("; ends", "A;", ["A"]),
    ("; ends", "A; B;C", ["A", "B", "C"]),
    ("; ends", "A;;; ;B", ["A", "B"]),
    ("; ends", "A +\n;B", ["A ", "B"]),
    ("; ends", "A +\n  B ; C", ["A B", "C"]),
    ("; ends", "A; +\n B", ["A", "B"]),
    ("; ends", "A(';');B", ["A(';')", "B"]),
    ("; ends", "A('it''s;') ; B", ["A('it''s;')", "B"]),
    ("; ends", "A('x;+\ny;');B", ["A('x;y;')", "B"]),
    ("; ends", "A(x;y)", ["A(x", "y)"]),
    ("; ends", 'A("x;y")', ['A("x', 'y")']),
    ("; ends", "A; * B; C\nD", ["A", "D"]),
    ("* in first position", "* A\nB", ["B"]),
    ("* in first position", "*\n**A+\nB", ["B"]),
    ("* in first position", "A +\n* x\nB", ["A B"]),
    ("* in first position", "A +\n* x +\nB\nC", ["A B", "C"]),
    ("* in first position", "A('x+\n* y\nz')", ["A('xz')"]),
    ("* in first position", "A *B", ["A *B"]),
    ("* after blanks", " * A\n\t*B\nC", ["C"]),
    ("* after blanks", "A +\n  * x\n  B", ["A B"]),
    ("* after blanks", "A('x+\n   *y')", ["A('x*y')"]),
    ("* after blanks", "A('x-\n   *y')", ["A('x   *y')"]),
    ("blank lines", "A\n\n \nB", ["A", "B"]),
    ("blank lines", "A +\n\n \t\nB", ["A B"]),
    ("blank lines", "\u00a0\nA", ["A"]),
    ("+ last", "A +\n   B", ["A B"]),
    ("+ last", "AB+\n   C", ["ABC"]),
    ("+ last", "A + \t\nB", ["A B"]),
    ("+ last", "A  +\n+\n  B", ["A  B"]),
    ("- last", "A-\n  B", ["A  B"]),
    ("- last", "A -\nB", ["A B"]),
    ("- last", "A -  \n * B\n -\n  C", ["A    C"]),
    ("in keywords, values, quotes", "DEF+\n  INE", ["DEFINE"]),
    ("in keywords, values, quotes", "X('ABC+\n      D')", ["X('ABCD')"]),
    ("in keywords, values, quotes", "X('ABC-\n      D')", ["X('ABC      D')"]),
    ("in keywords, values, quotes", "X('it'+\n's')", ["X('it''s')"]),
    ("+ adds no blank", "A(1)+\nB(2)", ["A(1)B(2)"]),
    ("a trailing mark is a mark", "A++\nB", ["A+B"]),
    ("a trailing mark is a mark", "A(x-)\nB", ["A(x-)", "B"]),
    ("a trailing mark is a mark", "A-;B", ["A-", "B"]),
    ("a trailing mark is a mark", "---\nA", ["--A"]),
    ("tabs", "A\t+\n\tB\tC\t", ["A\tB\tC"]),
    ("other ends of lines", "A\r\nB +\r\nC\r\n", ["A", "B C"]),
    ("other ends of lines", "A\rB", ["A", "B"]),
    ("columns 73 to 80", f"{'A(1) +':<72}00010000\n{'B(2)':<72}00020000", ["A(1) B(2)"]),
    ("columns 73 to 80", f"{'A':<71}+00010000\n  B;{' ':<75}\nC", [f"{'A':<71}B", "C"]),
    ("columns 73 to 80", f"{'* A':<72}00010000\n{' ':<72}00020000\nB", ["B"]),
    ("columns 73 to 80", f"{'A; B':<72}00010000", ["A", "B"]),
    ("columns 73 to 80", f"{'A':<72}0001000X", [f"{'A':<72}0001000X"]),
    ("columns 73 to 80", f"{'A':<70}00010000", [f"{'A':<70}00010000"]),
    ("columns 73 to 80", f"{'A':X<72}00010000", [f"{'A':X<72}00010000"]),
    ("end of a file in DOS", "A\r\nB\x1a\r\n\x1a", ["A", "B"]),
    ("byte order mark", "\ufeffA\n\ufeff* B\n\ufeffC", ["A", "C"]),
    ("nothing", "", []),
    ("nothing", "\n;\n ; ;\n+\n;\n", []),
]


def lines_of(source: str) -> list[str]:
    return [line.removeprefix("\ufeff").removesuffix("\x1a") for line in source.splitlines()]


@rows(*ROWS)
def test_lines_become_commands(rule: str, source: str, expected: list[str]) -> None:
    """Whatever the kind of input is."""
    assert [(each.text, each.fault) for each in commands(source)] == [
        (text, None) for text in expected
    ], rule
    for lines in (
        source.encode(),
        io.StringIO(source),
        io.BytesIO(source.encode()),
        source.splitlines(),
    ):
        assert list(logical_lines(lines)) == list(logical_lines(source))


@rows(*ROWS)
def test_every_character_leads_back_to_its_place(
    rule: str,
    source: str,
    expected: list[str],
) -> None:
    """And every source line is in one result."""
    for each in commands(source):
        places = [each.position(offset) for offset in range(len(each.text))]
        assert (
            "".join(lines_of(source)[line - 1][column - 1] for line, column in places) == each.text
        ), rule
        assert each.positions(range(len(each.text))) == places
    lines = dict.fromkeys(range(1, len(lines_of(source)) + 1), "")
    for part in (line for each in logical_lines(source) for line in each.source):
        assert part.column == len(lines[part.number]) + 1
        lines[part.number] += part.text
    assert list(lines.values()) == lines_of(source)


def test_commands_of_one_line_share_it() -> None:
    """A rules table knows no semicolon and no limit."""
    first, second = commands("A(1);; B(2) ; * x")
    assert [(line.text, line.column) for line in first.source] == [("A(1);;", 1)]
    assert ([(line.text, line.column) for line in second.source], second.position(0)) == (
        [(" B(2) ; * x", 7)],
        (1, 8),
    )
    (entry,) = commands(f"A(1);B(2){' ' * LINE_LENGTH}C({'x' * COMMAND_LENGTH})", semicolon=False)
    assert (entry.text[:9], entry.fault) == ("A(1);B(2)", None)


# Source, the expected commands, and for each command the position of its fault and what is found
# there, or None.
@rows(
    (b"A(\xe9)\nB", ["A(\ufffd)", "B"], [(1, 3, "X'E9'"), None]),
    ("A('\u00e9')".encode() + b" \xff\xfe", ["A('\u00e9') \ufffd\ufffd"], [(1, 8, "X'FF'")]),
    (b"A;B\xff;C", ["A", "B\ufffd", "C"], [None, (1, 4, "X'FF'"), None]),
    (b"A +\n  B\xff +\n C\xfe", ["A B\ufffd C\ufffd"], [(2, 4, "X'FF'")]),
    (b"* \xff\nA +\n * \xfe\nB", ["A B"], [None]),
    (b"A; * \xff", ["A"], [None]),
    (b"* \0\nA", ["A"], [None]),
    (b"A('\0')\nB", ["A('\ufffd')", "B"], [(1, 4, "X'00'"), None]),
    ("A(\udcff)", ["A(\ufffd)"], [(1, 3, "X'FF'")]),
    ("A(\ud800)", ["A(\ufffd)"], [(1, 3, "U+D800")]),
    (f"A{' ' * 2046}B\nC", [f"A{' ' * 2046}B", "C"], [None, None]),
    (f"A{' ' * 2047}B\nC", [f"A{' ' * 2047}B", "C"], [(1, 2049, "character 2049"), None]),
    (f"A;{' ' * 3000};* {'x' * 3000}", ["A"], [None]),
    (
        f"A;{' ' * 3000}B;C",
        ["A", "B", "C"],
        [None, (1, 3003, "character 2049"), (1, 3005, "character 2049")],
    ),
    ("A +\n" * 16384, ["A " * 16384], [(16384, 3, "end of the input")]),
    ("A +\n" * 16384 + "B\nC", ["A " * 16384 + "B", "C"], [(16385, 1, "character 32769"), None]),
    ("A +", ["A "], [(1, 3, "end of the input")]),
    ("A(-\n* x\n\n", ["A("], [(1, 3, "end of the input")]),
    ("+", [""], [(1, 1, "end of the input")]),
)
def test_what_cannot_be_a_command_fails_alone(
    source: str | bytes,
    texts: list[str],
    faults: list[tuple[int, int, str] | None],
) -> None:
    found = commands(source)
    assert [each.text for each in found] == texts
    assert [
        each.fault and (each.fault.line, each.fault.column, each.fault.found) for each in found
    ] == faults
    assert [each.unfinished for each in found] == [
        fault is not None and "input" in fault[2] for fault in faults
    ]


def test_what_is_shown_can_be_printed() -> None:
    (line,) = commands(b"A(\xe9\0)")
    assert line.source[0].text == "A(\ufffd\ufffd)"
    assert (
        str(line.fault)
        == "line 1, column 3: X'E9' is a byte that is not UTF-8; save the script as UTF-8"
    )


def test_a_command_is_there_before_the_next_line_is_read() -> None:
    read = []

    def lines() -> Iterator[str]:
        for line in ("* x\n", "A +\n", " B\n", "C\n"):
            read.append(line)
            yield line

    results = logical_lines(lines())
    assert isinstance(next(results), Remark)
    assert read == ["* x\n"]
    following = next(results)
    assert isinstance(following, LogicalLine)
    assert (following.text, read) == ("A B", ["* x\n", "A +\n", " B\n"])


@rows(
    (["A;B\n", "\n", "C"], ["A", "B", "", "C"]),
    (["A\nB\r\n", ""], ["A", "B", ""]),
    (["A\r\r\n"], ["A"]),
)
def test_an_item_may_be_a_line_or_several(source: list[str], texts: list[str]) -> None:
    assert [
        "".join(line.text.strip(";") for line in each.source) for each in logical_lines(source)
    ] == texts
