"""`mqsc history --follow` in a process of its own: it shows what others do, and ends without a word."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import mqsc
from store.client.api import QueueManager
from store.message import Message
from tests.processes.programs import PATIENCE_SECONDS
from tests.source import ROOT
from tests.store.admin.looking import queue_row


class Following:
    """A process that follows the history; its output is read as it comes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._read = b""

    def line(self) -> str:
        """The next line that it prints."""
        assert self.process.stdout is not None
        out = self.process.stdout.fileno()
        while b"\n" not in self._read:
            assert select.select([out], [], [], PATIENCE_SECONDS)[0], "nothing came"
            more = os.read(out, 1 << 16)
            assert more, "it has ended"
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return line.decode()

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        """Send a signal; return its exit code, the rest of what it printed, and stderr."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, (self._read + out).decode(), err.decode()


@contextmanager
def following(url: str, *arguments: str) -> Iterator[Following]:
    command = [sys.executable, "-m", "mqsc", "history", "--follow", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "MQSC_STORE": url}, stdout=pipe, stderr=pipe
    ) as process:
        try:
            yield Following(process)
        finally:
            process.kill()


@pytest.fixture
def orders(qmgr: QueueManager) -> QueueManager:
    """A queue with one message; the history of it ends with its PUT."""
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(OTHER)")
    put(qmgr, "ORDERS", b"1")
    return qmgr


def put(qmgr: QueueManager, queue: str, msg_id: bytes) -> None:
    with qmgr.connect() as connection:
        connection.put1(queue, Message(b"data", mqsc.MessageDescriptor(msg_id=msg_id)))


def test_events_come_as_they_are_recorded(orders: QueueManager, url: str) -> None:
    with following(url, "ORDERS", "--kind", "PUT") as program:
        assert "MsgId 31;" in program.line()
        for number in range(2, 5):
            put(orders, "OTHER", b"other")
            put(orders, "ORDERS", b"%d" % number)
            assert f"MsgId 3{number};" in program.line()
        assert program.end() == (0, "", "")


def test_the_array_of_json_is_closed(orders: QueueManager, url: str) -> None:
    with following(url, "ORDERS", "--kind", "PUT", "--format", "json") as program:
        assert program.line() == "["
        put(orders, "ORDERS", b"2")
        assert '"msg_id": "31' in program.line()
        code, rest, err = program.end()
    assert (code, rest[-2:], err) == (0, "]\n", "")


def test_the_life_of_a_message_goes_on(orders: QueueManager, url: str) -> None:
    with following(url, "--msg-id", "31") as program:
        assert "message put on ORDERS" in program.line()
        put(orders, "ORDERS", b"2")
        mqsc.run(orders, "CLEAR QLOCAL(ORDERS)")
        assert "ORDERS cleared" in program.line()
        assert program.end() == (0, "", "")


def test_only_new_events(orders: QueueManager, url: str) -> None:
    with following(url, "--limit", "0", "--kind", "PUT") as program:
        # It has begun when it shows one of a series; those after it are all there.
        number = 0
        assert program.process.stdout is not None
        while not select.select([program.process.stdout], [], [], 0.05)[0]:
            number += 1
            put(orders, "ORDERS", b"n%06d" % number)
        first = program.line()
        put(orders, "ORDERS", b"last")
        assert "MsgId 6E30" in first
        while "MsgId 6C617374" not in program.line():
            pass
        assert program.end() == (0, "", "")


def test_the_reader_has_gone(orders: QueueManager, url: str) -> None:
    with following(url, "ORDERS", "--kind", "PUT") as program:
        program.line()
        assert program.process.stdout is not None
        program.process.stdout.close()
        # Nothing is recorded meanwhile.
        assert program.process.wait(PATIENCE_SECONDS) == 141
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""


def test_a_follower_that_is_killed_leaves_nothing_behind(orders: QueueManager, url: str) -> None:
    with following(url, "ORDERS", "--kind", "PUT") as program:
        program.line()
        assert program.end(signal.SIGKILL)[0] == -signal.SIGKILL
    put(orders, "ORDERS", b"2")
    assert queue_row(orders, "ORDERS").depth == 2
