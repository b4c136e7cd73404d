"""What a value may be. A type takes one text and answers the stored value, or raises Refusal.

Stored values are int, str and list[str]. A word that stands for a number (NOLIMIT, OFF, UNIX) is stored as the word.
To add a kind of value, write a class with `accept`, `wanted` and `words`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Stored = int | str | list[str]
Problem = Literal["word", "number", "range", "length", "name", "empty", "form", "count"]

# More digits than any number of MQ has; int() is not asked to read an endless row of them.
_MOST_DIGITS = 18
_NAME = re.compile(r"[A-Za-z0-9./_%]*")
_HEX = re.compile(r"[0-9A-Fa-f]*")


class InvalidValueError(Exception):
    """A text that a type does not take: `problem` says why, `detail` what would be right."""

    def __init__(self, problem: Problem, detail: str) -> None:
        super().__init__(problem, detail)
        self.problem: Problem = problem
        self.detail = detail


class Type(Protocol):
    """What every type of value can be asked."""

    def accept(self, text: str) -> int | str:
        """The stored value of one text; raises Refusal."""

    @property
    def wanted(self) -> str:
        """What would be right, as the end of "KEYWORD takes ..."."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words that can be written, for help and completion; empty when any text goes."""


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The word that was most likely meant, or None when none is near."""
    found = difflib.get_close_matches(word.upper(), list(words), n=1, cutoff=0.6)
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Number:
    """Plain decimal digits from `low` to `high`, or a word for a number that means something else.

    `named` gives each word the number that the MQI uses for it. Where that number lies in the range itself
    (APPLTYPE(6) is UNIX) digits are stored as the word. `means` gives words that are read as another word.
    """

    low: int
    high: int
    named: Mapping[str, int] = field(default_factory=dict)
    means: Mapping[str, str] = field(default_factory=dict)

    def accept(self, text: str) -> int | str:
        word = text.upper()
        word = self.means.get(word, word)
        if word in self.named:
            return word
        if not (text.isascii() and text.isdigit()):
            raise InvalidValueError("number", self.wanted + _hint(text, self.words))
        if len(text.lstrip("0")) > _MOST_DIGITS or not self.low <= int(text) <= self.high:
            raise InvalidValueError("range", self.wanted)
        number = int(text)
        return next((name for name, value in self.named.items() if value == number), number)

    def number_of(self, stored: Stored) -> int:
        """The number that the MQI uses for a stored value (NOLIMIT -> -1)."""
        return stored if isinstance(stored, int) else self.named[str(stored)]

    @property
    def wanted(self) -> str:
        return " or ".join([f"a number from {self.low} to {self.high}", *self.words])

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.named, *self.means)


@dataclass(frozen=True, slots=True)
class Word:
    """One of a closed list of words; `means` gives words that are read as another word."""

    values: tuple[str, ...]
    means: Mapping[str, str] = field(default_factory=dict)

    def accept(self, text: str) -> str:
        word = text.upper()
        word = self.means.get(word, word)
        if word not in self.values:
            raise InvalidValueError("word", self.wanted + _hint(text, self.words))
        return word

    @property
    def wanted(self) -> str:
        return self.values[0] if len(self.values) == 1 else "one of " + ", ".join(self.values)

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.values, *self.means)


class _Free:
    """A type without words of its own."""

    __slots__ = ()

    @property
    def words(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Text(_Free):
    """Any text of at most `length` bytes in UTF-8. Blanks at its end do not count unless it is `varying` (MQCHARV)."""

    length: int
    varying: bool = False

    def accept(self, text: str) -> str:
        kept = text if self.varying else text.rstrip(" ")
        return _fitting(kept, self)

    @property
    def wanted(self) -> str:
        return f"a text of at most {self.length} bytes"


@dataclass(frozen=True, slots=True)
class Name(_Free):
    """The name of an object, or blank. `of` says of what: the keyword of a kind, or plain words where it is none.

    `filled` is a word that may stand once in it for what MQ will fill in, and does not count.
    """

    length: int = 48
    of: str = ""
    filled: str = ""

    def accept(self, text: str) -> str:
        name = text.rstrip(" ")
        own = name.replace(self.filled, "", 1) if self.filled else name
        if not _NAME.fullmatch(own):
            raise InvalidValueError("name", "a name made of letters, digits and . / _ %")
        _fitting(own, self)
        return name

    @property
    def wanted(self) -> str:
        return f"a name of at most {self.length} bytes"


@dataclass(frozen=True, slots=True)
class Profile(_Free):
    """The name that a record is about, where * (and, with `question_mark`, ?) stands for any characters.

    `special` names are none of an object, in whichever case they are given.
    """

    length: int
    question_mark: bool = False
    special: tuple[str, ...] = ()

    def accept(self, text: str) -> str:
        name = text.rstrip(" ")
        if name.lower() in self.special:
            return name.lower()
        pattern = r"[A-Za-z0-9./_%*?]*" if self.question_mark else r"[A-Za-z0-9./_%*]*"
        if not re.fullmatch(pattern, name):
            raise InvalidValueError("name", self.wanted)
        return _fitting(name, self)

    @property
    def wanted(self) -> str:
        return f"a name or a pattern with * of at most {self.length} bytes"


@dataclass(frozen=True, slots=True)
class Custom(_Free):
    """Pairs NAME(VALUE) that stand in for attributes (CUSTOM). CAPEXPRY is the pair that has a meaning here."""

    length: int = 128

    def accept(self, text: str) -> str:
        kept = _fitting(text.rstrip(" "), self)
        found = re.search(r"\bCAPEXPRY\b(.*)", kept, re.IGNORECASE | re.DOTALL)
        if found and not _CAPEXPRY.match(found.group(0)):
            raise InvalidValueError("form", "CAPEXPRY(number) with a number from 1 to 999999999, or CAPEXPRY(NOLIMIT)")
        return kept

    @property
    def wanted(self) -> str:
        return f"pairs NAME(VALUE) of at most {self.length} bytes"


_CAPEXPRY = re.compile(r"\bCAPEXPRY\s*\(\s*(?:0*([1-9][0-9]{0,8})|NOLIMIT)\s*\)", re.IGNORECASE)


def custom_cap_expiry(text: str) -> int | None:
    """The tenths of a second in CUSTOM('CAPEXPRY(n)'), or None when it caps nothing."""
    found = _CAPEXPRY.search(text)
    return int(found.group(1)) if found and found.group(1) else None


@dataclass(frozen=True, slots=True)
class Hex(_Free):
    """Hexadecimal digits, all of them or none."""

    digits: int

    def accept(self, text: str) -> str:
        if not _HEX.fullmatch(text.strip(" ")):
            raise InvalidValueError("form", self.wanted)
        if len(text.strip(" ")) not in (0, self.digits):
            raise InvalidValueError("length", self.wanted)
        return text.strip(" ").upper()

    @property
    def wanted(self) -> str:
        return f"{self.digits} hexadecimal digits"


@dataclass(frozen=True, slots=True)
class Pattern(_Free):
    """A text of a fixed shape: the dates and times that are displayed."""

    shape: str
    wanted: str

    def accept(self, text: str) -> str:
        if text.strip(" ") and not re.fullmatch(self.shape, text, re.ASCII):
            raise InvalidValueError("form", self.wanted)
        return text.strip(" ")


DATE = Pattern(r"\d{4}-\d{2}-\d{2}", "a date written yyyy-mm-dd")
TIME = Pattern(r"\d{2}\.\d{2}\.\d{2}", "a time written hh.mm.ss")


@dataclass(frozen=True, slots=True)
class Flag:
    """A keyword without a value; `off` is the keyword that clears it. The word in force is what is stored.

    A flag without `off` is only displayed, as a bare word.
    """

    on: str
    off: str = ""

    def accept(self, text: str) -> str:
        raise InvalidValueError("form", self.wanted)

    @property
    def wanted(self) -> str:
        return " or ".join(self.words) + ", without a value"

    @property
    def words(self) -> tuple[str, ...]:
        return (self.on, self.off) if self.off else (self.on,)


@dataclass(frozen=True, slots=True)
class Items:
    """Values in one pair of parentheses, at most `most` of them and `total` bytes in all (0: no limit).

    KEYWORD() and a single blank are the empty list where `may_be_empty`.
    """

    of: Text | Name | Word
    most: int
    total: int = 0
    may_be_empty: bool = True

    def accept(self, text: str) -> str:
        """One item of the list."""
        return self.of.accept(text)

    @property
    def wanted(self) -> str:
        size = f", {self.total} bytes in all" if self.total else ""
        return f"a list of at most {self.most}{size}, each {self.of.wanted}"

    @property
    def words(self) -> tuple[str, ...]:
        return self.of.words


def _fitting(text: str, type: Text | Name | Profile | Custom) -> str:
    if len(text.encode("utf-8", "surrogatepass")) > type.length:
        raise InvalidValueError("length", type.wanted)
    return text


def _hint(text: str, words: tuple[str, ...]) -> str:
    near = nearest(text, words)
    return f" (did you mean {near}?)" if near else ""
