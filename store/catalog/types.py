"""The types of values: of MQSC attributes, command options and the keywords of rules tables.

A type turns one text into the value to store, or raises InvalidValueError. Stored values are int,
str and list[str]; a word that represents a number (NOLIMIT, OFF, UNIX) is stored as the word. To
add a type, write a class with `accept`, `wanted` and `words`, or derive it from WithoutWords.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, Protocol

from msgspec import Struct, field

from mqsc.store.catalog.spelling import did_you_mean, nearest
from mqsc.store.table import cells

Stored = int | str | list[str]
Problem = Literal["word", "number", "range", "length", "name", "empty", "form", "count"]

# No MQ number has more digits. Python refuses to convert thousands of digits, so longer texts never
# reach int().
_MOST_DIGITS = 18
_NAME = re.compile(r"[A-Za-z0-9./_%]*")
_PLAIN_NAME = re.compile(r"(?:[A-Z][A-Z0-9]*)?")
_WITHOUT_WILDCARDS = re.compile(r"[^*?]*")
_HEX = re.compile(r"[0-9A-Fa-f]*")


class InvalidValueError(Exception):
    """A type does not accept a text: `problem` says why, `wanted` what it accepts, `near` is a
    similar word.
    """

    def __init__(self, problem: Problem, wanted: str, near: str | None = None) -> None:
        super().__init__(problem, wanted, near)
        self.problem: Problem = problem
        self.wanted = wanted
        self.near = near

    @property
    def detail(self) -> str:
        """What is accepted, with the similar word as a hint."""
        return f"{self.wanted} ({did_you_mean([self.near])})" if self.near else self.wanted


class Type(Protocol):
    """The interface of every type."""

    def accept(self, text: str) -> int | str:
        """The value to store for one text; raises InvalidValueError."""

    @property
    def wanted(self) -> str:
        """What the type accepts, as the end of the sentence "KEYWORD takes ..."."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words that can be written, for help and completion; empty when any text is
        accepted.
        """


class Number(Struct, frozen=True):
    """Plain decimal digits from `low` to `high`, or a word that represents a number.

    `named` maps each word to the number that the MQI uses for it. Digits with that number are
    stored as the word: APPLTYPE(6) is UNIX. `means` maps synonyms to the word that is stored.
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
            raise InvalidValueError("number", self.wanted, nearest(text, self.words))
        # Python refuses to read thousands of digits, even zeros.
        digits = text.lstrip("0") or "0"
        if len(digits) > _MOST_DIGITS:
            raise InvalidValueError("range", self.wanted)
        number = int(digits)
        if not self.low <= number <= self.high:
            raise InvalidValueError("range", self.wanted)
        return next((name for name, value in self.named.items() if value == number), number)

    def number_of(self, stored: Stored) -> int:
        """The number that the MQI uses for a stored value (-1 for NOLIMIT)."""
        return stored if isinstance(stored, int) else self.named[str(stored)]

    @property
    def wanted(self) -> str:
        return " or ".join([f"a number from {self.low} to {self.high}", *self.words])

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.named, *self.means)


class Word(Struct, frozen=True):
    """One of a closed list of words; `means` maps synonyms to the word that is stored."""

    values: tuple[str, ...]
    means: Mapping[str, str] = field(default_factory=dict)

    def accept(self, text: str) -> str:
        word = text.upper()
        word = self.means.get(word, word)
        if word not in self.values:
            raise InvalidValueError("word", self.wanted, nearest(text, self.words))
        return word

    @property
    def wanted(self) -> str:
        return self.values[0] if len(self.values) == 1 else "one of " + ", ".join(self.values)

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.values, *self.means)


class WithoutWords:
    """A base for types that have no words of their own."""

    __slots__ = ()

    @property
    def words(self) -> tuple[str, ...]:
        return ()


class Text(Struct, WithoutWords, frozen=True):
    """Any text of at most `length` bytes in UTF-8. Trailing blanks are dropped unless it is
    `varying` (MQCHARV).

    With `inserts`, it may have words that MQ replaces, such as +QMNAME+, even without quotes.
    """

    length: int
    varying: bool = False
    inserts: bool = False

    def accept(self, text: str) -> str:
        kept = text if self.varying else text.rstrip(" ")
        return _fitting(kept, self)

    @property
    def wanted(self) -> str:
        return f"a text of at most {self.length} bytes"


# The maximum length of user@domain on Windows (DEFINE CHANNEL, MCAUSER).
_WITH_DOMAIN = 64


class User(Text, frozen=True):
    """A user ID of at most `length` bytes, or a longer one with a domain: user@domain."""

    def accept(self, text: str) -> str:
        kept = text.rstrip(" ")
        if len(kept.encode("utf-8", "surrogatepass")) > (
            _WITH_DOMAIN if "@" in kept else self.length
        ):
            raise InvalidValueError("length", self.wanted)
        return kept

    @property
    def wanted(self) -> str:
        return f"a user of at most {self.length} bytes, or user@domain of {_WITH_DOMAIN}"


class ConnectionName(Text, frozen=True):
    """The addresses of a partner, separated by commas. Addresses are resolved only when a channel
    starts.

    MQ takes any text, and scripts with `host(1414` exist. The forms that only exist here are
    checked.
    """

    def accept(self, text: str) -> str:
        kept = _fitting(text.rstrip(" "), self)
        if _OWN_FORMS.search(kept) and not is_list_of_addresses(kept):
            raise InvalidValueError("form", self.wanted)
        return kept

    @property
    def wanted(self) -> str:
        return f"addresses such as host(1414), separated by commas, of at most {self.length} bytes"


def is_list_of_addresses(text: str) -> bool:
    """Whether every address of a CONNAME can be read."""
    return _ADDRESSES.fullmatch(text) is not None


_OWN_FORMS = re.compile(r"(?:\A|[,)])\s*(?:local\b|sqlite://)", re.IGNORECASE)
# One address at least; parentheses follow a host or a path, are closed, and do not contain others.
_ADDRESSES = re.compile(r"(?=[ ,]*[^ ,])(?:[^()]*[^(), ] *\([^()]*\) *(?:,|\Z))*[^()]*")


# In the name of a cluster-sender it represents the remote queue manager, whose name is known after
# connecting.
NAME_PLACEHOLDER = "+QMNAME+"


class Name(Struct, frozen=True):
    """The name of an object.

    `of` says what it names: the keyword of a kind of object, or plain words for anything else.
    `placeholder` may occur once in the name where MQ fills in the rest, and does not count towards
    its length. `symbols` are words that begin with & and are accepted instead of a name. A name
    that is not `required` may be blank. Without `strict`, only wildcards are refused: the queue
    manager itself refuses a name that no object can have. A `plain` name consists of capital
    letters and digits and begins with a letter, as names of z/OS do.
    """

    length: int = 48
    of: str = ""
    placeholder: str = ""
    symbols: tuple[str, ...] = ()
    required: bool = False
    strict: bool = True
    plain: bool = False

    def accept(self, text: str) -> str:
        name = text.rstrip(" ")
        if self.symbols and name.startswith("&"):
            return self._symbol(name.upper())
        if self.required and not name:
            raise InvalidValueError("empty", self.wanted)
        counted = name.replace(self.placeholder, "", 1) if self.placeholder else name
        if not self.strict and not _WITHOUT_WILDCARDS.fullmatch(counted):
            raise InvalidValueError("name", f"{self.wanted}, without wildcards")
        if self.strict and not _NAME.fullmatch(counted):
            raise InvalidValueError("name", "a name made of letters, digits and . / _ %")
        if self.plain and not _PLAIN_NAME.fullmatch(counted):
            raise InvalidValueError(
                "name",
                "a name of capital letters and digits that begins with a letter",
            )
        _fitting(counted, self)
        return name

    def _symbol(self, name: str) -> str:
        if name not in self.symbols:
            raise InvalidValueError("word", self.wanted, nearest(name, self.symbols))
        return name

    @property
    def wanted(self) -> str:
        return " or ".join([f"a name of at most {self.length} bytes", *self.symbols])

    @property
    def words(self) -> tuple[str, ...]:
        return self.symbols


class Profile(Struct, WithoutWords, frozen=True):
    """The name that a record applies to; * matches any characters, and so does ? with
    `question_mark`.

    `special` names are not names of objects; they are accepted in any case and stored in lower
    case.
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


class Custom(Struct, WithoutWords, frozen=True):
    """Pairs NAME(VALUE) for features without an attribute (CUSTOM). Only the pair CAPEXPRY has
    an effect here.
    """

    length: int = 128

    def accept(self, text: str) -> str:
        kept = _fitting(text.rstrip(" "), self)
        found = re.search(r"\bCAPEXPRY\b(.*)", kept, re.IGNORECASE | re.DOTALL)
        if found and not _CAPEXPRY.match(found.group(0)):
            raise InvalidValueError(
                "form",
                "CAPEXPRY(number) with a number from 1 to 999999999, or CAPEXPRY(NOLIMIT)",
            )
        return kept

    @property
    def wanted(self) -> str:
        return f"pairs NAME(VALUE) of at most {self.length} bytes"


_CAPEXPRY = re.compile(r"\bCAPEXPRY\s*\(\s*(?:0*([1-9][0-9]{0,8})|NOLIMIT)\s*\)", re.IGNORECASE)


def custom_cap_expiry(text: str) -> int | None:
    """The tenths of a second in CUSTOM('CAPEXPRY(n)'), or None when it sets no limit."""
    found = _CAPEXPRY.search(text)
    return int(found.group(1)) if found and found.group(1) else None


class Hex(Struct, WithoutWords, frozen=True):
    """Exactly `digits` hexadecimal digits, or blank."""

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


class Shaped(Struct, WithoutWords, frozen=True):
    """A text that matches a regular expression: dates, times and identifiers as DISPLAY shows
    them.
    """

    shape: str
    wanted: str

    def accept(self, text: str) -> str:
        if text.strip(" ") and not re.fullmatch(self.shape, text, re.ASCII):
            raise InvalidValueError("form", self.wanted)
        return text.strip(" ")


DATE = Shaped(r"\d{4}-\d{2}-\d{2}", "a date written yyyy-mm-dd")
TIME = Shaped(r"\d{2}\.\d{2}\.\d{2}", "a time written hh.mm.ss")


class Flag(Struct, frozen=True):
    """A keyword without a value; `off` is the keyword that clears it. The keyword in force is
    stored.

    A flag without `off` is only displayed, as a word without parentheses.
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


class Items(Struct, frozen=True):
    """A list of at most `most` values in one pair of parentheses, of at most `total` bytes together
    (0: no limit).

    KEYWORD() and a single blank mean the empty list, which is refused unless `may_be_empty`.
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


_HEXADECIMAL = frozenset("0123456789ABCDEF")


def is_cipher_spec(text: str) -> bool:
    """Whether SSLCIPH accepts the text: blank, a name in the table, or two or four hexadecimal
    digits (z/OS).
    """
    return (
        not text or text in _cipher_specs() or (len(text) in (2, 4) and set(text) <= _HEXADECIMAL)
    )


@cache
def _cipher_specs() -> frozenset[str]:
    return frozenset(name for (name,) in cells(__file__, "cipher_specs.csv", ("name",)))
