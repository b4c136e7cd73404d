"""What a put would end with; nothing is changed."""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import name_resolution, stream_copies
from mqsc.store.engine.name_resolution import Destination, Size
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.engine.stored_message import extension_length
from mqsc.store.rules import names, putting
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Reading


class PutOutlook(NamedTuple):
    """The MQRC that a put would end with, 0 for success, and the local queue it would arrive on
    (may be blank).
    """

    reason: int
    queue: str

    @property
    def failure(self) -> int:
        """The reason unless it is a warning."""
        return 0 if self.reason == MQRC.PRIORITY_EXCEEDS_MAXIMUM else self.reason


class PutPreview:
    """Previews puts of messages that are taken from a queue, `source`; every queue is read once, on
    first use.

    Messages that would have been put before count: a queue they fill is full for the next. Not
    previewed: segmentation, and invalid data for a transmission queue.
    """

    def __init__(self, qmgr: QueueManagerState, source: str = "") -> None:
        self._qmgr = qmgr
        self._known: dict[tuple[str, str], tuple[int, Destination | None]] = {}
        self._streams: dict[str, tuple[int, Destination | None]] = {}
        self._change: Counter[int] = Counter()
        self._call = qmgr.store.read(qmgr.call_context)
        found = self._destination(source, "")[1] if source else None
        self._source = None if found is None else found.queue.id

    def counting_apart(self) -> PutPreview:
        """A preview of the same puts up to now that counts further ones by itself."""
        other = copy(self)
        other._change = self._change.copy()
        return other

    def reason_for(self, queue: str, queue_manager: str) -> int:
        """The MQRC of a name that does not resolve, 0 for one that resolves to a queue."""
        return self._destination(queue, queue_manager)[0]

    def put(
        self,
        queue: str,
        queue_manager: str,
        descriptor: MessageDescriptor,
        length: int,
    ) -> PutOutlook:
        """The result of putting one more message with `length` bytes of data; it is counted if
        it would succeed.
        """
        reason, destination = self._destination(queue, queue_manager)
        if destination is None:
            return PutOutlook(reason, "")
        target = destination.queue
        reason = self._fault(destination, descriptor, length)
        if not reason:
            self._change[target.id] += 1
            persistence = putting.persistence_in_force(
                descriptor.persistence,
                destination.opened.default_persistence,
            )
            copy_fault, stream = self._copy(target, descriptor, persistence, length)
            if stream is not None and not copy_fault:
                self._change[stream.queue.id] += 1
            if self._source is not None:
                self._change[self._source] -= 1
        return PutOutlook(reason, target.name)

    def _destination(self, queue: str, queue_manager: str) -> tuple[int, Destination | None]:
        key = (queue, queue_manager)
        if key not in self._known:
            self._known[key] = self._resolved(queue, queue_manager)
        return self._known[key]

    def _resolved(self, queue: str, queue_manager: str) -> tuple[int, Destination | None]:
        fault = names.name_fault(queue, queue_manager, self._call.qmgr.name)
        if fault:
            return fault, None
        return self._qmgr.store.read(
            name_resolution.destination,
            self._call.qmgr,
            queue,
            queue_manager,
        )

    def _fault(self, destination: Destination, descriptor: MessageDescriptor, length: int) -> int:
        """The reason in MQPUT's own order (mqi-semantics §12); warnings come last."""
        target = destination.queue
        transmission = bool(target.is_transmission)
        fault = putting.descriptor_fault(descriptor, transmission=transmission)
        persistence = putting.persistence_in_force(
            descriptor.persistence,
            destination.opened.default_persistence,
        )
        fault = fault or self._refusal(destination, descriptor, persistence, length)
        if not fault and target.must_duplicate:
            fault, _ = self._copy(target, descriptor, persistence, length)
        return fault or putting.priority_warning(descriptor.priority)

    def _refusal(
        self,
        destination: Destination,
        descriptor: MessageDescriptor,
        persistence: int,
        length: int,
    ) -> int:
        queue = destination.queue
        pending = self._change[queue.id] - (queue.id == self._source)
        return destination.refusal(
            self._call.qmgr,
            Size(persistence, length, extension_length(descriptor)),
            pending,
        )

    def _copy(
        self,
        queue: QueueRow,
        descriptor: MessageDescriptor,
        persistence: int,
        length: int,
    ) -> tuple[int, Destination | None]:
        """The reason that refuses the copy for the stream queue, or 0, and where it goes; (0,
        None) for no copy.
        """
        name = queue.stream_queue
        if not name:
            return 0, None
        if name not in self._streams:
            self._streams[name] = self._qmgr.store.read(
                stream_copies.stream_destination,
                self._call.qmgr,
                name,
            )
        reason, found = self._streams[name]
        return (
            (reason, None)
            if found is None
            else (self._refusal(found, descriptor, persistence, length), found)
        )


def leads_to(qmgr: QueueManagerState, queue: str, queue_manager: str = "") -> str:
    """The local queue on which a put to that name arrives now; blank if it does not resolve."""
    with Reading(qmgr.store.database) as reading:
        destination = name_resolution.destination(
            reading,
            qmgr.call_context(reading).qmgr,
            queue,
            queue_manager,
        )[1]
    return "" if destination is None else destination.queue.name
