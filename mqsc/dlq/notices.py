"""What the handler says, by message id (dlq-rules §5); the texts are our own.

To add a message, add its row. A call that fails has two ids: one for reasons that an operator can bring about, one for
all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from store.constants import name_of
from store.error import MQError

STARTED, ENDING, USAGE, NO_LETTER, PUT_FAILED = "AMQ8708", "AMQ8709", "AMQ8710", "AMQ8721", "AMQ8722"
# No id of MQ exists for what only this handler does.
RETURNING, TABLE_READ, TABLE_REFUSED = "MQSC0031", "MQSC0032", "MQSC0033"

TEXTS: Mapping[str, str] = {
    STARTED: "The dead-letter handler has started on queue {queue} of queue manager {queue_manager}.",
    ENDING: "The dead-letter handler is ending.",
    USAGE: "Usage: runmqdlq [QName [QMgrName]] [-u UserId] < RulesTable",
    NO_LETTER: "A message does not begin with a valid MQDLH and is left where it is: MsgId {msg_id}, {fault}.",
    PUT_FAILED: "The put of the rule in line {line} to {target} failed: reason {reason} {name}, MsgId {msg_id}.",
    RETURNING: "A message came back {times} times, because {target} leads to this queue: left alone, MsgId {msg_id}.",
    TABLE_READ: "The rules table was read again: {rules} rules, attempts count from none.",
    TABLE_REFUSED: "The rules table was read again and refused; the rules of before stay in force.",
    "AMQ8741": "Queue manager {name} cannot be connected to: completion code {completion}, reason {reason}.",
    "AMQ8745": "The dead-letter queue {name} cannot be opened: completion code {completion}, reason {reason}.",
    "AMQ8746": "The dead-letter queue {name} cannot be closed: completion code {completion}, reason {reason}.",
    "AMQ8748": "No message can be got from {name}: completion code {completion}, reason {reason}.",
    "AMQ8749": "A unit of work cannot be committed or backed out: completion code {completion}, reason {reason}.",
    "AMQ8761": "Connecting to queue manager {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8765": "Opening the dead-letter queue {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8766": "Closing the dead-letter queue {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8767": "Getting a message from {name} failed: completion code {completion}, reason {reason}.",
    "AMQ8768": "Ending a unit of work failed: completion code {completion}, reason {reason}.",
    "AMQ8769": "Disconnecting failed: completion code {completion}, reason {reason}.",
}


class Call(NamedTuple):
    """A call of the handler: its ids when it fails as an operator can make it, and otherwise; those reasons."""

    expected: str
    unexpected: str
    reasons: frozenset[int]


CONNECT = Call("AMQ8741", "AMQ8761", frozenset({2035, 2058, 2059, 2063, 2071, 2102, 2161, 2162}))
OPEN = Call(
    "AMQ8745",
    "AMQ8765",
    frozenset({2001, 2017, 2035, 2042, 2063, 2071, 2082, 2085, 2101, 2102, 2152, 2161, 2162}),
)
CLOSE = Call("AMQ8746", "AMQ8766", frozenset({2071, 2102}))
GET = Call("AMQ8748", "AMQ8767", frozenset({2016, 2041, 2052, 2071, 2102}))
END = Call("AMQ8749", "AMQ8768", frozenset({2071, 2102}))
DISCONNECT = Call("AMQ8769", "AMQ8769", frozenset())

# The queue manager has gone, or is about to: the handler ends and has nobody left to say more to.
BROKEN = frozenset({2009, 2161, 2162, 2202, 2203})


@dataclass(frozen=True, slots=True)
class Notice:
    """A message of the handler, and what it is about as data."""

    message_id: str
    text: str
    about: Mapping[str, Any] = field(default_factory=dict)


def notice(message_id: str, **about: Any) -> Notice:
    """The message of that id with its inserts."""
    return Notice(message_id, TEXTS[message_id].format(**about), about)


def of_failure(call: Call, error: MQError, name: str) -> Notice:
    """What is said when a call fails; `name` is the object it was about."""
    reason = int(error.reason)
    message_id = call.expected if reason in call.reasons else call.unexpected
    about = {"completion": int(error.completion), "reason": reason, "name": name or "' '"}
    text = TEXTS[message_id].format(**{**about, "reason": f"{reason} {name_of('MQRC', reason)}"})
    return Notice(message_id, text, about)
