"""The messages of a queue that triggers: what gets, units of work and ALTER do to them in the
models of triggering.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

NONE, FIRST, EVERY, DEPTH = "NONE", "FIRST", "EVERY", "DEPTH"
MILLISECOND = 1000


@dataclass(eq=False)
class Item:
    """A message: its effective priority, and the units of work that have put or got it."""

    rank: int
    put_by: object = None
    got_by: object = None


def take_first(items: list[Item], unit: object) -> bool:
    """Get the first message in delivery order, in a unit of work unless that is None; return
    whether there was one.
    """
    ready = [item for item in items if item.put_by is None and item.got_by is None]
    if not ready:
        return False
    chosen = max(ready, key=lambda item: item.rank)
    if unit is None:
        items.remove(chosen)
    else:
        chosen.got_by = unit
    return True


def settle(items: list[Item], unit: object, *, backout: bool) -> tuple[list[Item], list[Item]]:
    """End a unit of work: the messages that stay, and those of them that its commit has put."""
    stay = [item for item in items if (item.put_by if backout else item.got_by) != unit]
    put = [item for item in stay if item.put_by == unit]
    for item in stay:
        item.got_by = None if item.got_by == unit else item.got_by
    return stay, put


class Settings(NamedTuple):
    """The trigger attributes of a queue."""

    on: bool
    type: str
    priority: int
    depth: int

    def altered_from(self, was: Settings) -> bool:
        """Whether a change to these is O-ALTER, if TRIGGER is on."""
        changed = not was.on or (was.type, was.priority) != (self.type, self.priority)
        return changed or (self.type == DEPTH and was.depth != self.depth)


@dataclass(eq=False, kw_only=True)
class Triggers:
    """The trigger attributes of a queue, whether gets are allowed, and its messages."""

    on: bool = True
    type: str = FIRST
    priority: int = 0
    depth: int = 1
    gets: bool = True
    items: list[Item] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        return Settings(self.on, self.type, self.priority, self.depth)
