"""Starting and ending a queue manager."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager


def test_an_ended_queue_manager_does_not_run(qmgr: QueueManager) -> None:
    assert (qmgr.is_running, qmgr.start()) == (True, False)
    assert (qmgr.end(), qmgr.is_running, qmgr.start(), qmgr.is_running) == (
        "ENDED",
        False,
        True,
        True,
    )
