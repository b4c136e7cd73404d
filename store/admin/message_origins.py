"""Where the messages of a backout queue came from, read from the history."""

from __future__ import annotations

from mqsc.store.admin.put_preview import leads_to
from mqsc.store.constants import MQFMT
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules.message_origin import MoveRecord, MovingEvent, Origin
from mqsc.store.sql import history, queues, search
from mqsc.store.sqlite.database import Reading

# Events in one read.
RANGE = 20_000
# Messages with these formats do not go back to their origin: the header names their destination.
_WITH_HEADER = frozenset({str(MQFMT.DEAD_LETTER_HEADER), str(MQFMT.XMIT_Q_HEADER)})


class MessageOrigins:
    """The origins of the messages on a local queue.

    The first question reads the whole history, later ones what was added since, if the message is
    not known.
    """

    def __init__(self, qmgr: QueueManagerState, queue: str) -> None:
        self._qmgr = qmgr
        self._queue = queue
        self._names: dict[str, bool] = {}
        self._record = MoveRecord(queue, self._leads_here)
        self._last = 0

    def of(self, descriptor: MessageDescriptor) -> Origin | None:
        """The origin of a message on the queue; None for one whose format is that of an MQDLH or
        MQXQH.
        """
        if descriptor.format in _WITH_HEADER:
            return None
        found = self._recorded(descriptor) if self._last else None
        if found is None or found.unknown == "unrecorded":
            self._read()
            found = self._recorded(descriptor)
        return found

    def _recorded(self, descriptor: MessageDescriptor) -> Origin:
        correl_id = None if descriptor.correl_id == NO_ID else descriptor.correl_id
        return self._record.origin(descriptor.msg_id, correl_id, descriptor.put_at)

    def _read(self) -> None:
        manager = self._qmgr.row()
        with Reading(self._qmgr.store.database) as reading:
            last = history.bound(reading)[0]
            row = queues.visible(reading, manager, self._queue)
        if row is None:
            return
        for first in range(self._last + 1, last + 1, RANGE):
            # No read transaction outlives one range, however long the history is.
            events = self._qmgr.store.read(
                search.moving_events,
                row.owner,
                row.id,
                first,
                min(last, first + RANGE - 1),
            )
            for each in events:
                self._record.learn(MovingEvent._make(each))
        self._last = last

    def _leads_here(self, name: str) -> bool:
        if name not in self._names:
            self._names[name] = name == self._queue or leads_to(self._qmgr, name) == self._queue
        return self._names[name]
