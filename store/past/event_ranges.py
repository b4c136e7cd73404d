"""The ranges of events that are read to find a state of the past."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mqsc.store.error import StoreError

# Events in one read; further back, where fewer are of interest, each read is GROWTH times as long
# as the one before.
PAGE = 20_000
GROWTH = 4


class UnknownMessagesError(StoreError):
    """Events that are needed were archived and removed; the message says which."""


class Range(NamedTuple):
    """The numbers of the last event that was removed, of the last one until the moment, and of
    the last of all.
    """

    pruned: int
    moment: int
    last: int


def backwards(
    first: int,
    last: int,
    size: int = PAGE,
    growth: int = 1,
) -> Iterator[tuple[int, int]]:
    """Ranges of events from the last one to the first."""
    while last >= first:
        yield max(first, last - size + 1), last
        last, size = last - size, size * growth
