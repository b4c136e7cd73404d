"""What an action does with a message, as a value: where to put it, with which descriptor and data (dlq-rules §4.4)."""

from __future__ import annotations

from dataclasses import dataclass

from mqsc.dlq.rules import Rule
from store.descriptor import MessageDescriptor
from store.headers.mqdlh import LENGTH, DeadLetterHeader


@dataclass(frozen=True, slots=True)
class Put:
    """An MQPUT1 with MQPMO_SYNCPOINT and MQPMO_PASS_ALL_CONTEXT; a blank queue manager is the local one.

    With `alternate_user` it is MQPMO_ALTERNATE_USER_AUTHORITY with that AlternateUserId; None: the handler's own.
    """

    queue: str
    queue_manager: str
    descriptor: MessageDescriptor
    data: bytes
    alternate_user: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done: `put` is None for DISCARD and IGNORE; `removes` says that the message leaves the queue."""

    rule: Rule
    put: Put | None
    removes: bool


def plan_of(rule: Rule, descriptor: MessageDescriptor, header: DeadLetterHeader, data: bytes) -> Plan:
    """What the rule does with a message that has this descriptor, and `data` with the MQDLH in front.

    `header` is what that MQDLH says; the data that goes on keeps its own bytes (trap 6).
    """
    target = target_of(rule, descriptor, header)
    if target is None:
        return Plan(rule, None, rule.action == "DISCARD")
    alternate_user = descriptor.user_identifier if rule.put_authority == "CTX" else None
    if takes_header_off(rule):
        descriptor, data = without_header(descriptor, header), data[LENGTH:]
    return Plan(rule, Put(*target, descriptor, data, alternate_user), True)


def is_repeated_failure(put: Put, reason: int, header: DeadLetterHeader) -> bool:
    """Whether a failed put only says again what the MQDLH says: same reason, same target. Then AMQ8722 is not written
    (trap 27)."""
    target = (put.queue, put.queue_manager)
    return reason == header.reason and target == (header.dest_q_name, header.dest_q_mgr_name)


def without_header(descriptor: MessageDescriptor, header: DeadLetterHeader) -> MessageDescriptor:
    """The descriptor once the MQDLH is taken off: Format, Encoding and CCSID come from there (trap 7)."""
    restored = descriptor.copy()
    restored.format = header.format
    restored.encoding = header.encoding
    restored.coded_char_set_id = header.coded_char_set_id
    return restored


def target_of(rule: Rule, descriptor: MessageDescriptor, header: DeadLetterHeader) -> tuple[str, str] | None:
    """The queue and the queue manager that the rule puts a message to; None when it puts it nowhere."""
    if rule.action == "RETRY":
        return header.dest_q_name, header.dest_q_mgr_name
    if rule.action != "FWD":
        return None
    fields = {
        "&DESTQ": header.dest_q_name,
        "&DESTQM": header.dest_q_mgr_name,
        "&REPLYQ": descriptor.reply_to_q,
        "&REPLYQM": descriptor.reply_to_q_mgr,
    }
    queue, queue_manager = rule.forward_queue, rule.forward_queue_manager
    return fields.get(queue, queue), fields.get(queue_manager, queue_manager)


def takes_header_off(rule: Rule) -> bool:
    """Whether the message goes on without its MQDLH: RETRY always, FWD with HEADER(NO)."""
    return rule.action == "RETRY" or (rule.action == "FWD" and rule.header == "NO")
