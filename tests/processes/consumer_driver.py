"""Kills and replaces consumers at random; nothing is lost, and poison messages are moved once,
after their backouts.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from threading import Event

import mqsc
from mqsc.store import Message, PutMessageOptions, open_store
from mqsc.store.client.connection import Connection
from mqsc.store.constants import MQOO, MQPMO
from tests.processes.programs import Program, connected
from tests.scenarios.looking import curdepth, waiting_on
from tests.store.admin.looking import events

CONSUMERS = 2
LONGEST_LIFE_SECONDS = 0.03
OBJECTS = """
DEFINE QLOCAL(Q) BOTHRESH({}) BOQNAME(BOQ) MAXDEPTH(1000000)
DEFINE QLOCAL(BOQ) MAXDEPTH(1000000)
DEFINE QLOCAL(OUT) MAXDEPTH(1000000)
"""
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


def consume(url: str, wait: int) -> None:
    """Consume messages from Q with `work`, in batches of three."""
    with connected(url) as connection:
        consumer = connection.consumer("Q", wait=wait, batch=3)
        print("open")
        consumer.listen(lambda message: work(connection, message), lambda message, error: None)


def work(connection: Connection, message: Message) -> None:
    """Copy the message to OUT in the same unit of work; fail if its data begins with `bad`."""
    connection.put1("OUT", Message(message.body), SYNCPOINT)
    if message.body.startswith(b"bad"):
        raise ValueError


def started(url: str, wait: int) -> Program:
    program = Program(consume, url, wait)
    assert program.line() == "open"
    return program


def run(folder: Path, kills: int, seed: int) -> str:
    """Kill and replace consumers, then kill all and let a last one finish the work; return a
    summary line.
    """
    chance, never, url = random.Random(seed), Event(), f"sqlite:///{folder / 'consumed.db'}"
    names = [f"{'bad' if number % 7 == 0 else 'good'}{number}" for number in range(20 * kills)]
    with open_store(url) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, OBJECTS.format(3))
        with qmgr.connect() as connection:
            connection.open("Q", MQOO.OUTPUT).put([Message(name.encode()) for name in names])
        running = [started(url, -1) for _ in range(CONSUMERS)]
        for _ in range(kills):
            never.wait(chance.uniform(0, LONGEST_LIFE_SECONDS))
            running.pop(chance.randrange(CONSUMERS)).close()
            running.append(started(url, -1))
        for program in running:
            program.close()
        with started(url, 0) as last:
            last.rest(patience=None)
        store.recover()

        done, moved = waiting_on(qmgr, "OUT"), waiting_on(qmgr, "BOQ")
        assert sorted(done + moved) == sorted(names)
        assert {name for name in names if name.startswith("bad")} <= set(moved)
        assert [curdepth(qmgr, queue) for queue in ("Q", "OUT", "BOQ")] == [
            0,
            len(done),
            len(moved),
        ]
        # Each move is recorded once, with the number of times the message was got and backed out
        # before.
        requeued, gets = (
            events(store, "REQUEUE"),
            Counter(each.msg_id for each in events(store, "GET")),
        )
        assert len(requeued) == len(moved)
        assert [int(each.detail["backout_count"]) for each in requeued] == [
            gets[each.msg_id] - 1 for each in requeued
        ]
    return f"{kills} kills, {len(done)} messages done, {len(moved)} moved"
