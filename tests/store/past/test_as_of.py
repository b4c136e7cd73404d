"""The store as it was: the state made from the history equals a copy that was taken then."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mqsc import run
from store.admin.health import back_up
from store.client.api import QueueManager, open_store
from store.constants import MQOO
from store.environment import Environment, FrozenClock
from store.message import Message
from store.past.as_of import NoSuchMomentError, copy_as_of, moment_at, moment_of_event
from tests.reports.history import at
from tests.reports.played import Play
from tests.scenarios.channel_bench import Network

DEFINITIONS = """SELECT owner, namespace, name, type, attributes, disposition, created_at, altered_at FROM object
ORDER BY owner, namespace, name"""
QUEUES = """SELECT owner, name, type, depth, trigger_on, get_enabled, put_enabled, max_depth, last_put_at, last_get_at
FROM queue WHERE recorded = 1 ORDER BY owner, name"""
MESSAGES = """SELECT owner, name, msg_id, state, unit, put_at, expires_at, message.length, message.priority, rank,
backout_count FROM message JOIN queue ON queue.id = queue
WHERE recorded = 1 ORDER BY owner, name, rank DESC, sequence"""
MANAGERS = "SELECT name, state, sharing_group FROM queue_manager ORDER BY name"


def state(file: Path) -> list[Any]:
    """What is compared: the definitions, queues, messages and queue managers of a store, without data of messages."""
    with closing(sqlite3.connect(file)) as connection:
        made, *others = (connection.execute(each).fetchall() for each in (DEFINITIONS, QUEUES, MESSAGES, MANAGERS))
    return [[(*each[:4], json.loads(each[4]), *each[5:]) for each in made], *others]


def _may_be_unknown(file: Path) -> bool:
    """Whether the puts of a queue from which others are moved are not recorded."""
    with closing(sqlite3.connect(file)) as connection:
        return bool(connection.execute("SELECT 1 FROM queue WHERE recorded = 0 AND name = 'DLQ'").fetchone())


@pytest.mark.parametrize("seed", [0, 2, 3, 4])
def test_random_histories(seed: int, tmp_path: Path) -> None:
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    with open_store(f"sqlite:///{tmp_path / 'store.db'}", environment) as store:
        play = Play(random.Random(seed), Network(store, environment))
        taken = {}
        for step in range(60):
            play.step()
            if step % 6 == 0:
                copy = tmp_path / f"{step}.db"
                back_up(store, copy)
                taken[store.bound().seq] = copy
        for seq, copy in taken.items():
            with copy_as_of(store, moment_of_event(store, seq), forwards=forwards) as past:
                if not _may_be_unknown(past.file):
                    assert state(past.file) == state(copy), (seed, seq)


CHANGES = """DEFINE QLOCAL(A) DESCR('first')
DEFINE QMODEL(M) DEFTYPE(PERMDYN)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X)
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('a')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)
ALTER QLOCAL(A) MAXDEPTH(7) TRIGGER TRIGTYPE(EVERY)
ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ(9)
ALTER QMGR DEADQ(A) DESCR('changed')
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('b')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)
DEFINE QALIAS(B) TARGET(A)
DELETE QLOCAL(A)
DELETE QALIAS(B)
DEFINE QREMOTE(A) RNAME(Z)
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('a') ACTION(REMOVE)
DELETE CHANNEL(C)"""


def test_definitions(qmgr: QueueManager, tmp_path: Path) -> None:
    taken = {}
    for number, command in enumerate(CHANGES.splitlines()):
        assert [each.completion for each in run(qmgr, command)] == [0], command
        copy = tmp_path / f"{number}.db"
        back_up(qmgr.store, copy)
        taken[qmgr.store.bound().seq] = copy
    for seq, copy in taken.items():
        with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq)) as past:
            assert state(past.file)[0] == state(copy)[0], seq
        assert not past.file.exists()


def test_moments_that_the_history_does_not_have(qmgr: QueueManager) -> None:
    last = qmgr.store.bound().seq
    for number in (0, last + 1):
        with pytest.raises(NoSuchMomentError, match=f"events 1 to {last}"):
            moment_of_event(qmgr.store, number)
    for time, why in ((1, "begins after"), (qmgr.now() + 1, "yet to come")):
        with pytest.raises(NoSuchMomentError, match=why):
            moment_at(qmgr, time)
    # The clock of another queue manager says nothing.
    qmgr.store.create_queue_manager("QM2", manual_clock_at=1)
    assert moment_at(qmgr, qmgr.now()).seq == last


def test_a_dynamic_queue_that_is_gone_is_as_its_model(qmgr: QueueManager, tmp_path: Path) -> None:
    run(qmgr, "DEFINE QMODEL(M) DEFTYPE(TEMPDYN) MAXDEPTH(7) DESCR('mine')")
    with qmgr.connect("app") as connection:
        queue = connection.open("M", int(MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT), dynamic_name="DYN")
        queue.put(Message(b"x"))
        copy = tmp_path / "copy.db"
        back_up(qmgr.store, copy)
        seq = qmgr.store.bound().seq
    run(qmgr, "DEFINE QLOCAL(LATER)")
    with qmgr.connect("app") as connection:
        connection.put1("LATER", Message(b"x"))
    with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq)) as past:
        assert state(past.file) == state(copy)
