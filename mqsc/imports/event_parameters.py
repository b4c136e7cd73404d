"""The parameters of event messages: their keys, their words and numbers, and lists of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from mqsc.pcf.readable import parameter_name
from mqsc.store import constants
from mqsc.store.constants import MQCA, families

# The groups that are lists even with one member.
LISTS = frozenset(
    {"activityTrace", "queueStatisticsData", "queueAccountingData", "chlStatisticsData"},
)
# Seconds since 1970 at the end of the year 9999, the last that a time can have.
END_OF_TIME = 253_402_300_800
_UNKNOWN = re.compile(r"unknown\[(\d{1,10})\]", re.IGNORECASE)


def key_of(name: str) -> str:
    """The key that amqsevt gives a parameter, by its constant: queueMgrName for MQCA_Q_MGR_NAME."""
    replaced = (
        name.replace("_Q_", "_QUEUE_", 1) if "_Q_" in name else re.sub(r"_Q$", "_QUEUE", name)
    )
    first, *others = replaced.partition("_")[2].lower().split("_")
    return "".join([first, *map(str.capitalize, others)])


@cache
def key_of_number(number: int) -> str:
    """The key of a parameter by its number."""
    name = "MQCA_BASE_OBJECT_NAME" if number == MQCA.BASE_OBJECT_NAME else parameter_name(number)
    return key_of(name) if name != str(number) else f"unknown[{number}]"


@cache
def key_as_written(written: str) -> str:
    """A key of JSON in the usual form: a constant with `amqsevt -d`, or the number of an unknown
    parameter.
    """
    unknown = _UNKNOWN.fullmatch(written)
    if unknown is not None:
        return key_of_number(int(unknown[1]))
    return key_of(written) if written.startswith("MQ") and "_" in written else written


def plain_word(word: str) -> str:
    """A word of a value, or the name of its constant, in a form in which both are equal."""
    return "".join("queue" if part == "q" else part for part in re.split(r"[ _]", word.lower()))


@cache
def _words(family: str) -> Mapping[str, int]:
    words: dict[str, int] = {}
    for name, number in members(family):
        words.setdefault(plain_word(name), number)
    return words


@cache
def members(family: str) -> Sequence[tuple[str, int]]:
    """The names and numbers of a family of constants; none for one that has texts, or does not
    exist.
    """
    enumeration = getattr(constants, family) if family in families() else None
    return [(name, int(each)) for name, each in getattr(enumeration, "__members__", {}).items()]


def number_of(value: Any, family: str) -> int | None:
    """The number that a value means: a number, its digits, {name, value}, or a word of a family;
    None if it is none.
    """
    if isinstance(value, Mapping):
        value = value.get("value")
    if isinstance(value, int):
        return value
    text = str(value).strip()
    if re.fullmatch(r"-?\d{1,18}", text):
        return int(text)
    return _words(family).get(plain_word(text.removeprefix(f"{family}_")))


def merged_parameters(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs of an object; values of a repeated key become a list."""
    merged: dict[str, Any] = {}
    for key, value in pairs:
        key = key_as_written(key)
        if key not in merged:
            merged[key] = (
                value.split("\0", 1)[0] if isinstance(value, str) and "\0" in value else value
            )
        elif isinstance(merged[key], list):
            merged[key].append(value)
        else:
            merged[key] = [merged[key], value]
    return merged


def with_lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters, with a list where a group has one member; what is no group is left out."""
    merged = dict(data.items())
    for key in LISTS & merged.keys():
        every = merged[key] if isinstance(merged[key], list) else [merged[key]]
        merged[key] = [each for each in every if isinstance(each, Mapping)]
    return merged


def name_text(value: Any) -> str:
    return str(value or "").strip()
