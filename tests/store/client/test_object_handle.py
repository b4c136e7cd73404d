"""Calls through a handle: wrong types of arguments, and resolved names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mqsc
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQOT, MQPMO
from mqsc.store.message import Message


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


WRONG: list[tuple[Callable[[Any], object], str]] = [
    (lambda handle: handle.put(Message(b"x"), MQPMO.SYNCPOINT), "options must be"),
    (lambda handle: handle.get(MQPMO.SYNCPOINT), "options must be"),
    (lambda handle: handle.inquire("DESCR"), "selectors are MQIA and MQCA numbers"),
    (lambda handle: handle.set([1]), "values by their selectors can be set, not list"),
    (lambda handle: handle.set({"PUT": 1}), "selectors are MQIA and MQCA numbers"),
    (lambda handle: handle.close("DELETE"), "options must be int, not str"),
]


def test_arguments_of_the_wrong_type_are_a_type_error(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED | MQOO.INQUIRE | MQOO.SET)
        for call, said in WRONG:
            with pytest.raises(TypeError, match=said):
                call(handle)
            handle.put(Message(b"the connection is free for the next call"))


SCRIPT = """
DEFINE QALIAS(A) TARGET(Q)
DEFINE QLOCAL(XQ) USAGE(XMITQ)
DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ)
DEFINE QALIAS(AR) TARGET(R)
"""


RESOLVED = {"Q": ("Q", "QM1"), "A": ("Q", "QM1"), "R": ("THERE", "QM2"), "AR": ("THERE", "QM2")}


def test_handles_and_placed_descriptors_tell_where_messages_go(qmgr: QueueManager) -> None:
    """An object that is not a queue has no resolved name."""
    mqsc.run(qmgr, SCRIPT, check=True)
    with qmgr.connect() as connection:
        for name, resolved in RESOLVED.items():
            handle = connection.open(name, MQOO.OUTPUT)
            placed = (
                handle.put(Message(b"x")),
                connection.put1(name, Message(b"x")),
                *handle.put([Message(b"x")]),
            )
            found = {(each.resolved_q_name, each.resolved_q_mgr_name) for each in placed}
            assert found == {(handle.resolved_q_name, handle.resolved_q_mgr_name)} == {resolved}
        handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        assert (handle.resolved_q_name, handle.resolved_q_mgr_name) == ("", "")
