"""Streaming queues: the descriptor of a copy, and the definitions that are refused (streaming §2, §5)."""

from collections.abc import Mapping, Sequence
from copy import copy

from msgspec import Struct

from mqsc.store.catalog import Stored
from mqsc.store.constants import MQEI, MQRCCF, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.rules.expiry import capped

# Streaming queues: the descriptor of a copy, and the definitions that are refused (streaming §2,
# §5).

# The original asks for these reports; its copy must not ask for them a second time.
_OF_THE_ORIGINAL = int(
    MQRO.ACTIVITY
    | MQRO.EXPIRATION_WITH_FULL_DATA
    | MQRO.EXCEPTION_WITH_FULL_DATA
    | MQRO.COA_WITH_FULL_DATA
    | MQRO.COD_WITH_FULL_DATA,
)


def copy_of(original: MessageDescriptor, caps: Sequence[int]) -> MessageDescriptor:
    """The descriptor of a copy: that of the original as stored, except for Report and Expiry.

    `caps` are the CAPEXPRY on the way to the stream queue, in tenths of a second.
    """
    made = copy(original)
    made.report &= ~_OF_THE_ORIGINAL
    made.expiry = capped(int(MQEI.UNLIMITED), caps)
    made.backout_count = 0
    return made


# The attributes on which a refusal depends; a command that gives none of them cannot be refused.
STREAMING_WORDS = frozenset("STREAMQ USAGE TARGET TARGTYPE DEST DESTCLAS DESTQMGR".split())
SYSTEM = "SYSTEM."
DEFAULT_LOCAL_QUEUE = "SYSTEM.DEFAULT.LOCAL.QUEUE"
# The SYSTEM objects that may have a STREAMQ.
_SYSTEM_QUEUES_THAT_STREAM = {
    *(DEFAULT_LOCAL_QUEUE, "SYSTEM.DEFAULT.MODEL.QUEUE", "SYSTEM.JMS.TEMPQ.MODEL"),
    *(f"SYSTEM.ADMIN.{each}.QUEUE" for each in ("ACCOUNTING", "ACTIVITY", "STATISTICS")),
    *(
        f"SYSTEM.ADMIN.{each}.EVENT"
        for each in "CHANNEL COMMAND CONFIG LOGGER PERFM PUBSUB QMGR".split()
    ),
}


class NamedQueue(Struct, frozen=True):
    """The facts about a named queue, and about its base if it is an alias, on which a refusal
    depends.
    """

    is_model: bool
    is_transmission: bool
    streams: bool


class Surroundings(Struct, frozen=True):
    """The facts on which a refusal depends, besides the attributes of the object itself.

    `named` is the queue that STREAMQ of a queue, TARGET of an alias or DEST of a subscription
    names; None when it does not exist. `leads_back`: that queue is an alias of the object itself.
    `is_stream_queue`: a queue has the object as its STREAMQ, directly or through an alias.
    `is_destination`: it is the DEST of a subscription. `is_dynamic`: it is a dynamic queue whose
    STREAMQ the command changes.
    """

    named: NamedQueue | None = None
    leads_back: bool = False
    is_stream_queue: bool = False
    is_destination: bool = False
    is_dynamic: bool = False


def named_queue(keyword: str, attributes: Mapping[str, Stored]) -> str:
    """The queue whose facts decide whether the definition is refused; blank when there is none."""
    if keyword in ("QLOCAL", "QMODEL"):
        return str(attributes.get("STREAMQ", ""))
    if keyword == "QALIAS" and attributes.get("TARGTYPE") != "TOPIC":
        return str(attributes.get("TARGET", ""))
    if keyword == "SUB" and attributes.get("DESTCLAS") != "MANAGED":
        return str(attributes.get("DEST", ""))
    return ""


def depends_on_others(keyword: str, attributes: Mapping[str, Stored]) -> bool:
    """Whether other definitions can refuse this one; most queues neither stream nor are
    transmission queues.
    """
    if keyword in ("QLOCAL", "QMODEL"):
        return bool(attributes.get("STREAMQ")) or (
            keyword == "QLOCAL" and attributes.get("USAGE") == "XMITQ"
        )
    return keyword in ("QALIAS", "SUB")


def definition_refusal(
    keyword: str,
    name: str,
    attributes: Mapping[str, Stored],
    surroundings: Surroundings,
) -> int:
    """The MQRCCF that refuses an object with these attributes because of streaming queues, or 0
    (streaming §5).
    """
    named = surroundings.named
    if keyword in ("QLOCAL", "QMODEL"):
        if attributes.get("STREAMQ"):
            return _streaming_refusal(name, attributes, surroundings)
        transmission = keyword == "QLOCAL" and attributes.get("USAGE") == "XMITQ"
        return (
            int(MQRCCF.STREAMQ_DEST_NOT_SUPP)
            if transmission and surroundings.is_stream_queue
            else 0
        )
    if keyword == "QALIAS" and named is not None and surroundings.is_stream_queue:
        if named.streams:
            return int(MQRCCF.STREAMQ_DEST_CONFLICT)
        return int(MQRCCF.STREAMQ_DEST_NOT_SUPP) if named.is_transmission else 0
    if keyword == "SUB" and named is not None and named.streams:
        return int(MQRCCF.STREAMQ_CONFLICT)
    return 0


def _streaming_refusal(
    name: str,
    attributes: Mapping[str, Stored],
    surroundings: Surroundings,
) -> int:
    stream_queue, named = str(attributes["STREAMQ"]), surroundings.named
    if stream_queue.startswith(SYSTEM) and stream_queue != DEFAULT_LOCAL_QUEUE:
        return int(MQRCCF.STREAMQ_DEST_NOT_SUPP)
    if named is not None and (named.is_model or named.is_transmission) and stream_queue != name:
        return int(MQRCCF.STREAMQ_DEST_NOT_SUPP)
    if stream_queue == name or surroundings.leads_back or (named is not None and named.streams):
        return int(MQRCCF.STREAMQ_DEST_CONFLICT)
    if attributes.get("USAGE") == "XMITQ" or surroundings.is_dynamic:
        return int(MQRCCF.STREAMQ_NOT_SUPPORTED)
    if name.startswith(SYSTEM) and name not in _SYSTEM_QUEUES_THAT_STREAM:
        return int(MQRCCF.STREAMQ_NOT_SUPPORTED)
    if surroundings.is_stream_queue or surroundings.is_destination:
        return int(MQRCCF.STREAMQ_CONFLICT)
    return 0
