"""Definitions of queues that are refused."""

from __future__ import annotations

from mqsc.store.catalog import KINDS, Stored, defaults
from mqsc.store.constants import MQRCCF
from mqsc.store.rules import conflicts
from tests.rows import rows
from tests.store.tables import giving


@rows(
    *giving(0, ("QLOCAL", {}), ("QLOCAL", {"CLUSTER": "C"}), ("QLOCAL", {"USAGE": "XMITQ"})),
    ("QMODEL", {"USAGE": "XMITQ"}, 0),
    ("QMODEL", {"DEFTYPE": "SHAREDYN", "CFSTRUCT": "APPL1"}, 0),
    *giving(
        0,
        ("QMGR", {"REPOS": "C"}),
        ("QMGR", {"DEFXMITQ": "XQ"}),
        ("PROCESS", {"APPLICID": "run"}),
    ),
    ("QLOCAL", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QALIAS", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QREMOTE", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QLOCAL", {"USAGE": "XMITQ", "CLUSTER": "C"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", {"USAGE": "XMITQ", "CLUSNL": "NL"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", {"USAGE": "XMITQ", "CLCHNAME": "TO.*"}, 0),
    ("QLOCAL", {"CLCHNAME": "TO.*"}, MQRCCF.CLUS_XMIT_Q_USAGE_ERROR),
    ("QMODEL", {"DEFTYPE": "SHAREDYN"}, MQRCCF.DISPOSITION_CONFLICT),
    ("QMGR", {"REPOS": "C", "REPOSNL": "NL"}, MQRCCF.REPOS_NAME_CONFLICT),
    ("QMGR", {"LOGGEREV": "ENABLED"}, MQRCCF.LOG_TYPE_ERROR),
    ("QMGR", {"DEFXMITQ": "SYSTEM.CLUSTER.TRANSMIT.QUEUE"}, MQRCCF.DEF_XMIT_Q_CLUS_ERROR),
)
def test_conflicting_attributes(kind: str, given: dict[str, Stored], reason: int) -> None:
    assert conflicts.conflict(KINDS[kind], "X", {**defaults(KINDS[kind]), **given}) == reason


@rows(
    "SYSTEM.CHANNEL.INITQ",
    "SYSTEM.CHANNEL.SYNCQ",
    "SYSTEM.CLUSTER.COMMAND.QUEUE",
    "SYSTEM.CLUSTER.REPOSITORY.QUEUE",
    "SYSTEM.COMMAND.INPUT",
    "SYSTEM.QSG.CHANNEL.SYNCQ",
    "SYSTEM.QSG.TRANSMIT.QUEUE",
)
def test_a_reserved_queue_is_never_a_cluster_queue(name: str) -> None:
    for kind in (KINDS["QLOCAL"], KINDS["QALIAS"], KINDS["QREMOTE"]):
        plain = defaults(kind)
        assert conflicts.conflict(kind, name, plain) == 0
        for word in ("CLUSTER", "CLUSNL"):
            assert (
                conflicts.conflict(kind, name, {**plain, word: "C"}) == MQRCCF.CLUSTER_Q_USAGE_ERROR
            )
    assert conflicts.conflict(KINDS["PROCESS"], name, defaults(KINDS["PROCESS"])) == 0
