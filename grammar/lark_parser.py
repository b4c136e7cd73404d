"""The parser that Lark makes of `mqsc.lark`, and the tree that it makes of a logical line.

Importing this module imports Lark.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken

from mqsc.grammar.lines import LogicalLine
from mqsc.grammar.tree import Parameter, SyntaxFault, Value

UPPER = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}


@cache
def parser() -> Lark:
    """The parser of both shapes, "command" and "entry"."""
    settings: Any = {
        "parser": "lalr",
        "start": ["command", "entry"],
        "transformer": _Parts(),
        "maybe_placeholders": False,
    }
    return Lark.open("mqsc.lark", rel_to=__file__, **settings)


@cache
def pattern_of_values() -> re.Pattern[str]:
    """A pattern of one value as it is written."""
    terminals = (parser().get_terminal(name) for name in ("WORD", "QUOTED"))
    return re.compile("|".join(each.pattern.to_regexp() for each in terminals))


def parameters_of(shape: str, line: LogicalLine) -> tuple[Parameter, ...]:
    """The parameters of the command or entry in `line`; raises SyntaxFault if there is none."""
    try:
        parts: Any = parser().parse(line.text, start=shape)
    except UnexpectedInput as error:
        raise _fault(shape, line, _offset(shape, line.text, error)) from None
    for _, words in parts:
        touching = _touching(words or ())
        if touching is not None:
            raise _fault(shape, line, touching.start_pos or 0)
    return tuple([_parameter(keyword, words, line) for keyword, words in parts])


def words_of_command(line: LogicalLine) -> list[Token]:
    """The words of a command, up to the first one at which it is not valid."""
    interactive = parser().parse_interactive(line.text, start="command")
    words: list[Token] = []
    with suppress(UnexpectedInput):
        words.extend(interactive.iter_parse())
    return words


# The keyword of a parameter, and what is between its parentheses: None if there are none.
_Part: TypeAlias = tuple[Token, list[Token] | None]


class _Parts(Transformer[Token, list[_Part]]):
    """What each rule of the grammar means. Lark calls these while it parses."""

    def command(self, parts: list[_Part]) -> list[_Part]:
        return parts

    def verb(self, children: list[Any]) -> _Part:
        return (children[0], children[1] if len(children) > 1 else None)

    def values(self, words: list[Token]) -> list[Token]:
        return words

    entry = command
    object = attribute = pattern = action = verb


def _offset(shape: str, text: str, error: UnexpectedInput) -> int:
    """Where a text stops being a command or an entry."""
    before = error.interactive_parser.parser_state.value_stack[-1:]
    # In an entry, a keyword without a value is what is wrong, not what follows it.
    if shape == "entry" and before and getattr(before[0], "type", "") in ("KEYWORD", "ACTION"):
        return before[0].start_pos
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return len(text)
    return error.pos_in_stream


def _touching(words: Sequence[Token]) -> Token | None:
    """The first word that begins where the one before it ends: one of the two is quoted, and
    nothing separates them.
    """
    for before, after in pairwise(words):
        if before.end_pos == after.start_pos:
            return after
    return None


def _fault(shape: str, line: LogicalLine, offset: int) -> SyntaxFault:
    from mqsc.grammar.diagnosis import diagnose

    return diagnose(shape, line, offset)


def _parameter(keyword: Token, words: list[Token] | None, line: LogicalLine) -> Parameter:
    values = None if words is None else tuple([_value(word, line) for word in words])
    raw = keyword.value
    return Parameter(_upper(raw), raw, values, *line.position(keyword.start_pos or 0))


def _value(word: Token, line: LogicalLine) -> Value:
    raw, place = word.value, line.position(word.start_pos or 0)
    if word.type == "QUOTED":
        return Value(raw[1:-1].replace("''", "'"), raw, True, *place)
    return Value(_upper(raw), raw, False, *place)


def _upper(text: str) -> str:
    """`text` with its ASCII letters in upper case; MQSC leaves other letters unchanged."""
    return text.upper() if text.isascii() else text.translate(UPPER)
