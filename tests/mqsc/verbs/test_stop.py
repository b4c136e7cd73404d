"""STOP: breaks connections; channels are not active, listeners and services are checked."""

from __future__ import annotations

import pytest

from store import MQError
from store.client.api import QueueManager
from store.constants import MQOO, MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, last_line, rows, set_up
from tests.mqsc.verbs.test_start import SET_UP


def test_a_connection_is_broken_and_the_others_stay(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    one = qmgr.connect(application="one")
    with qmgr.connect(application="two") as two:
        ((identifier,),) = rows(qmgr, "DISPLAY CONN(*) WHERE(APPLTAG EQ 'one')", "CONN")
        assert answers(qmgr, "STOP CONN(FFFFFFFFFFFFFFFF)", f"STOP CONN({identifier})") == {
            "STOP CONN(FFFFFFFFFFFFFFFF)": ("AMQ8155E", MQRCCF.CONNECTION_ID_ERROR),
            f"STOP CONN({identifier})": ("AMQ8457I", 0),
        }
        two.open("A", MQOO.OUTPUT)
        with pytest.raises(MQError) as broken:
            one.open("A", MQOO.OUTPUT)
        assert broken.value.reason == MQRC.CONNECTION_BROKEN


def test_the_rest(qmgr: QueueManager) -> None:
    set_up(qmgr, SET_UP)
    wanted = {
        "STOP CHANNEL(O)": ("AMQ9533W", MQRCCF.CHANNEL_NOT_ACTIVE),
        "STOP CHANNEL(O) IGNSTATE(YES)": ("AMQ8019I", 0),
        "STOP CHANNEL(O) IGNSTATE(NO)": ("AMQ9533W", MQRCCF.CHANNEL_NOT_ACTIVE),
        "STOP CHANNEL(C)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "STOP CHANNEL(NONE) IGNSTATE(YES)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "STOP LISTENER(L)": ("AMQ8706I", 0),
        "STOP LISTENER": ("AMQ8706I", 0),
        "STOP LISTENER(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "STOP SERVICE(S)": ("AMQ8732I", 0),
        "STOP SERVICE(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "STOP CHINIT": ("MQSC0004I", 0),
        "STOP CMDSERV": ("MQSC0004I", 0),
    }
    assert answers(qmgr, *wanted) == wanted
    assert last_line(qmgr, "STOP CHANNEL(O) IGNSTATE(YES)").startswith("The channel was not active")


def test_nothing_stops_while_the_queue_manager_is_not_running(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    assert answer(qmgr, "STOP CHINIT") == ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE)
