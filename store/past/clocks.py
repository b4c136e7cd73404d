"""The clocks of the queue managers of a store: what each showed after an event, and which of them
are one clock.

A queue manager follows real time or has a manual clock, which the members of a queue-sharing group
share. Every event has the time of the clock of its queue manager.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from mqsc.store.engine.state import StoreState
from mqsc.store.sql import managers, past
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.queries import Queries


class Moment(NamedTuple):
    """The number of an event, and its time, microseconds UTC.

    With `owner`, the time is one that the clock of that queue manager showed after the event,
    before its next one.
    """

    seq: int
    at: int
    owner: str = ""


def clocks_after(tx: Queries, moment: Moment, *, frozen: bool) -> dict[str, int]:
    """What the clock of each queue manager showed at a moment; `frozen`: all follow the clock of
    the environment.
    """
    rows = managers.all(tx)
    clocks = dict.fromkeys(
        (row.name for row in rows),
        _real_time(tx, rows, moment, frozen=frozen),
    )
    changes = {qmgr: change for qmgr, *change in past.next_clock_changes(tx, moment.seq)}
    for manager in rows:
        if follows_real_time(manager, frozen=frozen):
            continue
        clocks[manager.name] = int(manager.clock_at or 0)
        if manager.name in changes:
            _, kind, at, detail = changes[manager.name]
            # A queue manager that joins takes over the time of the group; the event has the one
            # that it had.
            clocks[manager.name] = json.loads(detail)["from"] if kind == "CLOCK" else at
    if moment.owner:
        clocks |= dict.fromkeys(
            clocks.keys() & _owners(rows, moment.owner, frozen=frozen),
            moment.at,
        )
    return clocks


def _real_time(tx: Queries, rows: list[ManagerRow], moment: Moment, *, frozen: bool) -> int:
    """The time of the last event at or before a moment that a queue manager recorded which
    follows real time.
    """
    following = [row for row in rows if follows_real_time(row, frozen=frozen)]
    owners = {each.name for each in following} | {each.sharing_group for each in following} - {""}
    last = past.last_time(tx, moment.seq, sorted(owners)) if owners else None
    return moment.at if last is None else int(last[0])


def follows_real_time(row: ManagerRow, *, frozen: bool) -> bool:
    """Whether a queue manager has no clock of its own."""
    return frozen or row.clock_at is None


def clock_at(store: StoreState, moment: Moment, qmgr: str) -> int:
    """What the clock of a queue manager showed at a moment."""
    with Reading(store.database) as reading:
        return clocks_after(reading, moment, frozen=store.environment.clock.frozen)[qmgr]


def owners_with_clock(store: StoreState, qmgr: str) -> set[str]:
    """The queue managers, with their groups, that have the same clock as one of them."""
    with Reading(store.database) as reading:
        return _owners(managers.all(reading), qmgr, frozen=store.environment.clock.frozen)


def owners_by_clock(store: StoreState) -> list[set[str]]:
    """All queue managers and groups, those with one clock together."""
    with Reading(store.database) as reading:
        rows = managers.all(reading)
    groups: list[set[str]] = []
    for row in rows:
        if not any(row.name in each for each in groups):
            groups.append(_owners(rows, row.name, frozen=store.environment.clock.frozen))
    return groups


def _owners(rows: list[ManagerRow], qmgr: str, *, frozen: bool) -> set[str]:
    own = next((row for row in rows if row.name == qmgr), None)
    if own is None:
        return {qmgr}
    if follows_real_time(own, frozen=frozen):
        same = [row for row in rows if follows_real_time(row, frozen=frozen)]
    else:
        same = [
            row for row in rows if own.sharing_group and row.sharing_group == own.sharing_group
        ] or [own]
    return {row.name for row in same} | {row.sharing_group for row in same if row.sharing_group}


def number_at(store: StoreState, at: int, owners: set[str]) -> int:
    """The number of the last event of these owners before a time by their clock, or 0."""
    with Reading(store.database) as reading:
        return past.last_before(reading, at - 1, sorted(owners))
