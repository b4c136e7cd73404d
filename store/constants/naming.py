"""Names and numbers of constants, found by one another."""

import enum
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

_PACKAGE = __name__.rpartition(".")[0]


@cache
def families() -> tuple[str, ...]:
    """The names of all families, in alphabetical order."""
    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    return tuple(sorted(name.upper() for _, name, _ in modules if name.startswith("mq")))


def family_named(family: str) -> type:
    """The class of a family. AttributeError, as for a name that the package does not have, if
    there is none.
    """
    missing = f"module {_PACKAGE!r} has no attribute {family!r}"
    if not (family.startswith("MQ") and family.isalnum() and family.isupper()):
        raise AttributeError(missing)
    try:
        module = import_module(f"{_PACKAGE}.{family.lower()}")
    except ModuleNotFoundError:
        raise AttributeError(missing) from None
    found: type = getattr(module, family)
    return found


def name_of(family: str, number: int) -> str:
    """The full main name of a number in a family ("MQRC", 2053 -> "MQRC_Q_FULL"), or its digits
    when it has none.
    """
    return _names(family).get(int(number)) or str(int(number))


@cache
def _names(family: str) -> Mapping[int, str]:
    try:
        declared = family_named(family)
    except AttributeError:
        return {}
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
    try:
        value = getattr(family_named(family), member)
    except AttributeError:
        raise KeyError(name) from None
    if not isinstance(value, int):
        raise KeyError(name)
    return int(value)
