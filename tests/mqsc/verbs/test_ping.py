"""PING: the queue manager answers; channels are in tests/scenarios/test_channel_commands.py."""

from __future__ import annotations

from mqsc.verbs.running import PING
from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, set_up


def test_the_queue_manager_answers_while_it_runs(qmgr: QueueManager) -> None:
    assert answer(qmgr, "PING QMGR") == ("AMQ8415I", 0)
    qmgr.end(immediate=True)
    assert answer(qmgr, "PING QMGR") == ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE)


def test_a_channel_is_checked(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE CHANNEL(S) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(O) CHLTYPE(SDR) XMITQ(X) CONNAME('h')")
    assert answers(qmgr, "PING CHANNEL(NONE)", "PING CHANNEL(S)", "PING CHANNEL(O)") == {
        "PING CHANNEL(NONE)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "PING CHANNEL(S)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "PING CHANNEL(O)": ("AMQ9202E", MQRCCF.HOST_NOT_AVAILABLE),
    }


def test_the_default_length_of_a_ping() -> None:
    (length,) = (each.row.default for each in PING.options if each.row.keyword == "DATALEN")
    assert length == 16
