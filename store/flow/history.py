"""What the history keeps of what happens to a message."""

from __future__ import annotations

import json
from typing import Any

from store.flow.caller import Caller
from store.headers import mqdlh
from store.headers.layout import HeaderFault
from store.rules.dead_letter import DEAD_LETTER_HEADER
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


def expiry_columns(caller: Caller, queue: str, cause: str) -> dict[str, Any]:
    """What the events of messages discarded by one statement have in common: who, when, why."""
    return {
        "now": caller.now,
        "qmgr": caller.qmgr.name,
        "name": queue,
        "cause": cause,
        "connection": caller.connection,
        "application": caller.application,
        "user": caller.user,
    }


def put_event(caller: Caller, queue: str, message: StoredMessage, unit: int | None) -> EventRow:
    """The event that a message was placed; of one with a dead-letter header also why, and where it should have gone."""
    event = message_event(caller, "PUT", queue, message, unit=unit)
    return _with_header(event, message) if message.format == DEAD_LETTER_HEADER else event


def _with_header(event: EventRow, message: StoredMessage) -> EventRow:
    try:
        header = mqdlh.unpack(message.body[: mqdlh.LENGTH], message.encoding, message.coded_char_set_id)
    except HeaderFault:
        # It only claims to have such a header.
        return event
    detail = {"destination": header.dest_q_name, "destination_queue_manager": header.dest_q_mgr_name}
    return event._replace(reason=header.reason, detail=json.dumps(detail, ensure_ascii=False))
