"""Moving one dead letter: get it under the cursor, put it, and record the outcome, all in one unit of work."""

from __future__ import annotations

from mqsc.dlq.action import ActionPlan, PlannedPut
from store.client.api import ObjectHandle
from store.constants import MQGMO, MQPMO, MQRC
from store.engine.message_outcome import MessageOutcome
from store.error import MQError
from store.headers.mqdlh import DeadLetterHeader
from store.message import GetMessageOptions, Message, PutMessageOptions

# A message keeps its properties when it is moved.
STORED = "STORED"
GET_UNDER_CURSOR = GetMessageOptions(MQGMO.MSG_UNDER_CURSOR | MQGMO.SYNCPOINT, property_control=STORED)
GONE = frozenset({MQRC.NO_MSG_AVAILABLE, MQRC.NO_MSG_UNDER_CURSOR})
# The kind of history event for each action that removes a message.
KINDS = {"DISCARD": "DISCARD", "FWD": "FORWARD", "RETRY": "REQUEUE"}


def get_or_none(queue: ObjectHandle, options: GetMessageOptions) -> Message | None:
    """The message, or None for 2033 and 2034. Other failures raise MQError."""
    try:
        return queue.get(options)
    except MQError as error:
        if error.reason in GONE:
            return None
        raise


def put_in_unit(queue: ObjectHandle, put: PlannedPut) -> int | None:
    """Put the message just got from `queue` in the same unit of work. Returns None, or the MQRC of a failure or a
    warning (trap 28)."""
    options = MQPMO.SYNCPOINT | MQPMO.PASS_ALL_CONTEXT
    if put.alternate_user is not None:
        options |= MQPMO.ALTERNATE_USER_AUTHORITY
    message, given = Message(put.data, put.descriptor), PutMessageOptions(options, context=queue)
    user = put.alternate_user or ""
    try:
        queue.connection.put1(put.queue, message, given, queue_manager=put.queue_manager, alternate_user=user)
    except MQError as error:
        return int(error.reason)
    except ValueError:
        # The MQDLH has a Format that does not fit in a descriptor.
        return int(MQRC.FORMAT_ERROR)
    return message.reason or None


def outcome_of(plan: ActionPlan, header: DeadLetterHeader, cause: str, attempt: int | None = None) -> MessageOutcome:
    """What the history records for a message that was moved or discarded. `attempt` is None where attempts are not
    counted."""
    detail = {"destination": header.dest_q_name, "destination_queue_manager": header.dest_q_mgr_name}
    counted = {} if attempt is None else {"attempt": attempt}
    target = None if plan.put is None else plan.put.queue
    rule = str(plan.rule.line) if plan.rule.line else None
    kind, reason = KINDS[plan.rule.action], header.reason or None
    return MessageOutcome(kind, cause, target, reason, rule, {**detail, **counted})
