"""Reads the history of a queue-sharing group and finds scans of shared queues by members that did not own them.

It knows the rules from sharing.md §8 and follows starts, ends and EXPRYINT by itself; it shares no code with the store.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.processes.campaign import Broken


class Life(NamedTuple):
    """A `serve` of a member certainly ran when the events after `since` and up to `until` were recorded."""

    member: str
    since: int
    until: int


class HistoryRow(NamedTuple):
    """An event, as much of it as the oracle reads."""

    seq: int
    kind: str
    cause: str | None
    qmgr: str
    queue: str | None
    target: str | None
    msg_id: bytes | None
    detail: str | None

    @property
    def told(self) -> dict[str, Any]:
        return json.loads(self.detail) if self.detail else {}


@dataclass
class Oracle:
    """What the events so far say. `candidates` are in the order in which they became such."""

    group: str
    lives: list[Life]
    owner: str = ""
    running: set[str] = field(default_factory=set)
    intervals: set[str] = field(default_factory=set)
    candidates: list[str] = field(default_factory=list)
    changes: Counter[str] = field(default_factory=Counter)
    scanned: Counter[str] = field(default_factory=Counter)
    put: set[bytes] = field(default_factory=set)
    expired: set[bytes] = field(default_factory=set)
    reported: Counter[str] = field(default_factory=Counter)

    def read(self, rows: Iterable[HistoryRow]) -> None:
        """Follow the events in order; Broken when one of them breaks a rule."""
        for row in rows:
            if row.kind != "OWNER":
                self._check_owner(row.seq)
            reader = _READERS.get(row.kind)
            if reader is not None:
                reader(self, row)

    def finish(self) -> None:
        """Every message that was put has expired, once; so have the reports about them."""
        left = self.put - self.expired
        if left:
            raise Broken(f"{len(left)} messages have no EXPIRE event")

    def _check_owner(self, seq: int) -> None:
        """Between two transactions the owner is a candidate, and only without candidates there is none."""
        if (self.owner in self.candidates) != bool(self.candidates) or (self.owner and not self.candidates):
            raise Broken(f"before event {seq} the owner is {self.owner or 'nobody'}, candidates {self.candidates}")

    def _settle(self, member: str) -> None:
        """A member may have become a candidate, or may be none any more."""
        is_candidate = member in self.running and member in self.intervals
        if is_candidate and member not in self.candidates:
            self.candidates.append(member)
        if not is_candidate and member in self.candidates:
            self.candidates.remove(member)

    def _start(self, row: HistoryRow) -> None:
        self.running.add(row.qmgr)
        self._settle(row.qmgr)

    def _end(self, row: HistoryRow) -> None:
        self.running.discard(row.qmgr)
        self._settle(row.qmgr)

    def _alter(self, row: HistoryRow) -> None:
        if "EXPRYINT" in row.told:
            (self.intervals.discard if row.told["EXPRYINT"][1] == "OFF" else self.intervals.add)(row.qmgr)
            self._settle(row.qmgr)

    def _change(self, row: HistoryRow) -> None:
        said = f"event {row.seq}: {row.cause} makes {row.target} the owner after {self.owner or 'nobody'}"
        if row.told.get("from", "") != self.owner or (row.target or "") == self.owner:
            raise Broken(f"{said}, from {row.told.get('from')}")
        if row.cause == "takeover":
            if row.target != row.told["member"] or row.target not in self.candidates:
                raise Broken(f"{said}, candidates {self.candidates}")
            if any(each.member == self.owner and each.since < row.seq <= each.until for each in self.lives):
                raise Broken(f"{said}, for which a serve runs")
        elif self.owner in self.candidates or row.target != next(iter(self.candidates), None):
            raise Broken(f"{said}, candidates {self.candidates}")
        self.owner = row.target or ""
        self.changes[row.cause or ""] += 1

    def _put(self, row: HistoryRow) -> None:
        if row.qmgr == self.group:
            assert row.msg_id is not None
            self.put.add(row.msg_id)

    def _expire(self, row: HistoryRow) -> None:
        if row.qmgr != self.group:
            return
        assert row.msg_id is not None
        member = row.told["member"]
        if row.msg_id in self.expired:
            raise Broken(f"event {row.seq}: a message has expired twice")
        if row.cause == "interval" and member != self.owner:
            raise Broken(f"event {row.seq}: {member} scanned, the owner is {self.owner or 'nobody'}")
        if row.cause == "restart" and self.running:
            raise Broken(f"event {row.seq}: {member} scanned at its start while {sorted(self.running)} ran")
        self.expired.add(row.msg_id)
        self.scanned[f"{row.cause}"] += 1
        if "report" in row.told:
            self.reported["asked"] += 1

    def _report(self, row: HistoryRow) -> None:
        self.reported["sent"] += 1


_READERS = {
    **{"START": Oracle._start, "END": Oracle._end, "ALTER": Oracle._alter, "OWNER": Oracle._change},
    **{"PUT": Oracle._put, "EXPIRE": Oracle._expire, "REPORT": Oracle._report},
}
