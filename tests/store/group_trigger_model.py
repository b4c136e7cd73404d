"""Triggering by one shared queue of a group, written the slow obvious way from the rows of sharing
§7.

The random plays in test_group_trigger_model.py hold the store against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.store.triggered_items import (
    DEPTH,
    EVERY,
    FIRST,
    MILLISECOND,
    NONE,
    Item,
    Triggers,
    settle,
    take_first,
)


@dataclass
class Member:
    """A member as far as it decides by itself; `monitor`: its monitor has the initiation queue
    open.
    """

    interval: int
    last: int | None = None
    process: bool = True
    monitor: bool = True


@dataclass
class GroupModel(Triggers):
    """The queue, its members by number, and how many trigger messages each has made."""

    members: dict[int, Member]
    shared_initq: bool
    now: int
    # The members whose program has the queue open for input, and whether exclusively.
    servers: dict[int, bool] = field(default_factory=dict)
    made: Counter[int] = field(default_factory=Counter)

    def row(self, number: int) -> tuple[str, int, bool]:
        """The table: (type, TRIGMPRI, C4 is met) of a member."""
        if any(self.servers.values()):
            return self.type, self.priority, False
        own, elsewhere = number in self.servers, any(each != number for each in self.servers)
        if elsewhere and self.type != NONE:
            return FIRST, 0, not own
        return self.type, self.priority, not own or self.type == EVERY

    def committed(self, lowest: int) -> int:
        """n(Q)."""
        return sum(
            each.rank >= lowest
            for each in self.items
            if each.put_by is None and each.got_by is None
        )

    def ask(
        self,
        by: int,
        enough: Callable[[int, str, int], bool],
        *,
        gets: bool = True,
        monitor: bool = True,
    ) -> None:
        """Every member decides on the same facts; `enough` is told the member, its type and the
        lowest priority.
        """
        passing: dict[int, str] = {}
        for number, member in self.members.items():
            type, lowest, alone = self.row(number)
            named = member.process and (member.monitor or not monitor)
            if (
                self.on
                and type != NONE
                and alone
                and named
                and (self.gets or not gets)
                and enough(number, type, lowest)
            ):
                passing[number] = type
        if self.shared_initq:
            passing = self.to_shared_queue(by, passing)
        for number in passing:
            self.made[number] += 1
            self.members[number].last = self.now
        if DEPTH in passing.values():
            self.on = False

    def to_shared_queue(self, by: int, passing: dict[int, str]) -> dict[int, str]:
        """Those that have it open, else the one that acts; of EVERY the one that acts, else the
        first.
        """
        attended = {
            number: type for number, type in passing.items() if self.members[number].monitor
        }
        chosen = attended or {number: type for number, type in passing.items() if number == by}
        of_every = [number for number, type in chosen.items() if type == EVERY]
        keep = by if by in of_every else min(of_every, default=0)
        return {number: type for number, type in chosen.items() if type != EVERY or number == keep}

    def put(self, by: int, priorities: list[int], program: str | None) -> None:
        """Messages one after the other, in a unit of work or not."""
        for priority in priorities:
            self.items.append(Item(priority, put_by=program))
            if program is None:
                self.arrived(by, self.items[-1])

    def arrived(self, by: int, item: Item) -> None:
        """A message is committed now; it is on the queue already."""

        def enough(number: int, type: str, lowest: int) -> bool:
            if item.rank < lowest:
                return False
            before = self.committed(lowest) - 1
            member = self.members[number]
            if type == FIRST:
                waited = (
                    member.last is None or self.now - member.last >= member.interval * MILLISECOND
                )
                return before == 0 or waited
            return type == EVERY or before >= self.depth - 1

        self.ask(by, enough)

    def end_unit(self, by: int, program: str, *, commit: bool) -> None:
        """A commit: what was put counts from now on, one message after the other. A backout is
        no event.
        """
        self.items, put = settle(self.items, program, backout=not commit)
        for each in put:
            each.put_by = None
            self.arrived(by, each)

    def get(self, program: str, *, unit: bool) -> bool:
        """The first message in delivery order; whether there was one."""
        return take_first(self.items, program if unit else None)

    def holds_enough(self, number: int, type: str, lowest: int) -> bool:
        """C13."""
        return self.committed(lowest) >= (self.depth if type == DEPTH else 1)

    def close(self, by: int) -> None:
        """O-CLOSE: only when nobody in the group has the queue open any more."""
        del self.servers[by]
        if not self.servers:
            self.ask(by, lambda *of: of[1] in (FIRST, DEPTH) and self.holds_enough(*of), gets=False)

    def alter(self, by: int, values: dict[str, bool | int | str]) -> None:
        """O-ALTER, or O-GET where that alone is an event."""
        was = self.settings
        enabled = not self.gets and bool(values.get("gets"))
        for attribute, value in values.items():
            setattr(self, attribute, value)
        if self.on and self.settings.altered_from(was):
            self.ask(by, self.holds_enough, monitor=False)
        elif enabled:
            self.ask(by, self.holds_enough)

    def open_monitor(self, number: int) -> None:
        """O-OPEN: it concerns that member; with a shared initiation queue only if it is the
        first of the group.
        """
        is_first = not any(each.monitor for each in self.members.values())
        self.members[number].monitor = True
        if is_first or not self.shared_initq:
            self.ask(number, lambda *of: of[0] == number and self.holds_enough(*of))
