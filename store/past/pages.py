"""Pages of a history: which events each has; the ordinary calls as columns, which takes a third of
the time of rows, and the other events.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from struct import iter_unpack
from typing import Any

import msgspec

from mqsc.store.past.messages import PastEvent
from mqsc.store.sql import search
from mqsc.store.sqlite.queries import Queries


def page(reading: Queries, first: int, last: int) -> tuple[list[list[Any]], list[PastEvent]]:
    """The calls with these numbers as columns (`columns_of_calls`), and the other events, both
    in order.
    """
    calls = columns_of_calls(search.calls(reading, first, last))
    # To look for others takes 0.25 s for a million events.
    is_whole = len(calls[0]) == last - first + 1
    if is_whole:
        return calls, []
    return calls, [PastEvent._make(row) for row in search.no_calls(reading, first, last)]


def columns_of_calls(read: Sequence[Any]) -> list[list[Any]]:
    """For each value of `store.past.messages.Call` those of the calls that
    `store.sql.search.calls` has read.
    """
    *arrays, msg_ids = read
    return [
        *map(msgspec.json.decode, arrays),
        [*chain.from_iterable(iter_unpack("24s", msg_ids or b""))],
    ]
