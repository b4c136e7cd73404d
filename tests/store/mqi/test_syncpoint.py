"""MQBEGIN, MQCMIT, MQBACK, MQDISC and an abend."""

from __future__ import annotations

import pytest

from store.admin.altering import change_queue_manager
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO, MQPMO
from store.message import Message, PutMessageOptions
from store.sql.rows import UNIT_BITS
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.mark.parametrize("before", [0, 1 << 24, (1 << UNIT_BITS) - 2])
def test_units_are_the_connections_own_however_many_there_were(qmgr: QueueManager, before: int) -> None:
    with qmgr.connect() as connection:
        other = qmgr.connect()
        connection.unit.serial += before
        handle = connection.open("Q", MQOO.OUTPUT)
        handle.put(Message(b"m"), IN_UNIT)
        other.abend()
        assert queue_row(qmgr, "Q").depth == 1

        connection.back()
        assert queue_row(qmgr, "Q").depth == 0


SCENARIOS = {
    "begin opens a unit of work, once": """
        begin => 1/2121
        begin => 2/2128
        put m1 syncpoint
        commit
        begin => 1/2121
        back
        begin => 1/2121
    """,
    "a syncpoint call opens one too": """
        put m1 syncpoint
        begin => 2/2128
        commit
        begin => 1/2121
    """,
    "without a unit of work commit and back do nothing": """
        put m1
        commit
        back
        on Q => m1
    """,
    "a marked message joins the next unit of work": """
        put m1
        get syncpoint mark-skip-backout => m1
        back
        begin => 2/2128
        depth Q => 0
        commit
        depth Q => 0
        begin => 1/2121
    """,
    "and returns with the second backout, which counts once": """
        put m1
        get syncpoint mark-skip-backout => m1
        back
        back
        get => m1 bc=1
    """,
    "the marked message is the first of MAXUMSGS": """
        ALTER QMGR MAXUMSGS(2)
        put m1
        get syncpoint mark-skip-backout => m1
        back
        put m2 syncpoint
        put m3 syncpoint => 2/2024
    """,
    "disconnecting commits, an abend backs out": """
        put m1 syncpoint
        disconnect
        on Q => m1
        get syncpoint => m1
        put m2 syncpoint
        abend
        on Q => m1
        history OPEN Q => None None None
        history CLOSE Q => None None None
    """,
    "a connection that was broken cannot commit": """
        put m1 syncpoint
        broken
        commit => 2/2009
        back => 2/2009
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_units_of_work(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run(text)


@pytest.mark.parametrize("end", ["commit", "back"])
def test_the_number_of_a_unit_of_work_is_never_used_again(qmgr: QueueManager, end: str) -> None:
    with qmgr.connect() as connection:
        numbers = []
        for _ in range(3):
            connection.put1("Q", Message(b"m"), IN_UNIT)
            numbers.append(connection.unit.number)
            getattr(connection, end)()
            assert not connection.unit.is_open
    assert len(set(numbers)) == 3


def test_a_unit_of_work_holds_maxumsgs_messages_put_or_got(qmgr: QueueManager) -> None:
    Play(qmgr).run("""
        ALTER QMGR MAXUMSGS(2)
        put m1 m2
        get syncpoint => m1
        put m3 syncpoint
        put m4 syncpoint => 2/2024
        get syncpoint => 2/2024
        put m5
        commit
        put m6 syncpoint
        back
        depth Q => 3
    """)


def test_messages_that_a_put_causes_count_too(qmgr: QueueManager) -> None:
    """Whether the limit is exceeded is known only after these messages were made; the put then has no effect."""
    create(qmgr, KINDS["QLOCAL"], "R", {})
    change_queue_manager(qmgr, {"MAXUMSGS": 3})
    Play(qmgr).run("""
        put m1 syncpoint report=COA reply_to_q=R
        put m2 syncpoint report=COA reply_to_q=R => 2/2024
        depth Q => 1
        depth R => 1
        put m3 syncpoint
        commit
        depth Q => 2
    """)
