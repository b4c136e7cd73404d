"""The action of a rule for one message, as a value: the target, the descriptor and the data to put
(dlq-rules §4.4).
"""

from msgspec import Struct

from mqsc.dlq.keywords import HeaderTreatment
from mqsc.dlq.rules_table import Rule
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.mqdlh import MQDLH_LENGTH, DeadLetterHeader


class PlannedPut(Struct, frozen=True):
    """An MQPUT1 with MQPMO_SYNCPOINT and MQPMO_PASS_ALL_CONTEXT. A blank queue manager is the local
    one.

    With `alternate_user`, the put also has MQPMO_ALTERNATE_USER_AUTHORITY and this AlternateUserId.
    """

    queue: str
    queue_manager: str
    descriptor: MessageDescriptor
    data: bytes
    alternate_user: str | None = None


def planned_put(
    rule: Rule,
    descriptor: MessageDescriptor,
    header: DeadLetterHeader,
    data: bytes,
) -> PlannedPut | None:
    """The put that the action makes for a message, if it makes one. `data` begins with the MQDLH that `header`
    holds unpacked.

    When the header is kept, the target gets the bytes of `data` unchanged: message data is never
    converted (dlq-rules §7, 6).
    """
    target = target_of(rule, descriptor, header)
    if target is None:
        return None
    alternate_user = descriptor.user_identifier if rule.put_authority == "CTX" else None
    if strips_header(rule):
        descriptor, data = without_header(descriptor, header), data[MQDLH_LENGTH:]
    return PlannedPut(*target, descriptor, data, alternate_user)


def is_repeated_failure(put: PlannedPut, reason: int, header: DeadLetterHeader) -> bool:
    """Whether a failed put has the reason and the target that the MQDLH already records. AMQ8722 is
    then not written: MQ reports a failure once (dlq-rules §7, 27).
    """
    target = (put.queue, put.queue_manager)
    return reason == header.reason and target == (header.dest_q_name, header.dest_q_mgr_name)


def without_header(descriptor: MessageDescriptor, header: DeadLetterHeader) -> MessageDescriptor:
    """The descriptor after the MQDLH is removed: Format, Encoding and CCSID come from the header,
    which kept those of the data (dlq-rules §7, 7).
    """
    restored = descriptor.copy()
    restored.format = header.format
    restored.encoding = header.encoding
    restored.coded_char_set_id = header.coded_char_set_id
    return restored


def target_of(
    rule: Rule,
    descriptor: MessageDescriptor,
    header: DeadLetterHeader,
) -> tuple[str, str] | None:
    """The queue and the queue manager that the rule puts a message to; None if it puts none."""
    target = rule.effect.target
    if target is None:
        return None
    fields = {
        "&DESTQ": header.dest_q_name,
        "&DESTQM": header.dest_q_mgr_name,
        "&REPLYQ": descriptor.reply_to_q,
        "&REPLYQM": descriptor.reply_to_q_mgr,
    }
    of_rule = {"FWDQ": rule.forward_queue, "FWDQM": rule.forward_queue_manager}
    queue, queue_manager = (of_rule.get(name, name) for name in target)
    return fields.get(queue, queue), fields.get(queue_manager, queue_manager)


def length_put(rule: Rule, length: int) -> int:
    """How many bytes the rule puts of a message with `length` bytes, MQDLH included."""
    return length - MQDLH_LENGTH if strips_header(rule) else length


def strips_header(rule: Rule) -> bool:
    """Whether the message is put without its MQDLH: always with RETRY, and for FWD with
    HEADER(NO).
    """
    treatment = rule.effect.header
    if treatment is HeaderTreatment.AS_RULE_SAYS:
        return rule.header == "NO"
    return treatment is HeaderTreatment.STRIPPED
