"""Checks of the types of arguments, with an error message that names the expected type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Wanted = TypeVar("Wanted")


def must_be(kind: type[Wanted], value: object, what: str) -> Wanted:
    """Return the value; TypeError if it has another type."""
    if isinstance(value, kind):
        return value
    raise TypeError(f"{what} must be {kind.__name__}, not {type(value).__name__}")


def bits(value: object, what: str) -> int:
    """Options as a plain int; TypeError for anything else, including float and bool."""
    if type(value) is int:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    raise TypeError(f"{what} must be int, not {type(value).__name__}")


def checked_name(value: object, what: str) -> str:
    """A name without the padding of an MQ field; TypeError if it is not str."""
    return must_be(str, value, what).rstrip(" \0")


def must_be_writable(text: str, what: str) -> None:
    """Raise ValueError for text with unpaired surrogates, which cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        where = f"{what} has an unpaired surrogate at position {error.start}"
        raise ValueError(f"{where}, which cannot be encoded") from None


def checked_list(kind: type[Wanted], values: object, what: str) -> list[Wanted]:
    """The values of an iterable as a list; TypeError, beginning with `what`, if it or a value
    has another type.
    """
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{what}, not {type(values).__name__}")
    listed = list(values)
    for each in listed:
        if not isinstance(each, kind):
            raise TypeError(f"{what}, not {type(each).__name__}")
    return listed


def unit_names(name: str, luwid: str) -> tuple[str, str]:
    """The two names of a unit in doubt; ValueError for a blank one, or one that cannot be
    stored.
    """
    names = checked_name(name, "the name of the unit of work"), checked_name(luwid, "luwid")
    for given, what in zip(names, ("the name of the unit of work", "luwid"), strict=True):
        must_be_writable(given, what)
        if not given:
            raise ValueError(f"{what} is blank")
    return names
