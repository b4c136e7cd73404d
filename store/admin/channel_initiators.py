"""Channel initiators: the programs that have the initiation queue of a transmission queue open for input."""

from __future__ import annotations

from typing import NamedTuple

from store.admin.channel_status import INITIATION_QUEUE
from store.engine.recovery import recover
from store.engine.state import QueueManagerState
from store.rules.opening import INPUT
from store.sql import connections, queues, triggers
from store.sqlite.database import Reading
from store.sqlite.liveness import process_id

# More programs than read one queue.
_MOST = 1000


class Initiator(NamedTuple):
    """A process that reads an initiation queue."""

    queue: str
    process: int


def initiators(qmgr: QueueManagerState) -> list[Initiator]:
    """The programs that read SYSTEM.CHANNEL.INITQ, or the INITQ of a transmission queue, by queue and process."""
    recover(qmgr.store)
    found = set()
    with Reading(qmgr.store.database) as reading:
        for name in {INITIATION_QUEUE, *triggers.initiation_queues_of_channels(reading, qmgr.name)}:
            for handle in connections.handles_page(reading, qmgr.name, name, name + "\0", 0, _MOST, qmgr.name):
                if handle.options & INPUT:
                    found.add(Initiator(name, process_id(handle.file)))
    return sorted(found)


def is_queue(qmgr: QueueManagerState, name: str) -> bool:
    """Whether there is a queue of that name."""
    with Reading(qmgr.store.database) as reading:
        return queues.by_name(reading, qmgr.name, name) is not None
