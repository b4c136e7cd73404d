"""Publishers and subscribers are killed: each committed publication reaches each subscription
exactly once, and no unit of work reaches some of them (publish-subscribe B56, B92).
"""

from __future__ import annotations

import os
import random

import mqsc
from mqsc.store import Message, PutMessageOptions, SubscriptionDescriptor
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQOT, MQPMO, MQSO
from mqsc.store.engine.recovery import recover
from mqsc.store.past.audit import audit
from mqsc.store.sqlite.database import Reading
from tests.processes.conftest import Start
from tests.processes.programs import run_program
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


# It leaves uncommitted what fills both queues, and kills itself.
FILLING = """
import os, sys
from mqsc.store import Message, PutMessageOptions, open_store
from mqsc.store.constants import MQOT, MQPMO
connection = open_store(sys.argv[1]).queue_manager("QM1").connect()
connection.put1("ONE", Message(b"never"), PutMessageOptions(MQPMO.SYNCPOINT))
connection.put1(
    "",
    Message(b"never"),
    PutMessageOptions(MQPMO.SYNCPOINT | MQPMO.RETAIN),
    object_type=MQOT.TOPIC,
    object_string="other",
)
os.kill(os.getpid(), 9)
"""


def test_what_killed_programs_have_left_makes_room(qmgr: QueueManager, url: str) -> None:
    """Before 2479 and 2526 are said: for what is retained, and for a new subscriber."""
    script = "DEFINE QLOCAL(ONE) MAXDEPTH(1)\nALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) MAXDEPTH(1)"
    mqsc.run(qmgr, script, check=True)
    connection = qmgr.connect()
    topic = connection.open("", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string="prices/tea")
    queue = connection.open("ONE", MQOO.INPUT_SHARED)
    assert run_program(FILLING, url).returncode == -9
    topic.put(Message(b"kept"), PutMessageOptions(MQPMO.RETAIN))
    mqsc.run(qmgr, "ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) MAXDEPTH(2)", check=True)
    assert run_program(FILLING, url).returncode == -9
    connection.subscribe(SubscriptionDescriptor(MQSO.CREATE, object_string="prices/#"), queue)
    assert queue.get().body == b"kept"
