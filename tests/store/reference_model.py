"""The message engine written the slow obvious way: a list for each queue, a dict of open units of work.

It knows priorities, expiry, match by CorrelId, units of work, backout counts, browse cursors and restarts; the state
machine in test_model.py holds the store against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

TENTH = 100_000


@dataclass
class Item:
    """A message: where it stands in the order, and who owns it meanwhile."""

    token: bytes
    priority: int
    number: int
    persistent: bool
    correl_id: bytes
    expires_at: int | None
    put_by: int | None = None
    got_by: int | None = None
    backout_count: int = 0

    @property
    def place(self) -> tuple[int, int]:
        """Delivery order: higher priority first, then as put."""
        return -self.priority, self.number


@dataclass
class Model:
    """Queues by name; a unit of work is the number of its connection."""

    queues: dict[str, list[Item]]
    now: int
    numbers: int = 0
    cursors: dict[tuple[int, str], tuple[int, int]] = field(default_factory=dict)

    def put(
        self, queue: str, token: bytes, priority: int, persistent: bool, correl_id: bytes, expiry: int, unit: int | None
    ) -> None:
        """Place a message."""
        self.numbers += 1
        expires_at = None if expiry < 0 else self.now + expiry * TENTH
        item = Item(token, priority, self.numbers, persistent, correl_id, expires_at, put_by=unit)
        self.queues[queue].append(item)
        self.queues[queue].sort(key=lambda each: each.place)

    def choose(self, queue: str, correl_id: bytes = b"", after: tuple[int, int] | None = None) -> Item | None:
        """The message a get or browse returns; expired ones that would have been chosen before it are discarded."""
        for item in list(self._ready(queue)):
            if correl_id and item.correl_id != correl_id:
                continue
            if after is not None and item.place <= after:
                continue
            if item.expires_at is not None and self.now >= item.expires_at:
                self.queues[queue].remove(item)
                continue
            return item
        return None

    def get(self, queue: str, unit: int | None, correl_id: bytes = b"") -> Item | None:
        """Take the next message."""
        item = self.choose(queue, correl_id)
        if item is not None:
            if unit is None:
                self.queues[queue].remove(item)
            else:
                item.got_by = unit
        return item

    def browse(self, connection: int, queue: str, *, first: bool) -> Item | None:
        """Look at the first message, or the next after the cursor."""
        after = None if first else self.cursors.get((connection, queue))
        item = self.choose(queue, after=after)
        if item is not None:
            self.cursors[connection, queue] = item.place
        return item

    def commit(self, unit: int) -> None:
        """What the unit put is there, what it got is gone."""
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.got_by != unit]
            for item in self.queues[name]:
                item.put_by = None if item.put_by == unit else item.put_by

    def back(self, unit: int) -> None:
        """What the unit put is gone, what it got is back with its backout count raised."""
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.put_by != unit]
            for item in self.queues[name]:
                if item.got_by == unit:
                    item.got_by, item.backout_count = None, item.backout_count + 1

    def refresh(self, queue: str) -> int:
        """Discard everything expired; how many."""
        gone = [item for item in self._ready(queue) if item.expires_at is not None and self.now >= item.expires_at]
        for item in gone:
            self.queues[queue].remove(item)
        return len(gone)

    def restart(self, connections: list[int]) -> None:
        """End at once and start: units are backed out, non-persistent and expired messages dropped."""
        for connection in connections:
            self.back(connection)
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.persistent]
            self.refresh(name)
        self.cursors.clear()

    def depth(self, queue: str) -> int:
        """Uncommitted puts count, uncommitted gets do not."""
        return sum(item.got_by is None for item in self.queues[queue])

    def _ready(self, queue: str) -> Iterator[Item]:
        return (item for item in self.queues[queue] if item.put_by is None and item.got_by is None)
