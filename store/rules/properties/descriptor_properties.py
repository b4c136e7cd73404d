"""Fields of the MQMD as properties: `Root.MQMD.Priority`, and the JMS names that stand for them
(properties §5).
"""

from collections.abc import Callable, Mapping

from mqsc.store.constants import MQTYPE
from mqsc.store.descriptor import NO_ID, UNLIMITED, MessageDescriptor
from mqsc.store.rules.properties.property_names import DescriptorField
from mqsc.store.rules.properties.property_types import Value

STRING = int(MQTYPE.STRING)
INT32 = int(MQTYPE.INT32)
INT64 = int(MQTYPE.INT64)
BOOLEAN = int(MQTYPE.BOOLEAN)
PERSISTENT = 1
_TENTH, _MILLISECOND = 100, 1000

Typed = tuple[int, Value]


def field_value(descriptor: MessageDescriptor, field: DescriptorField) -> Typed:
    """The type and value of a field."""
    return field.type, getattr(descriptor, field.attribute)


def jms_value(descriptor: MessageDescriptor, name: str) -> Typed | None:
    """The type and value of a JMS name that a field of the MQMD supplies, or None."""
    supply = _JMS.get(name.removeprefix("usr."))
    return None if supply is None else supply(descriptor)


def _identifier(value: bytes) -> Typed | None:
    return None if value == NO_ID else (STRING, f"ID:{value.hex()}")


def _reply_to(descriptor: MessageDescriptor) -> Typed | None:
    if not descriptor.reply_to_q:
        return None
    return STRING, f"queue://{descriptor.reply_to_q_mgr}/{descriptor.reply_to_q}"


def _timestamp(descriptor: MessageDescriptor) -> Typed | None:
    return None if descriptor.put_at is None else (INT64, descriptor.put_at // _MILLISECOND)


def _expiration(descriptor: MessageDescriptor) -> Typed | None:
    if descriptor.expiry == UNLIMITED:
        return INT64, 0
    sent = _timestamp(descriptor)
    return None if sent is None else (INT64, sent[1] + descriptor.expiry * _TENTH)  # type: ignore[operator]


def _text(attribute: str) -> Callable[[MessageDescriptor], Typed | None]:
    return lambda d: (STRING, getattr(d, attribute)) if getattr(d, attribute) else None


_JMS: Mapping[str, Callable[[MessageDescriptor], Typed | None]] = {
    "JMSMessageID": lambda d: _identifier(d.msg_id),
    "JMSCorrelationID": lambda d: _identifier(d.correl_id),
    "JMSXGroupID": lambda d: _identifier(d.group_id),
    "JMSXGroupSeq": lambda d: None if d.group_id == NO_ID else (INT32, d.msg_seq_number),
    "JMSDeliveryMode": lambda d: (INT32, 2 if d.persistence == PERSISTENT else 1),
    "JMSPriority": lambda d: (INT32, d.priority),
    "JMSExpiration": _expiration,
    "JMSReplyTo": _reply_to,
    "JMSTimestamp": _timestamp,
    "JMSRedelivered": lambda d: (BOOLEAN, d.backout_count > 0),
    "JMSXDeliveryCount": lambda d: (INT32, d.backout_count + 1),
    "JMSXUserID": _text("user_identifier"),
    "JMSXAppID": _text("put_appl_name"),
}
