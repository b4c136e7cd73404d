"""Moving one dead letter: get it under the cursor, put it, and record the outcome, all in one unit
of work.
"""

from mqsc.dlq.planned_put import PlannedPut
from mqsc.dlq.rules_table import Rule
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO, MQPMO, MQRC
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.error import MQError
from mqsc.store.headers.mqdlh import DeadLetterHeader
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions

BROWSE_OPTIONS = MQGMO.LOCK | MQGMO.ACCEPT_TRUNCATED_MSG | MQGMO.FAIL_IF_QUIESCING
# A message keeps its properties when it is moved.
STORED = "STORED"
GET_UNDER_CURSOR = GetMessageOptions(
    MQGMO.MSG_UNDER_CURSOR | MQGMO.SYNCPOINT,
    property_control=STORED,
)


def put_in_unit(queue: ObjectHandle, put: PlannedPut) -> int | None:
    """Put the message just got from `queue` in the same unit of work. Returns None, or the MQRC of
    a failure, or of a warning, which counts as a failure (dlq-rules §7, 28).
    """
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
        # The MQDLH has a Format that does not fit in a descriptor.
        return int(MQRC.FORMAT_ERROR)
    return message.reason or None


def outcome_of(
    rule: Rule,
    put: PlannedPut | None,
    header: DeadLetterHeader,
    cause: str,
    attempt: int | None = None,
) -> MessageOutcome:
    """The event for a message that was moved or discarded. `attempt` is None where attempts are
    not counted.
    """
    detail = {
        "destination": header.dest_q_name,
        "destination_queue_manager": header.dest_q_mgr_name,
    }
    counted = {} if attempt is None else {"attempt": attempt}
    target = None if put is None else put.queue
    line = str(rule.line) if rule.line else None
    return MessageOutcome(
        rule.effect.event,
        cause,
        target,
        header.reason or None,
        line,
        {**detail, **counted},
    )
