"""What a channel that waits looks at when the store has changed: cheap enough for every change."""

from __future__ import annotations

from typing import NamedTuple

from store.engine.state import QueueManagerState
from store.sql import channels, messages, queues
from store.sql.clauses import OF_QUEUE
from store.sqlite.database import Reading


class Signs(NamedTuple):
    """What concerns a channel that waits; it looks again when one of them has changed.

    `message`: one is available on the transmission queue. The others are the version of that queue, the state of the
    queue manager, and what a command has asked of the channel.
    """

    message: bool
    queue_version: int
    run: int
    state: str
    clock_at: int | None
    requested: tuple[str, str]


class ChannelWatch:
    """The transmission queue and the row of status of one sending end."""

    def __init__(self, qmgr: QueueManagerState, channel: str, transmission_queue: str) -> None:
        self._qmgr = qmgr
        self._channel = channel
        with Reading(qmgr.store.database) as reading:
            found = queues.by_name(reading, qmgr.name, transmission_queue)
        self._queue = None if found is None else found.id

    def signs(self) -> Signs | None:
        """The signs now; None when the queue, or the queue manager, is gone."""
        owner = self._qmgr.name
        with Reading(self._qmgr.store.database) as reading:
            hot = None if self._queue is None else queues.read_hot_columns(reading, self._queue, owner)
            if hot is None:
                return None
            version, _, _, _, _, run, state, clock_at = hot
            message = messages.exists(reading, _AVAILABLE, {"queue": self._queue})
            return Signs(message, version, run, state, clock_at, channels.requested(reading, owner, self._channel, ""))


_AVAILABLE = frozenset({OF_QUEUE})
