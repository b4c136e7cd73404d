"""What all queues of a queue manager have to do now, for those that ask often."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mqsc.store.engine.state import QueueManagerState
from mqsc.store.sql import connections, history, statistics
from mqsc.store.sql.statistics import QueueLoad as QueueLoad
from mqsc.store.sqlite.database import Reading


class Load(NamedTuple):
    """What a queue manager has to do now. `uncommitted` and `oldest` are by number of the queue,
    `channels` by MQCHS.

    `kinds` counts the events after the one that was asked for, by kind and queue (blank for none);
    `last` is the number of the last event.
    """

    now: int
    state: str
    queues: list[QueueLoad]
    uncommitted: dict[int, int]
    connections: int
    channels: dict[int, int]
    dead_letter_queue: str
    kinds: dict[tuple[str, str], int]
    last: int


def load(qmgr: QueueManagerState, after: int | None = None) -> Load:
    """The load of a queue manager, in one short transaction. `after` is the number of an event:
    see Load.kinds.
    """
    manager = qmgr.row()
    now = qmgr.now()
    with Reading(qmgr.store.database) as reading:
        last = history.last_number(reading)
        owners = [manager.name, manager.sharing_group] if manager.sharing_group else [manager.name]
        return Load(
            now,
            manager.state,
            [queue for owner in owners for queue in statistics.loads(reading, owner, manager.name)],
            statistics.all_uncommitted(reading),
            connections.count(reading, manager.name),
            statistics.channel_states(reading, manager.name),
            manager.dead_letter_queue,
            {} if after is None else _kinds(reading, after, manager.name),
            last,
        )


def _kinds(reading: Reading, after: int, name: str) -> dict[tuple[str, str], int]:
    return {
        (kind, queue): number
        for kind, queue, number in statistics.kinds_since(reading, after, name)
    }


def ages(qmgr: QueueManagerState, queues: Iterable[int]) -> dict[int, int]:
    """When the oldest message on each of these queues was put (microseconds); without the empty
    ones.
    """
    with Reading(qmgr.store.database) as reading:
        found = {each: statistics.oldest_put(reading, each) for each in queues}
    return {each: at for each, at in found.items() if at is not None}
