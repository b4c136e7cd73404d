"""Attributes that conflict with each other, and values that this queue manager does not support.

To add a rule, add a row: the kind of object, the reason, and the condition that must not be true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from store.catalog import Kind, Stored
from store.catalog.cipher_specs import is_cipher_spec
from store.constants import MQRCCF
from store.rules.channel_auth_patterns import distinguished_name
from store.rules.sharing import LEVEL_FOR_GROUPS

Attributes = Mapping[str, Stored]
CLUSTER_TRANSMISSION_QUEUE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"


def _both(one: str, other: str) -> Callable[[Attributes], bool]:
    return lambda attributes: bool(attributes.get(one)) and bool(attributes.get(other))


def _is_clustered(attributes: Attributes) -> bool:
    return bool(attributes.get("CLUSTER") or attributes.get("CLUSNL"))


def _has_cipher_spec(attributes: Attributes) -> bool:
    """MQTT channels name a Java cipher suite instead."""
    return attributes.get("CHLTYPE") == "MQTT" or is_cipher_spec(str(attributes.get("SSLCIPH", "")))


_CLUSTER_NAMES = (MQRCCF.CLUSTER_NAME_CONFLICT, _both("CLUSTER", "CLUSNL"))
_RULES: Mapping[str, tuple[tuple[int, Callable[[Attributes], bool]], ...]] = {
    "QLOCAL": (
        _CLUSTER_NAMES,
        (MQRCCF.CLUSTER_Q_USAGE_ERROR, lambda a: a.get("USAGE") == "XMITQ" and _is_clustered(a)),
    ),
    "QALIAS": (_CLUSTER_NAMES,),
    # Persistent messages need level 3.
    "CFSTRUCT": (
        (MQRCCF.PARM_CONFLICT, lambda a: a.get("RECOVER") == "YES" and int(str(a.get("CFLEVEL"))) < LEVEL_FOR_GROUPS),
    ),
    "QMODEL": ((MQRCCF.DISPOSITION_CONFLICT, lambda a: a.get("DEFTYPE") == "SHAREDYN" and not a.get("CFSTRUCT")),),
    "QREMOTE": (_CLUSTER_NAMES,),
    "CHANNEL": (
        _CLUSTER_NAMES,
        (MQRCCF.SSL_CIPHER_SPEC_ERROR, lambda a: not _has_cipher_spec(a)),
        (MQRCCF.SSL_PEER_NAME_ERROR, lambda a: distinguished_name(str(a.get("SSLPEER", ""))) is None),
    ),
    "QMGR": (
        (MQRCCF.REPOS_NAME_CONFLICT, _both("REPOS", "REPOSNL")),
        # Logger events report log extents to archive, but the log of this queue manager is circular (AMQ8518E).
        (MQRCCF.LOG_TYPE_ERROR, lambda a: a.get("LOGGEREV") == "ENABLED"),
        (MQRCCF.ATTR_VALUE_ERROR, lambda a: a.get("DEFXMITQ") == CLUSTER_TRANSMISSION_QUEUE),
    ),
}


def conflict(kind: Kind, attributes: Attributes) -> int:
    """The MQRCCF of the first rule that the attributes of an object break, or 0."""
    for reason, broken in _RULES.get(kind.keyword, ()):
        if broken(attributes):
            return reason
    return 0
