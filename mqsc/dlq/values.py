"""What a value of a rules table may be. A type reads one written value, or raises Refusal.

Stored are str without blanks at its end, int, and None for "any number" or "for ever".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from grammar.tree import Value
from mqsc.dlq.errors import OUT_OF_RANGE, SYNTAX, TOO_LONG
from store import constants
from store.catalog import nearest

Stored = str | int | None

HIGHEST = 999_999_999
# int() is not asked to read an endless row of digits.
_MOST_DIGITS = 18
_UNQUOTED = re.compile(r"[A-Za-z0-9./_%?*]")
_OTHER_QUOTES = '"`\u00b4\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb'
_SIGNED = re.compile(r"[+-]\d+", re.ASCII)


class InvalidValueError(Exception):
    """A value that a keyword does not take: the id of the finding, what is wrong, what would be right."""

    def __init__(self, rule_id: str, problem: str, right: str) -> None:
        super().__init__(problem)
        self.rule_id = rule_id
        self.problem = problem
        self.right = right


class Type(Protocol):
    """What every type of value can be asked."""

    def read(self, value: Value) -> Stored:
        """The stored form of a written value, which is not empty; raises Refusal."""

    def write(self, stored: Stored) -> str:
        """The canonical text that is read as `stored`, with quotes where they are needed."""

    @property
    def wanted(self) -> str:
        """What would be right, as the end of "KEYWORD takes ..."."""


@dataclass(frozen=True, slots=True)
class Text:
    """A pattern for a string field of `length` bytes; `?` and `*` are wildcards always (dlq-rules §3, 12, 13, 15)."""

    length: int

    def read(self, value: Value) -> str:
        """The pattern without the blanks at its end, which never matter."""
        _refuse_odd_characters(value)
        size = len(value.text.replace("*", "").encode("utf-8", "replace"))
        if size > self.length:
            raise InvalidValueError(
                TOO_LONG, f"{size} bytes without its asterisks, the field has {self.length}", self.wanted
            )
        return value.text.rstrip(" ")

    def write(self, stored: Stored) -> str:
        """The pattern, in quotes unless it is made of capitals, digits and what goes with them."""
        return quoted(str(stored))

    @property
    def wanted(self) -> str:
        """What would be right."""
        return f"a string of at most {self.length} bytes, where ? is one character and * any number of them"


@dataclass(frozen=True, slots=True)
class Number:
    """A pattern for a number field: digits, a constant of one of the `families`, or `*` for any (§2.4, §3, 14)."""

    families: tuple[str, ...]

    def read(self, value: Value) -> int | None:
        """The number, None for any number. A constant may be negative, digits may not (uncertain facts, 27)."""
        text = value.text.strip(" ")
        if text == "*":
            return None
        _refuse_wildcards_in_number(text, self.wanted)
        if text[:1].isalpha():
            _refuse_odd_characters(value)
            return self._constant(text.upper())
        return _digits(text, 0, HIGHEST, self.wanted)

    def _constant(self, name: str) -> int:
        names = constants_of(self.families)
        if name not in names:
            raise InvalidValueError(SYNTAX, f"no constant is called {name}", self._meant(name, names) or self.wanted)
        return names[name]

    def _meant(self, name: str, names: Iterable[str]) -> str | None:
        """The constant of which only the beginning or the end is written, else the nearest."""
        parts = [each for each in names if each.startswith(name) or each.endswith("_" + name)]
        return parts[0] if len(parts) == 1 else nearest(name, parts or names)

    def write(self, stored: Stored) -> str:
        """The name of the number where it has one, `*` for any number."""
        return "*" if stored is None else name_of_number(int(stored), self.families)

    @property
    def wanted(self) -> str:
        """What would be right."""
        names = " or ".join(f"{family}_ name" for family in self.families)
        return f"0 to {HIGHEST}, an {names}, or * alone for any number"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that is no pattern, from `low` to `high`, or a word that stands for one (None: for ever)."""

    low: int
    high: int
    named: Mapping[str, int | None] = field(default_factory=dict)

    def read(self, value: Value) -> int | None:
        """The number, or what the word stands for."""
        text = value.text.strip(" ").upper()
        if text in self.named:
            return self.named[text]
        _refuse_wildcards_in_number(text, self.wanted)
        return _digits(text, self.low, self.high, self.wanted)

    def write(self, stored: Stored) -> str:
        """The word where there is one, digits otherwise."""
        return next((word for word, number in self.named.items() if number == stored), str(stored))

    @property
    def wanted(self) -> str:
        """What would be right."""
        return ", ".join([*self.named, f"a number from {self.low} to {self.high}"])


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: Value) -> str:
        """The word in capitals."""
        word = value.text.strip(" ").upper()
        if word not in self.words:
            near = nearest(word, self.words)
            raise InvalidValueError(SYNTAX, f"{value.raw} is none of its words", near or self.wanted)
        return word

    def write(self, stored: Stored) -> str:
        """The word."""
        return str(stored)

    @property
    def wanted(self) -> str:
        """What would be right."""
        return ", ".join(self.words[:-1]) + f" or {self.words[-1]}"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of an object, at most `length` bytes, without wildcards; or a `symbol` for a field of the message.

    What no object can be called is advice, not an error: the queue manager would refuse it by itself.
    """

    length: int
    blank: bool
    symbols: tuple[str, ...] = ()

    def read(self, value: Value) -> str:
        """The name without blanks at its end; a symbol in capitals."""
        name = value.text.rstrip(" ")
        if name.startswith("&") and self.symbols:
            return self._symbol(name.upper())
        _refuse_odd_characters(value)
        if "*" in name or "?" in name:
            raise InvalidValueError(SYNTAX, f"{value.raw} has a wildcard", self.wanted)
        if not name and not self.blank:
            raise InvalidValueError(SYNTAX, "the name is blank", self.wanted)
        size = len(value.text.encode("utf-8", "replace"))
        if size > self.length:
            raise InvalidValueError(TOO_LONG, f"{size} bytes, a name has at most {self.length}", self.wanted)
        return name

    def _symbol(self, name: str) -> str:
        if name not in self.symbols:
            near = nearest(name, self.symbols)
            raise InvalidValueError(SYNTAX, f"{name} stands for no field of a message", near or self.wanted)
        return name

    def write(self, stored: Stored) -> str:
        """The name, in quotes unless it is a symbol or made of capitals, digits and what goes with them."""
        return str(stored) if stored in self.symbols else quoted(str(stored))

    @property
    def wanted(self) -> str:
        """What would be right."""
        return ", ".join([f"a name of at most {self.length} bytes", *self.symbols, *(["' '"] if self.blank else [])])


def quoted(text: str) -> str:
    """The text as a value: bare where folding and the special characters leave it alone, in quotes otherwise."""
    if text and text == text.upper() and all(map(_UNQUOTED.fullmatch, text)):
        return text
    return "'" + (text or " ").replace("'", "''") + "'"


@cache
def constants_of(families: tuple[str, ...]) -> dict[str, int]:
    """The numbers of some families by full name; where two families have a name in common there is one entry."""
    return {
        f"{family}_{member}": int(number)
        for family in families
        for member, number in getattr(constants, family).__members__.items()
    }


def name_of_number(number: int, families: tuple[str, ...]) -> str:
    """The main name of a number in the first family that has one, its digits otherwise.

    The names that only bound a range say less than the digits: they are used for negative numbers alone.
    """
    for family in families:
        name = constants.name_of(family, number)
        if name.startswith(family) and (number < 0 or not name.endswith(("_FIRST", "_LAST"))):
            return name
    return str(number)


def refuse_other_quotes(value: Value) -> None:
    """Refusal of a value in quotes that are no apostrophes, as other languages and word processors have them."""
    if not value.quoted and value.raw[0] in _OTHER_QUOTES:
        inside = value.raw.strip(_OTHER_QUOTES) or " "
        raise InvalidValueError(SYNTAX, f"{value.raw} stands in no quotes of this language, which are '", f"'{inside}'")


def _refuse_odd_characters(value: Value) -> None:
    if value.quoted:
        return
    odd = next((character for character in value.raw if not _UNQUOTED.fullmatch(character)), None)
    if odd is not None:
        raise InvalidValueError(SYNTAX, f"{value.raw} holds {odd!r} outside quotes", f"'{value.raw}'")


def _refuse_wildcards_in_number(text: str, wanted: str) -> None:
    if "*" in text or "?" in text:
        raise InvalidValueError(OUT_OF_RANGE, f"{text} has a wildcard in a number", wanted)


def _digits(text: str, low: int, high: int, wanted: str) -> int:
    if not (text.isascii() and text.isdigit()):
        rule_id = OUT_OF_RANGE if _SIGNED.fullmatch(text) else SYNTAX
        raise InvalidValueError(rule_id, f"{text or 'a blank'} is not a number in the range", wanted)
    digits = text.lstrip("0") or "0"
    if len(digits) > _MOST_DIGITS or not low <= int(digits) <= high:
        raise InvalidValueError(OUT_OF_RANGE, f"{text} is out of range", wanted)
    return int(digits)
