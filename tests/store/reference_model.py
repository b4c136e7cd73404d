"""A simple, slow model of the message engine: a list for each queue, and marks on messages for open
units of work.

It models priorities, FIFO, MAXDEPTH, expiry, matching, units of work, backout counts, skipped
backouts, browse cursors, locks and restarts. The state machine in test_model.py compares the store
with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

TENTH = 100_000


@dataclass
class Item:
    """A message: its place in the order, and the connections that have put, got or locked it."""

    token: bytes
    priority: int
    rank: int
    number: int
    persistent: bool
    correl_id: bytes
    expires_at: int | None
    put_by: int | None = None
    got_by: int | None = None
    locked_by: int | None = None
    backout_count: int = 0

    @property
    def place(self) -> tuple[int, int]:
        """The sort key of the delivery order: higher rank first, then in the order of puts."""
        return -self.rank, self.number


@dataclass(frozen=True)
class Wanted:
    """The identifiers that a get selects by; blank matches any."""

    msg_id: bytes = b""
    correl_id: bytes = b""

    def is_met_by(self, item: Item) -> bool:
        """Return whether the message has these identifiers."""
        return self.msg_id in (b"", item.token) and self.correl_id in (b"", item.correl_id)


ANY = Wanted()


@dataclass
class Model:
    """Queues by name; `most` has maximum depths. A unit of work has the number of its
    connection.
    """

    queues: dict[str, list[Item]]
    now: int
    fifo: frozenset[str] = frozenset()
    most: dict[str, int] = field(default_factory=dict)
    numbers: int = 0
    cursors: dict[tuple[int, str], Item] = field(default_factory=dict)
    marked: dict[int, Item] = field(default_factory=dict)

    def has_room(self, queue: str, many: int) -> bool:
        """Return whether `many` more messages may be put."""
        return self.depth(queue) + many <= self.most.get(queue, 1 << 30)

    def put(
        self,
        queue: str,
        token: bytes,
        priority: int,
        persistent: bool,
        correl_id: bytes,
        expiry: int,
        unit: int | None,
    ) -> None:
        """Insert a message at its place."""
        self.numbers += 1
        expires_at = None if expiry < 0 else self.now + expiry * TENTH
        rank = 0 if queue in self.fifo else priority
        item = Item(
            token,
            priority,
            rank,
            self.numbers,
            persistent,
            correl_id,
            expires_at,
            put_by=unit,
        )
        self.queues[queue].append(item)
        self.queues[queue].sort(key=lambda each: each.place)

    def choose(
        self,
        who: int,
        queue: str,
        wanted: Wanted = ANY,
        after: tuple[int, int] | None = None,
    ) -> Item | None:
        """Return the message that a get or browse selects. Expired ones that would come before
        it are discarded.
        """
        for item in list(self._ready(queue)):
            if not wanted.is_met_by(item) or item.locked_by not in (None, who):
                continue
            if after is not None and item.place <= after:
                continue
            if self._is_expired(item):
                self.queues[queue].remove(item)
                continue
            return item
        return None

    def take(self, queue: str, item: Item, unit: int | None) -> None:
        """Get a message destructively: remove it, or reserve it for the unit of work."""
        item.locked_by = None
        if unit is None:
            self.queues[queue].remove(item)
        else:
            item.got_by = unit

    def under_cursor(self, who: int, queue: str) -> Item | None:
        """Return the message browsed last if it is still available; discard it if it has
        expired.
        """
        item = self.cursors.get((who, queue))
        if item is None or item not in self._ready(queue) or item.locked_by not in (None, who):
            return None
        if self._is_expired(item):
            self.queues[queue].remove(item)
            return None
        return item

    def browse(self, who: int, queue: str, *, first: bool, lock: bool) -> Item | None:
        """Browse the first message, or the next after the cursor. A previous lock is released."""
        cursor = None if first else self.cursors.get((who, queue))
        item = self.choose(who, queue, after=None if cursor is None else cursor.place)
        self.unlock(who, queue)
        if item is not None:
            self.cursors[who, queue] = item
            item.locked_by = who if lock else None
        return item

    def unlock(self, who: int, queue: str) -> bool:
        """Release the connection's lock on the queue; return whether there was one."""
        held = [item for item in self.queues[queue] if item.locked_by == who]
        for item in held:
            item.locked_by = None
        return bool(held)

    def commit(self, unit: int) -> None:
        """Make the unit's puts available, and remove its gets."""
        self.marked.pop(unit, None)
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.got_by != unit]
            for item in self.queues[name]:
                item.put_by = None if item.put_by == unit else item.put_by

    def back(self, unit: int, *, skipping: bool = False) -> None:
        """Remove the unit's puts, and return its gets with their backout count increased.

        If the application requested the backout, a message marked to skip backout remains got.
        """
        spared = self.marked.pop(unit, None) if skipping else None
        self.marked.pop(unit, None)
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.put_by != unit]
            for item in self.queues[name]:
                if item.got_by == unit and item is not spared:
                    item.got_by, item.backout_count = None, item.backout_count + 1

    def leave(self, who: int) -> None:
        """Close the handles of a connection."""
        for queue in self.queues:
            self.unlock(who, queue)
            self.cursors.pop((who, queue), None)

    def refresh(self, queue: str) -> int:
        """Discard all expired messages that are not locked; return their number."""
        gone = [
            item for item in self._ready(queue) if self._is_expired(item) and item.locked_by is None
        ]
        for item in gone:
            self.queues[queue].remove(item)
        return len(gone)

    def restart(self, connections: list[int]) -> None:
        """End immediately and start: units are backed out, and non-persistent and expired
        messages are dropped.
        """
        for connection in connections:
            self.back(connection)
            self.leave(connection)
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.persistent]
            self.refresh(name)

    def depth(self, queue: str) -> int:
        """CURDEPTH: includes uncommitted puts, but not uncommitted gets."""
        return sum(item.got_by is None for item in self.queues[queue])

    def _is_expired(self, item: Item) -> bool:
        return item.expires_at is not None and self.now >= item.expires_at

    def _ready(self, queue: str) -> Iterator[Item]:
        return (item for item in self.queues[queue] if item.put_by is None and item.got_by is None)
