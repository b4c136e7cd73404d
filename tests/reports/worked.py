"""Random histories with what the reports about work and administration read: channels that break,
are stopped and in doubt, messages that are backed out again and again, triggering of all types with
programs that a monitor starts, shared queues that trigger, and commands of every kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from threading import Event

from mqsc import run
from mqsc.agents.trigger_monitor import MonitorSettings, TriggerMonitor
from mqsc.channels.link import Step
from mqsc.store.admin.user_accounts import add_user, set_mode
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQIA, MQOO, MQPMO, MQQA
from mqsc.store.environment import Environment, SystemClock
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, PutMessageOptions
from tests.reports.played import published_rows
from tests.reports.queue_sums import Row, renamed
from tests.scenarios.channel_bench import Driven, broken_at
from tests.store.past.lifetimes import AGAIN, STRUCTURE, Lifetimes

IN_UNIT = GetMessageOptions(int(MQGMO.SYNCPOINT))
MARKED = GetMessageOptions(int(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT))
FOR_INPUT = int(MQOO.INPUT_SHARED)
TRIGGERING = ("FIRST", "DEPTH", "SERVED", "TO.FIRST")
SENT = ("RQ", "RQ", "NARROW", "NOWHERE")
# Queues of which messages are backed out again and again: with a backout queue, without one,
# and without a threshold.
TRIED = ("WORK", "POISON", "Q", "OTHER", *AGAIN)
OWN = (
    "DEFINE QALIAS(TO.FIRST) TARGET(FIRST)",
    "DEFINE QMODEL(POISON.MODEL) DEFTYPE(PERMDYN) BOTHRESH(2)",
    "ALTER PROCESS(P) APPLICID('/bin/true')",
    "ALTER QLOCAL(INIT) MAXDEPTH(4)",
)
SHARED_TRIGGER = "SHARED.T"
OF_MEMBER = ("DEFINE QLOCAL(INIT)", "DEFINE PROCESS(P) APPLICID('/bin/true')")
PROGRAMS = (
    "/bin/true",
    "/bin/false",
    "/no/such",
    '/bin/sh -c "exec sleep 60"',
    '/bin/sh -c "kill -9 $$"',
)
# The steps of a batch at which a link that breaks can leave the batch in doubt.
IN_DOUBT = (Step.S4_AFTER, Step.R2_BEFORE, Step.R2_AFTER, Step.S5_BEFORE)
THRESHOLDS = (
    "ALTER QLOCAL({queue}) BOTHRESH({n})",
    "DEFINE QLOCAL({queue}) BOTHRESH({n}) REPLACE",
    "DEFINE QLOCAL({queue}) LIKE(WORK) REPLACE",
    "ALTER QMODEL(POISON.MODEL) BOTHRESH({n})",
    "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) BOTHRESH({n})",
    "ALTER QLOCAL(DLQ) PUT(DISABLED)",
    "ALTER QLOCAL(DLQ) PUT(ENABLED)",
    "ALTER QLOCAL(BACK) PUT(DISABLED)",
    "ALTER QLOCAL(BACK) PUT(ENABLED)",
)
TRIGGERS = (
    "ALTER QLOCAL(DEPTH) TRIGGER",
    "ALTER QLOCAL(FIRST) NOTRIGGER",
    "ALTER QLOCAL(FIRST) TRIGGER",
    "ALTER QLOCAL(FIRST) GET(DISABLED)",
    "ALTER QLOCAL(FIRST) GET(ENABLED)",
    "ALTER QLOCAL(INIT) PUT(DISABLED)",
    "ALTER QLOCAL(INIT) PUT(ENABLED)",
    "ALTER QLOCAL(INIT) MAXDEPTH({n})",
    "CLEAR QLOCAL(INIT)",
    "ALTER QMGR TRIGINT({n}000)",
)
OF_CHANNEL = (
    "STOP CHANNEL(C) STATUS(INACTIVE)",
    "STOP CHANNEL(C) MODE(FORCE)",
    "START CHANNEL(C)",
    "START CHANNEL(C)",
    "RESOLVE CHANNEL(C) ACTION(COMMIT)",
    "RESOLVE CHANNEL(C) ACTION(BACKOUT)",
    "RESET CHANNEL(C) SEQNUM({n})",
    "ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ({n}) SHORTRTY({n}) MCAUSER('u{n}')",
    "ALTER CHANNEL(C) CHLTYPE(SDR) USEDLQ(NO)",
    "ALTER CHANNEL(C) CHLTYPE(SDR) USEDLQ(YES)",
)
COMMANDS = (
    "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(GET,PUT)",
    "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHRMV(PUT)",
    "SET AUTHREC PROFILE(P.**) OBJTYPE(PROCESS) GROUP('g{n}') AUTHADD(INQ)",
    "DELETE AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app')",
    "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.0.0.{n}') USERSRC(NOACCESS)",
    "SET CHLAUTH('C*') TYPE(USERMAP) CLNTUSER('it''s') MCAUSER('u{n}') ADDRESS('*')",
    "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.0.0.{n}') ACTION(REMOVE)",
    "ALTER QMGR DESCR('{n} \"quoted\" ü') CHLAUTH(ENABLED)",
    "DEFINE NAMELIST(N{n}) NAMES(A,B,'C{n}')",
    "ALTER NAMELIST(N{n}) NAMES(A)",
    "DELETE NAMELIST(N{n})",
    "DEFINE QALIAS(A{n}) TARGET(Q)",
    "DEFINE QREMOTE(A{n}) RNAME('') RQMNAME(Z) REPLACE",
    "DEFINE TOPIC(T{n}) TOPICSTR('a/{n}') REPLACE",
    "DEFINE SUB(S{n}) TOPICSTR('a/{n}') DEST(Q)",
    "RESET QSTATS(Q)",
    "DEFINE LISTENER(L{n}) TRPTYPE(TCP) PORT(14{n}0)",
)
OF_GROUP = (
    "DEFINE QLOCAL(G{n}) QSGDISP(GROUP)",
    "ALTER QLOCAL(G{n}) QSGDISP(GROUP) DESCR('{n}')",
    "DELETE QLOCAL(G{n}) QSGDISP(GROUP)",
)


class Works(Lifetimes):
    """Takes steps of `Lifetimes` and its own."""

    def __init__(self, chance: random.Random, store: Store) -> None:
        super().__init__(chance, store)
        self._network.at2(*OWN)
        self._network.initiator()
        for member in self._members:
            run(member, "\n".join(OF_MEMBER), check=True)
        shared = f"QSGDISP(SHARED) CFSTRUCT({STRUCTURE}) TRIGGER INITQ(INIT) PROCESS(P)"
        run(self._members[0], f"DEFINE QLOCAL({SHARED_TRIGGER}) {shared}", check=True)
        self._running: list[Driven] = []

    def step(self) -> None:
        if self._chance.random() < 0.3:
            super().step()
            return
        steps: dict[Callable[[], None], int] = {
            self._break_channel: 10,
            self._command_channel: 8,
            self._try_again: 12,
            self._consume_many: 10,
            self._skip_some: 5,
            self._set_threshold: 6,
            self._use_dynamic_model: 4,
            self._trigger: 20,
            self._change_triggering: 6,
            self._monitor: 7,
            self._trigger_shared: 6,
            self._command: 10,
            self._command_group: 2,
            self._set_attribute: 2,
            self._account: 1,
        }
        self._take(steps)

    def _n(self) -> int:
        return self._chance.choice((1, 2, 3))

    def _run_one(self, qmgr: QueueManager, commands: tuple[str, ...]) -> None:
        queue = self._chance.choice(TRIED)
        run(qmgr, self._chance.choice(commands).format(n=self._n(), queue=queue))

    # Channels.

    def _break_channel(self) -> None:
        """Send some messages over a link that breaks at a step of the batch."""
        for _ in range(self._n()):
            self._put_one(self._network.qm1, self._chance.choice(SENT), self._message())
        step = self._chance.choice((*Step, *IN_DOUBT))
        breaks = broken_at(step, self._chance.choice((0, 0, 0, 1, 2)))

        def hook(at: Step, number: int) -> None:
            self._network.clock.advance(self._chance.choice((0, 0.25, 1)))
            breaks(at, number)

        self._network.start(hook, until_empty=True)

    def _channel(self) -> None:
        """Send the messages, each of which takes its time."""

        def hook(at: Step, number: int) -> None:
            self._network.clock.advance(self._chance.choice((0.01, 0.25, 2)))

        self._network.start(hook, until_empty=True)

    def _command_channel(self) -> None:
        """A command, while the channel runs or does not."""
        if self._chance.random() < 0.5:
            self._running.append(self._network.start())
        self._run_one(self._network.qm1, OF_CHANNEL)
        if self._running:
            running = self._running.pop()
            if running.wait is not None:
                running.resume()
            running.close()

    # Messages that are backed out.

    def _try_again(self) -> None:
        """A program gets a message and backs out, some times."""
        name = self._chance.choice(TRIED)
        with suppress(MQError):
            self._put_one(self._network.qm2, name, self._message())
        with self._network.qm2.connect(self._chance.choice(("billing", "web"))) as program:
            queue = program.open(name, FOR_INPUT)
            for _ in range(self._n() + 1):
                self._network.clock.advance(1)
                queue.get(IN_UNIT)
                program.back()

    def _consume_many(self) -> None:
        """A consumer takes several messages for a unit of work, and some units fail."""
        name = self._chance.choice(("WORK", "POISON"))
        with self._network.qm2.connect("worker") as program:
            for _ in range(self._n()):
                self._put_one(self._network.qm2, name, self._message())
            consumer = program.consumer(name, wait=0, limit=6, batch=self._n())
            for _ in consumer.units():
                program.back() if self._chance.random() < 0.7 else program.commit()

    def _skip_some(self) -> None:
        """A program backs out a unit of work that one message skips, and ends the next unit."""
        name = self._chance.choice(TRIED)
        for _ in range(2):
            self._put_one(self._network.qm2, name, self._message())
        with self._network.qm2.connect("billing") as program:
            queue = program.open(name, FOR_INPUT)
            queue.get(IN_UNIT)
            queue.get(MARKED)
            program.back()
            self._network.clock.advance(1)
            program.back() if self._chance.random() < 0.5 else program.commit()

    def _set_threshold(self) -> None:
        self._run_one(self._network.qm2, THRESHOLDS)

    def _use_dynamic_model(self) -> None:
        """A program backs out what it got from a dynamic queue, whose model has a threshold."""
        options = int(MQOO.INPUT_SHARED | MQOO.OUTPUT)
        with self._network.qm2.connect("billing") as program:
            queue = program.open("POISON.MODEL", options, dynamic_name="TRIED.*")
            queue.put([self._message()])
            for _ in range(self._n()):
                self._network.clock.advance(1)
                queue.get(IN_UNIT)
                program.back()

    # Triggering.

    def _trigger(self) -> None:
        """A program puts to a queue that triggers, opens it, or reads it to its end."""
        name = self._chance.choice(TRIGGERING)
        match self._chance.randrange(6):
            case 0:
                program = self._network.qm2.connect("open")
                self._open.append(program)
                program.put1(name, self._message(), PutMessageOptions(int(MQPMO.SYNCPOINT)))
            case 1 | 2:
                for _ in range(self._n()):
                    self._put_one(self._network.qm2, name, self._message())
            case 3:
                with self._network.qm2.connect("looking") as program:
                    for _ in range(self._n()):
                        program.open(name, FOR_INPUT).close()
            case _:
                with self._network.qm2.connect("serving") as program:
                    queue = program.open(name, FOR_INPUT)
                    with suppress(MQError):
                        while True:
                            queue.get(GetMessageOptions(int(MQGMO.NO_SYNCPOINT)))

    def _change_triggering(self) -> None:
        self._run_one(self._network.qm2, TRIGGERS)
        if self._chance.random() < 0.3:
            self._lose_triggers()

    def _lose_triggers(self) -> None:
        """Neither the initiation queue nor the dead-letter queue takes a trigger message."""
        run(self._network.qm2, "ALTER QLOCAL(DLQ) PUT(DISABLED)\nALTER QLOCAL(INIT) MAXDEPTH(0)")
        for name in ("SERVED", "FIRST"):
            with suppress(MQError):
                self._put_one(self._network.qm2, name, self._message())
        run(self._network.qm2, "ALTER QLOCAL(DLQ) PUT(ENABLED)\nALTER QLOCAL(INIT) MAXDEPTH(4)")

    def _monitor(self) -> None:
        """The trigger monitor starts the programs that wait."""
        qmgr = self._chance.choice((self._network.qm2, self._network.qm2, *self._members))
        run(qmgr, f"ALTER PROCESS(P) APPLICID('{self._chance.choice(PROGRAMS)}')")
        settings = MonitorSettings(
            "INIT", once=True, timeout=0.05, safe=self._chance.random() < 0.5
        )
        with qmgr.connect("runmqtrm") as connection:
            TriggerMonitor(connection, settings, lambda _: None, Event()).run()

    def _trigger_shared(self) -> None:
        member = self._chance.choice(self._members)
        match self._chance.randrange(3):
            case 0:
                self._put_one(member, SHARED_TRIGGER, self._message())
            case 1:
                monitor = self._program(member)
                monitor.open("INIT", FOR_INPUT)
            case _:
                self._call_on(self._program(member), SHARED_TRIGGER)

    # Commands.

    def _command(self) -> None:
        self._run_one(self._chance.choice((self._network.qm1, self._network.qm2)), COMMANDS)

    def _command_group(self) -> None:
        self._run_one(self._chance.choice(self._members), OF_GROUP)

    def _set_attribute(self) -> None:
        with self._network.qm2.connect("web") as program:
            queue = program.open("FIRST", int(MQOO.SET))
            value = self._chance.choice((MQQA.PUT_INHIBITED, MQQA.PUT_ALLOWED))
            queue.set({int(MQIA.INHIBIT_PUT): int(value)})

    def _account(self) -> None:
        name = f"user{self.store.bound().seq}"
        add_user(self.store, name, "a password", groups=["apps"])
        set_mode(self._network.qm2, self._chance.choice(("off", "warn")))


@cache
def worked(seed: int, steps: int = 120) -> dict[str, list[Row]]:
    """The rows of a store after a number of random steps; queue managers have the seed in their
    names.
    """
    environment = Environment(SystemClock(), "tester", "mqsc")
    play = Works(random.Random(seed), open_store("sqlite://", environment))
    for _ in range(steps):
        play.step()
    return renamed(published_rows(play.store), seed)
