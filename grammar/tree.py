"""Syntax trees of commands and of rules table entries. Positions do not count when two trees are compared."""

from __future__ import annotations

from dataclasses import dataclass, field

# Characters that people and editors write in place of an apostrophe.
OTHER_QUOTES = '"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb'


@dataclass(slots=True, unsafe_hash=True)
class Value:
    """One value inside parentheses.

    `text` is the meaning: unquoted text in upper case, or the inside of quoted text with doubled quotes made single.
    `raw` is the source text, quotes included. `line` and `column` count from 1. Nothing changes a Value; it is not a
    frozen dataclass because creating a frozen one takes three times as long.
    """

    text: str
    raw: str = field(compare=False)
    quoted: bool
    line: int = field(compare=False)
    column: int = field(compare=False)

    @property
    def in_other_quotes(self) -> bool:
        """Whether the value begins with a character that people write in place of an apostrophe."""
        return not self.quoted and self.raw[0] in OTHER_QUOTES


@dataclass(slots=True, unsafe_hash=True)
class Parameter:
    """A keyword, in upper case, with its values: None without parentheses, () with empty ones.

    `raw` is the keyword as written. `line` and `column` are its position and count from 1.
    """

    keyword: str
    raw: str = field(compare=False)
    values: tuple[Value, ...] | None
    line: int = field(compare=False)
    column: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A command: parameters[0] is the verb; parameters[1], if any, is the noun with the object name as its value.

    `line` is the number of the source line on which the command begins.
    """

    parameters: tuple[Parameter, ...]
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a rules table: one or more keywords, each with exactly one value.

    `line` is the number of the source line on which the entry begins.
    """

    parameters: tuple[Parameter, ...]
    line: int = field(compare=False)
