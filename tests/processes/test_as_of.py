"""Programs that look at the past are killed, while others look and write: their copies are
private, and go.
"""

from __future__ import annotations

import os
import random
import tempfile
from itertools import count
from pathlib import Path

import pytest

from mqsc import run
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.as_of import copy_as_of, moment_of_event
from mqsc.store.past.audit import audit
from mqsc.store.sqlite.database import Reading
from tests.processes.campaign import Victim, kill_each
from tests.processes.conftest import Start

# With MQSC_AS_OF_KILLS=100 each of the two programs is killed so often.
KILLS = int(os.environ.get("MQSC_AS_OF_KILLS", "3"))


def write(url: str, seed: int) -> None:
    """Put, get and end units of work, until somebody ends this."""
    chance = random.Random(seed)
    with open_store(url, create=False) as store, store.queue_manager().connect() as connection:
        queue = connection.open("ORDERS", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        for number in count():
            queue.put(Message(b"precious" * 200), PutMessageOptions(MQPMO.NO_SYNCPOINT))
            queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.back() if chance.random() < 0.3 else connection.commit()
            if number == 3:
                print("at work", flush=True)


def look_back(url: str, folder: str, seed: int) -> None:
    """Make states of the past, each of which stays until it was read, until somebody ends this."""
    chance, tempfile.tempdir = random.Random(seed), folder
    with open_store(url, create=False) as store:
        for number in count():
            moment = moment_of_event(
                store,
                chance.randint(store.bound().seq // 2, store.bound().seq),
            )
            with (
                copy_as_of(store, moment) as past,
                open_store(f"sqlite:///{past.file}", create=False) as copy,
            ):
                assert copy.bound().seq == moment.seq
            if number == 0:
                print("at work", flush=True)


def test_copies_of_killed_programs(
    qmgr: QueueManager,
    store: Store,
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run(qmgr, "DEFINE QLOCAL(ORDERS) BOTHRESH(0)", check=True)
    folder, chance = tmp_path / "temporary", random.Random(1)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    # It fails if the copy that it reads is removed by others.
    steady, writer = start(look_back, str(folder), 99), start(write, 1)
    left = 0
    for number in range(KILLS):
        kill_each(
            [Victim(start(look_back, str(folder), 2 * number + each), 0.5) for each in range(2)],
            chance,
        )
        for copy in folder.iterdir():
            try:
                left += copy.stat().st_mode & 0o777 == 0o700
                modes = {each.stat().st_mode & 0o077 for each in copy.iterdir()}
            except FileNotFoundError:
                # The steady one is done with it.
                continue
            assert modes <= {0}, copy
        with copy_as_of(store, moment_of_event(store, store.bound().seq)):
            assert not steady.has_ended
    assert left
    for each in (steady, writer):
        each.kill()
    with copy_as_of(store, moment_of_event(store, store.bound().seq)) as past:
        assert [*folder.glob("mqsc-past-*")] == [past.file.parent]
    qmgr.connect().disconnect()
    with Reading(store.database) as reading:
        assert reading.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert audit(store).findings == []
