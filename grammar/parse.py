"""Turns a logical line into a tree, or raises a SyntaxFault. Imports Lark at the first use.

The terminals of a line decide where its parameters begin and end. Lark parses them once for all lines that have the
same terminals.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from grammar.diagnosis import diagnose
from grammar.fault import SyntaxFault
from grammar.lines import BLANKS, Lines, LogicalLine, logical_lines
from grammar.tree import Command, Entry, Parameter, Value

if TYPE_CHECKING:
    from lark import Lark, UnexpectedInput

    from grammar.lexer import Word, WordLexer

AFTER_KEYWORD = BLANKS + ",("
UPPER = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}
# Of a word.
_terminal, _start = itemgetter(0), itemgetter(2)


def parse_command(line: LogicalLine) -> Command:
    """The command in `line`; raises SyntaxFault if there is none."""
    return Command(_parse("command", line), line.source[0].number)


def parse_entry(line: LogicalLine) -> Entry:
    """The rules table entry in `line`; raises SyntaxFault if there is none."""
    return Entry(_parse("entry", line), line.source[0].number)


def parse_rules(lines: Lines) -> Iterator[Entry | SyntaxFault]:
    """The entries of a rules table in order, with a SyntaxFault in place of each invalid one (dlq-rules §3.2)."""
    for line in logical_lines(lines, semicolon=False):
        if isinstance(line, LogicalLine):
            try:
                yield parse_entry(line)
            except SyntaxFault as fault:
                yield fault


def _parse(shape: str, line: LogicalLine) -> tuple[Parameter, ...]:
    if line.fault is not None:
        raise line.fault
    words = _lexer(shape).words(line.text)
    terminals = tuple(map(_terminal, words))
    sizes_of = _known_sizes if len(terminals) <= _LONGEST_KNOWN else _sizes
    try:
        sizes = sizes_of(shape, terminals)
    except _NotAcceptedError as error:
        offset = _start(words[error.index]) if error.index < len(words) else len(line.text)
        raise diagnose(shape, line, offset) from None
    return _parameters(shape, words, sizes, line)


class _NotAcceptedError(Exception):
    """The grammar does not accept the terminal at `index`, or the end if it is the number of terminals."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def _sizes(shape: str, terminals: tuple[str, ...]) -> tuple[int, ...]:
    """The number of words of each parameter, as Lark parses a line that consists of these terminals."""
    from lark import Token, UnexpectedInput

    line = (*terminals, "$END")
    tokens = {terminal: Token(terminal, "") for terminal in {*line}}
    parser = _parser(shape).parse_interactive()
    parameters: list[Any] = []
    for index, terminal in enumerate(line):
        try:
            parameters = parser.feed_token(tokens[terminal])
        except UnexpectedInput:
            raise _NotAcceptedError(index) from None
    return tuple([1 if isinstance(each, str) else len(each) for each in parameters])


# Most commands of a script have the terminals of an earlier one.
_known_sizes = lru_cache(maxsize=512)(_sizes)
_LONGEST_KNOWN = 256


def words_of_command(line: LogicalLine) -> list[Word]:
    """The words of a command, valid or not; the last one is INVALID where no word can begin."""
    return _lexer("command").words(line.text)


def command_parser() -> tuple[Lark, type[UnexpectedInput]]:
    """The parser of commands, and the exception that it raises."""
    from lark import UnexpectedInput

    return _parser("command"), UnexpectedInput


@cache
def _parser(shape: str) -> Lark:
    """The parser of a shape, which returns a list of parameters: a word for a keyword alone, a list of words else."""
    from grammar.parse_tables import parser_of

    return parser_of(shape, _Children())


@cache
def _lexer(shape: str) -> WordLexer:
    from grammar.lexer import WordLexer

    return WordLexer(_parser(shape).lexer_conf)


class _Children:
    """Replaces Lark's trees: the children of a rule are enough."""

    def valued(self, children: list[Any]) -> list[Any]:
        return children

    command = entry = valued


# Parsing spends most of its time from here on, so these functions call as little as they can.
def _parameters(shape: str, words: list[Word], sizes: tuple[int, ...], line: LogicalLine) -> tuple[Parameter, ...]:
    places = line.positions(map(_start, words))
    parameters = []
    first = 0
    for size in sizes:
        beyond = first + size
        values = None
        if size > 1:
            inside = slice(first + 1, beyond - 1)
            values = _values(shape, words[inside], places[inside], line)
        raw = words[first][1].rstrip(AFTER_KEYWORD)
        keyword = raw.upper() if raw.isascii() else _upper(raw)
        parameters.append(Parameter(keyword, raw, values, *places[first]))
        first = beyond
    return tuple(parameters)


def _values(shape: str, words: list[Word], places: list[tuple[int, int]], line: LogicalLine) -> tuple[Value, ...]:
    values = []
    last_end = -1
    for (_, raw, start, end), place in zip(words, places, strict=True):
        if start == last_end:
            raise diagnose(shape, line, start)
        last_end = end
        quoted = raw[0] == "'"
        if quoted:
            text = raw[1:-1].replace("''", "'")
        else:
            text = raw.upper() if raw.isascii() else _upper(raw)
        values.append(Value(text, raw, quoted, *place))
    return tuple(values)


def _upper(text: str) -> str:
    """`text` with its ASCII letters in upper case; MQSC leaves other letters unchanged."""
    return text.translate(UPPER)
