"""One set of responses to each command in PCF, whichever program performs it, and whenever that
is killed.
"""

from __future__ import annotations

import os
from signal import SIGKILL, SIGTERM
from typing import Any

import pytest

import mqsc
from mqsc import GetMessageOptions, Message, MessageDescriptor, MQError, QueueManager
from mqsc.pcf import command_server
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter
from tests.processes.conftest import Start
from tests.rows import rows

CREATE_Q = 11


@pytest.fixture(autouse=True)
def _replies(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(REPLIES)")


def dying(function: Any, calls: int) -> Any:
    """Return a function that kills this process at the last of so many calls."""
    left = [calls]

    def died(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), SIGKILL)
        return function(*arguments, **options)

    return died


def put_commands(url: str, prefix: str, count: int, step: str = "") -> None:
    """Put commands in PCF; die when a step of the command server, or `commit`, is called for the
    last one.
    """
    with mqsc.open_store(url) as store, store.queue_manager().connect("commands") as connection:
        queue = connection.open("SYSTEM.ADMIN.COMMAND.QUEUE", int(MQOO.OUTPUT))
        if step:
            home = mqsc.Connection if step == "commit" else command_server
            setattr(home, step, dying(getattr(home, step), count))
        for number in range(count):
            parameters = [Parameter(2016, f"{prefix}.{number}"), Parameter(20, 1)]
            data = pcf.pack(CommandHeader(pcf.COMMAND_XR, CREATE_Q, version=3), parameters)
            descriptor = MessageDescriptor(
                msg_type=1,
                format="MQADMIN",
                reply_to_q="REPLIES",
                persistence=1,
            )
            queue.put(Message(data, descriptor))


def outcomes(qmgr: QueueManager, wait: int = 0) -> list[tuple[int, int]]:
    """The outcomes of the responses on the queue; `wait` milliseconds for each."""
    found: list[tuple[int, int]] = []
    options = GetMessageOptions(int(MQGMO.WAIT) if wait else 0, wait_interval=wait)
    with qmgr.connect() as connection:
        queue = connection.open("REPLIES", int(MQOO.INPUT_SHARED))
        while True:
            try:
                header, _ = pcf.unpack(queue.get(options).body)
            except MQError:
                return found
            found.append((header.comp_code, header.reason))
            options = GetMessageOptions()


def queues(qmgr: QueueManager) -> list[str]:
    return [row["QUEUE"] for row in mqsc.run(qmgr, "DISPLAY QLOCAL(A*)")[0].rows]


@rows("_Replies", "commit")
def test_the_next_program_answers_for_one_that_was_killed(
    qmgr: QueueManager,
    start: Start,
    step: str,
) -> None:
    assert (start(put_commands, "A", 2, step).wait(), outcomes(qmgr)) == (-SIGKILL, [(0, 0)])
    assert (start(put_commands, "AA", 1).wait(), outcomes(qmgr)) == (0, [(0, 0)] * 2)
    assert queues(qmgr) == ["A.0", "A.1", "AA.0"]


def test_serve_answers_for_a_program_that_was_killed(
    qmgr: QueueManager,
    start: Start,
    command: Start,
) -> None:
    assert (start(put_commands, "A", 1, "_Replies").wait(), outcomes(qmgr)) == (-SIGKILL, [])
    server = command("--quiet", "serve")
    assert outcomes(qmgr, wait=30_000) == [(0, 0)]
    server.signal(SIGTERM)
    assert (server.wait(), queues(qmgr)) == (0, ["A.0"])


def test_several_programs_and_a_server(qmgr: QueueManager, start: Start, command: Start) -> None:
    server = command("--quiet", "serve")
    programs = [start(put_commands, f"A{number}", 10) for number in range(2)]
    assert [each.wait() for each in programs] == [0, 0]
    server.signal(SIGTERM)
    assert (server.wait(), outcomes(qmgr), len(queues(qmgr))) == (0, [(0, 0)] * 20, 20)
