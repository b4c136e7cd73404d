"""Divides a logical line into the terminals of words.lark: some are found outside parentheses, others inside.

Lark's own lexer also counts lines, although a logical line is only one, and took half of the time of a parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import UnexpectedCharacters
from lark.common import LexerConf
from lark.lexer import Lexer

# In this order: an opening begins like a keyword.
_OUTSIDE = ("OPENING", "KEYWORD", "SEPARATORS")
_INSIDE = ("VALUE", "CLOSING", "SEPARATORS")


class Word(str):
    """A token: its terminal, its text as a plain string, and where it begins and ends in the line."""

    __slots__ = ("end_pos", "start_pos", "type", "value")
    type: str
    value: str
    start_pos: int
    end_pos: int
    # Lark copies these to the token that stands for the end of the line.
    line = column = end_line = end_column = None


class WordLexer(Lexer):
    """The lexer of both grammars, with the terminals that a grammar uses."""

    def __init__(self, conf: LexerConf) -> None:
        self._outside, self._inside = _pattern(conf, _OUTSIDE), _pattern(conf, _INSIDE)

    def lex(self, text: str) -> Iterator[Word]:  # type: ignore[override]
        """The tokens of a line; UnexpectedCharacters where there is none."""
        words, start, length = self._outside, 0, len(text)
        while start < length:
            found = words.match(text, start)
            if found is None:
                raise UnexpectedCharacters(text, start, 1, start + 1)  # type: ignore[no-untyped-call]
            matched = found[0]
            word = Word(matched)
            word.type, word.value, word.start_pos, word.end_pos = str(found.lastgroup), matched, start, found.end()
            start = word.end_pos
            if word.type == "SEPARATORS":
                continue
            if word.type == "OPENING":
                words = self._inside
            elif word.type == "CLOSING":
                words = self._outside
            yield word


def _pattern(conf: LexerConf, names: tuple[str, ...]) -> re.Pattern[str]:
    known = {each.name: each.pattern.to_regexp() for each in conf.terminals}
    return re.compile("|".join(f"(?P<{name}>{known[name]})" for name in names if name in known))
