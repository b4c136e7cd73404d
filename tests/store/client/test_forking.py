"""Stores in forked processes, and at the exit of the interpreter."""

from __future__ import annotations

import os

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.forking import open_stores
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from mqsc.store.message import Message
from tests.processes.programs import run_program
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
            state = (
                store.forks,
                store.process,
                connection.is_inherited,
                reason_of(connection.commit),
            )
            with qmgr.connect() as own:
                own.put1("Q", Message(b"from the child"))
            os._exit(
                0 if state == (1, 0, True, MQRC.HCONN_ERROR) and store.process != process else 1,
            )
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (qmgr.store.forks, qmgr.store.process, connection.is_inherited) == (0, process, False)
    connection.put1("Q", Message(b"from the parent"))
    connection.disconnect()
    assert queue_row(qmgr, "Q").depth == 2


def test_a_store_is_known_to_forks_as_long_as_a_program_holds_it(qmgr: QueueManager) -> None:
    assert qmgr.store in open_stores


# cp437 is a codec that has not been loaded yet, and can no longer be loaded at exit.
PROGRAM = """
import builtins, sys
from mqsc.store import GetMessageOptions, Message, MessageDescriptor, MQError, open_store
from mqsc.store.constants import MQGMO, MQOO
class Late:
    def __init__(self):
        self.queue_manager = open_store(sys.argv[1]).queue_manager()
        self.connection = self.queue_manager.connect()
        self.queue = self.connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        self.converted = GetMessageOptions(MQGMO.CONVERT)
        self.message = Message(b"x", MessageDescriptor(format="MQSTR", coded_char_set_id=437))
        self.MQError, self.open_store, self.url = MQError, open_store, sys.argv[1]
    def __del__(self):
        for name, call in (
            ("put", lambda: self.queue.put(self.message)),
            ("get", lambda: self.queue.get(self.converted)),
            ("open", lambda: self.connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", 16).close()),
            ("connect", lambda: self.queue_manager.connect().disconnect()),
            ("open_store", lambda: self.open_store(self.url).close()),
        ):
            try:
                call()
                print(name, "works")
            except self.MQError as error:
                print(name, error.reason)
builtins.late = Late()
"""


def test_finalizers_get_an_mqerror_or_nothing(qmgr: QueueManager) -> None:
    ran = run_program(PROGRAM, f"sqlite:///{qmgr.store.path}")
    assert ran.stderr == ""
    assert ran.stdout == "put works\nget 2195\nopen works\nconnect works\nopen_store works\n"
