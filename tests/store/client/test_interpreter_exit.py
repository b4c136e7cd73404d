"""Calls from finalizers while the interpreter exits: they work, or fail with MQError."""

from __future__ import annotations

from store.client.api import QueueManager
from tests.processes.programs import run_program

# cp437 is a codec that has not been loaded yet, and can no longer be loaded at exit.
PROGRAM = """
import builtins, sys
from store import GetMessageOptions, Message, MessageDescriptor, MQError, open_store
from store.constants import MQGMO, MQOO
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
