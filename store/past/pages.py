"""Pages of a history: which events each has; the ordinary calls as columns, which takes a third of
the time of rows, and the other events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from struct import iter_unpack
from typing import Any

import msgspec

from mqsc.store.past.messages import PastEvent
from mqsc.store.sql import search
from mqsc.store.sqlite.queries import Queries

# Events in one read; further back, where fewer are of interest, each read is so many times longer
# than the one before.
PAGE = 20_000
GROWTH = 4


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


def page(reading: Queries, first: int, last: int) -> tuple[list[list[Any]], list[PastEvent]]:
    """The calls with these numbers as columns (`columns_of_calls`), and the other events, both
    in order.
    """
    calls = columns_of_calls(search.calls(reading, first, last))
    # To look for others takes 0.25 s for a million events.
    is_whole = len(calls[0]) == last - first + 1
    return calls, [] if is_whole else [
        PastEvent._make(row) for row in search.no_calls(reading, first, last)
    ]


def columns_of_calls(read: Sequence[Any]) -> list[list[Any]]:
    """For each value of `store.past.messages.Call` those of the calls that
    `store.sql.search.calls` has read.
    """
    *arrays, msg_ids = read
    return [
        *map(msgspec.json.decode, arrays),
        [*chain.from_iterable(iter_unpack("24s", msg_ids or b""))],
    ]
