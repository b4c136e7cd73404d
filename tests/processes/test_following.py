"""`mqsc history --follow` in a process of its own: it shows what others do, and ends without a
word.
"""

from __future__ import annotations

from signal import SIGINT, SIGKILL

import pytest

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.message import Message
from tests.processes.conftest import Start
from tests.processes.programs import Program
from tests.store.admin.looking import queue_row

PUTS = ("--kind", "PUT")


@pytest.fixture
def follow(command: Start) -> Start:
    return lambda *words: command("history", "--follow", *words)


@pytest.fixture
def orders(qmgr: QueueManager) -> QueueManager:
    """A queue with one message; the history of it ends with its PUT."""
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(OTHER)")
    put(qmgr, "ORDERS", b"1")
    return qmgr


def put(qmgr: QueueManager, queue: str, msg_id: bytes) -> None:
    with qmgr.connect() as connection:
        connection.put1(queue, Message(b"data", mqsc.MessageDescriptor(msg_id=msg_id)))


def interrupted(program: Program) -> tuple[int, str, str]:
    program.signal(SIGINT)
    return program.rest()


def test_events_come_as_they_are_recorded(orders: QueueManager, follow: Start) -> None:
    program = follow("ORDERS", *PUTS)
    assert "MsgId 31;" in program.line()
    for number in range(2, 5):
        put(orders, "OTHER", b"other")
        put(orders, "ORDERS", b"%d" % number)
        assert f"MsgId 3{number};" in program.line()
    assert interrupted(program) == (0, "", "")


def test_the_array_of_json_is_closed(orders: QueueManager, follow: Start) -> None:
    program = follow("ORDERS", *PUTS, "--format", "json")
    assert program.line() == "["
    put(orders, "ORDERS", b"2")
    assert '"msg_id": "31' in program.line()
    code, rest, err = interrupted(program)
    assert (code, rest[-2:], err) == (0, "]\n", "")


def test_the_life_of_a_message_goes_on(orders: QueueManager, follow: Start) -> None:
    program = follow("--msg-id", "31")
    assert "message put on ORDERS" in program.line()
    put(orders, "ORDERS", b"2")
    mqsc.run(orders, "CLEAR QLOCAL(ORDERS)")
    assert "ORDERS cleared" in program.line()
    assert interrupted(program) == (0, "", "")


def test_only_new_events(orders: QueueManager, follow: Start) -> None:
    program = follow("--limit", "0", *PUTS)
    # It has begun when it shows one of a series; those after it are all there.
    number = 0
    while program.is_silent(0.05):
        number += 1
        put(orders, "ORDERS", b"n%06d" % number)
    assert "MsgId 6E30" in program.line()
    put(orders, "ORDERS", b"last")
    program.until("MsgId 6C617374")
    assert interrupted(program) == (0, "", "")


def test_the_reader_has_gone(orders: QueueManager, follow: Start) -> None:
    """Although nothing is recorded meanwhile."""
    program = follow("ORDERS", *PUTS)
    program.line()
    program.output.close()
    assert program.rest() == (141, "", "")


def test_a_follower_that_is_killed_leaves_nothing_behind(
    orders: QueueManager,
    follow: Start,
) -> None:
    program = follow("ORDERS", *PUTS)
    program.line()
    program.kill()
    assert program.wait() == -SIGKILL
    put(orders, "ORDERS", b"2")
    assert queue_row(orders, "ORDERS").depth == 2
