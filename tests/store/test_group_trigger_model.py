"""Triggering by a shared queue against a model of sharing §7: random puts, commits, kills and
changes on three members.

No trigger message is lost, and none is made that the rules do not allow.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest
from sqlalchemy import bindparam, select

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
from mqsc.store.admin.trigger_explanation import Hypothetical, explain
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.engine.recovery import recover
from mqsc.store.sql import queues
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.conftest import START
from tests.store.group_trigger_model import GroupModel, Member
from tests.store.triggered_items import DEPTH, EVERY, FIRST, NONE

MEMBERS = (1, 2, 3)
PLAYS, STEPS = int(os.environ.get("MQSC_MODEL_EXAMPLES", "30")) // 3, 120
# What happens; what stands here twice happens twice as often.
DEEDS = (
    *(
        "put",
        "put",
        "put",
        "put",
        "put",
        "serve",
        "serve",
        "get",
        "get",
        "get",
        "end_unit",
        "end_unit",
    ),
    *("kill", "alter", "alter", "alter", "attend", "process", "interval", "wait"),
)
Value = bool | int | str
MOSTLY = (True, True, True, False)
TYPES = (FIRST, FIRST, EVERY, EVERY, DEPTH, DEPTH, NONE)
ALTERED: dict[str, tuple[tuple[Value, ...], dict[Value, str]]] = {
    "on": (MOSTLY, {True: "TRIGGER", False: "NOTRIGGER"}),
    "type": (TYPES, {each: f"TRIGTYPE({each})" for each in TYPES}),
    "priority": ((0, 5, 5), {each: f"TRIGMPRI({each})" for each in (0, 5)}),
    "depth": ((1, 2, 3), {each: f"TRIGDPTH({each})" for each in (1, 2, 3)}),
    "gets": (MOSTLY, {True: "GET(ENABLED)", False: "GET(DISABLED)"}),
}
_EVENTS_AFTER = text_of(
    select(event.c.seq, event.c.kind, event.c.detail)
    .where(event.c.seq > bindparam("after"))
    .order_by(event.c.seq),
)


class Play:
    """Every deed makes one call or gives one command, and does the same to the model."""

    def __init__(self, path: Path, chosen: int, *, shared_initq: bool) -> None:
        self.chance = random.Random(chosen)
        self.done: list[str] = []
        self.environment = Environment.frozen(at=START)
        self.store = open_store(f"sqlite:///{path}", environment=self.environment)
        self.qmgrs = {
            number: self.store.create_queue_manager(f"QM{number}", group="QSG1")
            for number in MEMBERS
        }
        self.command(1, "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)")
        if shared_initq:
            self.command(1, "DEFINE QLOCAL(INIT) QSGDISP(SHARED) CFSTRUCT(APPL1)")
        self.command(
            1,
            "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1) TRIGGER PROCESS(P1) INITQ(INIT)",
        )
        intervals = {number: self.chance.choice((0, 1000, 999_999_999)) for number in MEMBERS}
        for number, interval in intervals.items():
            self.command(number, "DEFINE PROCESS(P1)")
            self.command(number, f"ALTER QMGR TRIGINT({interval})")
            if not shared_initq:
                self.command(number, "DEFINE QLOCAL(INIT)")
        members = {
            number: Member(interval, monitor=False) for number, interval in intervals.items()
        }
        self.model = GroupModel(members, shared_initq, START)
        self.putters = {number: qmgr.connect("putter") for number, qmgr in self.qmgrs.items()}
        self.outputs = {
            number: each.open("SQ", MQOO.OUTPUT) for number, each in self.putters.items()
        }
        self.servers: dict[int, tuple[Connection, ObjectHandle]] = {}
        self.monitors: dict[int, ObjectHandle] = {}
        self._seen, self._made = 0, Counter[int]()
        for number in MEMBERS:
            self.attend(number)

    def command(self, number: int, text: str) -> None:
        """A command that is carried out on a member."""
        self.done.append(f"{text}@{number}")
        (reply,) = run(self.qmgrs[number], text)
        assert reply.completion == 0, reply.text

    def tell(self, *words: object) -> None:
        """Note what is done, for the reader of a difference."""
        self.done.append(" ".join(map(str, words)))

    def put(self, number: int) -> None:
        priorities = [self.chance.choice((0, 5)) for _ in range(self.chance.choice((1, 1, 2, 4)))]
        unit = self.chance.random() < 0.5
        self.tell("put", number, priorities, unit)
        if len(priorities) == 1 and not unit:
            self.foresee(number, priorities[0])
        sent = [Message(b"", MessageDescriptor(priority=priority)) for priority in priorities]
        self.outputs[number].put(
            sent,
            PutMessageOptions(MQPMO.SYNCPOINT if unit else MQPMO.NO_SYNCPOINT),
        )
        self.model.put(number, priorities, f"putter {number}" if unit else None)

    def foresee(self, number: int, priority: int) -> None:
        """The explanation says which members the put will have made a trigger message."""
        found = explain(self.qmgrs[number], "SQ", Hypothetical(priority))
        foreseen = {int(each.member[2:]) for each in found.members if each.would_trigger}
        model = deepcopy(self.model)
        model.put(number, [priority], None)
        assert foreseen == {each for each in MEMBERS if model.made[each] > self.model.made[each]}, (
            self.done
        )
        assert found.forecast is not None
        assert (found.forecast.triggers, found.forecast.trigger_off) == (
            number in foreseen,
            not model.on,
        ), self.done

    def serve(self, number: int) -> None:
        """A server opens the queue, or the one that has it open closes it and disconnects."""
        if number in self.servers:
            self.tell("close", number)
            connection, handle = self.servers.pop(number)
            handle.close()
            self.model.close(number)
            connection.disconnect()
            self.model.end_unit(number, f"server {number}", commit=True)
            return
        exclusive = self.chance.random() < 0.2
        self.tell("open", number, "exclusive" if exclusive else "shared")
        connection = self.qmgrs[number].connect("server")
        in_the_way = self.model.servers if exclusive else any(self.model.servers.values())
        try:
            handle = connection.open("SQ", MQOO.INPUT_EXCLUSIVE if exclusive else MQOO.INPUT_SHARED)
        except MQError as refused:
            if refused.reason != MQRC.OBJECT_IN_USE or not in_the_way:
                raise
            connection.disconnect()
            return
        assert not in_the_way
        self.servers[number] = connection, handle
        self.model.servers[number] = exclusive

    def get(self, number: int) -> None:
        for _ in range(self.chance.choice((1, 1, 5))):
            self.get_one(number)

    def get_one(self, number: int) -> None:
        if number not in self.servers or not self.model.gets:
            return
        unit = self.chance.random() < 0.5
        self.tell("get", number, unit)
        wanted = self.model.get(f"server {number}", unit=unit)
        try:
            self.servers[number][1].get(
                GetMessageOptions(
                    MQGMO.NO_WAIT | (MQGMO.SYNCPOINT if unit else MQGMO.NO_SYNCPOINT),
                ),
            )
        except MQError as refused:
            if refused.reason != MQRC.NO_MSG_AVAILABLE or wanted:
                raise

    def end_unit(self, number: int) -> None:
        commit = self.chance.random() < 0.7
        served = number in self.servers and self.chance.random() < 0.5
        self.tell("commit" if commit else "back", number, "server" if served else "putter")
        connection = self.servers[number][0] if served else self.putters[number]
        (connection.commit if commit else connection.back)()
        self.model.end_unit(number, f"{'server' if served else 'putter'} {number}", commit=commit)

    def kill(self, number: int) -> None:
        """A server is gone; any program finds that out."""
        if number in self.servers:
            self.tell("kill", number)
            self.store.abandoned.append(self.servers.pop(number)[0].number)
            recover(self.store)
            self.model.end_unit(number, f"server {number}", commit=False)
            self.model.close(number)

    def alter(self, number: int) -> None:
        chosen = self.chance.sample(sorted(ALTERED), self.chance.choice((1, 1, 2)))
        # DEPTH switches it off.
        chosen += ["on"] if not self.model.on and "on" not in chosen else []
        values = {name: self.chance.choice(ALTERED[name][0]) for name in chosen}
        text = " ".join(ALTERED[name][1][value] for name, value in values.items())
        self.command(number, f"ALTER QLOCAL(SQ) QSGDISP(SHARED) {text}")
        self.model.alter(number, values)

    def attend(self, number: int) -> None:
        """A monitor opens the initiation queue, or closes it."""
        if number in self.monitors:
            if self.chance.random() < 0.6:
                return
            self.tell("monitor closes", number)
            self.monitors.pop(number).connection.disconnect()
            self.model.members[number].monitor = False
        else:
            self.tell("monitor opens", number)
            self.monitors[number] = (
                self.qmgrs[number].connect("monitor").open("INIT", MQOO.INPUT_SHARED)
            )
            self.model.open_monitor(number)

    def process(self, number: int) -> None:
        """The process is deleted, or defined again: no event."""
        member = self.model.members[number]
        if member.process and self.chance.random() < 0.7:
            return
        self.command(number, "DELETE PROCESS(P1)" if member.process else "DEFINE PROCESS(P1)")
        member.process = not member.process

    def interval(self, number: int) -> None:
        self.model.members[number].interval = self.chance.choice((0, 1000, 999_999_999))
        self.command(number, f"ALTER QMGR TRIGINT({self.model.members[number].interval})")

    def wait(self, number: int) -> None:
        milliseconds = self.chance.choice((1, 999, 1000))
        self.tell("wait", milliseconds)
        self.environment.clock.advance(seconds=milliseconds / 1000)
        self.model.now += milliseconds * 1000

    def step(self) -> None:
        getattr(self, self.chance.choice(DEEDS))(self.chance.choice(MEMBERS))
        assert self.made() == self.model.made, self.done
        assert self.trigger_is_on() == self.model.on, self.done

    def made(self) -> Counter[int]:
        """How many trigger messages each member has made; each is on the initiation queue."""
        with Reading(self.store.database) as reading:
            for seq, kind, detail in reading.all(_EVENTS_AFTER, {"after": self._seen}):
                self._seen = seq
                if kind == "TRIGGER":
                    self._made[int(json.loads(detail)["member"][2:])] += 1
        assert self.on_initiation_queues() == self._made.total(), self.done
        return self._made

    def on_initiation_queues(self) -> int:
        with Reading(self.store.database) as reading:
            rows = {
                row.id: row.depth
                for qmgr in self.qmgrs.values()
                if (row := queues.visible(reading, qmgr.row(), "INIT")) is not None
            }
        return sum(rows.values())

    def trigger_is_on(self) -> bool:
        with Reading(self.store.database) as reading:
            row = queues.by_name(reading, "QSG1", "SQ", "QM1")
        assert row is not None
        return bool(row.trigger_on)


@pytest.mark.long
@pytest.mark.parametrize("shared_initq", [False, True], ids=["own INITQ", "shared INITQ"])
def test_the_members_trigger_as_the_model_does(tmp_path: Path, shared_initq: bool) -> None:
    for number in range(PLAYS):
        play = Play(tmp_path / f"{number}.db", number, shared_initq=shared_initq)
        for _ in range(STEPS):
            play.step()
        play.store.close()
