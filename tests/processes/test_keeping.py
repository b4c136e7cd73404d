"""Programs are killed while messages leave queues whose data is kept: what is kept fits what
happened.
"""

from __future__ import annotations

import os
import random
from itertools import count
from signal import SIGKILL
from typing import Any

import pytest

from mqsc import run
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.audit import audit
from mqsc.store.past.kept_data import keep
from mqsc.store.sqlite.database import Reading
from tests.processes.campaign import Victim, kill_each
from tests.processes.conftest import Start

DAY = 86_400_000_000
# With MQSC_KEPT_KILLS=100 each of the two programs is killed so often.
KILLS = int(os.environ.get("MQSC_KEPT_KILLS", "3"))
# MsgId and queue of the messages that have left: got in units of work that were committed, or
# alone.
LEFT = """SELECT msg_id, queue, put_at FROM event AS e WHERE kind = 'GET' AND queue = 'KEPT'
AND (unit IS NULL OR EXISTS (SELECT 1 FROM event WHERE kind = 'COMMIT' AND unit = e.unit)) ORDER BY 1"""
KEPT = "SELECT msg_id, queue, put_at FROM kept_message WHERE owner = 'QM1' ORDER BY 1"
THERE = (
    "SELECT msg_id, name, put_at FROM message JOIN queue ON queue.id = queue WHERE name IN "
    "('KEPT', 'OTHER')"
)


def work(url: str, seed: int) -> None:
    """Put, get, move on and back out, until somebody ends this."""
    chance = random.Random(seed)
    with open_store(url, create=False) as store, store.queue_manager().connect() as connection:
        queue = connection.open("KEPT", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        for number in count():
            queue.put(Message(b"%d" % number * 50), PutMessageOptions(MQPMO.NO_SYNCPOINT))
            if number == 3:
                print("at work", flush=True)
            if chance.random() < 0.4:
                queue.get(GetMessageOptions(MQGMO.NO_SYNCPOINT))
                continue
            message = queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.put1("OTHER", message, PutMessageOptions(MQPMO.SYNCPOINT))
            connection.back() if chance.random() < 0.3 else connection.commit()


def rows(store: Store, sql: str) -> list[tuple[Any, ...]]:
    with Reading(store.database) as reading:
        return [*reading.connection.execute(sql).fetchall()]


@pytest.fixture
def kept(qmgr: QueueManager) -> QueueManager:
    run(qmgr, "DEFINE QLOCAL(KEPT) BOTHRESH(0)\nDEFINE QLOCAL(OTHER) MAXDEPTH(999999)", check=True)
    keep(qmgr, "KEPT", DAY, 1 << 30, "")
    return qmgr


def test_what_is_kept_after_kills(kept: QueueManager, store: Store, start: Start) -> None:
    chance = random.Random(1)
    for number in range(KILLS):
        kill_each([Victim(start(work, 2 * number + each), 0.3) for each in range(2)], chance)
        # The next program that connects backs out what the killed ones had begun.
        kept.connect().disconnect()
        left, found = rows(store, LEFT), rows(store, KEPT)
        assert found == left
        assert not {*found} & {each for each in rows(store, THERE) if each[1] == "KEPT"}
        assert rows(store, "SELECT count(*) FROM kept_message WHERE length <> length(body)") == [
            (0,),
        ]
        assert rows(store, "PRAGMA integrity_check") == [("ok",)]
        assert audit(store).findings == []
    assert len(left) > KILLS


def test_a_limit_holds_after_kills(kept: QueueManager, store: Store, start: Start) -> None:
    keep(kept, "KEPT", DAY, 4_000, "")
    for seed in range(KILLS):
        program = start(work, seed)
        program.until("at work")
        program.signal(SIGKILL)
        program.wait()
        kept.connect().disconnect()
        (held,) = rows(store, "SELECT coalesce(sum(length(body) + 500), 0) FROM kept_message")
        assert held[0] <= 4_000
        assert {*rows(store, KEPT)} <= {*rows(store, LEFT)}
