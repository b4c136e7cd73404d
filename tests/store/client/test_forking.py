"""A fork while stores are open; what the child can do afterwards is tested in tests/processes/test_forking.py."""

from __future__ import annotations

import os

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.client.call_guard import open_stores
from store.constants import MQRC
from store.message import Message
from tests.store.admin.looking import queue_row
from tests.store.mqi.calls import reason_of


def test_a_child_loses_its_parents_connection_and_both_can_go_on(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    connection = qmgr.connect()
    process = qmgr.store.process
    child = os.fork()
    if child == 0:
        try:
            store = qmgr.store
            state = (store.forks, store.process, connection.is_inherited, reason_of(connection.commit))
            with qmgr.connect() as own:
                own.put1("Q", Message(b"from the child"))
            os._exit(0 if state == (1, 0, True, MQRC.HCONN_ERROR) and store.process != process else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (qmgr.store.forks, qmgr.store.process, connection.is_inherited) == (0, process, False)
    connection.put1("Q", Message(b"from the parent"))
    connection.disconnect()
    assert queue_row(qmgr, "Q").depth == 2


def test_a_store_is_known_to_forks_as_long_as_a_program_holds_it(qmgr: QueueManager) -> None:
    assert qmgr.store in open_stores
