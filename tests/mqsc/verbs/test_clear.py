"""CLEAR: the messages go, unless the queue is in use."""

from __future__ import annotations

from mqsc.store import Message, PutMessageOptions
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO, MQRC
from tests.mqsc.verbs.asking import answer, last_line, put, set_up, values


def test_the_messages_go_and_the_queue_stays(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    put(qmgr, "A", b"1", b"2")
    put(qmgr, "B", b"3")
    assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8022I", 0)
    assert values(qmgr, "DISPLAY QLOCAL(B) CURDEPTH", "QUEUE", "CURDEPTH") == [("B", 1)]
    assert values(qmgr, "DISPLAY QLOCAL(A) CURDEPTH", "CURDEPTH") == [(0,)]


def test_a_queue_in_use_is_not_cleared(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)")
    assert answer(qmgr, "CLEAR QLOCAL(NONE)") == ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME)
    with qmgr.connect() as connection:
        handle = connection.open("A", MQOO.OUTPUT)
        assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8148E", MQRC.OBJECT_IN_USE)
        handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        handle.close()
        assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8143E", MQRC.Q_NOT_EMPTY)
        assert last_line(qmgr, "CLEAR QLOCAL(A)").startswith(
            "A has uncommitted messages; DISPLAY CONN(*)",
        )
        connection.commit()
        assert answer(qmgr, "CLEAR QLOCAL(A)") == ("AMQ8022I", 0)


def test_retained_publications_are_cleared_while_the_queue_manager_runs(
    qmgr: QueueManager,
) -> None:
    """B72: nothing there is success, too."""
    assert answer(qmgr, "CLEAR TOPICSTR('t') CLRTYPE(RETAINED)") == ("MQSC0054I", 0)
    qmgr.end(immediate=True)
    assert answer(qmgr, "CLEAR TOPICSTR('t') CLRTYPE(RETAINED)") == (
        "AMQ8146E",
        MQRC.Q_MGR_NOT_AVAILABLE,
    )
