"""Reads constants.csv and makes the classes of its families.

A row has family, name and value; the value of a row without a name says what the family is. A blank
line is between two families, so that one can be read without the others. A value is a number, bytes
in hexadecimal after `x:`, or a text.
"""

import enum
from collections.abc import Mapping
from functools import cache
from typing import Any

from mqsc.store.table import Block, blocks, cells_of

Value = int | str | bytes

_OPTIONS = frozenset({"MQGMO", "MQPMO", "MQOO", "MQRO", "MQMO", "MQCO", "MQMF", "MQSO", "MQSRO"})
# Names in families of options that belong to the structure itself.
_OF_STRUCTURES = ("VERSION_", "LENGTH_", "CURRENT_", "STRUC_ID")
# Families of numbers that are no enumeration: lengths, and sums.
_PLAIN = frozenset({"MQ", "MQENC"})
_PACKAGE = __name__.rpartition(".")[0]
_classes: dict[str, type] = {}


_COLUMNS = ("family", "name", "value")


@cache
def _blocks() -> Mapping[str, Block]:
    """The rows of each family, not read yet."""
    return blocks(__file__, "constants.csv", _COLUMNS)


def rows_of(family: str) -> list[tuple[str, str]]:
    """The names and values of a family as they are in the file, its description first if it has
    one.
    """
    return [(name, value) for _, name, value in cells_of(_blocks()[family], _COLUMNS)]


def families() -> tuple[str, ...]:
    """The names of all classes."""
    return tuple(_blocks())


def read_value(text: str) -> Value:
    if text.removeprefix("-")[:1].isdigit():
        return int(text, 0)
    return bytes.fromhex(text[2:]) if text.startswith("x:") else text


def is_of_structure(family: str, name: str) -> bool:
    """Whether a name in a family of options is no option."""
    return family in _OPTIONS and name.startswith(_OF_STRUCTURES)


def family_named(family: str) -> type:
    """The class of a family. AttributeError, as for a name that the package does not have, if
    there is none.
    """
    if family in _classes:
        return _classes[family]
    if family not in _blocks():
        raise AttributeError(f"module {_PACKAGE!r} has no attribute {family!r}")
    # Two threads may get here at once; there must be only one class.
    return _classes.setdefault(family, _new_family(family))


def _new_family(family: str) -> Any:
    rows = rows_of(family)
    description = rows.pop(0)[1] if not rows[0][0] else None
    values = {name: read_value(value) for name, value in rows}
    declared = _declared(family, values)
    if description is not None:
        declared.__doc__ = description
    return declared


def _declared(family: str, values: Mapping[str, Value]) -> Any:
    base = base_of(family, values)
    if base is enum.IntFlag:
        members = [
            (name, enum.nonmember(v) if is_of_structure(family, name) else v)
            for name, v in values.items()
        ]
        return enum.IntFlag(family, members, module=_PACKAGE, boundary=enum.KEEP)
    if base is enum.IntEnum:
        return enum.IntEnum(family, values, module=_PACKAGE)
    return type(family, (), {"__module__": _PACKAGE, **values})


def base_of(family: str, values: Mapping[str, Value]) -> type:
    """The base of the class of a family: IntFlag, IntEnum, or object for plain attributes."""
    if family in _OPTIONS:
        return enum.IntFlag
    return (
        enum.IntEnum
        if family not in _PLAIN and all(isinstance(v, int) for v in values.values())
        else object
    )


def name_of(family: str, number: int) -> str:
    """The full main name of a number in a family ("MQRC", 2053 -> "MQRC_Q_FULL"), or its digits
    when it has none.
    """
    return _names(family).get(int(number)) or str(int(number))


@cache
def _names(family: str) -> Mapping[int, str]:
    declared: type = family_named(family) if family in _blocks() else object
    members = declared.__members__ if isinstance(declared, enum.EnumType) else vars(declared)
    names: dict[int, str] = {}
    for member, value in members.items():
        if isinstance(value, int):
            names.setdefault(int(value), f"{family}_{member}")
    return names


def value_of(name: str) -> int:
    """The number of a constant given by its full name ("MQRC_Q_FULL" -> 2053); KeyError when no
    number has it.
    """
    family, _, member = name.partition("_")
    value = getattr(family_named(family), member, None) if family in _blocks() else None
    if not isinstance(value, int):
        raise KeyError(name)
    return int(value)
