"""DISPLAY APSTATUS and QMSTATUS."""

from __future__ import annotations

import pytest

from store.admin.status import application_status, queue_manager_status
from store.client.api import QueueManager
from store.constants import MQRC
from store.error import MQError


def test_applications_are_counted(qmgr: QueueManager) -> None:
    kept = [qmgr.connect(application=name) for name in ("billing", "web", "billing")]
    found = [(row["APPLNAME"], row["TYPE"], row["COUNT"]) for row in application_status(qmgr, "*")]
    assert found == [("billing", "APPL", 2), ("web", "APPL", 1)]
    assert [row["APPLNAME"] for row in application_status(qmgr, "w*")] == ["web"]
    assert [row["QMNAME"] for row in application_status(qmgr, "web", "QMGR")] == ["QM1"]
    local = [*application_status(qmgr, "billing", "LOCAL")]
    assert [(row["TYPE"], row["CONNS"], row["MOVABLE"]) for row in local] == [("LOCAL", 1, "NO")] * 2
    assert len({row["CONNTAG"] for row in local}) == 2
    for connection in kept:
        connection.disconnect()
    assert [*application_status(qmgr, "*")] == []


def test_the_queue_manager(qmgr: QueueManager) -> None:
    (row,) = queue_manager_status(qmgr)
    assert (row["QMNAME"], row["TYPE"], row["STATUS"], row["CONNS"]) == ("QM1", "QMGR", "RUNNING", 0)
    assert (row["STARTDA"], row["STARTTI"], row["DATPATH"]) == ("2023-11-14", "22.13.20", qmgr.store.path)
    with qmgr.connect():
        qmgr.end()
        (row,) = queue_manager_status(qmgr)
        assert (row["STATUS"], row["CONNS"]) == ("QUIESCING", 1)


@pytest.mark.parametrize("type", ["", "QMGR", "NATIVEHA"])
def test_an_ended_queue_manager_has_no_status(qmgr: QueueManager, type: str) -> None:
    qmgr.end(immediate=True)
    with pytest.raises(MQError) as caught:
        list(queue_manager_status(qmgr, "", type))
    assert caught.value.reason == MQRC.Q_MGR_NOT_AVAILABLE


def test_there_are_no_replicas(qmgr: QueueManager) -> None:
    assert [*queue_manager_status(qmgr, "", "NATIVEHA")] == []
