"""The queue of the command server: whether a command waits there, and STOP CMDSERV."""

from __future__ import annotations

from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules import command_message
from mqsc.store.sql import managers


def has_commands(qmgr: QueueManagerState) -> bool:
    """Whether the queue holds messages that the command server may get; they may have expired."""
    return qmgr.store.read(managers.has_commands, qmgr.name, command_message.COMMAND_QUEUE)


def stop_commands(qmgr: QueueManagerState, *, stopped: bool) -> None:
    """Let commands stay on their queue, or have them performed again."""
    with qmgr.transaction(durable=True) as (tx, call):
        managers.set_columns(tx, call.qmgr.name, {"commands_stopped": int(stopped)})
