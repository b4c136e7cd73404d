"""START: objects are checked; the reply says if nothing runs."""

from __future__ import annotations

from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, last_line, set_up

SET_UP = """
DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h')
DEFINE CHANNEL(O) CHLTYPE(SDR) XMITQ(X) CONNAME('h')
DEFINE LISTENER(L) TRPTYPE(TCP)
DEFINE SERVICE(S)
"""


def test_start(qmgr: QueueManager) -> None:
    set_up(qmgr, SET_UP)
    wanted = {
        "START CHANNEL(O)": ("AMQ9509E", MQRCCF.MQOPEN_FAILED),
        "START CHANNEL(C)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "START CHANNEL(NONE)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "START LISTENER(L)": ("AMQ8021I", 0),
        "START LISTENER TRPTYPE(TCP)": ("AMQ8021I", 0),
        "START LISTENER(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "START SERVICE(S)": ("AMQ8733I", 0),
        "START SERVICE(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "START CHINIT": ("AMQ8024I", 0),
        "START CMDSERV": ("MQSC0004I", 0),
        "START QMGR": ("MQSC0003E", 0),
    }
    assert answers(qmgr, *wanted) == wanted
    assert last_line(qmgr, "START SERVICE(S)") == "Services do not run here: no program will be started."


def test_nothing_starts_while_the_queue_manager_is_not_running(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    assert answer(qmgr, "START CHANNEL(NONE)") == ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE)
