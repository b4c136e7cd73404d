"""Names of message properties."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from mqsc.store.constants import MQRC, MQTYPE
from mqsc.store.headers.mqmd import MQMD_2

LONGEST = 4095
USR, ROOT_MQMD = "usr", "Root.MQMD."
_IDENTIFIER = re.compile(r"(?:[^\W\d]|\$)(?:\w|\$)*")
_UNWRITABLE = re.compile(r"""[\s<>/='"&%\0\ud800-\udfff]""")
KEYWORDS = frozenset("AND BETWEEN ESCAPE FALSE IN IS LIKE NOT NULL OR TRUE".split())
# The folders whose elements are properties, as they are ordered in a header that the queue manager
# writes.
FOLDERS = ("mcd", "jms", "mqps", "usr", "mqext", "mq", "mq_usr", "sib", "sib_usr", "sib_context")
# With a property in one of these, PROPCTL(COMPAT) returns all of them.
COMPATIBLE_FOLDERS = frozenset(("mcd", "jms", "usr", "mqext"))
_DOTTED = frozenset(("mq_usr",))
_STRING = int(MQTYPE.STRING)
_INT32 = int(MQTYPE.INT32)
_INT64 = int(MQTYPE.INT64)


class PropertyName(NamedTuple):
    """A property: its folder, and its name there, with dots between groups."""

    folder: str
    path: str

    @property
    def full(self) -> str:
        return f"{self.folder}.{self.path}"


class JmsName(NamedTuple):
    """A JMS name: where its property is, of which type, and whether a program may set it."""

    name: PropertyName
    type: int
    can_be_set: bool = False


JMS: Mapping[str, JmsName] = {
    "JMSDestination": JmsName(PropertyName("jms", "Dst"), _STRING),
    "JMSDeliveryMode": JmsName(PropertyName("jms", "Dlv"), _INT32),
    "JMSExpiration": JmsName(PropertyName("jms", "Exp"), _INT64),
    "JMSPriority": JmsName(PropertyName("jms", "Pri"), _INT32),
    "JMSReplyTo": JmsName(PropertyName("jms", "Rto"), _STRING, can_be_set=True),
    "JMSTimestamp": JmsName(PropertyName("jms", "Tms"), _INT64),
    "JMSCorrelationID": JmsName(PropertyName("jms", "Cid"), _STRING, can_be_set=True),
    "JMSXGroupID": JmsName(PropertyName("jms", "Gid"), _STRING, can_be_set=True),
    "JMSXGroupSeq": JmsName(PropertyName("jms", "Seq"), _INT32, can_be_set=True),
    "JMSType": JmsName(PropertyName("mcd", "Type"), _STRING, can_be_set=True),
}
# JMS names that only stand for fields of the MQMD.
JMS_OF_DESCRIPTOR = frozenset(
    ("JMSMessageID", "JMSRedelivered", "JMSXDeliveryCount", "JMSXUserID", "JMSXAppID"),
)
TOPIC_NAME, TOPIC_STRING = PropertyName("mqps", "Top"), "MQTopicString"
SUB_USER_DATA_NAME = PropertyName("mqps", "Sud")
RETAINED_NAME = PropertyName("mqps", "Ret")
_PUBLISH_SUBSCRIBE = {
    TOPIC_STRING: TOPIC_NAME,
    "MQSubUserData": SUB_USER_DATA_NAME,
    "MQIsRetained": RETAINED_NAME,
    "MQPubOptions": PropertyName("mqps", "Pub"),
    "MQPubTime": PropertyName("mqps", "Pts"),
    "MQPubSeqNum": PropertyName("mqps", "Seq"),
    "MQPubStrIntData": PropertyName("mqps", "Sid"),
    "MQPubFormat": PropertyName("mqps", "Pfmt"),
}
_SHOWN = {
    **{row.name: name for name, row in JMS.items()},
    **{name: synonym for synonym, name in _PUBLISH_SUBSCRIBE.items()},
}
# The types of elements of these folders that do not name one, as in JMS.
TYPES_BY_NAME = {row.name: row.type for row in JMS.values()}


class DescriptorField(NamedTuple):
    """A field of the MQMD as a property: the name of the attribute of the descriptor, its type,
    and its length.
    """

    attribute: str
    type: int
    length: int


_KINDS = {"integer": MQTYPE.INT32, "text": MQTYPE.STRING, "bytes": MQTYPE.BYTE_STRING}
FIELDS: Mapping[str, DescriptorField] = {
    each.name.title().replace("_", ""): DescriptorField(
        each.name,
        int(_KINDS[each.kind]),
        each.length,
    )
    for each in MQMD_2.fields
    if each.name not in ("struc_id", "version")
}


def meaning(name: str) -> PropertyName:
    """The property that a name means, without a check: `X` is `usr.X`."""
    plain = name.removeprefix("usr.")
    jms = JMS.get(plain)
    if jms is not None:
        return jms.name
    if plain in _PUBLISH_SUBSCRIBE:
        return _PUBLISH_SUBSCRIBE[plain]
    folder, dot, path = name.partition(".")
    return PropertyName(folder, path) if dot else PropertyName(USR, name)


def shown(name: PropertyName) -> str:
    """The name as MQINQMP returns it: without `usr.`, and JMS names for the folders of JMS."""
    known = _SHOWN.get(name)
    if known is not None:
        return known
    return name.path if name.folder == USR else name.full


def field_of(name: str) -> DescriptorField | None:
    """The field of the MQMD that a name means, if it begins with Root.MQMD."""
    return FIELDS.get(name.removeprefix(ROOT_MQMD)) if name.startswith(ROOT_MQMD) else None


def length_fault(name: str) -> int:
    """2513 for a name that is empty or too long, in bytes; else 0."""
    return (
        0
        if 0 < len(name.encode("utf_8", "surrogatepass")) <= LONGEST
        else MQRC.PROPERTY_NAME_LENGTH_ERR
    )


def set_fault(name: str, *, validate: bool = True) -> int:
    """Why MQSETMP refuses a name, 2513 or 2442, or 0. Without `validate` only what an MQRFH2
    cannot hold is refused.
    """
    fault = length_fault(name)
    if fault:
        return fault
    parts = name.split(".")
    if not all(parts) or (parts[0] == USR and len(parts) != 2) or _UNWRITABLE.search(name):
        return MQRC.PROPERTY_NAME_ERROR
    if not validate:
        return 0
    plain = name.removeprefix("usr.")
    if not all(map(_is_identifier, parts)) or is_reserved(plain):
        return MQRC.PROPERTY_NAME_ERROR
    if plain.startswith("JMS"):
        jms = JMS.get(plain)
        return 0 if jms is not None and jms.can_be_set else MQRC.PROPERTY_NAME_ERROR
    if parts[0] in ("Body", "Root"):
        return 0 if field_of(name) is not None else MQRC.PROPERTY_NAME_ERROR
    if parts[0].lower().startswith("mq") and parts[0] not in _DOTTED and len(parts) > 2:
        return MQRC.PROPERTY_NAME_ERROR
    return 0


def query_fault(name: str, *, pattern: bool = True) -> int:
    """Why MQINQMP or MQDLTMP refuses a name, 2513 or 2442, or 0; a `pattern` may end with %."""
    fault = length_fault(name)
    if fault:
        return fault
    body = name[:-1] if pattern and name.endswith("%") else name
    if "%" in body:
        return MQRC.PROPERTY_NAME_ERROR
    parts = body.split(".")
    if body is not name:
        # The part before the % may end with a dot.
        parts = parts[:-1] if not parts[-1] else parts
        return MQRC.PROPERTY_NAME_ERROR if body and not all(parts) else 0
    return 0 if all(parts) else MQRC.PROPERTY_NAME_ERROR


def is_reserved(name: str) -> bool:
    """Whether the name, without its folder, is a keyword of selectors."""
    return name.upper() in KEYWORDS


def _is_identifier(part: str) -> bool:
    return _IDENTIFIER.fullmatch(part) is not None and max(part) <= "\uffff"


def matches(pattern: str, name: PropertyName) -> bool:
    """Whether the pattern of an inquiry, a name or a beginning with %, means the property."""
    if not pattern.endswith("%"):
        return meaning(pattern) == name
    beginning = pattern[:-1]
    if not beginning:
        return True
    if "." not in beginning:
        return (name.folder == USR and name.path.startswith(beginning)) or (
            beginning.startswith(("JMS", "MQ")) and shown(name).startswith(beginning)
        )
    return name.full.startswith(beginning)
