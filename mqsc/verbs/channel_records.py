"""What commands say that remove the synchronization records of channels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mqsc.language.messages import message_line
from store.admin.sync_records import QUEUE, SavedRecord, saved_records
from store.sql.rows import MessageState
from store.sqlite.database import Reading

if TYPE_CHECKING:
    from store.client.api import QueueManager


def records_on(qmgr: QueueManager, queue: str) -> list[SavedRecord]:
    """The records that a command removes together with the messages of a queue."""
    return _records(qmgr) if queue == QUEUE else []


def records_of(qmgr: QueueManager, channel: str) -> list[SavedRecord]:
    """The records that a command removes together with a channel."""
    return [each for each in _records(qmgr) if each.channel == channel]


def _records(qmgr: QueueManager) -> list[SavedRecord]:
    with Reading(qmgr.store.database) as reading:
        return [each for each in saved_records(reading, qmgr.name) if each.state == MessageState.AVAILABLE]


def cost_of(removed: Iterable[SavedRecord]) -> list[str]:
    """The warning about records that are gone; none when none was removed."""
    words = {"receiver": "from", "sender": "to"}
    detail = ", ".join(f"{each.channel} (batches {words[each.role]} {each.partner})" for each in removed)
    return [message_line("MQSC0046W", detail=detail)] if detail else []
