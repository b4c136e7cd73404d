"""Which units of work have ended: a bit for each, because a history may have millions."""

from __future__ import annotations

from typing import Any

from mqsc.store.sql.rows import UNIT_BITS

# The most connections that are remembered, those that ended a unit of work last, and the most units
# of work of each.
MOST_CONNECTIONS = 100_000
MOST_UNITS = 1 << 23
_SERIAL = (1 << UNIT_BITS) - 1


class EndedUnits:
    """Remembers the ends of units of work by connection; a damaged history may have anything as
    a number.
    """

    def __init__(self) -> None:
        self._ended: dict[int, bytearray] = {}

    def has(self, unit: Any) -> bool:
        """Whether the end of this unit of work was added."""
        if not isinstance(unit, int):
            return False
        place, bit = divmod(unit & _SERIAL, 8)
        ended = self._ended.get(unit >> UNIT_BITS, b"")
        return place < len(ended) and bool(ended[place] & 1 << bit)

    def add(self, unit: Any) -> None:
        """A unit of work ends."""
        if not isinstance(unit, int) or unit & _SERIAL >= MOST_UNITS:
            return
        connection = unit >> UNIT_BITS
        place, bit = divmod(unit & _SERIAL, 8)
        ended = self._ended.pop(connection, None) or bytearray()
        self._ended[connection] = ended
        if place >= len(ended):
            ended.extend(bytes(place + 1 - len(ended)))
        ended[place] |= 1 << bit
        if len(self._ended) > MOST_CONNECTIONS:
            del self._ended[next(iter(self._ended))]
