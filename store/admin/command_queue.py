"""The queue of the command server: whether a command waits there, and STOP CMDSERV."""

from __future__ import annotations

from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules import command_message
from mqsc.store.sql import managers, messages, queues
from mqsc.store.sqlite.database import Reading


def has_commands(qmgr: QueueManagerState) -> bool:
    """Whether the queue holds messages that the command server may get; they may have expired."""
    with Reading(qmgr.store.database) as reading:
        row = managers.by_name(reading, qmgr.name)
        if row is None or row.state == managers.ENDED or row.commands_stopped:
            return False
        queue = queues.by_name(reading, qmgr.name, command_message.COMMAND_QUEUE)
        return queue is not None and messages.exists(reading, frozenset(), {"queue": queue.id})


def stop_commands(qmgr: QueueManagerState, *, stopped: bool) -> None:
    """Let commands stay on their queue, or have them performed again."""
    with qmgr.transaction(durable=True) as (tx, call):
        managers.set_columns(tx, call.qmgr.name, {"commands_stopped": int(stopped)})
