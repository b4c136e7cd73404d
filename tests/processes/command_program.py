"""A program that puts commands in PCF; it can die at a step of the command server.

Usage: command_program URL COUNT [STEP], where STEP is the name of a function of the command server: the process kills
itself when that is called for the last command.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import mqsc
from mqsc import Message, MessageDescriptor
from mqsc.pcf import command_server
from store.constants import MQOO
from store.headers import pcf
from store.headers.pcf import CommandHeader, Parameter

CREATE_Q = 11


def dying(function: Any, calls: int) -> Any:
    left = [calls]

    def died(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)

    return died


def main(url: str, prefix: str, count: int, step: str = "") -> None:
    with mqsc.open_store(url) as store, store.queue_manager().connect("commands") as connection:
        queue = connection.open("SYSTEM.ADMIN.COMMAND.QUEUE", int(MQOO.OUTPUT))
        if step == "commit":
            mqsc.Connection.commit = dying(mqsc.Connection.commit, count)  # type: ignore[method-assign]
        elif step:
            setattr(command_server, step, dying(getattr(command_server, step), count))
        for number in range(count):
            parameters = [Parameter(2016, f"{prefix}.{number}"), Parameter(20, 1)]
            data = pcf.pack(CommandHeader(pcf.COMMAND_XR, CREATE_Q, version=3), parameters)
            descriptor = MessageDescriptor(msg_type=1, format="MQADMIN", reply_to_q="REPLIES", persistence=1)
            queue.put(Message(data, descriptor))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
