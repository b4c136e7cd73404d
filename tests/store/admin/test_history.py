"""What agents put into the history."""

from __future__ import annotations

import pytest

from store.admin.history import record
from store.client.api import QueueManager
from tests.conftest import START
from tests.store.admin.looking import history


def test_an_event_of_an_agent(qmgr: QueueManager) -> None:
    record(qmgr, "PROGRAM", "ended", detail={"exit_status": 3}, queue="APPQ", application="runmqtrm", user="ann")
    (found,) = history(qmgr.store, "APPQ")
    assert (found.kind, found.cause, found.queue, found.target) == ("PROGRAM", "ended", "APPQ", None)
    assert (found.detail, found.at, found.user) == ({"exit_status": 3}, START, "ann")


def test_a_queue_manager_that_has_ended_still_has_a_history(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    record(qmgr, "PROGRAM", "started", detail={}, queue="APPQ")
    (found,) = history(qmgr.store, "APPQ")
    assert (found.cause, found.detail, found.user) == ("started", None, "tester")


@pytest.mark.parametrize(("cause", "detail"), [("begun", {}), ("ended", {"status": 3})])
def test_only_what_is_published(qmgr: QueueManager, cause: str, detail: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"PROGRAM has no (begun|status)"):
        record(qmgr, "PROGRAM", cause, detail=detail, queue="APPQ")
    assert history(qmgr.store, "APPQ") == []
