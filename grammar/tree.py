"""What a command, or an entry of a rules table, consists of. Two are equal when they say the same, wherever."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True, unsafe_hash=True)
class Value:
    """One value inside parentheses.

    `text` is what it means: unquoted letters in upper case; of quoted text the inside, doubled quotes made single.
    `raw` is what was written, quotes included. `line` and `column` count from 1.
    Not frozen because a frozen one takes three times as long to make; nothing changes it.
    """

    text: str
    raw: str = field(compare=False)
    quoted: bool
    line: int = field(compare=False)
    column: int = field(compare=False)


@dataclass(slots=True, unsafe_hash=True)
class Parameter:
    """A keyword, in upper case, with its values: None where no parentheses follow, () where they are empty.

    `raw` is the keyword as written; `line` and `column`, from 1, are where it begins.
    """

    keyword: str
    raw: str = field(compare=False)
    values: tuple[Value, ...] | None
    line: int = field(compare=False)
    column: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A command: parameters[0] is the verb, parameters[1], if any, the noun with its name as its values.

    `line` is the number of the source line on which it begins.
    """

    parameters: tuple[Parameter, ...]
    line: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a rules table: one or more keywords, each with exactly one value.

    `line` is the number of the source line on which it begins.
    """

    parameters: tuple[Parameter, ...]
    line: int = field(compare=False)
