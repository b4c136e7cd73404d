"""The action of a rule for one message, as a value: the target, the descriptor and the data to put (dlq-rules §4.4)."""

from __future__ import annotations

from msgspec import Struct

from mqsc.dlq.rules import Rule
from store.descriptor import MessageDescriptor
from store.headers.mqdlh import LENGTH, DeadLetterHeader


class PlannedPut(Struct, frozen=True):
    """An MQPUT1 with MQPMO_SYNCPOINT and MQPMO_PASS_ALL_CONTEXT. A blank queue manager is the local one.

    With `alternate_user`, the put also has MQPMO_ALTERNATE_USER_AUTHORITY and this AlternateUserId.
    """

    queue: str
    queue_manager: str
    descriptor: MessageDescriptor
    data: bytes
    alternate_user: str | None = None


class ActionPlan(Struct, frozen=True):
    """`put` is None for DISCARD and IGNORE; `removes` is False only for IGNORE."""

    rule: Rule
    put: PlannedPut | None
    removes: bool


def plan_action(rule: Rule, descriptor: MessageDescriptor, header: DeadLetterHeader, data: bytes) -> ActionPlan:
    """The plan for a message. `data` begins with the MQDLH that `header` holds unpacked.

    When the header is kept, the target gets the bytes of `data` unchanged (trap 6).
    """
    target = target_of(rule, descriptor, header)
    if target is None:
        return ActionPlan(rule, None, rule.action == "DISCARD")
    alternate_user = descriptor.user_identifier if rule.put_authority == "CTX" else None
    if strips_header(rule):
        descriptor, data = without_header(descriptor, header), data[LENGTH:]
    return ActionPlan(rule, PlannedPut(*target, descriptor, data, alternate_user), True)


def is_repeated_failure(put: PlannedPut, reason: int, header: DeadLetterHeader) -> bool:
    """Whether a failed put has the reason and the target that the MQDLH already records. AMQ8722 is then not written
    (trap 27)."""
    target = (put.queue, put.queue_manager)
    return reason == header.reason and target == (header.dest_q_name, header.dest_q_mgr_name)


def without_header(descriptor: MessageDescriptor, header: DeadLetterHeader) -> MessageDescriptor:
    """The descriptor after the MQDLH is removed: Format, Encoding and CCSID come from the header (trap 7)."""
    restored = descriptor.copy()
    restored.format = header.format
    restored.encoding = header.encoding
    restored.coded_char_set_id = header.coded_char_set_id
    return restored


def target_of(rule: Rule, descriptor: MessageDescriptor, header: DeadLetterHeader) -> tuple[str, str] | None:
    """The queue and the queue manager that the rule puts a message to; None for DISCARD and IGNORE."""
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


def length_put(rule: Rule, length: int) -> int:
    """How many bytes the rule puts of a message with `length` bytes, MQDLH included."""
    return length - LENGTH if strips_header(rule) else length


def strips_header(rule: Rule) -> bool:
    """Whether the message is put without its MQDLH: always with RETRY, and for FWD with HEADER(NO)."""
    return rule.action == "RETRY" or (rule.action == "FWD" and rule.header == "NO")
