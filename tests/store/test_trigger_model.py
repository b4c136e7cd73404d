"""Triggering compared with a reference model, in random sequences of calls and commands."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from mqsc import run
from mqsc.store import (
    Environment,
    GetMessageOptions,
    Message,
    MessageDescriptor,
    MQError,
    PutMessageOptions,
    open_store,
)
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.headers import mqtm
from tests.conftest import START
from tests.scenarios.trigger_play import readable
from tests.store.admin.looking import queue_row
from tests.store.trigger_model import TriggeredQueue, TriggerModel
from tests.store.triggered_items import DEPTH, EVERY, FIRST, NONE

# B delivers in order of arrival, where every message counts with priority 3, its DEFPRTY.
QUEUES = {"A": "", "B": "MSGDLVSQ(FIFO) DEFPRTY(3)"}
PROGRAMS = 2
PLAYS, STEPS = int(os.environ.get("MQSC_MODEL_EXAMPLES", "30")), 150
# The steps to choose from; repeated ones are more likely.
DEEDS = (
    *("put", "put", "put", "serve", "serve", "get", "get", "get", "end_unit", "end_unit"),
    *("alter", "alter", "leave", "alter_initq", "attend", "wait"),
)
ENABLED = {True: "ENABLED", False: "DISABLED"}
MOSTLY = (True, True, True, False)
Value = bool | int | str
# For each attribute of the model, the values to choose from and their MQSC.
ALTERED: dict[str, tuple[tuple[Value, ...], dict[Value, str]]] = {
    "on": (MOSTLY, {True: "TRIGGER", False: "NOTRIGGER"}),
    "type": (
        (FIRST, EVERY, DEPTH, NONE),
        {each: f"TRIGTYPE({each})" for each in (FIRST, EVERY, DEPTH, NONE)},
    ),
    "priority": ((0, 0, 3, 5), {each: f"TRIGMPRI({each})" for each in (0, 3, 5)}),
    "depth": ((1, 2, 3, 4), {each: f"TRIGDPTH({each})" for each in (1, 2, 3, 4)}),
    "gets": (MOSTLY, {flag: f"GET({word})" for flag, word in ENABLED.items()}),
}


class Play:
    """Each step makes a call or runs a command, and does the same in the model."""

    def __init__(self, path: Path, chosen: int) -> None:
        self.chance = random.Random(chosen)
        self.done: list[str] = []
        self.environment = Environment.frozen(at=START)
        self.store = open_store(f"sqlite:///{path}", environment=self.environment)
        self.qmgr = self.store.create_queue_manager("QM1")
        interval = self.chance.choice((0, 1000, 5000))
        for text in (
            "DEFINE QLOCAL(INIT1)",
            "DEFINE PROCESS(P1)",
            f"ALTER QMGR TRIGINT({interval})",
        ):
            self.command(text)
        for name, how in QUEUES.items():
            self.command(f"DEFINE QLOCAL({name}) TRIGGER PROCESS(P1) INITQ(INIT1) {how}")
        queues = {"A": TriggeredQueue("A"), "B": TriggeredQueue("B", fifo=True, default_priority=3)}
        self.model = TriggerModel(queues, interval, START)
        self.connections: dict[int, Connection] = {}
        self.handles: dict[int, dict[str, ObjectHandle]] = {}
        self.monitors = [self.qmgr.connect(f"monitor {number}") for number in range(2)]
        self.attending: dict[int, ObjectHandle] = {}
        self.attend()

    def command(self, text: str) -> None:
        """Run a command that must succeed."""
        self.done.append(text)
        (reply,) = run(self.qmgr, text)
        assert reply.completion == 0, reply.text

    def program(self) -> tuple[int, Connection]:
        """Choose a program, and connect it if necessary."""
        number = self.chance.randrange(PROGRAMS)
        if number not in self.connections:
            self.connections[number] = self.qmgr.connect(f"program {number}")
            self.handles[number] = {}
        return number, self.connections[number]

    def queue(self) -> str:
        """Choose a queue."""
        return self.chance.choice(sorted(QUEUES))

    def tell(self, *words: object) -> None:
        """Record a step for the report of a failure."""
        self.done.append(" ".join(map(str, words)))

    def put(self) -> None:
        """Put one message or a list, in the unit of work or without one."""
        number, connection = self.program()
        name, unit = self.queue(), self.chance.random() < 0.4
        priorities = [self.chance.randrange(10)] * self.chance.choice((1, 1, 1, 2, 4))
        self.tell("put", number, name, priorities, unit)
        queue = connection.open(name, MQOO.OUTPUT)
        sent = [Message(b"", MessageDescriptor(priority=priority)) for priority in priorities]
        queue.put(sent, PutMessageOptions(MQPMO.SYNCPOINT if unit else MQPMO.NO_SYNCPOINT))
        queue.close()
        self.model.put(name, priorities, number if unit else None)

    def serve(self) -> None:
        """Let a program open a queue for input; or, more often, let one that has it open close
        it.
        """
        number, connection = self.program()
        name = self.queue()
        serving = self.model.queues[name].servers
        if number in serving or (serving and self.chance.random() < 0.7):
            number = self.chance.choice(serving)
            self.tell("close", number, name)
            self.handles[number].pop(name).close()
            self.model.close(name, number)
        else:
            self.tell("open", number, name)
            self.handles[number][name] = connection.open(name, MQOO.INPUT_SHARED)
            serving.append(number)

    def get(self) -> None:
        """Get one message, or all, from a queue that a program has open."""
        served = [
            (number, name)
            for number, handles in self.handles.items()
            for name in handles
            if self.model.queues[name].gets
        ]
        if not served:
            return
        number, name = self.chance.choice(served)
        unit, drains = self.chance.random() < 0.4, self.chance.random() < 0.4
        self.tell("get", number, name, unit, drains)
        while self.got(number, name, unit=unit) and drains:
            continue

    def got(self, number: int, name: str, *, unit: bool) -> bool:
        """Get a message as the model does; return whether there was one."""
        try:
            self.handles[number][name].get(
                GetMessageOptions(MQGMO.SYNCPOINT if unit else MQGMO.NO_SYNCPOINT),
            )
            found = True
        except MQError as error:
            if error.reason != MQRC.NO_MSG_AVAILABLE:
                raise
            found = False
        assert found == self.model.get(name, number if unit else None)
        return found

    def end_unit(self) -> None:
        """Commit or back out."""
        number, connection = self.program()
        backout = self.chance.random() < 0.5
        self.tell("back out" if backout else "commit", number)
        (connection.back if backout else connection.commit)()
        self.model.end_unit(number, backout=backout)

    def leave(self) -> None:
        """Let a program disconnect, which closes its handles and then commits, or die, which
        backs out first.
        """
        number, connection = self.program()
        dies = self.chance.random() < 0.5
        self.tell("die" if dies else "disconnect", number)
        (connection.abend if dies else connection.disconnect)()
        del self.connections[number]
        if dies:
            self.model.end_unit(number, backout=True)
        for name in self.handles.pop(number):
            self.model.close(name, number)
        self.model.end_unit(number, backout=False)

    def alter(self) -> None:
        """Alter some attributes in one command."""
        name = self.queue()
        attributes = self.chance.sample(sorted(ALTERED), self.chance.choice((1, 1, 2, 3)))
        values = {each: self.chance.choice(ALTERED[each][0]) for each in attributes}
        self.command(
            f"ALTER QLOCAL({name}) "
            + " ".join(ALTERED[each][1][value] for each, value in values.items()),
        )
        self.model.alter(name, values)

    def alter_initq(self) -> None:
        """Enable or disable puts and gets on the initiation queue."""
        puts, gets = self.chance.choice(MOSTLY), self.chance.choice(MOSTLY)
        self.command(f"ALTER QLOCAL(INIT1) PUT({ENABLED[puts]}) GET({ENABLED[gets]})")
        self.model.alter_initq(puts=puts, gets=gets)

    def attend(self) -> None:
        """Let a monitor open the initiation queue, or close it if it has it open."""
        number = self.chance.randrange(2)
        self.tell("monitor", number)
        if number in self.attending:
            self.attending.pop(number).close()
            self.model.monitors.remove(number)
        else:
            self.attending[number] = self.monitors[number].open("INIT1", MQOO.INPUT_SHARED)
            self.model.open_monitor(number)

    def wait(self) -> None:
        """Advance the clock."""
        seconds = self.chance.choice((0.999, 0.001, 5))
        self.tell("wait", seconds)
        self.environment.clock.advance(seconds=seconds)
        self.model.now = self.environment.clock.now()

    def agree(self) -> None:
        """Compare the trigger messages, available and pending, and the state of the queues, with
        the model.
        """
        told = Counter(mqtm.unpack_mqtm(body).q_name for _, body in readable(self.qmgr, "INIT1"))
        assert told == +self.model.readable
        assert queue_row(self.qmgr, "INIT1").depth == self.model.readable.total() + len(
            self.model.pending,
        )
        for name, queue in self.model.queues.items():
            row = queue_row(self.qmgr, name)
            assert bool(row.trigger_on) == queue.on
            assert row.depth == sum(item.got_by is None for item in queue.items)
            assert row.input_handles == len(queue.servers)

    def close(self) -> None:
        """Close all connections and the store."""
        for connection in (*self.connections.values(), *self.monitors):
            connection.disconnect()
        self.store.close()


@pytest.mark.long
def test_the_store_triggers_as_the_model_does(tmp_path: Path) -> None:
    """Thousands of steps without a difference, with hundreds of trigger messages."""
    first = int(os.environ.get("MQSC_MODEL_SEED") or random.SystemRandom().randrange(1 << 32))
    made = 0
    for chosen in range(first, first + PLAYS):
        play = Play(tmp_path / f"{chosen}.db", chosen)
        try:
            for deed in play.chance.choices(DEEDS, k=STEPS):
                getattr(play, deed)()
                play.agree()
        except Exception:
            print(f"MQSC_MODEL_SEED={chosen}, after:\n" + "\n".join(play.done[-25:]))
            raise
        made += play.model.readable.total()
        play.close()
    assert made > PLAYS
