"""Publishers and subscribers are killed: each committed publication reaches each subscription
exactly once, and no unit of work reaches some of them (publish-subscribe B56, B92).
"""

from __future__ import annotations

import os
import random

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine.recovery import recover
from mqsc.store.past.audit import audit
from mqsc.store.sqlite.database import Reading
from tests.processes.conftest import Start
from tests.processes.publish_programs import TOGETHER, bodies, publish, subscribe

# MQSC_KILLS sets another number.
KILLS = int(os.environ.get("MQSC_KILLS", "4"))
QUEUES = ("ONE", "TWO", "THREE")


def defined(qmgr: QueueManager) -> None:
    """Define three queues with a subscription each, and a queue for what a subscriber takes."""
    script = "\n".join(
        f"DEFINE QLOCAL({each}) MAXDEPTH(999999)\nDEFINE SUB({each}) TOPICSTR('prices/+') DEST({each})"
        for each in QUEUES
    )
    mqsc.run(qmgr, f"{script}\nDEFINE QLOCAL(TAKEN) MAXDEPTH(999999)", check=True)


def check_integrity(qmgr: QueueManager) -> None:
    with Reading(qmgr.store.database) as reading:
        assert reading.execute("PRAGMA integrity_check", ()).fetchone() == ("ok",)
    assert audit(qmgr.store).findings == []


def test_b92_a_publisher_is_killed(qmgr: QueueManager, start: Start) -> None:
    defined(qmgr)
    committed: set[str] = set()
    for run in range(KILLS):
        program = start(publish, run)
        last = random.randrange(1, 20)
        while int(program.line()) < last:
            continue
        program.kill()
        committed |= {f"{run}.{number}" for number in range(last + 1)}
    recover(qmgr.store)
    with qmgr.connect() as connection:
        found = [[*bodies(connection, each)] for each in QUEUES]
        retained = [*bodies(connection, "SYSTEM.RETAINED.PUB.QUEUE")]
    assert found[0] == found[1] == found[2]
    assert len({*found[0]}) == len(found[0])
    units = {body.rpartition(".")[0] for body in found[0]}
    assert committed <= units
    assert len(found[0]) == TOGETHER * len(units)
    assert retained == [found[0][-1]]
    check_integrity(qmgr)


def test_b56_a_subscriber_is_killed(qmgr: QueueManager, start: Start) -> None:
    defined(qmgr)
    mqsc.run(qmgr, "DEFINE SUB(D) TOPICSTR('prices/tea') DESTCLAS(MANAGED)", check=True)
    publisher = start(publish, 0)
    for _ in range(KILLS):
        program = start(subscribe)
        program.until("ready")
        program.line()
        program.kill()
    publisher.kill()
    recover(qmgr.store)
    rows = {
        row["SUB"]: row
        for reply in mqsc.run(qmgr, "DISPLAY SUB(*) DEST DURABLE")
        for row in reply.rows
    }
    assert {*rows} == {"D", *QUEUES, "SYSTEM.DEFAULT.SUB"}
    [left] = mqsc.run(qmgr, "DISPLAY QLOCAL(SYSTEM.MANAGED.*)")
    assert [row["QUEUE"] for row in left.rows] == [rows["D"]["DEST"]]
    with qmgr.connect() as connection:
        everything = [*bodies(connection, "ONE")]
        taken = [*bodies(connection, "TAKEN")]
        waiting = [*bodies(connection, rows["D"]["DEST"])]
    assert taken + waiting == everything
    check_integrity(qmgr)
