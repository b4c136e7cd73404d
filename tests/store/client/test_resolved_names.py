"""The names that an open or put1 resolved to (mqi-semantics §2.2)."""

from __future__ import annotations

import pytest

import mqsc
from store.client.api import QueueManager
from store.constants import MQOO, MQOT
from store.message import Message

SCRIPT = """
DEFINE QLOCAL(Q)
DEFINE QALIAS(A) TARGET(Q)
DEFINE QLOCAL(XQ) USAGE(XMITQ)
DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ)
DEFINE QALIAS(AR) TARGET(R)
"""


@pytest.fixture
def defined(qmgr: QueueManager) -> QueueManager:
    mqsc.run(qmgr, SCRIPT)
    return qmgr


@pytest.mark.parametrize(
    ("name", "resolved"), [("Q", ("Q", "QM1")), ("A", ("Q", "QM1")), ("R", ("THERE", "QM2")), ("AR", ("THERE", "QM2"))]
)
def test_handles_and_placed_descriptors_tell_where_messages_go(
    defined: QueueManager, name: str, resolved: tuple[str, str]
) -> None:
    with defined.connect() as connection:
        handle = connection.open(name, MQOO.OUTPUT)
        assert (handle.resolved_q_name, handle.resolved_q_mgr_name) == resolved
        for placed in (handle.put(Message(b"x")), connection.put1(name, Message(b"x")), *handle.put([Message(b"x")])):
            assert (placed.resolved_q_name, placed.resolved_q_mgr_name) == resolved


def test_an_object_that_is_not_a_queue_has_no_resolved_name(defined: QueueManager) -> None:
    with defined.connect() as connection:
        handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        assert (handle.resolved_q_name, handle.resolved_q_mgr_name) == ("", "")
