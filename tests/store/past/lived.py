"""Random histories with what `played` lacks: units of work of several calls that stay open,
messages that skip a backout, groups, killed programs, definitions and all types of triggering.
"""

from __future__ import annotations

import gc
import random
from contextlib import suppress

from mqsc import run
from mqsc.store.client.connection import Connection
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.environment import FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.reports.played import AT_HOME, MSG_IDS, Play
from tests.scenarios.channel_bench import Network

OWN = (
    "DEFINE QLOCAL(FIRST) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)",
    "DEFINE QLOCAL(DEPTH) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(2) INITQ(INIT) PROCESS(P)",
    "DEFINE QLOCAL(FIFO) MSGDLVSQ(FIFO)",
    "DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN) MAXDEPTH(9)",
)
QUEUES = ("Q", "OTHER", "FIRST", "DEPTH", "FIFO", "STREAMED")
COMMANDS = (
    *(
        "DEFINE QLOCAL(D{n})",
        "DELETE QLOCAL(D{n}) PURGE",
        "ALTER QLOCAL(D{n}) DESCR('{n}') MAXDEPTH({n}0)",
    ),
    *("ALTER QLOCAL(Q) GET(DISABLED)", "ALTER QLOCAL(Q) GET(ENABLED)", "ALTER QMGR DESCR('{n}')"),
    *(
        "DEFINE QALIAS(ALIAS) TARGET(D{n}) REPLACE",
        "DELETE QALIAS(ALIAS)",
        "ALTER QLOCAL(DEPTH) TRIGGER",
    ),
    *(
        "ALTER QLOCAL(FIRST) NOTRIGGER",
        "ALTER QLOCAL(FIRST) TRIGGER",
        "ALTER CHANNEL(C) CHLTYPE(RCVR) DESCR('{n}')",
    ),
    *(
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('g{n}') AUTHADD(GET)",
        "DEFINE QREMOTE(D{n}) RNAME(Q) RQMNAME(Z)",
    ),
    *("SET CHLAUTH('C{n}*') TYPE(BLOCKUSER) USERLIST('a{new}')", "DELETE QREMOTE(D{n})"),
)


class Lives(Play):
    """Takes steps of `Play` and its own, as often as those."""

    def __init__(self, chance: random.Random, network: Network, *, is_new: bool = True) -> None:
        super().__init__(chance, network, is_new=is_new)
        if is_new:
            self._network.at2(*OWN)
        self._working: list[Connection] = []

    def step(self) -> None:
        if self._chance.random() < 0.5:
            super().step()
            return
        steps = {
            self._call: 30,
            self._end_unit: 10,
            self._skip: 4,
            self._group: 3,
            self._define: 12,
            self._fill_dynamic: 2,
            self._put_some: 8,
        }
        self._take(steps)

    def _worker(self) -> Connection:
        if len(self._working) < 4:
            self._working.append(self._network.qm2.connect("worker"))
        return self._chance.choice(self._working)

    def _call(self) -> None:
        connection, name = self._worker(), self._chance.choice(QUEUES)
        in_unit = self._chance.random() < 0.8
        if self._chance.random() < 0.5:
            options = MQPMO.SYNCPOINT if in_unit else MQPMO.NO_SYNCPOINT
            descriptor = self._message(priority=self._chance.choice((0, 4, 9))).descriptor
            connection.put1(name, Message(b"call", descriptor), PutMessageOptions(int(options)))
            return
        queue = connection.open(name, int(MQOO.INPUT_SHARED))
        queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT if in_unit else MQGMO.NO_SYNCPOINT)))
        if self._chance.random() < 0.7:
            queue.close()

    def _end_unit(self) -> None:
        if not self._working:
            return
        connection = self._chance.choice(self._working)
        how = self._chance.choice(("commit", "back", "commit", "back", "disconnect", "kill"))
        if how == "kill":
            # A program that ends without a word; the next one recovers what it has left.
            self._working.remove(connection)
            del connection
            gc.collect()
            self._network.qm2.connect("next").disconnect()
        elif how == "disconnect":
            self._working.remove(connection)
            connection.disconnect()
        else:
            connection.commit() if how == "commit" else connection.back()

    def _skip(self) -> None:
        connection = self._worker()
        queue = connection.open(self._chance.choice(QUEUES), int(MQOO.INPUT_SHARED))
        with suppress(MQError):
            queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
        queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)))
        connection.back()

    def _group(self) -> None:
        with self._network.qm2.connect("groups") as connection:
            queue = connection.open("Q", int(MQOO.OUTPUT))
            for msg_id, flags in zip(self._chance.sample(MSG_IDS, 3), (8, 8, 24), strict=True):
                message = Message(b"g", self._message(msg_id, msg_flags=flags).descriptor)
                queue.put(message, PutMessageOptions(int(MQPMO.LOGICAL_ORDER)))

    def _define(self) -> None:
        command = self._chance.choice(COMMANDS).format(
            n=self._chance.choice((1, 2, 3)),
            new=self.store.bound().seq,
        )
        run(self._network.qm2, command)

    def _fill_dynamic(self) -> None:
        with self._network.qm2.connect("dynamic") as connection:
            name = connection.open("MODEL", int(MQOO.OUTPUT), dynamic_name="DYN.*").name
            connection.put1(name, self._message())

    def _put_some(self) -> None:
        name = self._chance.choice((*AT_HOME, "D1", "D2", "D3"))
        with self._network.qm2.connect("some") as connection:
            connection.open(name, int(MQOO.OUTPUT)).put(
                [self._message(id) for id in self._chance.sample(MSG_IDS, 3)],
            )


class TickingClock(FrozenClock):
    """A clock of which no two calls see the same time, so that messages with one MsgId have
    different times of put.
    """

    def now(self) -> int:
        self._at += 1
        return self._at
