"""The message engine written the slow obvious way: a list for each queue, a dict of open units of work.

It knows priorities, FIFO, MAXDEPTH, expiry, matching, units of work, backout counts and what skips backout, browse
cursors, locks and restarts; the state machine in test_model.py holds the store against it.
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
        """Delivery order: higher rank first, then as put."""
        return -self.rank, self.number


@dataclass(frozen=True)
class Wanted:
    """What a get asks for: a blank id means any."""

    msg_id: bytes = b""
    correl_id: bytes = b""

    def is_met_by(self, item: Item) -> bool:
        """Whether the message has the ids."""
        return self.msg_id in (b"", item.token) and self.correl_id in (b"", item.correl_id)


ANY = Wanted()


@dataclass
class Model:
    """Queues by name, the FIFO ones and how much each holds; a unit of work is the number of its connection."""

    queues: dict[str, list[Item]]
    now: int
    fifo: frozenset[str] = frozenset()
    most: dict[str, int] = field(default_factory=dict)
    numbers: int = 0
    cursors: dict[tuple[int, str], Item] = field(default_factory=dict)
    marked: dict[int, Item] = field(default_factory=dict)

    def has_room(self, queue: str, many: int) -> bool:
        """Whether so many more messages may be put."""
        return self.depth(queue) + many <= self.most.get(queue, 1 << 30)

    def put(
        self, queue: str, token: bytes, priority: int, persistent: bool, correl_id: bytes, expiry: int, unit: int | None
    ) -> None:
        """Place a message."""
        self.numbers += 1
        expires_at = None if expiry < 0 else self.now + expiry * TENTH
        rank = 0 if queue in self.fifo else priority
        item = Item(token, priority, rank, self.numbers, persistent, correl_id, expires_at, put_by=unit)
        self.queues[queue].append(item)
        self.queues[queue].sort(key=lambda each: each.place)

    def choose(self, who: int, queue: str, wanted: Wanted = ANY, after: tuple[int, int] | None = None) -> Item | None:
        """The message a get or browse returns; expired ones that would have been chosen before it are discarded."""
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
        """A destructive get of that message: it is gone, or reserved for the unit of work."""
        item.locked_by = None
        if unit is None:
            self.queues[queue].remove(item)
        else:
            item.got_by = unit

    def under_cursor(self, who: int, queue: str) -> Item | None:
        """The message browsed last, if it is still there for this connection; discarded when it is expired."""
        item = self.cursors.get((who, queue))
        if item is None or item not in self._ready(queue) or item.locked_by not in (None, who):
            return None
        if self._is_expired(item):
            self.queues[queue].remove(item)
            return None
        return item

    def browse(self, who: int, queue: str, *, first: bool, lock: bool) -> Item | None:
        """Look at the first message, or the next after the cursor; a lock held before is released."""
        cursor = None if first else self.cursors.get((who, queue))
        item = self.choose(who, queue, after=None if cursor is None else cursor.place)
        if item is not None:
            self.unlock(who, queue)
            self.cursors[who, queue] = item
            item.locked_by = who if lock else None
        return item

    def unlock(self, who: int, queue: str) -> bool:
        """Release the lock that the connection holds on the queue; whether it held any."""
        held = [item for item in self.queues[queue] if item.locked_by == who]
        for item in held:
            item.locked_by = None
        return bool(held)

    def commit(self, unit: int) -> None:
        """What the unit put is there, what it got is gone."""
        self.marked.pop(unit, None)
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.got_by != unit]
            for item in self.queues[name]:
                item.put_by = None if item.put_by == unit else item.put_by

    def back(self, unit: int, *, skipping: bool = False) -> None:
        """What the unit put is gone, what it got is back with its backout count raised.

        The message marked to skip backout stays got, when the application asked for the backout.
        """
        spared = self.marked.pop(unit, None) if skipping else None
        self.marked.pop(unit, None)
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.put_by != unit]
            for item in self.queues[name]:
                if item.got_by == unit and item is not spared:
                    item.got_by, item.backout_count = None, item.backout_count + 1

    def leave(self, who: int) -> None:
        """The handles of a connection close."""
        for queue in self.queues:
            self.unlock(who, queue)
            self.cursors.pop((who, queue), None)

    def refresh(self, queue: str) -> int:
        """Discard everything expired that nobody holds locked; how many."""
        gone = [item for item in self._ready(queue) if self._is_expired(item) and item.locked_by is None]
        for item in gone:
            self.queues[queue].remove(item)
        return len(gone)

    def restart(self, connections: list[int]) -> None:
        """End at once and start: units are backed out, non-persistent and expired messages dropped."""
        for connection in connections:
            self.back(connection)
            self.leave(connection)
        for name, items in self.queues.items():
            self.queues[name] = [item for item in items if item.persistent]
            self.refresh(name)

    def depth(self, queue: str) -> int:
        """Uncommitted puts count, uncommitted gets do not."""
        return sum(item.got_by is None for item in self.queues[queue])

    def _is_expired(self, item: Item) -> bool:
        return item.expires_at is not None and self.now >= item.expires_at

    def _ready(self, queue: str) -> Iterator[Item]:
        return (item for item in self.queues[queue] if item.put_by is None and item.got_by is None)
