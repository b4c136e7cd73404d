"""RESET: queue statistics restart, and a channel gets a sequence number; the rest has no effect."""

from __future__ import annotations

from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, answers, bodies, put, rows, set_up


def test_queue_statistics_are_shown_and_restart(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nRESET QSTATS(A)")
    put(qmgr, "A", b"1", b"2")
    bodies(qmgr, "A")
    shown = ("MSGSIN", "MSGSOUT", "HIQDEPTH")
    assert rows(qmgr, "RESET QSTATS(A)", *shown) == [(2, 2, 2)]
    assert rows(qmgr, "RESET QSTATS(A*)", *shown) == [(0, 0, 0)]
    assert answer(qmgr, "RESET QSTATS(NONE)") == ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME)


def test_a_channel_gets_its_next_message_number(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE CHANNEL(S) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(O) CHLTYPE(SDR) XMITQ(X) CONNAME('h')")
    assert answers(qmgr, "RESET CHANNEL(NONE)", "RESET CHANNEL(S)", "RESET CHANNEL(O) SEQNUM(7)") == {
        "RESET CHANNEL(NONE)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "RESET CHANNEL(S)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "RESET CHANNEL(O) SEQNUM(7)": ("AMQ8023I", 0),
    }
    assert rows(qmgr, "DISPLAY CHANNEL(O) RESETSEQ", "RESETSEQ") == [("7",)]
    set_up(qmgr, "RESET CHANNEL(O)")
    assert rows(qmgr, "DISPLAY CHANNEL(O) RESETSEQ", "RESETSEQ") == [("1",)]


def test_the_rest_has_no_effect_or_is_refused(qmgr: QueueManager) -> None:
    assert answers(
        qmgr,
        "RESET CLUSTER(C) ACTION(FORCEREMOVE) QMNAME(Q)",
        "RESET QMGR TYPE(STATISTICS)",
        "RESET QMGR TYPE(ADVANCELOG)",
        "RESET QMGR TYPE(REDUCELOG) REDUCE(1)",
    ) == {
        "RESET CLUSTER(C) ACTION(FORCEREMOVE) QMNAME(Q)": ("AMQ8559I", 0),
        "RESET QMGR TYPE(STATISTICS)": ("AMQ8649I", 0),
        "RESET QMGR TYPE(ADVANCELOG)": ("MQSC0003E", 0),
        "RESET QMGR TYPE(REDUCELOG) REDUCE(1)": ("MQSC0003E", 0),
    }
    qmgr.end(immediate=True)
    assert answer(qmgr, "RESET QMGR TYPE(STATISTICS)") == ("AMQ8146E", MQRC.Q_MGR_NOT_AVAILABLE)
