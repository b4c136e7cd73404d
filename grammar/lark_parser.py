"""The parser that Lark makes of `mqsc.lark`, and the tree that it makes of a logical line.

Importing this module imports Lark.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken

from mqsc.grammar.lines import LogicalLine
from mqsc.grammar.tree import Parameter, Value

UPPER = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}
# Where Lark keeps its tables: making them would take an eighth of a start. A user who can write there
# can also replace the compiled modules in the same folder.
TABLES = Path(__file__).parent / "__pycache__" / "mqsc.lark.tables"


class NotOfShapeError(Exception):
    """A text is neither a command nor an entry from this offset on."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


@cache
def parser() -> Lark:
    """The parser of both shapes, "command" and "entry"."""
    return parser_with_tables_in(TABLES)


def parser_with_tables_in(file: Path) -> Lark:
    """The same parser, whose tables are read from a file. If that is not possible, Lark makes them
    anew, and writes the file if it can.
    """
    settings: Any = {
        "parser": "lalr",
        "start": ["command", "entry"],
        "transformer": _Parts(),
        "maybe_placeholders": False,
        "cache": str(file),
    }
    return Lark.open("mqsc.lark", rel_to=__file__, **settings)


@cache
def pattern_of_values() -> re.Pattern[str]:
    """A pattern of one value as it is written."""
    terminals = (parser().get_terminal(name) for name in ("WORD", "QUOTED"))
    return re.compile("|".join(terminal.pattern.to_regexp() for terminal in terminals))


def parameters_of(shape: str, line: LogicalLine) -> tuple[Parameter, ...]:
    """The parameters of the command or entry in `line`; raises NotOfShapeError."""
    try:
        parts: Any = parser().parse(line.text, start=shape)
    except UnexpectedInput as error:
        raise NotOfShapeError(_offset(shape, line.text, error)) from None
    for part in parts:
        touching = _touching(part.values or ())
        if touching is not None:
            raise NotOfShapeError(touching.start)
    return tuple([_parameter(part, line) for part in parts])


def words_of_command(line: LogicalLine) -> list[Token]:
    """The words of a command, up to the first one at which it is not valid."""
    interactive = parser().parse_interactive(line.text, start="command")
    terminals: list[Token] = []
    with suppress(UnexpectedInput):
        terminals.extend(interactive.iter_parse())
    return single_words(terminals)


def single_words(terminals: Iterable[Token]) -> list[Token]:
    """These terminals, with the four words of each SIMPLE one in its place."""
    words: list[Token] = []
    for terminal in terminals:
        words += _words_of_simple(terminal) if terminal.type == "SIMPLE" else [terminal]
    return words


class _Word(NamedTuple):
    """A word of a line, and where it begins and ends there."""

    text: str
    start: int
    end: int

    @property
    def is_quoted(self) -> bool:
        return self.text.startswith("'")


class _Part(NamedTuple):
    """A keyword, and the words between its parentheses: None if there are none."""

    keyword: _Word
    values: Sequence[_Word] | None


class _Parts(Transformer[Token, list[_Part]]):
    """What each rule of the grammar means. Lark calls these while it parses."""

    def command(self, children: list[_Part | Token]) -> list[_Part]:
        return [_part_of_simple(child) if isinstance(child, Token) else child for child in children]

    def parameter(self, children: list[Any]) -> _Part:
        keyword, *values = children
        return _Part(_word(keyword), values[0] if values else None)

    def values(self, words: list[Token]) -> list[_Word]:
        return [_word(word) for word in words]

    entry = command
    pattern = action = parameter


def _word(token: Token) -> _Word:
    return _Word(token.value, token.start_pos or 0, token.end_pos or 0)


@cache
def _pattern_of_simple() -> re.Pattern[str]:
    """The pattern of a SIMPLE parameter, with a group for each of its four words."""
    names = ("KEYWORD", "SEPARATORS", "WORD", "QUOTED")
    keyword, separators, word, quoted = (
        parser().get_terminal(name).pattern.to_regexp() for name in names
    )
    between = f"(?:{separators})?"
    return re.compile(rf"({keyword}){between}(\(){between}({word}|{quoted}){between}(\))")


def _parts_of_simple(parameter: Token) -> re.Match[str]:
    match = _pattern_of_simple().fullmatch(parameter)
    if match is None:
        raise ValueError(parameter)
    return match


def _part_of_simple(parameter: Token) -> _Part:
    parts, start = _parts_of_simple(parameter), parameter.start_pos or 0
    keyword, value = parts[1], parts[3]
    begins = start + parts.start(3)
    return _Part(
        _Word(keyword, start, start + len(keyword)),
        (_Word(value, begins, begins + len(value)),),
    )


def _words_of_simple(parameter: Token) -> list[Token]:
    parts, start = _parts_of_simple(parameter), parameter.start_pos or 0
    value = "QUOTED" if parts[3].startswith("'") else "WORD"
    return [
        Token(
            terminal,
            parts[group],
            start_pos=start + parts.start(group),
            end_pos=start + parts.end(group),
        )
        for group, terminal in enumerate(("KEYWORD", "LPAR", value, "RPAR"), 1)
    ]


def _offset(shape: str, text: str, error: UnexpectedInput) -> int:
    """Where a text stops being a command or an entry."""
    before = error.interactive_parser.parser_state.value_stack[-1:]
    # In an entry, a keyword without a value is what is wrong, not what follows it.
    if shape == "entry" and before and getattr(before[0], "type", "") in ("KEYWORD", "ACTION"):
        return int(before[0].start_pos)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return len(text)
    return error.pos_in_stream or 0


def _touching(words: Sequence[_Word]) -> _Word | None:
    """The first word that begins where the one before it ends: one of the two is quoted, and
    nothing separates them.
    """
    for before, after in pairwise(words):
        if before.end == after.start:
            return after
    return None


def _parameter(part: _Part, line: LogicalLine) -> Parameter:
    keyword, words = part
    values = None if words is None else tuple([_value(word, line) for word in words])
    return Parameter(_upper(keyword.text), keyword.text, values, *line.position(keyword.start))


def _value(word: _Word, line: LogicalLine) -> Value:
    place = line.position(word.start)
    if word.is_quoted:
        return Value(word.text[1:-1].replace("''", "'"), word.text, True, *place)
    return Value(_upper(word.text), word.text, False, *place)


def _upper(text: str) -> str:
    """`text` with its ASCII letters in upper case; MQSC leaves other letters unchanged."""
    return text.upper() if text.isascii() else text.translate(UPPER)
