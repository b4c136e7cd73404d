"""The journals that programs of the day keep outside of the store: of what they put and what they
got.

Each line is one write, which survives when its program is killed. A line with identifiers comes
before the call that makes a unit of work final, the line after it says that the call returned.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

INTENDED, DONE = "intended", "done"


class Journal:
    """A journal to write to. It continues the journal of a program that was killed."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def intend(self, identifiers: Iterable[str]) -> None:
        """Record that the call which makes this unit of work final is about to be made."""
        self._write(" ".join((INTENDED, *identifiers)))

    def done(self) -> None:
        """Record that the call has returned."""
        self._write(DONE)

    def _write(self, line: str) -> None:
        os.write(self._file, f"{line}\n".encode())


class Unit(Struct, frozen=True):
    """The identifiers of a unit of work, and whether its final call is known to have returned."""

    identifiers: tuple[str, ...]
    is_done: bool


def units(path: Path) -> Iterator[Unit]:
    """The units of work of a journal, in order; none of a journal that nobody has begun."""
    lines = path.read_text().splitlines() if path.exists() else []
    for line, following in pairwise([*lines, ""]):
        word, *identifiers = line.split()
        if word == INTENDED:
            yield Unit(tuple(identifiers), following == DONE)


def last_number(path: Path) -> int:
    """The number in the last identifier that was intended; 0 if there is none."""
    numbers = [number_of(each) for unit in units(path) for each in unit.identifiers]
    return max(numbers, default=0)


def identifier(name: str, number: int) -> str:
    """The identifier of a message: the name of its writer and its number there."""
    return f"{name}.{number:08d}"


def number_of(identifier: str) -> int:
    return int(identifier.rpartition(".")[2])
