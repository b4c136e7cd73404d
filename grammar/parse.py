"""From a logical line to a tree, or to one SyntaxFault. Lark is loaded, and a parser built, when first needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from grammar.diagnosis import diagnose
from grammar.fault import SyntaxFault
from grammar.lines import BLANKS, Lines, LogicalLine, logical_lines
from grammar.tree import Command, Entry, Parameter, Value

if TYPE_CHECKING:
    from lark import Lark, Token, UnexpectedInput

# What a parser returns for a parameter: a keyword alone, or an opening, the values and a closing.
Found: TypeAlias = "Token | list[Token]"

GRAMMARS = {"command": "mqsc.lark", "entry": "rules.lark"}
AFTER_KEYWORD = BLANKS + ",("
UPPER = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}


def parse_command(line: LogicalLine) -> Command:
    """The command that `line` says; SyntaxFault when it says none."""
    return Command(_parse("command", line), line.source[0].number)


def parse_entry(line: LogicalLine) -> Entry:
    """The entry of a rules table that `line` says; SyntaxFault when it says none."""
    return Entry(_parse("entry", line), line.source[0].number)


def parse_rules(lines: Lines) -> Iterator[Entry | SyntaxFault]:
    """Every entry of a rules table, or the first fault in it, in order and to the end of the table (dlq-rules §3.2)."""
    for line in logical_lines(lines, semicolon=False):
        if isinstance(line, LogicalLine):
            try:
                yield parse_entry(line)
            except SyntaxFault as fault:
                yield fault


def _parse(shape: str, line: LogicalLine) -> tuple[Parameter, ...]:
    if line.fault is not None:
        raise line.fault
    parser, unexpected = _parser(shape)
    try:
        found = cast("list[Found]", parser.parse(line.text))
    except unexpected as error:
        ended = getattr(error, "token", None) == ""
        raise diagnose(shape, line, len(line.text) if ended else error.pos_in_stream or 0) from None
    return tuple([_parameter(shape, each, line) for each in found])


@cache
def _parser(shape: str) -> tuple[Lark, type[UnexpectedInput]]:
    """The parser of a shape, which returns a list of Found, and what it raises."""
    from lark import Lark, UnexpectedInput

    parser = Lark.open_from_package("grammar", GRAMMARS[shape], parser="lalr", start=shape, transformer=_Children())
    return parser, UnexpectedInput


class _Children:
    """Stands in for trees: what a rule consists of is all that is needed of it."""

    def valued(self, children: list[Any]) -> list[Any]:
        return children

    command = entry = valued


def _parameter(shape: str, found: Found, line: LogicalLine) -> Parameter:
    if isinstance(found, str):
        opening, values = found, None
    else:
        opening = found[0]
        # Nearly every keyword has one value, and this is where reading spends its time.
        values = (_value(found[1], line),) if len(found) == 3 else _values(shape, found[1:-1], line)
    raw = opening.rstrip(AFTER_KEYWORD)
    return Parameter(_fold(raw), raw, values, *line.position(cast(int, opening.start_pos)))


def _values(shape: str, tokens: list[Token], line: LogicalLine) -> tuple[Value, ...]:
    for left, right in pairwise(tokens):
        if left.end_pos == right.start_pos:
            raise diagnose(shape, line, cast(int, right.start_pos))
    return tuple([_value(token, line) for token in tokens])


def _value(token: Token, line: LogicalLine) -> Value:
    raw = token.value
    if raw[0] == "'":
        inside = raw[1:-1]
        text = inside.replace("''", "'") if "'" in inside else inside
        return Value(text, raw, True, *line.position(cast(int, token.start_pos)))
    return Value(_fold(raw), raw, False, *line.position(cast(int, token.start_pos)))


def _fold(text: str) -> str:
    """`text` in upper case; letters outside ASCII stay as they are, for no word of MQSC has any."""
    return text.upper() if text.isascii() else text.translate(UPPER)
