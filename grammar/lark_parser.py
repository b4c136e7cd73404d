"""The parser that Lark makes of `mqsc.lark`, and the lexer that divides a logical line into its
terminals.

Lark makes its tables anew in every program, in 15 ms of the 0.8 s of processor time that
`mqsc run -c "DISPLAY QMGR"` takes. The lexer here, and the parse kept for lines of the same
terminals in `parse.py`, remain because a script of 10,000 commands is read and parsed in 0.42 s
with both, in 2.2 s by Lark alone, and in about 1.3 s with this lexer but a parse by Lark of every
line. Plain Lark gives the same trees and errors.

Importing this module imports Lark.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeAlias

from lark import Lark
from lark.common import LexerConf
from lark.lexer import Lexer, Token

# The keyword of a parameter.
KEYWORDS = frozenset(("KEYWORD", "ACTION"))

_OUTSIDE = ("ACTION", "KEYWORD", "LPAR")
_INSIDE = ("WORD", "QUOTED", "RPAR")
# The first character that begins no terminal at its place.
_INVALID = "INVALID"

# A terminal, its text, and where it begins and ends in the line.
Word: TypeAlias = tuple[str, str, int, int]


class WordLexer(Lexer):
    """Finds some terminals outside parentheses and others inside, as the parser does, but without
    it.

    Lark's own lexer needs the parser to tell one from the other, so it cannot find the terminals
    of a line whose parse is kept.
    """

    def __init__(self, conf: LexerConf) -> None:
        self._terminals = {each.name: each.pattern.to_regexp() for each in conf.terminals}
        self._outside, self._inside = self._pattern(_OUTSIDE), self._pattern(_INSIDE)
        self._separators = re.compile(self._terminals["SEPARATORS"])
        parts = ("KEYWORD", "LPAR", "WORD|QUOTED", "RPAR")
        patterns = ("|".join(self._terminals[name] for name in part.split("|")) for part in parts)
        whole = re.compile(
            "".join(f"({each})(?:{self._terminals['SEPARATORS']})?" for each in patterns),
        )
        # A keyword with one value, which most parameters are.
        self._whole = None if "ACTION" in self._terminals else whole

    def words(self, text: str) -> list[Word]:
        """The words of a line. The last one is INVALID if there is no terminal at its place."""
        words: list[Word] = []
        blank = self._separators.match(text)
        match, start, length = self._outside.match, blank.end() if blank else 0, len(text)
        whole, outside = self._whole and self._whole.match, match
        while start < length:
            if whole and match is outside and (found := whole(text, start)):
                (_, start), first, opening, second, closing = found.regs
                keyword, _, value, _ = found.groups()
                words += (
                    ("KEYWORD", keyword, *first),
                    ("LPAR", "(", *opening),
                    ("QUOTED" if value[0] == "'" else "WORD", value, *second),
                    ("RPAR", ")", *closing),
                )
                continue
            found = match(text, start)
            if found is None:
                return [*words, (_INVALID, text[start], start, start + 1)]
            terminal, group = found.lastgroup or "", found.lastindex or 0
            words.append((terminal, found[group], start, found.end(group)))
            if terminal == "LPAR":
                match = self._inside.match
            elif terminal == "RPAR":
                match = self._outside.match
            start = found.end()
        return words

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        """The same words, for Lark."""
        for terminal, word, start, end in self.words(text):
            yield Token(terminal, word, start_pos=start, end_pos=end)

    def matcher(self, *names: str) -> re.Pattern[str]:
        """A pattern of one of these terminals."""
        return re.compile("|".join(self._terminals[name] for name in names))

    def _pattern(self, names: tuple[str, ...]) -> re.Pattern[str]:
        """One of these terminals, as far as the grammar has them, and the separators after it."""
        known = "|".join(
            f"(?P<{name}>{self._terminals[name]})" for name in names if name in self._terminals
        )
        return re.compile(f"(?:{known})(?:{self._terminals['SEPARATORS']})?")


@cache
def parser_of(shape: str) -> Lark:
    """The parser of a shape, "command" or "entry"."""
    settings: Any = {
        "parser": "lalr",
        "lexer": WordLexer,
        "start": shape,
        "maybe_placeholders": False,
    }
    return Lark.open("mqsc.lark", rel_to=__file__, **settings)


@cache
def lexer_of(shape: str) -> WordLexer:
    return WordLexer(parser_of(shape).lexer_conf)
