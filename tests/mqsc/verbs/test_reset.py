"""RESET restarts the statistics of queues, and RESET and RESOLVE continue channels."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answer, bodies, check, put, set_up, values


def test_queue_statistics_are_shown_and_restart(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nRESET QSTATS(A)")
    put(qmgr, "A", b"1", b"2")
    bodies(qmgr, "A")
    shown = ("MSGSIN", "MSGSOUT", "HIQDEPTH")
    assert (values(qmgr, "RESET QSTATS(A)", *shown), values(qmgr, "RESET QSTATS(A*)", *shown)) == (
        [(2, 2, 2)],
        [(0, 0, 0)],
    )
    assert answer(qmgr, "RESET QSTATS(NONE)") == ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME)


def test_a_channel_gets_its_next_message_number_or_is_resolved(qmgr: QueueManager) -> None:
    set_up(
        qmgr,
        "DEFINE CHANNEL(S) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(O) CHLTYPE(SDR) XMITQ(X) CONNAME('h')",
    )
    set_up(qmgr, "DEFINE CHANNEL(R) CHLTYPE(RCVR)")
    wanted = {
        "RESET CHANNEL(NONE)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "RESET CHANNEL(S)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "RESET CHANNEL(O) SEQNUM(7)": ("AMQ8023I", 0),
        "RESOLVE CHANNEL(NONE) ACTION(COMMIT)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "RESOLVE CHANNEL(R) ACTION(COMMIT)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "RESOLVE CHANNEL(O) ACTION(BACKOUT)": ("AMQ8025I", 0),
        "RESOLVE CHANNEL(O)": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
    check(qmgr, wanted)
    assert values(qmgr, "DISPLAY CHANNEL(O) RESETSEQ", "RESETSEQ") == [("7",)]
    set_up(qmgr, "RESET CHANNEL(O)")
    assert values(qmgr, "DISPLAY CHANNEL(O) RESETSEQ", "RESETSEQ") == [("1",)]
