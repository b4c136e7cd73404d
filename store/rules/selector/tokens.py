"""The words of a selection string, with their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from store.constants import MQRC
from store.rules.properties.property_names import KEYWORDS

SYNTAX_ERROR = int(MQRC.SELECTOR_SYNTAX_ERROR)
NAME, KEYWORD, LITERAL, OPERATOR, END = "name", "keyword", "literal", "operator", "end"
_MOST, _LEAST = (1 << 63) - 1, -(1 << 63)


class SelectorFault(Exception):
    """A selection string that cannot be used: the MQRC, what is wrong, and where, counted in characters from 1."""

    def __init__(self, reason: int, fault: str, position: int) -> None:
        super().__init__(reason, fault, position)
        self.reason = reason
        self.fault = fault
        self.position = position


class Token(NamedTuple):
    """A word: its kind, its text (a keyword in upper case), its position, and the value of a literal."""

    kind: str
    text: str
    position: int
    value: bool | int | float | str | bytes = 0


_WORD = re.compile(
    r"""\s*(?:
      (?P<string>'(?:[^']|'')*')
    | (?P<bytes>"[^"]*")
    | (?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?|\d+[eE][+-]?\d+[fFdD]?)
    | (?P<hex>0[xX][0-9A-Fa-f]+[lL]?)
    | (?P<whole>\d+[lL]?)
    | (?P<name>(?:[^\W\d]|\$)[\w$]*(?:\.(?:[^\W\d]|\$)[\w$]*)*)
    | (?P<operator><>|<=|>=|[=<>+\-*/(),])
    )""",
    re.VERBOSE,
)
_BYTES = re.compile(r'"0[xX]((?:[0-9A-Fa-f]{2})*)"')
_BOOLEANS = {"TRUE": True, "FALSE": False}


def tokens(text: str) -> Iterator[Token]:
    """The words of the text, then END; SelectorFault 2459 for text that is not a selector."""
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _WORD.match(text, at)
        if found is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            what = "a string without its closing quote" if text[at] in "'\"" else f"unexpected {text[at]!r}"
            raise SelectorFault(SYNTAX_ERROR, what, at + 1)
        kind = found.lastgroup or ""
        start = found.start(kind)
        yield _READ[kind](found[kind], start + 1)
        at = found.end()
        if kind in _NUMBERS and at < end and (text[at].isalnum() or text[at] in "_$."):
            raise SelectorFault(SYNTAX_ERROR, f"not a number: {text[start : at + 1]}", start + 1)
    yield Token(END, "the end", end + 1)


_NUMBERS = frozenset(("float", "hex", "whole"))


def _string(text: str, position: int) -> Token:
    return Token(LITERAL, text, position, text[1:-1].replace("''", "'"))


def _bytes(text: str, position: int) -> Token:
    found = _BYTES.fullmatch(text)
    if found is None:
        raise SelectorFault(
            SYNTAX_ERROR, f'{text} is no byte string, such as "0x0AFC"; a text is in single quotes', position
        )
    return Token(LITERAL, text, position, bytes.fromhex(found[1]))


def _float(text: str, position: int) -> Token:
    return Token(LITERAL, text, position, float(text.rstrip("fFdD")))


def _hex(text: str, position: int) -> Token:
    return _integer(text, int(text.rstrip("lL"), 16) if len(text) < 20 else _MOST + 1, position)


def _whole(text: str, position: int) -> Token:
    digits = text.rstrip("lL")
    if len(digits) > 1 and digits[0] == "0":
        if not set(digits) <= set("01234567"):
            raise SelectorFault(SYNTAX_ERROR, f"{text} is no octal number, as the 0 at its start says", position)
        return _integer(text, int(digits, 8) if len(digits) < 24 else _MOST + 1, position)
    return _integer(text, int(digits) if len(digits) < 20 else _MOST + 1, position)


def _integer(text: str, value: int, position: int) -> Token:
    # The lowest number is written with a sign, which comes later.
    if value > _MOST + 1:
        raise SelectorFault(SYNTAX_ERROR, f"{text} is more than a number of 8 bytes can hold", position)
    return Token(LITERAL, text, position, value)


def _name(text: str, position: int) -> Token:
    word = text.upper()
    if word in _BOOLEANS:
        return Token(LITERAL, word, position, _BOOLEANS[word])
    return Token(KEYWORD, word, position) if word in KEYWORDS else Token(NAME, text, position)


def _operator(text: str, position: int) -> Token:
    return Token(OPERATOR, text, position)


_READ = {
    "string": _string,
    "bytes": _bytes,
    "float": _float,
    "hex": _hex,
    "whole": _whole,
    "name": _name,
    "operator": _operator,
}
