"""MOVE: moves messages in order and counts them; refuses queues in use, full targets and non-empty targets."""

from __future__ import annotations

import mqsc
from store.client.api import QueueManager
from store.constants import MQOO, MQRC
from tests.mqsc.verbs.asking import answer, answers, bodies, put, rows, set_up


def test_the_messages_are_moved_and_counted(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    put(qmgr, "A", b"1", b"2", b"3")
    (reply,) = mqsc.run(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)")
    assert (reply.message_id, reply.text) == ("MQSC0007I", "Messages moved from A: 3 to B.")
    assert reply.rows == [{"QUEUE": "A", "TOQLOCAL": "B", "MOVED": 3}]
    assert (bodies(qmgr, "A"), bodies(qmgr, "B")) == ([], [b"1", b"2", b"3"])


def test_the_target_must_be_empty_unless_type_add(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    put(qmgr, "A", b"1")
    put(qmgr, "B", b"0")
    assert answers(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)", "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(MOVE)") == {
        "MOVE QLOCAL(A) TOQLOCAL(B)": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
        "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(MOVE)": ("AMQ8143E", MQRC.Q_NOT_EMPTY),
    }
    assert rows(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(ADD)", "MOVED") == [(1,)]
    assert bodies(qmgr, "B") == [b"0", b"1"]


def test_refusals(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) MAXDEPTH(1)")
    put(qmgr, "A", b"1", b"2")
    assert answers(qmgr, "MOVE QLOCAL(A) TOQLOCAL(NONE)", "MOVE QLOCAL(NONE) TOQLOCAL(A)", "MOVE QLOCAL(A)") == {
        "MOVE QLOCAL(A) TOQLOCAL(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "MOVE QLOCAL(NONE) TOQLOCAL(A)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "MOVE QLOCAL(A)": ("AMQ8421E", 3228),
    }
    assert answer(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)")[1] == MQRC.Q_FULL
    with qmgr.connect() as connection:
        connection.open("B", MQOO.OUTPUT)
        assert answer(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)") == ("AMQ8148E", MQRC.OBJECT_IN_USE)
    assert bodies(qmgr, "A") == [b"1", b"2"]
