"""Reads a selection string into a condition (the grammar of properties §6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from store.constants import MQRC
from store.descriptor import ID_LENGTH, NO_ID
from store.rules.properties import property_names
from store.rules.selector import conditions
from store.rules.selector.conditions import Condition, Message, NotSelected, Operand
from store.rules.selector.tokens import (
    END,
    KEYWORD,
    LITERAL,
    NAME,
    OPERATOR,
    SYNTAX_ERROR,
    SelectorFault,
    Token,
    tokens,
)

ALWAYS_FALSE, STRING_ERROR = int(MQRC.SELECTOR_ALWAYS_FALSE), int(MQRC.SELECTION_STRING_ERROR)
LONGEST = 10_240
# Parentheses and NOTs in each other.
_DEEPEST = 40
_COMPARISONS = frozenset(("=", "<>", "<", "<=", ">", ">="))
_JMS_IDENTIFIER = re.compile("ID:[0-9a-f]{48}")
_MESSAGE_ID, _IDENTIFIERS = "JMSMessageID", {"Root.MQMD.MsgId": "msg_id", "Root.MQMD.CorrelId": "correl_id"}
# What these mean changes while a message is on its queue.
_VOLATILE = frozenset(
    (
        *("Root.MQMD.BackoutCount", "Root.MQMD.Expiry", "JMSRedelivered", "JMSXDeliveryCount", "JMSExpiration"),
        *("usr.JMSRedelivered", "usr.JMSXDeliveryCount", "usr.JMSExpiration"),
    )
)


class Part(NamedTuple):
    """A part of the selector: a condition, an operand, or an operand that can be a condition on its own.

    `name` and `value` are set for a property or a literal standing alone; `identifier` is what the index can find.
    """

    operand: Operand | None
    condition: Condition | None
    position: int
    name: str = ""
    value: object = None
    identifiers: tuple[tuple[str, bytes], ...] = ()


class Selector(Struct, frozen=True):
    """A selection string that has been read.

    `needs_properties`: the MQMD alone does not decide. `is_stable`: the answer for a message never changes.
    `identifiers`: values of msg_id or correl_id that every selected message has.
    """

    text: str
    condition: Condition
    needs_properties: bool
    is_stable: bool
    identifiers: dict[str, bytes] = field(default_factory=dict)

    def selects(self, message: Message) -> bool:
        """Whether the condition is true for a message, given as its MQMD and properties."""
        try:
            return self.condition(message) is True
        except NotSelected:
            return False


def parse(text: str) -> Selector:
    """The selector; SelectorFault 2459, 2504 for one that selects nothing, 2519 for one that is too long."""
    if len(text.encode("utf_8", "surrogatepass")) > LONGEST:
        raise SelectorFault(STRING_ERROR, f"the selection string has more than {LONGEST} bytes", LONGEST)
    parser = _Parser(text)
    part = parser.whole()
    names = parser.names
    condition = parser.as_condition(part)
    selector = Selector(
        text,
        condition,
        any(not name.startswith(property_names.ROOT_MQMD) and name != _MESSAGE_ID for name in names),
        not names & _VOLATILE,
        dict(part.identifiers),
    )
    if not names and not selector.selects(_NO_MESSAGE):
        raise SelectorFault(ALWAYS_FALSE, "no message can be selected", 1)
    return selector


_NO_MESSAGE: Message = (None, {})  # type: ignore[assignment]


class _Parser:
    """The tokens of a selection string, and how far it has been read."""

    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._at = 0
        self._depth = 0
        self.names: set[str] = set()

    def whole(self) -> Part:
        part = self._or()
        if self._next.kind != END:
            raise self._unexpected("AND, OR or the end")
        return part

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _took(self, kind: str, *texts: str) -> str:
        """The text of the next token if it is one of these, which is then read; else blank."""
        if self._next.kind == kind and self._next.text in texts:
            return self._take().text
        return ""

    def _must_take(self, kind: str, text: str) -> None:
        if not self._took(kind, text):
            raise self._unexpected(text)

    def _unexpected(self, wanted: str) -> SelectorFault:
        return _fault(f"{wanted} expected, not {self._next.text}", self._next.position)

    def as_condition(self, part: Part) -> Condition:
        """A part as a condition: a property or literal alone must be a boolean."""
        if part.condition is not None:
            return part.condition
        if part.operand is not None and (part.name or isinstance(part.value, bool)):
            return conditions.truth(part.operand)
        raise _fault("a comparison expected, not a value", part.position)

    def _as_operand(self, part: Part) -> Operand:
        if part.operand is None:
            raise _fault("a value expected, not a comparison", part.position)
        return part.operand

    def _or(self) -> Part:
        return self._joined("OR", self._and, conditions.any_of)

    def _and(self) -> Part:
        return self._joined("AND", self._not, conditions.all_of)

    def _joined(self, word: str, read: Callable[[], Part], join: Callable[[Sequence[Condition]], Condition]) -> Part:
        parts = [read()]
        while self._took(KEYWORD, word):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        identifiers = tuple(each for part in parts for each in part.identifiers) if word == "AND" else ()
        joined = join([self.as_condition(each) for each in parts])
        return Part(None, joined, parts[0].position, identifiers=identifiers)

    def _not(self) -> Part:
        position, negations = self._next.position, 0
        while self._took(KEYWORD, "NOT"):
            negations += 1
        part = self._predicate()
        if not negations:
            return part
        condition = self.as_condition(part)
        return Part(None, conditions.inverted(condition) if negations % 2 else condition, position)

    def _predicate(self) -> Part:
        part = self._sum()
        position = part.position
        if self._next.kind == OPERATOR and self._next.text in _COMPARISONS:
            return self._comparison(part)
        if self._took(KEYWORD, "IS"):
            is_inverted = bool(self._took(KEYWORD, "NOT"))
            self._must_take(KEYWORD, "NULL")
            if not part.name:
                raise _fault("IS NULL needs the name of a property", position)
            return _predicate(conditions.is_null(self._as_operand(part)), position, is_inverted)
        is_inverted = bool(self._took(KEYWORD, "NOT"))
        word = self._took(KEYWORD, *_PREDICATES)
        if not word:
            if is_inverted:
                raise self._unexpected("BETWEEN, IN or LIKE")
            return part
        return _predicate(_PREDICATES[word](self, part), position, is_inverted)

    def _comparison(self, one: Part) -> Part:
        sign = self._take().text
        other = self._sum()
        left, right = self._as_operand(one), self._as_operand(other)
        for each in (one, other):
            if sign not in conditions.EQUALITY and _is_unordered(each.value):
                raise _fault(f"{sign} compares numbers only", each.position)
        is_field = any(each.name.startswith(property_names.ROOT_MQMD) for each in (one, other))
        condition = conditions.comparison(sign, left, right, padded=is_field)
        return Part(None, condition, one.position, identifiers=_identifiers(sign, one, other))

    def _between(self, one: Part) -> Condition:
        low = self._sum()
        self._must_take(KEYWORD, "AND")
        parts = (one, low, self._sum())
        for each in parts:
            if _is_unordered(each.value):
                raise _fault("BETWEEN compares numbers only", each.position)
        return conditions.between(*map(self._as_operand, parts))

    def _in(self, one: Part) -> Condition:
        self._must_take(OPERATOR, "(")
        texts = [self._text("a text in single quotes")]
        while self._took(OPERATOR, ","):
            texts.append(self._text("a text in single quotes"))
        self._must_take(OPERATOR, ")")
        return conditions.among(self._as_operand(one), frozenset(texts))

    def _like(self, one: Part) -> Condition:
        position = self._next.position
        pattern = self._text("a pattern in single quotes")
        escape = ""
        if self._took(KEYWORD, "ESCAPE"):
            place = self._next.position
            escape = self._text("a character in single quotes")
            if len(escape) != 1:
                raise _fault("ESCAPE needs one character", place)
        if escape and (len(pattern) - len(pattern.rstrip(escape))) % 2:
            raise _fault("the pattern ends with its escape character", position)
        return conditions.like(self._as_operand(one), pattern, escape)

    def _text(self, wanted: str) -> str:
        token = self._next
        if token.kind != LITERAL or not isinstance(token.value, str):
            raise self._unexpected(wanted)
        self._at += 1
        return token.value

    def _sum(self) -> Part:
        return self._calculation(("+", "-"), self._term)

    def _term(self) -> Part:
        return self._calculation(("*", "/"), self._unary)

    def _calculation(self, signs: tuple[str, ...], read: Callable[[], Part]) -> Part:
        first = read()
        rest: list[tuple[str, Operand]] = []
        while sign := self._took(OPERATOR, *signs):
            if not rest:
                self._must_be_number(first)
            part = read()
            self._must_be_number(part)
            rest.append((sign, self._as_operand(part)))
        if not rest:
            return first
        return Part(conditions.arithmetic(self._as_operand(first), rest), None, first.position)

    def _must_be_number(self, part: Part) -> None:
        if _is_unordered(part.value):
            raise _fault("a number expected", part.position)

    def _unary(self) -> Part:
        position, is_negative, is_signed = self._next.position, False, False
        while sign := self._took(OPERATOR, "+", "-"):
            is_signed = True
            is_negative ^= sign == "-"
        part = self._primary()
        if part.value == 1 << 63 and not is_negative and isinstance(part.value, int):
            raise _fault("more than a number of 8 bytes can hold", part.position)
        if not is_signed:
            return part
        self._must_be_number(part)
        operand = self._as_operand(part)
        return Part(conditions.negated(operand) if is_negative else operand, None, position)

    def _primary(self) -> Part:
        token = self._next
        if token.kind == LITERAL:
            self._at += 1
            return Part(conditions.literal(token.value), None, token.position, value=token.value)
        if token.kind == NAME:
            self._at += 1
            _check_name(token)
            self.names.add(token.text)
            return Part(conditions.property_value(token.text), None, token.position, name=token.text)
        if not self._took(OPERATOR, "("):
            raise self._unexpected("a value")
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _fault(f"more than {_DEEPEST} parentheses in each other", token.position)
        part = self._or()
        self._must_take(OPERATOR, ")")
        self._depth -= 1
        return part


_PREDICATES: dict[str, Callable[[_Parser, Part], Condition]] = {
    "BETWEEN": _Parser._between,
    "IN": _Parser._in,
    "LIKE": _Parser._like,
}


def _predicate(condition: Condition, position: int, is_inverted: bool) -> Part:
    return Part(None, conditions.inverted(condition) if is_inverted else condition, position)


def _fault(text: str, position: int) -> SelectorFault:
    return SelectorFault(SYNTAX_ERROR, text, position)


def _is_unordered(value: object) -> bool:
    """Whether it is a literal that has no order: text, boolean or bytes."""
    return isinstance(value, bool | str | bytes)


def _check_name(token: Token) -> None:
    name = token.text.removeprefix("usr.")
    if name.startswith("JMS"):
        if name not in property_names.JMS and name not in property_names.JMS_OF_DESCRIPTOR:
            raise _fault(f"there is no property {token.text}", token.position)
    elif property_names.set_fault(token.text) and token.text != property_names.TOPIC_STRING:
        raise _fault(f"{token.text} cannot be the name of a property", token.position)


def _identifiers(sign: str, one: Part, other: Part) -> tuple[tuple[str, bytes], ...]:
    """The MsgId or CorrelId that an equality demands, for the index, which has no blank CorrelId."""
    if sign != "=":
        return ()
    for name, value in ((one.name, other.value), (other.name, one.value)):
        found: object = None
        if name in _IDENTIFIERS:
            found = value
        elif name == _MESSAGE_ID and isinstance(value, str) and _JMS_IDENTIFIER.fullmatch(value):
            found = bytes.fromhex(value[3:])
        if isinstance(found, bytes) and len(found) == ID_LENGTH and found != NO_ID:
            return ((_IDENTIFIERS.get(name, "msg_id"), found),)
    return ()
