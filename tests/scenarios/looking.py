"""Reads CURDEPTH, the messages of a queue, event messages and the history for the scenarios."""

from __future__ import annotations

from typing import Any, NamedTuple

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQIA, MQOO
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter, Value
from mqsc.store.message import Message
from mqsc.store.sql import queues
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Reading

_WAITING = (
    "SELECT body FROM message WHERE queue = :queue AND state = 0 ORDER BY rank DESC, sequence"
)
_EVENTS = "SELECT kind, cause, queue, reason FROM event ORDER BY seq"


def queue_row(qmgr: QueueManager, name: str) -> QueueRow:
    """Return the row of a queue, which may be a shared one."""
    with Reading(qmgr.store.database) as reading:
        found = queues.visible(reading, qmgr.row(), name)
    assert found is not None, name
    return found


def curdepth(qmgr: QueueManager, name: str) -> int:
    """Return CURDEPTH, which includes uncommitted puts and expired messages, but not uncommitted
    gets.
    """
    return queue_row(qmgr, name).depth


def waiting_on(qmgr: QueueManager, name: str) -> list[str]:
    """Return the data, without trailing dots, of the committed messages of a queue in delivery
    order.

    Includes expired and locked messages.
    """
    with Reading(qmgr.store.database) as reading:
        rows = reading.all(_WAITING, {"queue": queue_row(qmgr, name).id})
    return [bytes(row[0]).rstrip(b".").decode("latin_1") for row in rows]


def happened(store: Store, *kinds: str) -> list[tuple[Any, ...]]:
    """Return (kind, cause, queue, reason) of the events of these kinds, in order."""
    with Reading(store.database) as reading:
        return [tuple(row) for row in reading.all(_EVENTS) if row[0] in kinds]


class ReadEvent(NamedTuple):
    """An event message with its MQCFH and its parameters."""

    message: Message
    header: CommandHeader
    parameters: list[Parameter]

    @property
    def values(self) -> list[Value]:
        return [each.value for each in self.parameters]

    def value(self, number: int) -> Value:
        """Return the value of a parameter; KeyError if the message does not have it."""
        return {each.number: each.value for each in self.parameters}[number]

    def told(self, numbers: list[str]) -> list[str]:
        """Return the reason and the values as words, of all parameters or of those with these
        numbers.
        """
        chosen = [each for each in self.parameters if not numbers or str(each.number) in numbers]
        return [str(self.header.reason), *(str(each.value).replace(" ", "_") for each in chosen)]


def events_on(qmgr: QueueManager, name: str) -> list[ReadEvent]:
    """Get the event messages on a queue."""
    found = []
    with qmgr.connect() as reader:
        handle = reader.open(name, MQOO.INPUT_SHARED | MQOO.INQUIRE)
        while handle.inquire(MQIA.CURRENT_Q_DEPTH)[MQIA.CURRENT_Q_DEPTH]:
            message = handle.get()
            found.append(ReadEvent(message, *pcf.unpack(message.body)))
    return found
