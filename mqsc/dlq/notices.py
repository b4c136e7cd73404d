"""The messages of the handler by id (dlq-rules §5). The ids are MQ's, the texts are ours.

To add a message, add its row. A failed call has two ids: one for reasons that an operator can cause, one for all
others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.console.text.reasons import meaning_of
from store.constants import MQRC, name_of
from store.error import MQError

STARTED, ENDING, USAGE, NO_HEADER, PUT_FAILED = "AMQ8708", "AMQ8709", "AMQ8710", "AMQ8721", "AMQ8722"
# MQ has no ids for what only this handler does.
RETURNED, TABLE_READ, TABLE_REJECTED = "MQSC0031", "MQSC0032", "MQSC0033"
RULE_TOTALS, TOTALS, PUT_FAILED_AGAIN, WOULD_LOSE_HEADER = "MQSC0036", "MQSC0037", "MQSC0038", "MQSC0039"

TEXTS: Mapping[str, str] = {
    STARTED: "The dead-letter handler has started on queue {queue} of queue manager {queue_manager}.",
    ENDING: "The dead-letter handler is ending.",
    USAGE: "Usage: runmqdlq [QName [QMgrName]] [-u UserId] < RulesTable",
    NO_HEADER: "A message does not begin with a valid MQDLH and stays on the queue: MsgId {msg_id}, {fault}.",
    PUT_FAILED: "The put by the rule in line {line} to {target} failed: reason {reason} {name}, MsgId {msg_id}.",
    RETURNED: "The rule in line {line} would move a message in a circle: it was moved to {target} {times} times and "
    "came back each time. It is not moved there again: MsgId {msg_id}.",
    PUT_FAILED_AGAIN: "The put by the rule in line {line} to {target} failed with the reason that the MQDLH already "
    "records: {reason} {name}, MsgId {msg_id}.",
    WOULD_LOSE_HEADER: "The rule in line {line} would put a message back on this queue without its MQDLH, because "
    "{target} leads here. It is not moved: MsgId {msg_id}.",
    RULE_TOTALS: "Rule in line {line}: moved or discarded {done}, failed attempts {failed}.",
    TOTALS: "Queue {queue}: moved or discarded {done}; still on the queue: {failed} after failed attempts, "
    "{left} that no rule moves.",
    TABLE_READ: "The rules table was read again: {rules} rules. Attempts are counted from zero.",
    TABLE_REJECTED: "The rules table was read again and rejected. The previous rules stay in force.",
    "AMQ8741": "Cannot connect to queue manager {name}: completion code {completion}, reason {reason}.",
    "AMQ8745": "Cannot open the dead-letter queue {name}: completion code {completion}, reason {reason}.",
    "AMQ8746": "Cannot close the dead-letter queue {name}: completion code {completion}, reason {reason}.",
    "AMQ8748": "Cannot get messages from {name}: completion code {completion}, reason {reason}.",
    "AMQ8749": "Cannot commit or back out a unit of work: completion code {completion}, reason {reason}.",
    "AMQ8761": "Connecting to queue manager {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8765": "Opening the dead-letter queue {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8766": "Closing the dead-letter queue {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8767": "Getting a message from {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8768": "Ending a unit of work failed: completion code {completion}, reason {reason}.",
    "AMQ8769": "Disconnecting failed: completion code {completion}, reason {reason}.",
}


class FailedCall(NamedTuple):
    """The ids for a failed call: `expected` for these reasons, which an operator can cause, `unexpected` for others."""

    expected: str
    unexpected: str
    reasons: frozenset[int]


_NO_RESOURCES = frozenset({MQRC.STORAGE_NOT_AVAILABLE, MQRC.RESOURCE_PROBLEM})
_ENDING_QUEUE_MANAGER = frozenset({MQRC.Q_MGR_QUIESCING, MQRC.Q_MGR_STOPPING})

CONNECT = FailedCall(
    "AMQ8741",
    "AMQ8761",
    frozenset({MQRC.NOT_AUTHORIZED, MQRC.Q_MGR_NAME_ERROR, MQRC.Q_MGR_NOT_AVAILABLE, MQRC.SECURITY_ERROR})
    | _NO_RESOURCES
    | _ENDING_QUEUE_MANAGER,
)
OPEN = FailedCall(
    "AMQ8745",
    "AMQ8765",
    frozenset(
        {
            MQRC.ALIAS_BASE_Q_TYPE_ERROR,
            MQRC.HANDLE_NOT_AVAILABLE,
            MQRC.NOT_AUTHORIZED,
            MQRC.OBJECT_IN_USE,
            MQRC.SECURITY_ERROR,
            MQRC.UNKNOWN_ALIAS_BASE_Q,
            MQRC.UNKNOWN_OBJECT_NAME,
            MQRC.OBJECT_DAMAGED,
        }
    )
    | _NO_RESOURCES
    | _ENDING_QUEUE_MANAGER,
)
CLOSE = FailedCall("AMQ8746", "AMQ8766", _NO_RESOURCES)
GET = FailedCall(
    "AMQ8748", "AMQ8767", frozenset({MQRC.GET_INHIBITED, MQRC.OBJECT_CHANGED, MQRC.Q_DELETED}) | _NO_RESOURCES
)
END = FailedCall("AMQ8749", "AMQ8768", _NO_RESOURCES)
DISCONNECT = FailedCall("AMQ8769", "AMQ8769", frozenset())

# The queue manager has ended or is ending: the handler ends without further messages.
BROKEN = _ENDING_QUEUE_MANAGER | {MQRC.CONNECTION_BROKEN, MQRC.CONNECTION_QUIESCING, MQRC.CONNECTION_STOPPING}


class Notice(Struct, frozen=True):
    """A message of the handler, with its inserts for JSON output; `explanation` says what its reason code means."""

    message_id: str
    text: str
    inserts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def explanation(self) -> str:
        return " ".join(meaning_of(int(self.inserts["reason"]))) if "reason" in self.inserts else ""

    @property
    def line(self) -> str:
        """Id, text and explanation."""
        return " ".join(filter(None, (f"{self.message_id}: {self.text}", self.explanation)))

    @property
    def row(self) -> dict[str, Any]:
        explained = {"explanation": self.explanation} if self.explanation else {}
        return {"message_id": self.message_id, "text": self.text, **self.inserts, **explained}


def notice(message_id: str, **inserts: Any) -> Notice:
    return Notice(message_id, TEXTS[message_id].format(**inserts), inserts)


def failure_notice(call: FailedCall, error: MQError, name: str) -> Notice:
    """The message for a failed call on the object `name`."""
    reason = int(error.reason)
    message_id = call.expected if reason in call.reasons else call.unexpected
    inserts = {"completion": int(error.completion), "reason": reason, "name": name or "' '"}
    text = TEXTS[message_id].format(**{**inserts, "reason": f"{reason} {name_of('MQRC', reason)}"})
    return Notice(message_id, text, inserts)
