"""All texts, random and found on the web, are read to their end, raise only faults, and survive
printing as trees.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from mqsc.grammar.lines import LINE_LENGTH, LogicalLine, logical_lines
from mqsc.grammar.parse import parse_entry, parse_rules
from mqsc.grammar.printing import print_tree
from mqsc.grammar.tree import Command, Entry, Parameter, SyntaxFault, Value
from tests.grammar.reading import command, command_or_fault, commands
from tests.rows import rows

# Texts built from pieces that matter to the grammar, and arbitrary texts.
pieces = st.lists(
    st.sampled_from(
        [
            *"()',;*+-= \t\n\r\0",
            "\r\n",
            "\ufeff",
            "\u00a0",
            "A",
            "define ",
            "Q(x) ",
            "'it''s'",
            " +\n",
            "-\n",
        ],
    ),
    max_size=30,
).map("".join)
texts = pieces | st.text()
sources = texts | st.binary() | texts.map(lambda text: text.encode("utf-16", "surrogatepass"))

unquoted = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters=",()';"),
    min_size=1,
)
folded = unquoted.map(
    lambda text: "".join(letter.upper() if letter.isascii() else letter for letter in text),
)
keywords = folded.map(lambda text: text.replace("=", "")).filter(len)
quotable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\r"))
values = folded.map(lambda text: Value(text, "", False, 1, 1)) | quotable.map(
    lambda text: Value(text, "", True, 1, 1),
)

# No deadline: the first example also builds the Lark parser.
unhurried = settings(deadline=None)


def parameters(
    counts: st.SearchStrategy[tuple[Value, ...] | None],
) -> st.SearchStrategy[tuple[Parameter, ...]]:
    each = st.builds(lambda keyword, values: Parameter(keyword, "", values, 1, 1), keywords, counts)
    return st.lists(each, min_size=1, max_size=8).map(tuple)


@unhurried
@given(sources)
def test_every_line_is_read_once_and_in_order(source: str | bytes) -> None:
    parts = [line for each in logical_lines(source) for line in each.source]
    text = source.decode("utf-8", "surrogateescape") if isinstance(source, bytes) else source
    ends = text.removesuffix("\n").split("\n") if text else []
    parted = [line for end in ends for line in end.rstrip("\r").split("\r")]
    lines = [line.removeprefix("\ufeff").removesuffix("\x1a") for line in parted]
    for number, line in enumerate(lines, 1):
        found = [part for part in parts if part.number == number]
        assert [len(line[: part.column - 1]) for part in found] == [
            sum(len(before.text) for before in found[:index]) for index in range(len(found))
        ]
        assert len("".join(part.text for part in found)) == len(line)
    assert [part.number for part in parts] == sorted(part.number for part in parts)
    assert {part.number for part in parts} == set(range(1, len(lines) + 1))


@unhurried
@given(sources)
def test_nothing_but_a_fault_within_the_text_comes_of_any_command(source: str | bytes) -> None:
    for line in logical_lines(source):
        if isinstance(line, LogicalLine):
            check(line, command_or_fault(line))


@unhurried
@given(sources)
def test_nothing_but_a_fault_within_the_text_comes_of_any_table(source: str | bytes) -> None:
    lines = [
        line for line in logical_lines(source, semicolon=False) if isinstance(line, LogicalLine)
    ]
    results = list(parse_rules(source))
    assert len(results) == len(lines)
    for line, result in zip(lines, results, strict=True):
        check(line, result)


def check(line: LogicalLine, result: Command | Entry | SyntaxFault) -> None:
    """Check that everything found is in the source at the reported position."""
    if isinstance(result, SyntaxFault):
        assert result.reason
        assert result.expected
        width = {part.number: part.column + len(part.text) for part in line.source}[result.line]
        assert 1 <= result.column <= width
        return
    written = {part.number: (part.column, part.text) for part in line.source}
    words: list[Parameter | Value] = [
        value for each in result.parameters for value in each.values or ()
    ]
    for each in [*result.parameters, *words]:
        column, text = written[each.line]
        assert text[each.column - column] == each.raw[0]


@unhurried
@given(parameters(st.none() | st.lists(values, max_size=4).map(tuple)), st.integers(1, 100))
def test_a_printed_command_reads_back_the_same(
    parameters: tuple[Parameter, ...],
    width: int,
) -> None:
    tree = Command(parameters, 1)
    for printed in (print_tree(tree), print_tree(tree, width)):
        assert [command_or_fault(line) for line in commands(printed)] == [tree]


@unhurried
@given(parameters(values.map(lambda value: (value,))), st.integers(1, 100))
def test_a_printed_entry_reads_back_the_same(parameters: tuple[Parameter, ...], width: int) -> None:
    tree = Entry(parameters, 1)
    for printed in (print_tree(tree), print_tree(tree, width)):
        assert [parse_entry(line) for line in commands(printed, semicolon=False)] == [tree]


def files(corpus: Path, folder: str) -> list[Path]:
    found = sorted((corpus / folder).iterdir())
    assert found, f"{corpus / folder} is empty"
    return found


def lines_of(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    return re.split(r"\r\n|\n|\r", re.sub(r"(\r\n|\n|\r)\Z", "", text))


@pytest.mark.parametrize(("folder", "semicolon"), [("mqsc", True), ("dlq", False)])
def test_every_line_is_in_one_result(corpus: Path, folder: str, semicolon: bool) -> None:
    for path in files(corpus, folder):
        with path.open("rb") as lines:
            found = dict.fromkeys(range(1, len(lines_of(path)) + 1), "")
            for each in logical_lines(lines, semicolon=semicolon):
                for line in each.source:
                    assert line.column == len(found[line.number]) + 1, path
                    found[line.number] += line.text
        assert list(found.values()) == lines_of(path), path


def test_every_command_is_read_or_refused_at_its_place(corpus: Path) -> None:
    """Most of what people write is well formed."""
    results = []
    for path in files(corpus, "mqsc"):
        for line in commands(path.read_bytes()):
            results.append(result := command_or_fault(line))
            if isinstance(result, SyntaxFault):
                assert result.line in {part.number for part in line.source}, path
            else:
                assert [command_or_fault(each) for each in commands(print_tree(result))] == [
                    result,
                ], path
    assert sum(isinstance(result, SyntaxFault) for result in results) <= len(results) / 50


def test_every_entry_is_read_or_refused_at_its_place(corpus: Path) -> None:
    for path in files(corpus, "dlq"):
        for result in parse_rules(path.read_bytes()):
            if not isinstance(result, SyntaxFault):
                assert list(parse_rules(print_tree(result))) == [result], path


# A command as written and as printed.
@rows(
    ("define  qlocal ( orders )replace", "DEFINE QLOCAL(ORDERS) REPLACE"),
    ("define qlocal('orders')", "DEFINE QLOCAL('orders')"),
    ("DESCR('it''s') B('')", "DESCR('it''s') B('')"),
    ("NAMES( ) OTHER(A B,'C')", "NAMES() OTHER(A,B,'C')"),
    ("WHERE(CURDEPTH GT 10)", "WHERE(CURDEPTH,GT,10)"),
    *(("A B+;", "A B+;"), ("A B-;", "A B-;"), ("A *B", "A *B"), (", *A", ",*A")),
)
def test_a_command_is_printed_in_one_way(written: str, printed: str) -> None:
    assert (print_tree(command(written)), command(printed)) == (printed, command(written))


def test_lines_are_as_wide_as_is_asked_for() -> None:
    tree = command(
        "DEFINE QLOCAL(A) MAXDEPTH(5) DESCR('a long text, longer than a line') *FLAG REPLACE",
    )
    printed = print_tree(tree, 24)
    assert printed.splitlines() == [
        "DEFINE QLOCAL(A) +",
        "   MAXDEPTH(5) +",
        "   DESCR('a long text, longer than a line') *FLAG +",
        "   REPLACE",
    ]
    assert command(printed) == tree


def parameter(text: str, quoted: bool) -> Parameter:
    return Parameter("A", "A", (Value(text, "", quoted, 1, 1),), 1, 1)


@rows(
    *(
        "x" * 5000,
        "x " * 2500,
        " " * 5000,
        f"{'x' * 2046}*y",
        f"{'x' * 2030}{'*' * 50}{'y' * 3000}",
    ),
    *("\ufeff" * 3000 + "x", "it's " * 1000, "+-" * 2000),
)
def test_a_text_longer_than_a_line_is_continued(text: str) -> None:
    tree = Command((parameter(text, True), Parameter("B", "B", None, 1, 1)), 1)
    printed = print_tree(tree)
    assert command(printed) == tree
    assert max(map(len, printed.splitlines())) <= LINE_LENGTH


def test_asterisks_that_cannot_be_cut_make_a_longer_line() -> None:
    """A printed entry is one entry."""
    tree = Entry((parameter("*" * 3000, False),), 1)
    assert list(parse_rules(print_tree(tree))) == [tree]
    table = "REASON(2053) DESTQ('a;b') ACTION(RETRY)"
    (entry,) = parse_rules(table)
    assert isinstance(entry, Entry)
    assert (print_tree(entry), len(commands(print_tree(entry, 10), semicolon=False))) == (table, 1)


@rows("a", "a b", "", "it's", "a,b", "(", ";", "\u00a0")
def test_a_text_that_needs_quotes_gets_them(text: str) -> None:
    (back,) = parse_rules(print_tree(Entry((parameter(text, False),), 1)))
    assert isinstance(back, Entry)
    assert [(value.text, value.quoted) for value in back.parameters[0].values or ()] == [
        (text, True),
    ]


@rows("a\nb", "a\rb", "a\0b", "a\ud800b")
def test_what_cannot_be_said_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="MQSC cannot express this value of 'A'"):
        print_tree(Entry((parameter(text, True),), 1))
