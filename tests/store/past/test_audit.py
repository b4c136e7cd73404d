"""The audit of a store: nothing is found after kills, in long units of work, and in a CLEAR that
was interrupted.

`tests/scenarios` audits every store in which a scenario was played: groups, skip backout, units in
doubt and others.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

from mqsc import run
from mqsc.store.admin import clearing
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.accounts import QueueSums
from mqsc.store.past.audit import audit
from mqsc.store.past.messages import Fault, PastQueues
from tests.processes import kill_driver


def test_nothing_is_found_after_kills(tmp_path: Path) -> None:
    """6 kills; MQSC_KILLS sets another number. The driver audits, at the end too."""
    kill_driver.run(
        tmp_path,
        int(os.environ.get("MQSC_KILLS", "6")),
        random.SystemRandom().randrange(1 << 32),
    )


def sums_of(qmgr: QueueManager, queue: str) -> QueueSums:
    found = audit(qmgr.store)
    assert found.findings == []
    return next(each for each in found.sums if each.queue == queue)


def test_a_move_and_a_clear_in_several_steps(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A) MSGDLVSQ(PRIORITY)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(C)")
    size = clearing.BATCH
    clearing.BATCH = 3
    try:
        with qmgr.connect("app") as connection:
            a = connection.open("A", int(MQOO.INPUT_SHARED | MQOO.OUTPUT))
            a.put([Message(b"x", MessageDescriptor(priority=each % 4)) for each in range(8)])
            a.close()
            run(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)")
            assert sums_of(qmgr, "B").sums["moved_in"] == 8
            b = connection.open("B", int(MQOO.INPUT_SHARED | MQOO.OUTPUT))
            b.get()
            b.close()
            # What a killed CLEAR leaves: which messages it took is not known.
            with qmgr.transaction() as (tx, call):
                queue = clearing.unused_queue(tx, call, "QM1", "B")
                clearing.remove_batch(tx, call, queue, queue.next_sequence)
            assert sums_of(qmgr, "B").by_count
            b = connection.open("B", int(MQOO.INPUT_SHARED | MQOO.OUTPUT))
            b.get()
            b.close()
            assert sums_of(qmgr, "B").there == 3
            run(qmgr, "CLEAR QLOCAL(B)")
            assert not sums_of(qmgr, "B").by_count
    finally:
        clearing.BATCH = size


def test_the_same_msg_id_many_times_in_one_unit_of_work(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A)")
    with qmgr.connect("app") as connection:
        queue = connection.open("A", int(MQOO.INPUT_SHARED | MQOO.OUTPUT))
        same = [Message(b"x", MessageDescriptor(msg_id=b"\1" * 24)) for _ in range(300)]
        queue.put(same, PutMessageOptions(int(MQPMO.SYNCPOINT)))
        assert sums_of(qmgr, "A").there == 300
        connection.commit()
        for _ in range(200):
            queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
        assert sums_of(qmgr, "A").there == 100
        connection.back()
        assert sums_of(qmgr, "A").sums["returned"] == 200


def test_calls_and_events_are_followed_alike() -> None:
    calls = [
        (1, "QM1 Q", True, 1, None, b"1"),
        (2, "QM1 Q", True, 1, 7, b"1"),
        (3, "QM1 Q", False, 1, 8, b"1"),
        (4, "QM1 Q", False, 1, None, b"2"),
        (5, None, False, None, 7, b""),
        (6, None, False, None, 9, b""),
    ]
    heard: list[Fault] = []
    followed = PastQueues(heard.append)
    followed.follow_calls(calls, [], lambda event: None)
    assert [(each.events, each.msg_id) for each in heard] == [((4,), b"2"), ((6,), None)]
    assert [(each.seq, each.put_by, each.got_by) for each in followed.on_queue(("QM1", "Q"))] == [
        (1, None, 8),
        (2, None, None),
    ]


def test_all_lives_of_a_queue_are_counted(qmgr: QueueManager) -> None:
    for _ in range(3):
        run(qmgr, "DEFINE QLOCAL(A)", check=True)
        with qmgr.connect("app") as connection:
            for _ in range(2):
                connection.put1("A", Message(b"x"))
        run(qmgr, "DELETE QLOCAL(A) PURGE", check=True)
    assert (sums_of(qmgr, "A").sums["put"], sums_of(qmgr, "A").sums["cleared"]) == (6, 6)
    run(qmgr, "DEFINE QLOCAL(A)\nDELETE QLOCAL(A)", check=True)
    assert (sums_of(qmgr, "A").sums["put"], sums_of(qmgr, "A").sums["cleared"]) == (6, 6)
