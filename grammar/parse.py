"""Turns a logical line into a tree, or raises a SyntaxFault. Imports Lark at the first use.

The terminals of a line decide where its parameters begin and end. Lark parses them once for all
lines that have the same terminals.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.grammar.lines import Lines, LogicalLine, logical_lines
from mqsc.grammar.tree import Command, Entry, Parameter, SyntaxFault, Value

if TYPE_CHECKING:
    from mqsc.grammar.lark_parser import Word, WordLexer

UPPER = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}
# Of a word.
_terminal, _start, _end = itemgetter(0), itemgetter(2), itemgetter(3)


def parse_command(line: LogicalLine) -> Command:
    """The command in `line`; raises SyntaxFault if there is none."""
    return Command(_parse("command", line), line.source[0].number)


def parse_entry(line: LogicalLine) -> Entry:
    """The rules table entry in `line`; raises SyntaxFault if there is none."""
    return Entry(_parse("entry", line), line.source[0].number)


def parse_rules(lines: Lines) -> Iterator[Entry | SyntaxFault]:
    """The entries of a rules table in order, with a SyntaxFault in place of each invalid one
    (dlq-rules §3.2).
    """
    for line in logical_lines(lines, semicolon=False):
        if isinstance(line, LogicalLine):
            try:
                yield parse_entry(line)
            except SyntaxFault as fault:
                yield fault


def words_of_command(line: LogicalLine) -> list[Word]:
    """The words of a command, valid or not; the last one is INVALID where no word can begin."""
    return _lexer("command").words(line.text)


def _parse(shape: str, line: LogicalLine) -> tuple[Parameter, ...]:
    if line.fault is not None:
        raise line.fault
    words = _lexer(shape).words(line.text)
    terminals = tuple(map(_terminal, words))
    division_of = _known_division if len(terminals) <= _LONGEST_KNOWN else _division
    try:
        division = division_of(shape, terminals)
    except _NotAcceptedError as error:
        offset = _start(words[error.index]) if error.index < len(words) else len(line.text)
        raise _fault(shape, line, offset) from None
    for index in division.neighbours:
        if _end(words[index - 1]) == _start(words[index]):
            raise _fault(shape, line, _start(words[index]))
    return _parameters(words, division, line)


def _fault(shape: str, line: LogicalLine, offset: int) -> SyntaxFault:
    from mqsc.grammar.diagnosis import diagnose

    return diagnose(shape, line, offset)


class _Division(NamedTuple):
    """How the terminals of a line are parameters.

    `starts`: the index of each keyword, and the number of terminals. `shown`: that of each keyword
    and value. `neighbours`: of each value beside quoted text, where nothing but the source tells
    whether they are separate.
    """

    starts: tuple[int, ...]
    shown: tuple[int, ...]
    neighbours: tuple[int, ...]


class _NotAcceptedError(Exception):
    """The grammar does not accept the terminal at `index`, or the end if it is the number of
    terminals.
    """

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def _division(shape: str, terminals: tuple[str, ...]) -> _Division:
    """The parameters of a line that consists of these terminals, as Lark parses it."""
    from lark import Token, UnexpectedInput

    from mqsc.grammar.lark_parser import KEYWORDS, parser_of

    parser = parser_of(shape).parse_interactive()
    tree: Any = None
    for index, terminal in enumerate((*terminals, "$END")):
        try:
            tree = parser.feed_token(Token(terminal, str(index)))
        except UnexpectedInput:
            # In an entry, a keyword without a value is what is wrong, not what follows it.
            alone = shape == "entry" and index and terminals[index - 1] in KEYWORDS
            raise _NotAcceptedError(index - 1 if alone else index) from None
    starts = [int(parameter.children[0]) for parameter in tree.children]
    pairs = enumerate(pairwise(terminals), 1)
    neighbours = [index for index, pair in pairs if "QUOTED" in pair and _VALUES.issuperset(pair)]
    shown = [index for index, each in enumerate(terminals) if each not in _PARENTHESES]
    return _Division((*starts, len(terminals)), tuple(shown), tuple(neighbours))


_VALUES = frozenset(("WORD", "QUOTED"))
_PARENTHESES = frozenset(("LPAR", "RPAR"))
# Most commands of a script have the terminals of an earlier one.
_known_division = lru_cache(maxsize=512)(_division)
_LONGEST_KNOWN = 256


@cache
def _lexer(shape: str) -> WordLexer:
    from mqsc.grammar.lark_parser import lexer_of

    return lexer_of(shape)


# Parsing spends most of its time from here on, so these functions call as little as they can.
def _parameters(words: list[Word], division: _Division, line: LogicalLine) -> tuple[Parameter, ...]:
    places = iter(line.positions([words[index][2] for index in division.shown]))
    parameters = []
    for first, beyond in pairwise(division.starts):
        raw, place, values = words[first][1], next(places), None
        if beyond - first > 1:
            values = tuple([_value(word, next(places)) for word in words[first + 2 : beyond - 1]])
        keyword = raw.upper() if raw.isascii() else _upper(raw)
        parameters.append(Parameter(keyword, raw, values, *place))
    return tuple(parameters)


def _value(word: Word, place: tuple[int, int]) -> Value:
    raw = word[1]
    if raw[0] == "'":
        return Value(raw[1:-1].replace("''", "'"), raw, True, *place)
    return Value(raw.upper() if raw.isascii() else _upper(raw), raw, False, *place)


def _upper(text: str) -> str:
    """`text` with its ASCII letters in upper case; MQSC leaves other letters unchanged."""
    return text.translate(UPPER)
