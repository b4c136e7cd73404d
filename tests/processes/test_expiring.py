"""REFRESH QMGR TYPE(EXPIRY) in other processes: killed halfway, and two at the same time."""

from __future__ import annotations

import sys

import pytest
from sqlalchemy import func, literal_column, or_, select

from mqsc import run
from mqsc.store import Message, MessageDescriptor
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQRO
from mqsc.store.environment import Environment
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event, message
from mqsc.store.sqlite.database import Reading
from tests.conftest import START
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import Start
from tests.scenarios.looking import curdepth

NUMBER = 6000
REFRESH = "REFRESH QMGR TYPE(EXPIRY) NAME('APP.*')"
_KINDS = text_of(
    select(event.c.kind, func.count(), func.count(event.c.msg_id.distinct()))
    .where(
        or_(event.c.kind == literal_column("'EXPIRE'"), event.c.kind == literal_column("'REPORT'")),
    )
    .group_by(event.c.kind),
)
_REPORTED = text_of(select(func.count(message.c.correl_id.distinct())))


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


def refresh(url: str) -> None:
    """Run REFRESH when told to; say how many messages it has discarded."""
    qmgr = open_store(url).queue_manager("QM1")
    print("ready")
    sys.stdin.readline()
    print(run(qmgr, REFRESH)[0].rows[0]["DISCARDED"])


def check_that_all_are_reported_once(qmgr: QueueManager) -> None:
    """Check that APP.Q is empty, with exactly one event and one report for each message."""
    assert (curdepth(qmgr, "APP.Q"), curdepth(qmgr, "R")) == (0, NUMBER)
    with Reading(qmgr.store.database) as reading:
        assert reading.all(_KINDS, {}) == [("EXPIRE", NUMBER, NUMBER), ("REPORT", NUMBER, NUMBER)]
        assert reading.value(_REPORTED, {}) == NUMBER


def test_killed_in_the_middle_the_rest_goes_next_time(expired: QueueManager, start: Start) -> None:
    """(X11) Discarded messages are in the history with their reports; none is discarded twice."""
    killed = start(refresh)
    killed.tell()
    wait_until(lambda: curdepth(expired, "APP.Q") < NUMBER)
    killed.kill()
    left = curdepth(expired, "APP.Q")
    assert left + curdepth(expired, "R") == NUMBER
    (reply,) = run(expired, REFRESH)
    assert reply.rows == [{"QUEUE": "APP.Q", "EXAMINED": left, "DISCARDED": left, "REPORTS": left}]
    check_that_all_are_reported_once(expired)


def test_two_at_a_time_share_the_work(expired: QueueManager, start: Start) -> None:
    both = [start(refresh) for _ in range(2)]
    assert [each.line() for each in both] == ["ready"] * 2
    for each in both:
        each.tell()
    assert sum(int(each.line()) for each in both) == NUMBER
    check_that_all_are_reported_once(expired)
