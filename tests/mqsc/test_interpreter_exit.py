"""MQSC and commands on the command queue from finalizers while the interpreter exits."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.processes.programs import run_program

PROGRAM = """
import sys, mqsc
class Late:
    def __init__(self):
        self.mqsc, self.MQError = mqsc, mqsc.MQError
        self.queue_manager = mqsc.open_store(sys.argv[1]).queue_manager()
        self.connection = self.queue_manager.connect()
        self.queue = self.connection.open("SYSTEM.ADMIN.COMMAND.QUEUE", mqsc.MQOO.OUTPUT)
        self.command = mqsc.Message(b"not a command", mqsc.MessageDescriptor(format="MQADMIN"))
        self.run = mqsc.run if "loaded" in sys.argv else None
    def __del__(self):
        for name, call in (
            ("put", lambda: self.queue.put(self.command)),
            ("run", lambda: (self.run or self.mqsc.run)(self.queue_manager, "DISPLAY QMGR")),
            ("name", lambda: self.mqsc.Consumer),
            ("disconnect", self.connection.disconnect),
        ):
            try:
                call()
                print(name, "works")
            except self.MQError as error:
                print(name, error.reason)
late = Late()
"""


@pytest.mark.parametrize("loaded", [(), ("loaded",)], ids=["run not loaded yet", "run loaded"])
def test_finalizers_get_an_mqerror_or_nothing(qmgr: QueueManager, loaded: tuple[str, ...]) -> None:
    ran = run_program(PROGRAM, f"sqlite:///{qmgr.store.path}", *loaded)
    assert ran.stderr == ""
    assert ran.stdout == "put works\nrun 2195\nname 2195\ndisconnect works\n"
