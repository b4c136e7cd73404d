from __future__ import annotations

from store.catalog import KINDS, Stored, defaults
from store.constants import MQRCCF
from store.rules.conflicts import conflict
from tests.store.tables import rows


@rows(
    ("QLOCAL", {}, 0),
    ("QLOCAL", {"CLUSTER": "C"}, 0),
    ("QLOCAL", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QALIAS", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QREMOTE", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QLOCAL", {"USAGE": "XMITQ"}, 0),
    ("QLOCAL", {"USAGE": "XMITQ", "CLUSTER": "C"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", {"USAGE": "XMITQ", "CLUSNL": "NL"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QMODEL", {"USAGE": "XMITQ"}, 0),
    ("QMODEL", {"DEFTYPE": "SHAREDYN"}, MQRCCF.DISPOSITION_CONFLICT),
    ("QMODEL", {"DEFTYPE": "SHAREDYN", "CFSTRUCT": "APPL1"}, 0),
    ("QMGR", {"REPOS": "C"}, 0),
    ("QMGR", {"REPOS": "C", "REPOSNL": "NL"}, MQRCCF.REPOS_NAME_CONFLICT),
    ("QMGR", {"LOGGEREV": "ENABLED"}, MQRCCF.LOG_TYPE_ERROR),
    ("QMGR", {"DEFXMITQ": "XQ"}, 0),
    ("QMGR", {"DEFXMITQ": "SYSTEM.CLUSTER.TRANSMIT.QUEUE"}, MQRCCF.ATTR_VALUE_ERROR),
    ("PROCESS", {"APPLICID": "run"}, 0),
)
def test_conflicting_attributes(kind: str, given: dict[str, Stored], reason: int) -> None:
    assert conflict(KINDS[kind], {**defaults(KINDS[kind]), **given}) == reason
