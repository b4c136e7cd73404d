"""Warnings of commands that remove the synchronization records of channels."""

from collections.abc import Iterable

from mqsc.language.reply import message_line
from mqsc.store.admin.channel.sync_records import QUEUE, SavedRecord, saved_records
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.sql.rows import MessageState


def records_on(qmgr: QueueManager, queue: str) -> list[SavedRecord]:
    """The records that a command removes together with the messages of a queue."""
    return _records(qmgr) if queue == QUEUE else []


def records_of(qmgr: QueueManager, channel: str) -> list[SavedRecord]:
    """The records that a command removes together with a channel."""
    return [each for each in _records(qmgr) if each.channel == channel]


def _records(qmgr: QueueManager) -> list[SavedRecord]:
    return [
        each
        for each in qmgr.store.read(saved_records, qmgr.name)
        if each.state == MessageState.AVAILABLE
    ]


def cost_of(removed: Iterable[SavedRecord]) -> list[str]:
    """The warning about removed records; no line when none was removed."""
    words = {"receiver": "from", "sender": "to"}
    detail = ", ".join(
        f"{each.channel} (batches {words[each.role]} {each.partner})" for each in removed
    )
    return [message_line("MQSC0046W", detail=detail)] if detail else []
