"""DISPLAY CONN, APSTATUS and QMSTATUS, and STOP CONN."""

from __future__ import annotations

from mqsc.store.admin.status import application_status, queue_manager_status
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from tests.store.admin.looking import refused


def test_applications_and_the_queue_manager(qmgr: QueueManager) -> None:
    kept = [qmgr.connect(application=name) for name in ("billing", "web", "billing")]
    found = [(row["APPLNAME"], row["TYPE"], row["COUNT"]) for row in application_status(qmgr, "*")]
    assert found == [("billing", "APPL", 2), ("web", "APPL", 1)]
    assert [row["APPLNAME"] for row in application_status(qmgr, "w*")] == ["web"]
    assert [row["QMNAME"] for row in application_status(qmgr, "web", "QMGR")] == ["QM1"]
    local = [*application_status(qmgr, "billing", "LOCAL")]
    assert [(row["TYPE"], row["CONNS"], row["MOVABLE"]) for row in local] == [
        ("LOCAL", 1, "NO"),
    ] * 2
    assert len({row["CONNTAG"] for row in local}) == 2
    for connection in kept:
        connection.disconnect()
    assert [*application_status(qmgr, "*")] == []
    (row,) = queue_manager_status(qmgr)
    assert (row["QMNAME"], row["TYPE"], row["STATUS"], row["CONNS"]) == (
        "QM1",
        "QMGR",
        "RUNNING",
        0,
    )
    assert (row["STARTDA"], row["STARTTI"], row["DATPATH"]) == (
        "2023-11-14",
        "22.13.20",
        qmgr.store.path,
    )
    # There are no replicas.
    assert [*queue_manager_status(qmgr, "", "NATIVEHA")] == []
    with qmgr.connect():
        qmgr.end()
        (row,) = queue_manager_status(qmgr)
        assert (row["STATUS"], row["CONNS"]) == ("QUIESCING", 1)
    for type in ("", "QMGR", "NATIVEHA"):
        with refused(MQRC.Q_MGR_NOT_AVAILABLE):
            list(queue_manager_status(qmgr, "", type))
