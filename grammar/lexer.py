"""Divides a logical line into the terminals of words.lark: some are found outside parentheses, others inside.

Lark's own lexer also counts lines, although a logical line is only one, and took half of the time of a parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from lark.common import LexerConf
from lark.lexer import Lexer, Token

# In this order: an opening begins like a keyword.
_OUTSIDE = ("OPENING", "KEYWORD", "SEPARATORS")
_INSIDE = ("VALUE", "CLOSING", "SEPARATORS")
# What no grammar accepts: the first character that is no terminal at its place.
_INVALID = "INVALID"


# A terminal, its text, and where it begins and ends in the line.
Word: TypeAlias = tuple[str, str, int, int]


class WordLexer(Lexer):
    """The lexer of both grammars, with the terminals that a grammar uses."""

    def __init__(self, conf: LexerConf) -> None:
        self._outside, self._inside = _pattern(conf, _OUTSIDE), _pattern(conf, _INSIDE)

    def words(self, text: str) -> list[Word]:
        """The words of a line. The last one is INVALID if there is no terminal at its place."""
        words: list[Word] = []
        match, start, length = self._outside.match, 0, len(text)
        while start < length:
            found = match(text, start)
            if found is None:
                return [*words, (_INVALID, text[start], start, start + 1)]
            terminal, end = found.lastgroup or "", found.end()
            if terminal != "SEPARATORS":
                words.append((terminal, found[0], start, end))
            if terminal == "OPENING":
                match = self._inside.match
            elif terminal == "CLOSING":
                match = self._outside.match
            start = end
        return words

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        """The same words, for Lark."""
        for terminal, word, start, end in self.words(text):
            yield Token(terminal, word, start_pos=start, end_pos=end)


def _pattern(conf: LexerConf, names: tuple[str, ...]) -> re.Pattern[str]:
    known = {each.name: each.pattern.to_regexp() for each in conf.terminals}
    return re.compile("|".join(f"(?P<{name}>{known[name]})" for name in names if name in known))
