"""One dead-letter message is moved: got under the cursor, put elsewhere, committed together with what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.dlq.action import Plan, Put
from store.constants import MQGMO, MQPMO, MQRC
from store.engine.disposition import Disposition
from store.error import MQError
from store.headers.mqdlh import DeadLetterHeader
from store.message import GetMessageOptions, Message, PutMessageOptions

if TYPE_CHECKING:
    from store.client.api import ObjectHandle

# The message under the cursor, in a unit of work.
TAKING = GetMessageOptions(MQGMO.MSG_UNDER_CURSOR | MQGMO.SYNCPOINT)
GONE = frozenset({MQRC.NO_MSG_AVAILABLE, MQRC.NO_MSG_UNDER_CURSOR})
# What the history calls it when a message leaves by an action.
KINDS = {"DISCARD": "DISCARD", "FWD": "FORWARD", "RETRY": "REQUEUE"}


def got(queue: ObjectHandle, options: GetMessageOptions) -> Message | None:
    """The message that the options ask for; None when there is none, or it is gone (2033, 2034). MQError otherwise."""
    try:
        return queue.get(options)
    except MQError as error:
        if error.reason in GONE:
            return None
        raise


def failure_of(queue: ObjectHandle, put: Put) -> int | None:
    """Put the message just taken from `queue` in its unit of work; the reason when that fails, a warning too (T28)."""
    options = MQPMO.SYNCPOINT | MQPMO.PASS_ALL_CONTEXT
    if put.alternate_user is not None:
        options |= MQPMO.ALTERNATE_USER_AUTHORITY
    message = Message(put.data, put.descriptor)
    try:
        queue.connection.put1(
            put.queue,
            message,
            PutMessageOptions(options, context=queue),
            queue_manager=put.queue_manager,
            alternate_user=put.alternate_user or "",
        )
    except MQError as error:
        return int(error.reason)
    except ValueError:
        # The MQDLH held a Format that no descriptor can hold.
        return int(MQRC.FORMAT_ERROR)
    return message.reason or None


def outcome_of(plan: Plan, header: DeadLetterHeader, cause: str, attempt: int | None = None) -> Disposition:
    """What the history says of a message that a plan moved or threw away; `attempt` only where attempts are counted."""
    detail = {"destination": header.dest_q_name, "destination_queue_manager": header.dest_q_mgr_name}
    return Disposition(
        KINDS[plan.rule.action],
        cause,
        None if plan.put is None else plan.put.queue,
        header.reason or None,
        str(plan.rule.line) if plan.rule.line else None,
        detail if attempt is None else {**detail, "attempt": attempt},
    )
