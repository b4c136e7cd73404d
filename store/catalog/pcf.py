"""The PCF numbers of attributes, options and commands.

pcf_attributes.csv has a row for each attribute of each kind of object: number, type, length, and the
words of MQSC with the number of each in the same order; a row without a keyword is for the name of
the object. pcf_options.csv has the same for the options of commands: of the commands of a verb, of a
verb and a noun, or on a noun.

pcf_commands.csv has a row for each verb and noun, with the parameters that a request must have, one
that may be given instead of `either` of these (`or`), and the parameters that every response has.
To give an attribute or a command its number, add its row. The files are read when first asked for,
because only events and PCF commands need them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from mqsc.store.table import table

NAME = "(name)"
INTEGER = "CFIN"
STRING = "CFST"
INTEGER_LIST = "CFIL"
STRING_LIST = "CFSL"
BYTE_STRING = "CFBS"
# A text, or several.
STRINGS = f"{STRING} {STRING_LIST}"
_TYPES = (INTEGER, STRING, INTEGER_LIST, STRING_LIST, BYTE_STRING, STRINGS)


class PcfAttribute(NamedTuple):
    """How PCF writes an attribute: its number, its type, the length of texts, and the numbers of
    words.
    """

    number: int
    type: str
    length: int
    words: Mapping[str, int]


def pcf_attributes(kind: str) -> Mapping[str, PcfAttribute]:
    """The rows of a kind of object by keyword; attributes without a number have no row."""
    return _numbers().get(kind, {})


@cache
def _numbers() -> Mapping[str, Mapping[str, PcfAttribute]]:
    attributes: dict[str, dict[str, PcfAttribute]] = {}
    for row in table(
        __file__,
        "pcf_attributes.csv",
        ("kind", "keyword", *_COLUMNS),
        {"type": _TYPES},
    ):
        attributes.setdefault(row["kind"], {})[row["keyword"] or NAME] = _attribute(row)
    attributes["option"] = {
        _option_key(row["keyword"], row["verb"], row["noun"]): _attribute(row)
        for row in table(
            __file__,
            "pcf_options.csv",
            ("keyword", "verb", "noun", *_COLUMNS),
            {"type": _TYPES},
        )
    }
    return attributes


_COLUMNS = ("number", "type", "length", "words", "numbers")


def _attribute(row: Mapping[str, str]) -> PcfAttribute:
    words = row["words"].split()
    numbers = map(int, row["numbers"].split())
    return PcfAttribute(
        int(row["number"]),
        row["type"],
        int(row["length"] or 0),
        dict(zip(words, numbers, strict=True)),
    )


def _option_key(keyword: str, verb: str, noun: str) -> str:
    """The option of the commands of a verb, or of those on a noun, or of one command."""
    if verb and noun:
        return f"{keyword}({verb}-{noun})"
    commands = verb or noun.lower()
    return f"{keyword}({commands})" if commands else keyword


class PcfCommandRow(NamedTuple):
    """A row of pcf_commands.csv: a command of MQSC, its MQCMD, and what PCF says about it.

    `like`: DEFINE with LIKE. `selectors` is the parameter that lists the attributes that it asks
    for, 0 if it has none. `required` are the parameters that a request must begin with, each with
    its alternatives; `returned` those at the beginning of every response. The verb NAMES has the
    commands that list names, which MQSC does not have.
    """

    verb: str
    noun: str
    like: bool
    number: int
    selectors: int
    required: tuple[tuple[int, ...], ...]
    returned: tuple[int, ...]


def pcf_command(verb: str, noun: str, *, like: bool = False) -> PcfCommandRow | None:
    """The command of a verb and a noun of MQSC; None if PCF has none."""
    return _commands().get((verb, noun, like))


@cache
def pcf_commands(number: int) -> Sequence[PcfCommandRow]:
    """The commands of MQSC that have this number; several for a command on queues."""
    return [each for each in _commands().values() if each.number == number]


@cache
def _commands() -> Mapping[tuple[str, str, bool], PcfCommandRow]:
    rows = [
        PcfCommandRow(
            row["verb"],
            row["noun"],
            bool(row["like"]),
            int(row["number"]),
            int(row["selectors"] or 0),
            tuple(_alternatives(number, row) for number in row["required"].split()),
            tuple(map(int, row["returned"].split())),
        )
        for row in table(
            __file__,
            "pcf_commands.csv",
            (
                "verb",
                "noun",
                "like",
                "number",
                "selectors",
                "required",
                "either",
                "or",
                "returned",
            ),
            {"like": ("", "LIKE")},
        )
    ]
    return {row[:3]: row for row in rows}


def _alternatives(number: str, row: Mapping[str, str]) -> tuple[int, ...]:
    if number == row["either"]:
        return int(number), int(row["or"])
    return (int(number),)
