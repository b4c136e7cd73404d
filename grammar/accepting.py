"""What may follow an unfinished command, as the parser itself sees it: for completion and highlighting."""

from __future__ import annotations

import re

from lark import Token, UnexpectedInput
from msgspec import Struct

from grammar.lark_parser import parser_of

_QUOTED = re.compile(r"'(?:[^']|'')*('?)")
_LAST_WORD = re.compile(r"[^\s,()';]*\Z")


class Begun(Struct, frozen=True):
    """A parameter before the cursor: its keyword and values in upper case unless quoted; None without parentheses."""

    keyword: str
    values: tuple[str, ...] | None = None


class Unfinished(Struct, frozen=True):
    """An unfinished command: its parameters, the incomplete word at its end, and what the parser accepts there.

    `opened` is the parameter whose parentheses are still open. `word` is the text as typed, without an opening quote;
    `quoted` tells whether there is one. `accepts` are names of terminals: KEYWORD, LPAR, WORD, QUOTED, RPAR, $END;
    empty if the text before the word is not valid.
    """

    parameters: tuple[Begun, ...]
    opened: Begun | None
    word: str
    quoted: bool
    accepts: frozenset[str]

    @property
    def takes_keyword(self) -> bool:
        return "KEYWORD" in self.accepts

    @property
    def takes_value(self) -> bool:
        return "WORD" in self.accepts


def unfinished(text: str) -> Unfinished:
    """The state of the parser at the end of `text`, the beginning of one logical line."""
    start, quoted = _word_at_end(text)
    interactive = parser_of("command").parse_interactive(text[:start])
    try:
        tokens = interactive.exhaust_lexer()
        accepts = frozenset[str](interactive.accepts())  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        return Unfinished((), None, text[start:], quoted, frozenset())
    parameters, opened = _parameters(tokens)
    return Unfinished(parameters, opened, text[start + quoted :], quoted, accepts)


def _word_at_end(text: str) -> tuple[int, bool]:
    """The offset of the incomplete word at the end, and whether it begins with a quote."""
    for found in _QUOTED.finditer(text):
        if not found[1]:
            return found.start(), True
    last = _LAST_WORD.search(text)
    return (last.start() if last else len(text)), False


def _parameters(tokens: list[Token]) -> tuple[tuple[Begun, ...], Begun | None]:
    found: list[Begun] = []
    opened: Begun | None = None
    for token in tokens:
        if token.type == "KEYWORD":
            found.append(Begun(token.value.upper()))
        elif token.type == "LPAR":
            opened = Begun(found.pop().keyword, ())
        elif token.type == "RPAR" and opened is not None:
            found.append(opened)
            opened = None
        elif opened is not None:
            text = token.value[1:-1].replace("''", "'") if token.type == "QUOTED" else token.value.upper()
            opened = Begun(opened.keyword, (*(opened.values or ()), text))
    return tuple(found), opened
