"""The types of value that only rules tables have: patterns for text fields and for number fields."""

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from mqsc.store import catalog, constants
from mqsc.store.catalog.types import InvalidValueError, Number, WithoutWords

HIGHEST = 999_999_999
ANY_NUMBER = ANY_TEXT = "*"

_DIGITS = Number(0, HIGHEST)


class TextPattern(Struct, WithoutWords, frozen=True):
    """A pattern for a text field of `length` bytes; `?` and `*` are always wildcards (dlq-rules
    §3, 12, 13, 15).
    """

    length: int

    def accept(self, text: str) -> str:
        size = len(text.replace("*", "").encode("utf-8", "replace"))
        if size > self.length:
            raise InvalidValueError("length", f"{self.wanted}; asterisks do not count")
        return text.rstrip(" ")

    @property
    def wanted(self) -> str:
        return (
            f"a string of at most {self.length} bytes, where ? matches one character and * any "
            "number of characters"
        )


class NumberPattern(Struct, WithoutWords, frozen=True):
    """A pattern for a number field: digits, a constant of one of the `families`, or `*` for any
    number (§2.4, §3, 14).

    A constant may be negative, digits may not (uncertain facts, 27).
    """

    families: tuple[str, ...]

    def accept(self, text: str) -> int | str:
        if text == ANY_NUMBER:
            return ANY_NUMBER
        if text[:1].isalpha():
            return self._constant(text.upper())
        try:
            return _DIGITS.accept(text)
        except InvalidValueError as error:
            raise InvalidValueError(error.problem, self.wanted) from None

    def _constant(self, name: str) -> int:
        names = constants_of(self.families)
        if name not in names:
            raise InvalidValueError("word", self.wanted, similar_constant(name, names))
        return names[name]

    def name_of(self, number: int) -> str:
        """The name of a number, or its digits when it has none."""
        return name_of_number(number, self.families)

    @property
    def wanted(self) -> str:
        names = " or ".join(f"{family}_" for family in self.families)
        return (
            f"a number from 0 to {HIGHEST}, a constant that begins with {names}, or * alone for "
            "any number"
        )


@cache
def constants_of(families: tuple[str, ...]) -> Mapping[str, int]:
    """The constants of the families with their numbers."""
    return {
        f"{family}_{member}": int(number)
        for family in families
        for member, number in getattr(constants, family).__members__.items()
    }


def name_of_number(number: int, families: tuple[str, ...]) -> str:
    """The main name of a number in the first family that has one, otherwise its digits.

    Names ending in _FIRST or _LAST only mark the end of a range; they are used for negative numbers
    only.
    """
    for family in families:
        name = constants.name_of(family, number)
        if name.startswith(family) and (number < 0 or not name.endswith(("_FIRST", "_LAST"))):
            return name
    return str(number)


def similar_constant(name: str, names: Iterable[str]) -> str | None:
    """The only constant that begins or ends with `name`, otherwise the most similar one; None when
    none is similar.

    The prefix of the family does not count, because all constants of a family have it.
    """
    parts = [each for each in names if each.startswith(name) or each.endswith("_" + name)]
    if len(parts) == 1:
        return parts[0]
    families = {name.partition("_")[0] for name in names}
    family, _, rest = name.partition("_")
    endings: dict[str, str] = {}
    for constant in sorted(parts or names, key=lambda word: not word.startswith(family + "_")):
        endings.setdefault(constant.partition("_")[2], constant)
    near = catalog.nearest(rest if family in families else name, endings)
    return None if near is None else endings[near]
