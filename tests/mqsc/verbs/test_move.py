"""MOVE: the messages of a queue are moved to another one."""

from __future__ import annotations

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQRC
from tests.mqsc.verbs.asking import answer, bodies, check, put, set_up, values


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
    for type in ("", "TYPE(MOVE)"):
        assert answer(qmgr, f"MOVE QLOCAL(A) TOQLOCAL(B) {type}") == ("AMQ8143E", MQRC.Q_NOT_EMPTY)
    assert (values(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(ADD)", "MOVED"), bodies(qmgr, "B")) == (
        [(1,)],
        [b"0", b"1"],
    )


def test_refused_moves(qmgr: QueueManager) -> None:
    set_up(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) MAXDEPTH(1)")
    put(qmgr, "A", b"1", b"2")
    wanted = {
        "MOVE QLOCAL(A) TOQLOCAL(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "MOVE QLOCAL(NONE) TOQLOCAL(A)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "MOVE QLOCAL(A)": ("AMQ8421E", 3228),
    }
    check(qmgr, wanted)
    assert answer(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)")[1] == MQRC.Q_FULL
    with qmgr.connect() as connection:
        connection.open("B", MQOO.OUTPUT)
        assert answer(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)") == ("AMQ8148E", MQRC.OBJECT_IN_USE)
    assert bodies(qmgr, "A") == [b"1", b"2"]
