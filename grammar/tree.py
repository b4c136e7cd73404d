"""Syntax trees of commands and of entries of rules tables, and the exception for text that is
neither.

Positions do not count when two trees are compared.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, ClassVar

from msgspec import Struct

# Characters that people and editors write in place of an apostrophe.
OTHER_QUOTES = '"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb'


class _Node(Struct, frozen=True, eq=False):
    """Equal to one that means the same, wherever and however it is written."""

    # What decides.
    meaning_of: ClassVar[attrgetter[Any]]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.meaning_of(self) == self.meaning_of(other)

    def __hash__(self) -> int:
        return hash(self.meaning_of(self))


class Value(_Node, frozen=True):
    """One value inside parentheses.

    `text` is the meaning: unquoted text in upper case, or the inside of quoted text with doubled
    quotes made single. `raw` is the source text, quotes included. `line` and `column` count from 1.
    """

    text: str
    raw: str
    quoted: bool
    line: int
    column: int

    meaning_of = attrgetter("text", "quoted")

    @property
    def in_other_quotes(self) -> bool:
        """Whether the value begins with a character that people write in place of an apostrophe."""
        return not self.quoted and self.raw[0] in OTHER_QUOTES


class Parameter(_Node, frozen=True):
    """A keyword, in upper case, with its values: None without parentheses, () with empty ones.

    `raw` is the keyword as written. `line` and `column` are its position and count from 1.
    """

    keyword: str
    raw: str
    values: tuple[Value, ...] | None
    line: int
    column: int

    meaning_of = attrgetter("keyword", "values")


class Command(_Node, frozen=True):
    """A command: parameters[0] is the verb; parameters[1], if any, is the noun with the object name
    as its value.

    `line` is the number of the source line on which the command begins.
    """

    parameters: tuple[Parameter, ...]
    line: int

    meaning_of = attrgetter("parameters")


class Entry(_Node, frozen=True):
    """An entry of a rules table: one or more keywords, each with exactly one value.

    `line` is the number of the source line on which the entry begins.
    """

    parameters: tuple[Parameter, ...]
    line: int

    meaning_of = attrgetter("parameters")


class SyntaxFault(Exception):
    """A syntax error at one position of the source.

    `line` and `column` count from 1; `column` counts characters, a tab as one. `found` is the
    offending text, or "end of the command". `expected` lists what would be valid there. `reason`
    explains both in a sentence for people, without a full stop.
    """

    def __init__(
        self,
        line: int,
        column: int,
        found: str,
        expected: tuple[str, ...],
        reason: str,
    ) -> None:
        super().__init__(line, column, found, expected, reason)
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.reason}"
