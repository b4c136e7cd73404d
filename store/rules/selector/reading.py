"""Reads a selection string into conditions (properties §6), by the grammar in `selector.lark`.
Imports Lark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import ID_LENGTH, NO_ID
from mqsc.store.rules.properties import property_names
from mqsc.store.rules.selector import conditions
from mqsc.store.rules.selector.conditions import (
    Condition,
    Message,
    Operand,
    Selector,
    SelectorFault,
)

ALWAYS_FALSE, STRING_ERROR = int(MQRC.SELECTOR_ALWAYS_FALSE), int(MQRC.SELECTION_STRING_ERROR)
SYNTAX_ERROR = int(MQRC.SELECTOR_SYNTAX_ERROR)
LONGEST = 10_240
# The most levels of nested parentheses.
_DEEPEST = 40
_MOST, _MOST_DIGITS = (1 << 63) - 1, 20
_BYTES = re.compile(r'"0[xX]((?:[0-9A-Fa-f]{2})*)"')
_NUMBER_AND_MORE = re.compile(r"\.?\d[\w$.]*")
_JMS_IDENTIFIER = re.compile("ID:[0-9a-f]{48}")
_MESSAGE_ID = "JMSMessageID"
_IDENTIFIERS = {"Root.MQMD.MsgId": "msg_id", "Root.MQMD.CorrelId": "correl_id"}
# Fields whose values change while a message is on its queue.
_VOLATILE = frozenset(
    (
        *(
            "Root.MQMD.BackoutCount",
            "Root.MQMD.Expiry",
            "JMSRedelivered",
            "JMSXDeliveryCount",
            "JMSExpiration",
        ),
        *("usr.JMSRedelivered", "usr.JMSXDeliveryCount", "usr.JMSExpiration"),
    ),
)
_NO_MESSAGE: Message = (None, {})  # type: ignore[assignment]


@lru_cache(maxsize=64)
def parse(text: str) -> Selector:
    """The selector; SelectorFault 2459, 2504 for one that selects nothing, 2519 for one that is
    too long.
    """
    if len(text.encode("utf_8", "surrogatepass")) > LONGEST:
        raise SelectorFault(
            STRING_ERROR,
            f"the selection string has more than {LONGEST} bytes",
            LONGEST,
        )
    part, names = _read(text)
    needs_properties = any(
        not name.startswith(property_names.ROOT_MQMD) and name != _MESSAGE_ID for name in names
    )
    selector = Selector(
        text,
        _as_condition(part),
        needs_properties,
        not names & _VOLATILE,
        dict(part.identifiers),
    )
    if not names and not selector.selects(_NO_MESSAGE):
        raise SelectorFault(ALWAYS_FALSE, "no message can be selected", 1)
    return selector


def _read(text: str) -> tuple[_Part, set[str]]:
    """The whole text as one part, and the names in it."""
    parser = _parser().parse_interactive(text)
    names: set[str] = set()
    depth = 0
    before = ""
    last = ""
    try:
        for token in parser.iter_parse():
            before, last = last, token.type
            depth += (last == "LPAR") - (last == "RPAR")
            if depth > _DEEPEST:
                raise _fault(f"more than {_DEEPEST} parentheses in each other", token)
            if last == "NAME":
                _check_name(token)
                names.add(token.value)
        before, last = last, "$END"
        return parser.feed_token(Token(last, "the end", len(text.rstrip()))), names
    except UnexpectedCharacters as error:
        raise _unreadable(text, error.pos_in_stream) from None  # type: ignore[arg-type]
    except UnexpectedToken as error:
        wanted = _wanted(parser.accepts(), before)  # type: ignore[no-untyped-call]
        word = error.token.upper()
        found = word if word in property_names.KEYWORDS else error.token.value
        raise _fault(f"{wanted} expected, not {found}", error.token) from None


@cache
def _parser() -> Lark:
    settings: Any = {
        "parser": "lalr",
        "lexer": "basic",
        "start": "disjunction",
        "transformer": _Parts(),
    }
    return Lark.open("selector.lark", rel_to=__file__, **settings)


def _wanted(accepted: set[str], before: str) -> str:
    """What is missing after the terminal `before`, where the parser accepts some terminals."""
    if before in _WANTED_AFTER:
        return _WANTED_AFTER[before]
    return next(
        (words for terminal, words in _WANTED if terminal in accepted),
        "AND, OR or the end",
    )


_WANTED_AFTER = {"LIKE": "a pattern in single quotes", "ESCAPE": "a character in single quotes"}
# The first terminal that is accepted decides. A whole selector is followed by none.
_WANTED = (
    ("NAME", "a value"),
    ("STRING", "a text in single quotes"),
    ("$END", "AND, OR or the end"),
    ("RPAR", ")"),
    ("BETWEEN", "BETWEEN, IN or LIKE"),
    ("AND", "AND"),
    ("LPAR", "("),
    ("NULL", "NULL"),
)


def _unreadable(text: str, offset: int) -> SelectorFault:
    """The fault of a text that has no word at an offset."""
    number = _NUMBER_AND_MORE.match(text, offset)
    if number is not None:
        what = f"not a number: {number[0]}"
    elif text[offset] in "'\"":
        what = "a string without its closing quote"
    else:
        what = f"unexpected {text[offset]!r}"
    return SelectorFault(SYNTAX_ERROR, what, offset + 1)


class _Part(NamedTuple):
    """A part of the selector: a condition, an operand, or an operand that can be a condition on its
    own.

    `place` is the word at which it begins. `name` and `value` are set for a property or a literal
    standing alone; `identifiers` is what the index can find.
    """

    place: Token
    operand: Operand | None = None
    condition: Condition | None = None
    name: str = ""
    value: object = None
    identifiers: tuple[tuple[str, bytes], ...] = ()


@v_args(inline=True)
class _Parts(Transformer[Token, _Part]):
    """What each rule of the grammar means. Lark calls these while it parses, so the first fault
    is reported.
    """

    def disjunction(self, *parts: _Part) -> _Part:
        return _Part(
            parts[0].place,
            None,
            conditions.any_of([_as_condition(each) for each in parts]),
        )

    def conjunction(self, *parts: _Part) -> _Part:
        condition = conditions.all_of([_as_condition(each) for each in parts])
        identifiers = tuple(each for part in parts for each in part.identifiers)
        return _Part(parts[0].place, None, condition, identifiers=identifiers)

    def negation(self, *words: Any) -> _Part:
        *negations, part = words
        condition = _as_condition(part)
        return _Part(
            negations[0],
            None,
            conditions.inverted(condition) if len(negations) % 2 else condition,
        )

    def comparison(self, part: _Part, sign: Token, other: _Part) -> _Part:
        left, right = _as_operand(part), _as_operand(other)
        if sign not in conditions.EQUALITY:
            _refuse_unordered((part, other), f"{sign} compares numbers only")
        is_field = any(each.name.startswith(property_names.ROOT_MQMD) for each in (part, other))
        condition = conditions.comparison(sign.value, left, right, padded=is_field)
        return _Part(part.place, None, condition, identifiers=_identifiers(sign, part, other))

    def is_null(self, part: _Part, negation: Token | None) -> _Part:
        if not part.name:
            raise _fault("IS NULL needs the name of a property", part.place)
        return _predicate(part, negation, conditions.is_null(_as_operand(part)))

    def between(self, part: _Part, negation: Token | None, low: _Part, high: _Part) -> _Part:
        parts = (part, low, high)
        _refuse_unordered(parts, "BETWEEN compares numbers only")
        return _predicate(part, negation, conditions.between(*map(_as_operand, parts)))

    def among(self, part: _Part, negation: Token | None, *texts: Token) -> _Part:
        return _predicate(
            part,
            negation,
            conditions.among(_as_operand(part), frozenset(map(_unquoted, texts))),
        )

    def like(
        self,
        part: _Part,
        negation: Token | None,
        pattern: Token,
        character: Token | None,
    ) -> _Part:
        like, escape = _unquoted(pattern), "" if character is None else _unquoted(character)
        if character is not None and len(escape) != 1:
            raise _fault("ESCAPE needs one character", character)
        if escape and (len(like) - len(like.rstrip(escape))) % 2:
            raise _fault("the pattern ends with its escape character", pattern)
        return _predicate(part, negation, conditions.like(_as_operand(part), like, escape))

    def sum(self, first: _Part, *others: Any) -> _Part:
        rest = list(zip(others[::2], others[1::2], strict=True))
        _refuse_unordered((first, *others[1::2]), "a number expected")
        operations = [(sign.value, _as_operand(part)) for sign, part in rest]
        return _Part(first.place, conditions.arithmetic(_as_operand(first), operations))

    product = sum

    def signed(self, *words: Any) -> _Part:
        signs: tuple[Token, ...] = words[:-1]
        part: _Part = words[-1]
        is_negative = signs.count("-") % 2 == 1
        # The lowest number is written with a sign.
        if type(part.value) is int and part.value > _MOST and not is_negative:
            raise _too_large(part.place)
        if not signs:
            return part
        _refuse_unordered((part,), "a number expected")
        operand = _as_operand(part)
        return _Part(signs[0], conditions.negated(operand) if is_negative else operand)

    def property(self, name: Token) -> _Part:
        return _Part(name, conditions.property_value(name.value), name=name.value)

    def text(self, word: Token) -> _Part:
        return _literal(word, _unquoted(word))

    def octets(self, word: Token) -> _Part:
        match = _BYTES.fullmatch(word)
        if match is None:
            raise _fault(
                f'{word} is no byte string, such as "0x0AFC"; a text is in single quotes',
                word,
            )
        return _literal(word, bytes.fromhex(match[1]))

    def flag(self, word: Token) -> _Part:
        return _literal(word, word.upper() == "TRUE")

    def number(self, word: Token) -> _Part:
        return _literal(word, _number(word))


def _as_condition(part: _Part) -> Condition:
    """A part as a condition: a property or literal alone must be a boolean."""
    if part.condition is not None:
        return part.condition
    if part.operand is not None and (part.name or isinstance(part.value, bool)):
        return conditions.truth(part.operand)
    raise _fault("a comparison expected, not a value", part.place)


def _as_operand(part: _Part) -> Operand:
    if part.operand is None:
        raise _fault("a value expected, not a comparison", part.place)
    return part.operand


def _predicate(part: _Part, negation: Token | None, condition: Condition) -> _Part:
    return _Part(
        part.place,
        None,
        condition if negation is None else conditions.inverted(condition),
    )


def _refuse_unordered(parts: Iterable[_Part], fault: str) -> None:
    """Refuse literals that have no order: text, boolean or bytes."""
    for part in parts:
        if isinstance(part.value, bool | str | bytes):
            raise _fault(fault, part.place)


def _fault(text: str, place: Token) -> SelectorFault:
    return SelectorFault(SYNTAX_ERROR, text, (place.start_pos or 0) + 1)


def _literal(word: Token, value: bool | int | float | str | bytes) -> _Part:
    return _Part(word, conditions.literal(value), value=value)


def _unquoted(word: Token) -> str:
    return word[1:-1].replace("''", "'")


def _number(word: Token) -> int | float:
    """The value of a number; the lowest without its sign."""
    digits = word.rstrip("lL")
    if word[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif not digits.isdigit():
        return float(word.rstrip("fFdD"))
    elif len(digits) > 1 and digits[0] == "0":
        if not set(digits) <= set("01234567"):
            raise _fault(f"{word} is no octal number, as the 0 at its start says", word)
        value = int(digits, 8)
    else:
        # Python refuses to read thousands of digits.
        value = int(digits[:_MOST_DIGITS])
    if value > _MOST + 1:
        raise _too_large(word)
    return value


def _too_large(word: Token) -> SelectorFault:
    return _fault(f"{word} is more than a number of 8 bytes can hold", word)


def _check_name(word: Token) -> None:
    name = word.removeprefix("usr.")
    if name.startswith("JMS"):
        if name not in property_names.JMS and name not in property_names.JMS_OF_DESCRIPTOR:
            raise _fault(f"there is no property {word}", word)
    elif property_names.set_fault(word.value) and word != property_names.TOPIC_STRING:
        raise _fault(f"{word} cannot be the name of a property", word)


def _identifiers(sign: str, part: _Part, other: _Part) -> tuple[tuple[str, bytes], ...]:
    """The MsgId or CorrelId that an equality demands, for the index, which has no blank
    CorrelId.
    """
    if sign != "=":
        return ()
    for name, value in ((part.name, other.value), (other.name, part.value)):
        identifier: object = None
        if name in _IDENTIFIERS:
            identifier = value
        elif name == _MESSAGE_ID and isinstance(value, str) and _JMS_IDENTIFIER.fullmatch(value):
            identifier = bytes.fromhex(value[3:])
        if isinstance(identifier, bytes) and len(identifier) == ID_LENGTH and identifier != NO_ID:
            return ((_IDENTIFIERS.get(name, "msg_id"), identifier),)
    return ()
