"""strmqm -c recreates the SYSTEM objects of a new queue manager."""

from __future__ import annotations

import pytest

from store.admin.altering import change
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.queue_managers import redefine
from store.catalog import KINDS, SYSTEM_OBJECTS
from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from store.error import MQError
from store.message import Message
from tests.store.admin.looking import queue_row, shown

QLOCAL = KINDS["QLOCAL"]
DEFAULT = "SYSTEM.DEFAULT.LOCAL.QUEUE"


def test_they_are_as_shipped_and_keep_their_messages(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.put1(DEFAULT, Message(b"x"))
    change(qmgr, QLOCAL, DEFAULT, {"MAXDEPTH": 7})
    delete(qmgr, KINDS["PROCESS"], "SYSTEM.DEFAULT.PROCESS")
    create(qmgr, QLOCAL, "OWN", {"MAXDEPTH": 7})
    made = redefine(qmgr)
    assert made == (1, len(SYSTEM_OBJECTS) - 1, [])
    assert shown(qmgr, "QLOCAL", DEFAULT)["MAXDEPTH"] == 5000
    assert queue_row(qmgr, DEFAULT).depth == 1
    assert shown(qmgr, "QLOCAL", "OWN")["MAXDEPTH"] == 7
    assert redefine(qmgr) == (0, len(SYSTEM_OBJECTS), [])


def test_one_of_another_type_is_left(qmgr: QueueManager) -> None:
    name = "SYSTEM.ADMIN.COMMAND.QUEUE"
    delete(qmgr, QLOCAL, name)
    create(qmgr, KINDS["QALIAS"], name, {"TARGET": "X"})
    (error,) = redefine(qmgr).failed
    assert (error.reason, error.object_name) == (MQRCCF.OBJECT_WRONG_TYPE, name)
    assert shown(qmgr, "QALIAS", name)["TARGET"] == "X"


def test_a_queue_manager_that_does_not_run(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    with pytest.raises(MQError) as caught:
        redefine(qmgr)
    assert caught.value.reason == MQRC.Q_MGR_NOT_AVAILABLE
