"""Attributes of a queue that conflict, those that need FORCE, and those of stream queues.

To add a rule, add a row: the kind of object, the reason, and the condition that must not be true.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.catalog import Kind, Stored, attribute, types
from mqsc.store.constants import MQEI, MQRCCF, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.rules.channel_auth_patterns import distinguished_name
from mqsc.store.rules.expiry import capped
from mqsc.store.rules.sharing import LEVEL_FOR_GROUPS

Attributes = Mapping[str, Stored]
CLUSTER_TRANSMISSION_QUEUE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"


def _both(one: str, other: str) -> Callable[[Attributes], bool]:
    return lambda attributes: bool(attributes.get(one)) and bool(attributes.get(other))


def _has_cipher_spec(attributes: Attributes) -> bool:
    """MQTT channels name a Java cipher suite instead."""
    return attributes.get("CHLTYPE") == "MQTT" or types.is_cipher_spec(
        str(attributes.get("SSLCIPH", "")),
    )


def _is_in_cluster(attributes: Attributes) -> bool:
    return bool(attributes.get("CLUSTER")) or bool(attributes.get("CLUSNL"))


_CLUSTER_NAMES = (MQRCCF.CLUSTER_NAME_CONFLICT, _both("CLUSTER", "CLUSNL"))
_RULES: Mapping[str, tuple[tuple[int, Callable[[Attributes], bool]], ...]] = {
    "QLOCAL": (
        _CLUSTER_NAMES,
        (MQRCCF.CLUSTER_Q_USAGE_ERROR, lambda a: a.get("USAGE") == "XMITQ" and _is_in_cluster(a)),
        (
            MQRCCF.CLUS_XMIT_Q_USAGE_ERROR,
            lambda a: bool(a.get("CLCHNAME")) and a.get("USAGE") != "XMITQ",
        ),
    ),
    "QALIAS": (_CLUSTER_NAMES,),
    # Persistent messages need level 3.
    "CFSTRUCT": (
        (
            MQRCCF.PARM_CONFLICT,
            lambda a: a.get("RECOVER") == "YES" and int(str(a.get("CFLEVEL"))) < LEVEL_FOR_GROUPS,
        ),
    ),
    "QMODEL": (
        (
            MQRCCF.DISPOSITION_CONFLICT,
            lambda a: a.get("DEFTYPE") == "SHAREDYN" and not a.get("CFSTRUCT"),
        ),
    ),
    "QREMOTE": (_CLUSTER_NAMES,),
    "CHANNEL": (
        _CLUSTER_NAMES,
        (MQRCCF.SSL_CIPHER_SPEC_ERROR, lambda a: not _has_cipher_spec(a)),
        (
            MQRCCF.SSL_PEER_NAME_ERROR,
            lambda a: distinguished_name(str(a.get("SSLPEER", ""))) is None,
        ),
    ),
    "QMGR": (
        (MQRCCF.REPOS_NAME_CONFLICT, _both("REPOS", "REPOSNL")),
        # Logger events report log extents to archive, but the log of this queue manager is circular
        # (AMQ8518E).
        (MQRCCF.LOG_TYPE_ERROR, lambda a: a.get("LOGGEREV") == "ENABLED"),
        (MQRCCF.DEF_XMIT_Q_CLUS_ERROR, lambda a: a.get("DEFXMITQ") == CLUSTER_TRANSMISSION_QUEUE),
    ),
}

# The queues that cannot be cluster queues, whatever their type.
RESERVED_QUEUES = frozenset(
    {
        "SYSTEM.CHANNEL.INITQ",
        "SYSTEM.CHANNEL.SYNCQ",
        "SYSTEM.CLUSTER.COMMAND.QUEUE",
        "SYSTEM.CLUSTER.REPOSITORY.QUEUE",
        "SYSTEM.COMMAND.INPUT",
        "SYSTEM.QSG.CHANNEL.SYNCQ",
        "SYSTEM.QSG.TRANSMIT.QUEUE",
    },
)


def conflict(kind: Kind, name: str, attributes: Attributes) -> int:
    """The MQRCCF of the first rule that the attributes of an object of that name break, or 0."""
    if kind.namespace == "queue" and name in RESERVED_QUEUES and _is_in_cluster(attributes):
        return int(MQRCCF.CLUSTER_Q_USAGE_ERROR)
    for reason, broken in _RULES.get(kind.keyword, ()):
        if broken(attributes):
            return reason
    return 0


# Which changes of a queue need FORCE: those that affect programs that have it open, or messages on
# it.

# Keyword → (before, after); None where the attribute has no value.
Changes = Mapping[str, tuple[Stored | None, Stored | None]]


class QueueUse(NamedTuple):
    """How a queue is in use: handles open for input, any open handle, messages, and handles opened
    through a remote definition that is a queue manager alias.
    """

    input_handles: int
    is_open: bool
    has_messages: bool
    is_manager_alias: bool


# By the `force` mark in the attribute's row in the catalog; `value` is the new value.
_NEEDED: Mapping[attribute.Force, Callable[[QueueUse, Stored | None], bool]] = {
    attribute.Force.INPUT_HANDLES: lambda use, value: value == "NOSHARE" and use.input_handles > 1,
    attribute.Force.MESSAGES_OR_HANDLES: lambda use, _: use.has_messages or use.is_open,
    attribute.Force.HANDLES: lambda use, _: use.is_open,
    attribute.Force.RESOLVED: lambda use, _: use.is_manager_alias,
}


def needs_force(kind: Kind, changes: Changes, use: QueueUse) -> bool:
    """Whether any of the changes needs FORCE while the queue is in use (FORCE rules of ALTER)."""
    marks = {word: kind.attributes[word].force for word in changes if word in kind.attributes}
    return any(
        mark in _NEEDED and _NEEDED[mark](use, changes[word][1]) for word, mark in marks.items()
    )


def has_marked(kind: Kind, changes: Changes) -> bool:
    """Whether any of the changes can need FORCE, whatever the use of the queue."""
    return any(
        kind.attributes[word].force in _NEEDED for word in changes if word in kind.attributes
    )


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
