"""The programs that start channels by trigger and by retry."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin.channel.status import INITIATION_QUEUE
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules.opening import INPUT
from mqsc.store.sql import connections, queues, triggers
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.owners import Owner, owner_of

# More programs than read one queue.
_MOST = 1000


class Initiator(NamedTuple):
    """A process that reads an initiation queue."""

    queue: str
    owner: Owner


def initiators(qmgr: QueueManagerState) -> list[Initiator]:
    """The programs that read SYSTEM.CHANNEL.INITQ, or the INITQ of a transmission queue, by
    queue and process.
    """
    recover(qmgr.store)
    folder = folder_beside(qmgr.store.path or "")
    readers = set()
    with Reading(qmgr.store.database) as reading:
        for name in {INITIATION_QUEUE, *triggers.initiation_queues_of_channels(reading, qmgr.name)}:
            for handle in connections.handles_page(
                reading,
                qmgr.name,
                name,
                name + "\0",
                0,
                _MOST,
                qmgr.name,
            ):
                if handle.options & INPUT:
                    readers.add(Initiator(name, owner_of(folder, handle.file)))
    return sorted(readers)


def is_queue(qmgr: QueueManagerState, name: str) -> bool:
    """Whether there is a queue of that name."""
    return qmgr.store.read(queues.by_name, qmgr.name, name) is not None
