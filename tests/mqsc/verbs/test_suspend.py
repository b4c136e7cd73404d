"""SUSPEND QMGR and RESUME QMGR are accepted for a cluster, without effect."""

from __future__ import annotations

from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, last_line


def test_suspend_and_resume(qmgr: QueueManager) -> None:
    wanted = {
        "SUSPEND QMGR CLUSTER(C)": ("AMQ8557I", 0),
        "SUSPEND QMGR CLUSNL(N) MODE(FORCE)": ("AMQ8557I", 0),
        "RESUME QMGR CLUSTER(C)": ("AMQ8556I", 0),
        "SUSPEND QMGR": ("AMQ8421E", MQRCCF.PARM_MISSING),
        "RESUME QMGR CLUSTER(C) CLUSNL(N)": ("AMQ8433E", MQRCCF.CLUSTER_NAME_CONFLICT),
        "SUSPEND QMGR LOG": ("MQSC0003E", 0),
        "RESUME QMGR FACILITY(DB2)": ("MQSC0003E", 0),
        "RESUME QMGR CLUSTER(C) MODE(FORCE)": ("AMQ8405I", 0),
    }
    assert answers(qmgr, *wanted) == wanted
    assert last_line(qmgr, "SUSPEND QMGR CLUSTER(C)").startswith("There is no cluster repository here")
    qmgr.end(immediate=True)
    assert answer(qmgr, "SUSPEND QMGR CLUSTER(C)") == ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE)
