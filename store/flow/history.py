"""What the history keeps of what happens to a message."""

from __future__ import annotations

from store.flow.caller import Caller
from store.sql.rows import EventRow, StoredMessage


def message_event(
    caller: Caller,
    kind: str,
    queue: str,
    message: StoredMessage,
    *,
    cause: str | None = None,
    unit: int | None = None,
    detail: str | None = None,
) -> EventRow:
    """The event that `caller` did that to a message of the queue, now."""
    return EventRow(
        caller.now,
        caller.qmgr.name,
        kind,
        cause,
        queue,
        None,
        message.msg_id,
        message.correl_id,
        message.priority,
        message.persistence,
        message.length,
        message.put_at,
        message.expires_at,
        message.put_appl_name,
        message.user_identifier,
        unit,
        caller.connection,
        caller.application,
        caller.user,
        None,
        None,
        detail,
    )
