"""The PCF numbers of attributes, options and commands.

pcf_attributes.csv has a row for each attribute of each kind of object: number, type, length and
words. `(name)` is the name of an object of that kind, and the kind `option` has the options of
commands, as KEYWORD or KEYWORD(COMMAND). pcf_commands.csv has a row for each verb and noun, with
the parameters that a request must have and those that every response has. To give an attribute or a
command its number, add its row. The files are read when first asked for, because only events and
PCF commands need them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from mqsc.store.table import table

NAME = "(name)"
INTEGER, STRING, INTEGER_LIST, STRING_LIST, BYTE_STRING = "CFIN", "CFST", "CFIL", "CFSL", "CFBS"


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
    found: dict[str, dict[str, PcfAttribute]] = {}
    for row in table(
        __file__, "pcf_attributes.csv", ("kind", "keyword", "number", "type", "length", "words")
    ):
        words = dict(each.split("=") for each in row["words"].split())
        found.setdefault(row["kind"], {})[row["keyword"]] = PcfAttribute(
            int(row["number"]),
            row["type"],
            int(row["length"] or 0),
            {word: int(number) for word, number in words.items()},
        )
    return found


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
            tuple(tuple(map(int, each.split("|"))) for each in row["required"].split()),
            tuple(map(int, row["returned"].split())),
        )
        for row in table(
            __file__,
            "pcf_commands.csv",
            ("verb", "noun", "like", "number", "selectors", "required", "returned"),
        )
    ]
    return {row[:3]: row for row in rows}
