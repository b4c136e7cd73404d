"""STOP CONN breaks one connection."""

from __future__ import annotations

import pytest

from mqsc.store import MQError
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQRCCF
from tests.mqsc.verbs.asking import answer, set_up, values


def test_a_connection_is_broken_and_the_others_stay(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    one = qmgr.connect(application="one")
    with qmgr.connect(application="two") as two:
        ((identifier,),) = values(qmgr, "DISPLAY CONN(*) WHERE(APPLTAG EQ 'one')", "CONN")
        assert answer(qmgr, "STOP CONN(FFFFFFFFFFFFFFFF)") == (
            "AMQ8155E",
            MQRCCF.CONNECTION_ID_ERROR,
        )
        assert answer(qmgr, f"STOP CONN({identifier})") == ("AMQ8457I", 0)
        two.open("A", MQOO.OUTPUT)
        with pytest.raises(MQError, match="2009 MQRC_CONNECTION_BROKEN"):
            one.open("A", MQOO.OUTPUT)
