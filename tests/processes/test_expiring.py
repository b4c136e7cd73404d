"""REFRESH QMGR TYPE(EXPIRY) in other processes: killed halfway, and two at the same time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlalchemy import func, literal_column, or_, select

from mqsc import run
from store import Message, MessageDescriptor
from store.client.api import QueueManager, Store, open_store
from store.constants import MQOO, MQRO
from store.environment import Environment
from store.sql.schema import event, message
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.conftest import START
from tests.mqsc.agents.scripts import wait_until
from tests.source import ROOT
from tests.store.admin.looking import queue_row

NUMBER = 6000
REFRESH = "REFRESH QMGR TYPE(EXPIRY) NAME('APP.*')"
SCANNER = f"""
import sys, mqsc
qmgr = mqsc.open_store(sys.argv[1]).queue_manager("QM1")
print("ready", flush=True)
sys.stdin.readline()
print(mqsc.run(qmgr, "{REFRESH}")[0].rows[0]["DISCARDED"], flush=True)
"""
_KINDS = Statement(
    select(event.c.kind, func.count(), func.count(event.c.msg_id.distinct()))
    .where(or_(event.c.kind == literal_column("'EXPIRE'"), event.c.kind == literal_column("'REPORT'")))
    .group_by(event.c.kind)
)
_REPORTED = Statement(select(func.count(message.c.correl_id.distinct())))


@pytest.fixture
def expired(store: Store, url: str) -> QueueManager:
    """A queue manager whose APP.Q holds expired messages, each of which requests a report to R."""
    qmgr = store.create_queue_manager("QM1")
    for queue in ("APP.Q", "R"):
        run(qmgr, f"DEFINE QLOCAL({queue}) MAXDEPTH({NUMBER})")
    # Put with a clock in the past.
    with open_store(url, environment=Environment.frozen(at=START)) as past:
        asking = MessageDescriptor(expiry=1, report=MQRO.EXPIRATION, reply_to_q="R")
        with past.queue_manager("QM1").connect() as connection:
            expiring = connection.open("APP.Q", MQOO.OUTPUT)
            for _ in range(NUMBER // 1000):
                expiring.put([Message(b"", asking.copy()) for _ in range(1000)])
    return qmgr


@pytest.fixture
def scanner(url: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Two processes that run REFRESH when they read a line."""
    command = [sys.executable, "-c", SCANNER, url]
    pipe = subprocess.PIPE
    programs = [subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe) for _ in range(2)]
    yield programs
    for program in programs:
        program.kill()
        program.communicate()


def begin(program: subprocess.Popen[bytes]) -> None:
    """Tell a process to run REFRESH."""
    assert program.stdin is not None
    program.stdin.write(b"\n")
    program.stdin.flush()


def depth(qmgr: QueueManager, queue: str) -> int:
    return queue_row(qmgr, queue).depth


def check_that_all_are_reported_once(qmgr: QueueManager) -> None:
    """Check that APP.Q is empty, with exactly one event and one report for each message."""
    assert (depth(qmgr, "APP.Q"), depth(qmgr, "R")) == (0, NUMBER)
    with Reading(qmgr.store.database) as reading:
        assert reading.all(_KINDS, {}) == [("EXPIRE", NUMBER, NUMBER), ("REPORT", NUMBER, NUMBER)]
        assert reading.value(_REPORTED, {}) == NUMBER


def test_killed_in_the_middle_the_rest_goes_next_time(
    expired: QueueManager, scanner: list[subprocess.Popen[bytes]]
) -> None:
    """(X11) Discarded messages are in the history with their reports; none is discarded twice."""
    killed, _ = scanner
    begin(killed)
    wait_until(lambda: depth(expired, "APP.Q") < NUMBER)
    killed.kill()
    killed.wait()
    left = depth(expired, "APP.Q")
    assert left + depth(expired, "R") == NUMBER
    (reply,) = run(expired, REFRESH)
    assert reply.rows == [{"QUEUE": "APP.Q", "EXAMINED": left, "DISCARDED": left, "REPORTS": left}]
    check_that_all_are_reported_once(expired)


def test_two_at_a_time_share_the_work(expired: QueueManager, scanner: list[subprocess.Popen[bytes]]) -> None:
    """Each discards the messages that the other has not."""
    for program in scanner:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
    for program in scanner:
        begin(program)
    discarded = [int(program.stdout.readline()) for program in scanner if program.stdout]
    assert sum(discarded) == NUMBER
    check_that_all_are_reported_once(expired)
