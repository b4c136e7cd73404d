"""What the members of a queue-sharing group have, in dictionaries: an independent model of
sharing.md §1 and §10.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

Key = tuple[int, str]


class Queue(NamedTuple):
    """A definition as DISPLAY shows it."""

    disposition: str
    type: str
    descr: str


@dataclass
class Member:
    """A queue manager that runs and is in the group, or not."""

    runs: bool = True
    joined: bool = True
    full: set[str] = field(default_factory=set)
    own: dict[str, Queue] = field(default_factory=dict)
    behind: set[str] = field(default_factory=set)


@dataclass
class GroupModel:
    """Members by number, the objects of the group by name, and the names that each member has to
    refresh.
    """

    members: dict[int, Member]
    masters: dict[str, Queue] = field(default_factory=dict)
    shared: dict[str, Queue] = field(default_factory=dict)

    def define(self, number: int, name: str, new: Queue, *, given: bool, replaces: bool) -> bool:
        """Whether the command succeeds; `given`: it gives DESCR."""
        member, disposition = self.members[number], new.disposition
        if disposition != "QMGR" and not member.joined:
            return False
        own, master, shared = member.own.get(name), self.masters.get(name), self.shared.get(name)
        if not member.joined:
            master = shared = None
        if disposition == "SHARED" and (new.type != "QLOCAL" or own or master):
            return False
        if disposition != "SHARED" and shared:
            return False
        if disposition == "COPY":
            if master is None or master.type != new.type:
                return False
            new = new if given else new._replace(descr=master.descr)
        found = {"QMGR": own, "COPY": own, "GROUP": master, "SHARED": shared}[disposition]
        if found is not None and (
            not replaces or found.disposition != disposition or found.type != new.type
        ):
            return False
        if disposition in ("QMGR", "COPY"):
            member.own[name] = new
        elif disposition == "SHARED":
            self.shared[name] = new
        else:
            self.masters[name] = new
            self.refresh_all(name)
        return True

    def alter(self, number: int, name: str, wanted: Queue) -> bool:
        found = self.found(number, name, wanted)
        if found is None:
            return False
        changed = found._replace(descr=wanted.descr)
        if found.disposition == "GROUP":
            self.masters[name] = changed
            self.refresh_all(name)
        elif found.disposition == "SHARED":
            self.shared[name] = changed
        else:
            self.members[number].own[name] = changed
        return True

    def delete(self, number: int, name: str, wanted: Queue) -> bool:
        found, member = self.found(number, name, wanted), self.members[number]
        if found is None:
            return False
        if found.disposition == "GROUP":
            del self.masters[name]
            self.refresh_all(name)
        elif found.disposition == "SHARED":
            del self.shared[name]
        elif name in member.full:
            return False
        else:
            del member.own[name]
        return True

    def found(self, number: int, name: str, wanted: Queue) -> Queue | None:
        """The object that ALTER and DELETE mean."""
        member = self.members[number]
        own, disposition = member.own.get(name), wanted.disposition
        found = {"GROUP": self.masters.get(name), "SHARED": self.shared.get(name)}.get(
            disposition,
            own,
        )
        if (
            found is None
            or found.type != wanted.type
            or not (member.joined or disposition in ("QMGR", "PRIVATE"))
        ):
            return None
        meant = ("QMGR", "COPY") if disposition == "PRIVATE" else (disposition,)
        return found if found.disposition in meant else None

    def refresh_all(self, name: str) -> None:
        for member in self.members.values():
            if member.joined:
                member.behind.add(name)
                if member.runs:
                    self.refresh(member, name)

    def refresh(self, member: Member, name: str) -> None:
        own, master = member.own.get(name), self.masters.get(name)
        stale = (
            own is not None
            and own.disposition == "COPY"
            and (master is None or own.type != master.type)
        )
        if stale:
            if name in member.full:
                return
            del member.own[name]
            own = None
        if master is not None:
            if own is not None and own.disposition == "QMGR":
                return
            member.own[name] = replace_disposition(master)
        member.behind.discard(name)

    def start(self, number: int) -> None:
        member = self.members[number]
        member.runs = True
        for name in sorted(member.behind):
            self.refresh(member, name)

    def leave(self, number: int) -> None:
        member = self.members[number]
        member.joined = False
        member.behind.clear()
        kept = {
            name
            for name, each in member.own.items()
            if each.disposition == "QMGR" or name in member.full
        }
        member.own = {name: member.own[name]._replace(disposition="QMGR") for name in kept}

    def join(self, number: int) -> None:
        member = self.members[number]
        member.joined = True
        member.behind = set(self.masters)

    def shown(self, number: int) -> list[tuple[str, Queue]]:
        """DISPLAY QUEUE with QSGDISP(ALL) on a member that runs."""
        member = self.members[number]
        of_group = [*self.masters.items(), *self.shared.items()] if member.joined else []
        return sorted([*member.own.items(), *of_group])


def replace_disposition(master: Queue) -> Queue:
    return master._replace(disposition="COPY")


def members(count: int) -> dict[int, Member]:
    return {number: replace(Member()) for number in range(1, count + 1)}
