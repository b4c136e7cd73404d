"""Attributes of a queue that conflict.

To add a rule, add a row: the kind of object, the reason, and the condition that must not be true.
"""

from collections.abc import Callable, Mapping

from mqsc.store.catalog import Kind, Stored, types
from mqsc.store.constants import MQRCCF
from mqsc.store.rules.channel_auth_patterns import distinguished_name
from mqsc.store.rules.sharing import LEVEL_FOR_GROUPS

Attributes = Mapping[str, Stored]
CLUSTER_TRANSMISSION_QUEUE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"


def _both(keyword: str, other: str) -> Callable[[Attributes], bool]:
    return lambda attributes: bool(attributes.get(keyword)) and bool(attributes.get(other))


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
