"""What a program hands over is of the right type, or it is told in words what would be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Wanted = TypeVar("Wanted")


def must_be(kind: type[Wanted], value: object, what: str) -> Wanted:
    """The value; TypeError when it is of another type."""
    if isinstance(value, kind):
        return value
    raise TypeError(f"{what} is {type(value).__name__}; {kind.__name__} is right")


def bits(value: object, what: str) -> int:
    """Options as a plain number; TypeError for what is no number, a fraction included."""
    if type(value) is int:
        return value
    return int(must_be(int, value, what))


def name(value: object, what: str) -> str:
    """A name without the padding that its field has on MQ; TypeError for what is no text."""
    return must_be(str, value, what).rstrip(" \0")


def must_be_writable(text: str, what: str) -> None:
    """ValueError for a text that no character set can write."""
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        where = f"{what} has half a surrogate pair at {fault.start}"
        raise ValueError(f"{where}, which no character set can write") from None


def several(kind: type[Wanted], values: object, what: str) -> list[Wanted]:
    """The values of a list or the like; TypeError, saying `what` is right, when it or one of them is anything else."""
    if not isinstance(values, Iterable):
        raise TypeError(f"{what}, not {type(values).__name__}")
    found = list(values)
    for each in found:
        if not isinstance(each, kind):
            raise TypeError(f"{what}, not {type(each).__name__}")
    return found
