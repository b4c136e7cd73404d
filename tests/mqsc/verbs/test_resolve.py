"""RESOLVE CHANNEL: checks the channel. Batches in doubt are tested in tests/scenarios/test_channel_commands.py."""

from __future__ import annotations

from store.client.api import QueueManager
from store.constants import MQRCCF
from tests.mqsc.verbs.asking import answers, set_up


def test_the_channel_is_checked(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE CHANNEL(R) CHLTYPE(RCVR)\nDEFINE CHANNEL(O) CHLTYPE(SDR) XMITQ(X) CONNAME('h')")
    assert answers(
        qmgr,
        "RESOLVE CHANNEL(NONE) ACTION(COMMIT)",
        "RESOLVE CHANNEL(R) ACTION(COMMIT)",
        "RESOLVE CHANNEL(O) ACTION(BACKOUT)",
        "RESOLVE CHANNEL(O)",
    ) == {
        "RESOLVE CHANNEL(NONE) ACTION(COMMIT)": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "RESOLVE CHANNEL(R) ACTION(COMMIT)": ("AMQ9502E", MQRCCF.WRONG_CHANNEL_TYPE),
        "RESOLVE CHANNEL(O) ACTION(BACKOUT)": ("AMQ8025I", 0),
        "RESOLVE CHANNEL(O)": ("AMQ8421E", MQRCCF.PARM_MISSING),
    }
