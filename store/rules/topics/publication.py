"""What a subscriber sees: the descriptor and the properties of a copy (publish-subscribe §2.1, §2.2)."""

from collections.abc import Iterable, Sequence
from copy import copy
from typing import NamedTuple, Protocol

from mqsc.store.constants import MQAT, MQCOPY, MQPRI, MQTYPE
from mqsc.store.descriptor import NO_ID, NO_TOKEN, MessageDescriptor
from mqsc.store.headers.mqrfh2_folders import escaped
from mqsc.store.rules import putting
from mqsc.store.rules.expiry import capped
from mqsc.store.rules.properties.property_names import RETAINED_NAME, SUB_USER_DATA_NAME, TOPIC_NAME
from mqsc.store.rules.properties.property_set import Properties, Property, is_copied

PUBLISHED = int(MQAT.QMGR_PUBLISH)
AS_PUBLISHED = int(MQPRI.PRIORITY_AS_PUBLISHED)
AS_QUEUE = int(MQPRI.PRIORITY_AS_Q_DEF)
_TEXT = int(MQTYPE.STRING)
_TRUTH = int(MQTYPE.BOOLEAN)
_PUBLISH = int(MQCOPY.PUBLISH)
MESSAGE_PROPERTIES = "MSGPROP"
NO_PROPERTIES = "NONE"
_USER_LENGTH = 12


class Subscriber(Protocol):
    """The columns of a subscription that a copy shows."""

    user: str
    correl_id: bytes | None
    priority: int
    accounting_token: bytes | None
    appl_identity_data: str
    user_data: str
    property_form: str


class Defaults(NamedTuple):
    """What a publication has where its publisher leaves it open: priority, persistence and CCSID;
    `caps` are the CAPEXPRY that limit its expiry.
    """

    priority: int
    persistence: int
    coded_char_set_id: int
    caps: Sequence[int]


def fill(placed: MessageDescriptor, defaults: Defaults) -> None:
    """Set what the publisher leaves open."""
    if placed.priority == putting.AS_Q_DEF_PRIORITY:
        placed.priority = defaults.priority
    if placed.persistence == putting.AS_Q_DEF_PERSISTENCE:
        placed.persistence = defaults.persistence
    if placed.coded_char_set_id == 0:
        placed.coded_char_set_id = defaults.coded_char_set_id
    placed.expiry = capped(placed.expiry, defaults.caps)


class CopyFacts(NamedTuple):
    """What a copy has from the queue manager: an identifier for it, its name, DEFPRTY of the
    destination, and whether that is a temporary dynamic queue.
    """

    msg_id: bytes
    queue_manager: str
    default_priority: int
    is_temporary: bool


def copy_for(
    published: MessageDescriptor,
    subscriber: Subscriber,
    facts: CopyFacts,
) -> MessageDescriptor:
    """The descriptor of a copy; `published` is that of the publication with everything decided but
    the MsgId, which is zero for one of its own in each copy.
    """
    placed = copy(published)
    if placed.msg_id == NO_ID:
        placed.msg_id = facts.msg_id
    if subscriber.correl_id is not None:
        placed.correl_id = subscriber.correl_id
    if subscriber.priority == AS_QUEUE:
        placed.priority = facts.default_priority
    elif subscriber.priority != AS_PUBLISHED:
        placed.priority = subscriber.priority
    if facts.is_temporary:
        placed.persistence = 0
    placed.user_identifier = subscriber.user.encode()[:_USER_LENGTH].decode(errors="ignore")
    placed.accounting_token = subscriber.accounting_token or NO_TOKEN
    placed.appl_identity_data = subscriber.appl_identity_data
    placed.put_appl_type = PUBLISHED
    placed.put_appl_name = facts.queue_manager[:28]
    placed.appl_origin_data = ""
    placed.put_date = placed.put_time = None
    placed.put_at = published.put_at
    placed.backout_count = 0
    return placed


def passed_on(properties: Iterable[Property]) -> Properties:
    """The properties of a publisher that reach subscribers: those with the copy option PUBLISH."""
    return {each.name: each for each in properties if is_copied(each, _PUBLISH)}


def topic_property(topic: str) -> Property:
    """MQTopicString, which selectors see, too."""
    return Property(TOPIC_NAME, _TEXT, topic)


def added_properties(subscriber: Subscriber, topic: str, *, is_retained: bool) -> Properties:
    """What the queue manager adds for a subscription with PSPROP(MSGPROP)."""
    added = [topic_property(topic)]
    if subscriber.user_data:
        added.append(Property(SUB_USER_DATA_NAME, _TEXT, subscriber.user_data))
    if is_retained:
        added.append(Property(RETAINED_NAME, _TRUTH, True))
    return {each.name: each for each in added}


def publish_folder(topic: str, *, is_retained: bool) -> str:
    """The folder that PSPROP(RFH2) and PSPROP(COMPAT) add instead."""
    option = "<PubOpt>RetainPub</PubOpt>" if is_retained else ""
    return f"<psc><Command>Publish</Command>{option}<Topic>{escaped(topic)}</Topic></psc>"
