"""Properties of all texts: they are read to their end, raise only faults, and their trees survive printing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.lines import LogicalLine, logical_lines
from grammar.parse import parse_entry, parse_rules
from grammar.printing import print_tree
from grammar.tree import Command, Entry, Parameter, SyntaxFault, Value
from tests.grammar.reading import command_or_fault

# Texts built from pieces that matter to the grammar, and arbitrary texts.
pieces = st.lists(
    st.sampled_from(
        [*"()',;*+-= \t\n\r\0", "\r\n", "\ufeff", "\u00a0", "A", "define ", "Q(x) ", "'it''s'", " +\n", "-\n"]
    ),
    max_size=30,
).map("".join)
texts = pieces | st.text()
sources = texts | st.binary() | texts.map(lambda text: text.encode("utf-16", "surrogatepass"))

unquoted = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters=",()';"), min_size=1)
folded = unquoted.map(lambda text: "".join(letter.upper() if letter.isascii() else letter for letter in text))
keywords = folded.map(lambda text: text.replace("=", "")).filter(len)
quotable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\r"))
values = folded.map(lambda text: Value(text, "", False, 1, 1)) | quotable.map(lambda text: Value(text, "", True, 1, 1))

# No deadline: the first example also builds the Lark parser.
unhurried = settings(deadline=None)


def parameters(counts: st.SearchStrategy[tuple[Value, ...] | None]) -> st.SearchStrategy[tuple[Parameter, ...]]:
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
    lines = [line for line in logical_lines(source, semicolon=False) if isinstance(line, LogicalLine)]
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
    words: list[Parameter | Value] = [value for each in result.parameters for value in each.values or ()]
    for each in [*result.parameters, *words]:
        column, text = written[each.line]
        assert text[each.column - column] == each.raw[0]


@unhurried
@given(parameters(st.none() | st.lists(values, max_size=4).map(tuple)), st.integers(1, 100))
def test_a_printed_command_reads_back_the_same(parameters: tuple[Parameter, ...], width: int) -> None:
    tree = Command(parameters, 1)
    for printed in (print_tree(tree), print_tree(tree, width)):
        (line,) = logical_lines(printed)
        assert isinstance(line, LogicalLine)
        assert command_or_fault(line) == tree


@unhurried
@given(parameters(values.map(lambda value: (value,))), st.integers(1, 100))
def test_a_printed_entry_reads_back_the_same(parameters: tuple[Parameter, ...], width: int) -> None:
    tree = Entry(parameters, 1)
    for printed in (print_tree(tree), print_tree(tree, width)):
        (line,) = logical_lines(printed, semicolon=False)
        assert isinstance(line, LogicalLine)
        assert parse_entry(line) == tree
