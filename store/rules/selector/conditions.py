"""The parts of a selector as functions of a message: values, comparisons and logic with three
values (properties §6).

A value that is missing or null is None, and a comparison with it is unknown, None again. A value of
the wrong type is MISMATCH, with which every comparison is false.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from mqsc.store.constants import MQTYPE
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.rules.properties import descriptor_properties, property_names, property_set

Scalar = Any
Message = tuple[MessageDescriptor, property_set.Properties]
Operand = Callable[[Message], Scalar]
Condition = Callable[[Message], bool | None]
_NULL = int(MQTYPE.NULL)


class _Mismatch:
    """The value of an expression whose operands have the wrong type."""


MISMATCH: Final = _Mismatch()


class NotSelected(Exception):
    """Arithmetic on a missing value: the selector as a whole is false."""


class SelectorFault(Exception):
    """A selection string that cannot be used: the MQRC, what is wrong, and where, counted in
    characters from 1.
    """

    def __init__(self, reason: int, fault: str, position: int) -> None:
        super().__init__(reason, fault, position)
        self.reason = reason
        self.fault = fault
        self.position = position


class Selector(Struct, frozen=True):
    """A selection string that has been read.

    `needs_properties`: the MQMD alone does not decide. `is_stable`: the answer for a message never
    changes. `identifiers`: values of msg_id or correl_id that every selected message has.
    """

    text: str
    condition: Condition
    needs_properties: bool
    is_stable: bool
    identifiers: Mapping[str, bytes]

    def selects(self, message: Message) -> bool:
        """Whether the condition is true for a message, given as its MQMD and properties."""
        return self.outcome(message) is True

    def outcome(self, message: Message) -> bool | None:
        """The condition of a message: true, false, or None if it is unknown."""
        try:
            return self.condition(message)
        except NotSelected:
            return False


def literal(value: Scalar) -> Operand:
    return lambda _: value


def property_value(name: str) -> Operand:
    """The value of a property, or of the field of the MQMD that the name means."""
    field = property_names.field_of(name)
    if field is not None:
        attribute = field.attribute
        return lambda message: getattr(message[0], attribute)
    meant = property_names.meaning(name)

    def value(message: Message) -> Scalar:
        found = message[1].get(meant)
        if found is not None:
            return None if found.type == _NULL else found.value
        supplied = descriptor_properties.jms_value(message[0], name)
        return None if supplied is None else supplied[1]

    return value


def is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _divided(dividend: float, divisor: float) -> float:
    if isinstance(dividend, int) and isinstance(divisor, int):
        quotient = abs(dividend) // abs(divisor)
        return quotient if (dividend < 0) == (divisor < 0) else -quotient
    return dividend / divisor


_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
}


def arithmetic(first: Operand, rest: Sequence[tuple[str, Operand]]) -> Operand:
    """Operations of equal rank from left to right."""

    def value(message: Message) -> Scalar:
        result = first(message)
        for sign, operand in rest:
            result = _calculated(sign, result, operand(message))
        return result

    return value


def negated(operand: Operand) -> Operand:
    return arithmetic(literal(0), [("-", operand)])


def _calculated(sign: str, left: Scalar, right: Scalar) -> Scalar:
    if left is None or right is None:
        raise NotSelected
    if not is_number(left) or not is_number(right):
        return MISMATCH
    try:
        return _ARITHMETIC[sign](left, right)
    except (ZeroDivisionError, OverflowError):
        return MISMATCH


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
EQUALITY = frozenset(("=", "<>"))


def comparison(sign: str, operand: Operand, other: Operand, *, padded: bool = False) -> Condition:
    """`padded`: trailing blanks of texts do not count."""
    compare = _COMPARISONS[sign]
    orders = sign not in EQUALITY

    def condition(message: Message) -> bool | None:
        left, right = operand(message), other(message)
        if left is None or right is None:
            return None
        if is_number(left) and is_number(right):
            return compare(left, right)
        if orders or type(left) is not type(right) or left is MISMATCH:
            return False
        if padded and isinstance(left, str):
            left, right = left.rstrip(), right.rstrip()
        return compare(left, right)

    return condition


def truth(operand: Operand) -> Condition:
    """A property on its own: true if it is a boolean that is true."""

    def condition(message: Message) -> bool | None:
        value = operand(message)
        return None if value is None else value is True

    return condition


def between(operand: Operand, low: Operand, high: Operand) -> Condition:
    def condition(message: Message) -> bool:
        value = operand(message)
        least = low(message)
        most = high(message)
        return (
            is_number(value)
            and is_number(least)
            and is_number(most)
            and bool(least <= value <= most)
        )

    return condition


def among(operand: Operand, texts: frozenset[str]) -> Condition:
    def condition(message: Message) -> bool | None:
        value = operand(message)
        return None if value is None else isinstance(value, str) and value in texts

    return condition


def like(operand: Operand, pattern: str, escape: str) -> Condition:
    matches = _like(pattern, escape)

    def condition(message: Message) -> bool | None:
        value = operand(message)
        return None if value is None else isinstance(value, str) and matches(value)

    return condition


def _like(pattern: str, escape: str) -> Callable[[str], bool]:
    """Whether a text is like the pattern. Each piece between two % is looked for once, so that
    no pattern is slow.
    """
    pieces = [""]
    letters = iter(pattern)
    for letter in letters:
        if letter == escape:
            pieces[-1] += re.escape(next(letters, ""))
        elif letter == "%":
            pieces.append("")
        else:
            pieces[-1] += "." if letter == "_" else re.escape(letter)
    first, *others = (re.compile(piece, re.DOTALL) for piece in pieces)
    if not others:
        return lambda text: first.fullmatch(text) is not None
    last = re.compile(f"(?:{pieces[-1]})\\Z", re.DOTALL)
    length = _length(others.pop())

    def matches(text: str) -> bool:
        match = first.match(text)
        for piece in others:
            if match is None:
                return False
            match = piece.search(text, match.end())
        return (
            match is not None and last.match(text, max(match.end(), len(text) - length)) is not None
        )

    return matches


def _length(piece: re.Pattern[str]) -> int:
    """How many characters a piece of a pattern stands for."""
    return len(re.sub(r"\\(.)", r"\1", piece.pattern, flags=re.DOTALL))


def is_null(operand: Operand) -> Condition:
    return lambda message: operand(message) is None


def inverted(condition: Condition) -> Condition:
    def condition_not(message: Message) -> bool | None:
        value = condition(message)
        return None if value is None else not value

    return condition_not


def all_of(conditions: Sequence[Condition]) -> Condition:
    def condition(message: Message) -> bool | None:
        values = [each(message) for each in conditions]
        if False in values:
            return False
        return None if None in values else True

    return condition


def any_of(conditions: Sequence[Condition]) -> Condition:
    def condition(message: Message) -> bool | None:
        values = [each(message) for each in conditions]
        if True in values:
            return True
        return None if None in values else False

    return condition
