"""Random histories of real queue managers: channels with dead letters and discards, MsgIds that
several messages have, units of work, handlers, consumers, expiry, copies, triggering, dynamic
queues, restarts, CLEAR and MOVE.

Every step is a call that programs make, so the events are those that the store writes.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from mqsc import run
from mqsc.dlq.dead_letter import DeadLetterFilter
from mqsc.dlq.redrive import REDRIVE_OPEN_OPTIONS, RedriveRequest, redrive
from mqsc.dlq.rules_table import Rule
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPER, MQPMO, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.recovery import recover
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.headers import mqdlh
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.published import EVENT, PENDING
from mqsc.store.sqlite.database import Reading
from tests.garbage import leave_out_what_was_imported
from tests.reports.history import at
from tests.scenarios.channel_bench import Network

# Seconds between two steps.
PAUSES = (1, 1, 1.25, 90, 1200.000001)
# Few enough for several messages to have the same one.
MSG_IDS = [bytes([number]) * 24 for number in range(1, 5)]
# A queue whose puts are not recorded.
SILENT = "SILENT"
AT_QM1 = (
    "DEFINE QREMOTE(NOWHERE) RNAME(NO.SUCH) RQMNAME(QM2) XMITQ(X)",
    "DEFINE QREMOTE(NARROW) RNAME(FULL) RQMNAME(QM2) XMITQ(X)",
    "DEFINE QREMOTE(DEAD) RNAME(DLQ) RQMNAME(QM2) XMITQ(X)",
    "ALTER CHANNEL(C) CHLTYPE(SDR) MAXMSGL(200)",
)
AT_QM2 = (
    "DEFINE QLOCAL(FULL) MAXDEPTH(3)",
    "DEFINE QLOCAL(OTHER)",
    "DEFINE QLOCAL(BACK)",
    "DEFINE QLOCAL(WORK) BOTHRESH(1) BOQNAME(BACK)",
    "DEFINE QLOCAL(POISON) BOTHRESH(1)",
    f"DEFINE QLOCAL({SILENT}) ACCTQ(OFF)",
    "DEFINE QLOCAL(COPY)",
    "DEFINE QLOCAL(STREAMED) STREAMQ(COPY)",
    "DEFINE QLOCAL(INIT)",
    "DEFINE PROCESS(P)",
    "DEFINE QLOCAL(SERVED) TRIGGER TRIGTYPE(EVERY) INITQ(INIT) PROCESS(P)",
)
# One is hard to write.
PROGRAMS = ("app", "web", "=1+'Ü\"")
TO_CHANNEL = ("RQ", "NOWHERE", "NOWHERE", "NARROW", "NARROW", "DEAD")
AT_HOME = ("Q", "OTHER", "DLQ", "FULL", "WORK", "POISON", SILENT, "STREAMED", "SERVED")
EMPTIED = ("COPY", "Q", "OTHER", "DLQ", "FULL", "BACK", SILENT)
RULES = (
    Rule((), "RETRY"),
    Rule((), "FWD", "OTHER"),
    Rule((), "FWD", "OTHER", "", "NO"),
    Rule((), "DISCARD"),
)


class Rows(NamedTuple):
    """The published rows of a store, as dicts by column, and the times of its clocks."""

    event: list[dict[str, Any]]
    pending: list[dict[str, Any]]


@cache
def played(seed: int, steps: int = 80) -> Rows:
    """The rows of a store after a number of random steps."""
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    play = Play(random.Random(seed), Network(open_store("sqlite://", environment), environment))
    for _ in range(steps):
        play.step()
    return play.rows()


class Play:
    """Takes random steps at two queue managers of one store, from those that a seed gives.

    They have its objects already, unless `is_new`. Programs choose MsgIds from `msg_ids`.
    """

    def __init__(
        self,
        chance: random.Random,
        network: Network,
        *,
        is_new: bool = True,
        msg_ids: Sequence[bytes] = MSG_IDS,
    ) -> None:
        self._chance = chance
        self._network = network
        self._msg_ids = msg_ids
        self.store = network.qm1.store
        # Units of work that stay open, and a trigger monitor.
        self._open: list[Connection] = []
        leave_out_what_was_imported()
        if is_new:
            self._define_objects()
        self._start_monitor()

    def _define_objects(self) -> None:
        network, chance = self._network, self._chance
        network.at1(*AT_QM1)
        network.at2(*AT_QM2)
        if chance.random() < 0.3:
            network.at2("ALTER QLOCAL(DLQ) ACCTQ(OFF)")
        if chance.random() < 0.2:
            network.at2(
                "ALTER CHANNEL(C) CHLTYPE(RCVR) USEDLQ(NO)",
                "ALTER QLOCAL(FULL) MAXDEPTH(5000)",
            )

    def step(self) -> None:
        steps = {
            self._send: 40,
            self._channel: 12,
            self._put: 16,
            self._get: 14,
            self._redrive: 12,
            self._consume: 6,
            self._clear: 3,
            self._move: 4,
            self._report: 4,
            self._expire: 4,
            self._use_dynamic_queue: 2,
            self._restart: 1,
        }
        self._take(steps)

    def _take(self, steps: Mapping[Callable[[], None], int]) -> None:
        """Take a step of these, each as often as its number says."""
        self._network.clock.advance(self._chance.choice(PAUSES))
        with suppress(MQError):
            self._chance.choices([*steps], [*steps.values()])[0]()
            return
        # The program that failed is gone, and what it left is recovered at once, in every run alike.
        gc.collect()
        recover(self.store)

    def _message(self, msg_id: bytes | None = None, **more: Any) -> Message:
        chance = self._chance
        descriptor = MessageDescriptor(
            msg_id=msg_id or chance.choice(self._msg_ids),
            persistence=int(chance.choice((MQPER.PERSISTENT, MQPER.NOT_PERSISTENT))),
            expiry=chance.choice((-1, -1, -1, -1, 5, 20_000)),
            format="MQSTR",
            **more,
        )
        return Message(b"x" * chance.choice((1, 30, 150)), descriptor)

    def _put_one(self, qmgr: QueueManager, queue: str, message: Message) -> None:
        with qmgr.connect(self._chance.choice(PROGRAMS)) as connection:
            end = self._chance.choice(("none", "none", "commit", "back"))
            option = MQPMO.NO_SYNCPOINT if end == "none" else MQPMO.SYNCPOINT
            connection.put1(queue, message, PutMessageOptions(int(option)))
            if end != "none":
                connection.commit() if end == "commit" else connection.back()

    def _send(self) -> None:
        report = self._chance.choice((MQRO.NONE, MQRO.NONE, MQRO.DISCARD_MSG))
        message = self._message(report=int(report))
        if self._chance.random() < 0.1:
            # Larger than the channel takes.
            message = Message(bytes(300), message.descriptor)
        self._put_one(self._network.qm1, self._chance.choice(TO_CHANNEL), message)

    def _channel(self) -> None:
        self._network.start(until_empty=True)

    def _put(self) -> None:
        queue = self._chance.choice(AT_HOME)
        message = self._message()
        if queue in ("DLQ", "OTHER") and self._chance.random() < 0.5:
            header = mqdlh.DeadLetterHeader(
                2053,
                "Q",
                "QM2",
                546,
                1208,
                "MQSTR",
                6,
                "mover",
                "20240102",
                "03040506",
            )
            message.descriptor.format = "MQDEAD"
            message = Message(mqdlh.pack_mqdlh(header) + message.body, message.descriptor)
        self._put_one(self._network.qm2, queue, message)

    def _get(self) -> None:
        qmgr = self._chance.choice((self._network.qm1, self._network.qm2))
        queues = ("DLQ",) if qmgr is self._network.qm1 else (*AT_HOME, "DLQ", "BACK", "INIT")
        connection = qmgr.connect(self._chance.choice(("reader", "other")))
        queue = connection.open(self._chance.choice(queues), int(MQOO.INPUT_SHARED))
        queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
        end = self._chance.choices(("commit", "back", "open"), (6, 5, 1))[0]
        if end == "open":
            self._open.append(connection)
            return
        connection.commit() if end == "commit" else connection.back()
        connection.disconnect()

    def _redrive(self) -> None:
        qmgr = self._chance.choice((self._network.qm1, self._network.qm2))
        request = RedriveRequest(
            self._chance.choice(RULES),
            DeadLetterFilter(),
            self._chance.choice((1, 3)),
        )
        with qmgr.connect("operator") as connection:
            list(redrive(connection.open("DLQ", int(REDRIVE_OPEN_OPTIONS)), request, lambda: False))

    def _consume(self) -> None:
        """A consumer whose program fails with every second message."""
        with self._network.qm2.connect("worker") as connection:
            consumer = connection.consumer(self._chance.choice(("WORK", "POISON")), wait=0, limit=2)
            for _ in consumer.units():
                connection.back() if self._chance.random() < 0.6 else connection.commit()

    def _clear(self) -> None:
        run(self._network.qm2, f"CLEAR QLOCAL({self._chance.choice(EMPTIED)})")

    def _move(self) -> None:
        source, target = self._chance.sample(("Q", "OTHER", "DLQ"), 2)
        run(self._network.qm2, f"MOVE QLOCAL({source}) TOQLOCAL({target})")

    def _report(self) -> None:
        message = self._message(report=int(MQRO.COA), reply_to_q="NO.SUCH")
        self._put_one(self._network.qm2, "Q", message)

    def _expire(self) -> None:
        qmgr = self._chance.choice((self._network.qm1, self._network.qm2))
        run(qmgr, "REFRESH QMGR TYPE(EXPIRY) NAME(*)")

    def _use_dynamic_queue(self) -> None:
        """A program closes a temporary queue with messages on it, some of which it has got."""
        with self._network.qm2.connect("app") as connection:
            queue = connection.open(
                "SYSTEM.DEFAULT.MODEL.QUEUE",
                int(MQOO.INPUT_SHARED | MQOO.OUTPUT),
            )
            queue.put([self._message() for _ in range(4)])
            for _ in range(2):
                queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
            if self._chance.random() < 0.5:
                connection.back()
            queue.close()

    def _restart(self) -> None:
        self._network.qm2.end(immediate=True)
        self._network.qm2.start()
        self._start_monitor()

    def _start_monitor(self) -> None:
        monitor = self._network.qm2.connect("monitor")
        monitor.open("INIT", int(MQOO.INPUT_SHARED))
        self._open.append(monitor)

    def rows(self) -> Rows:
        return published_rows(self.store)


def published_rows(store: Store) -> Rows:
    """The published rows of a store."""
    with Reading(store.database) as reading:
        return Rows(
            *(
                _read(reading, each.table, [c.name for c in each.columns])
                for each in (EVENT, PENDING)
            ),
        )


def _read(reading: Reading, table: str, names: list[str]) -> list[dict[str, Any]]:
    columns = ", ".join(f'"{name}"' for name in names)
    found = reading.connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall()
    return [dict(zip(names, row, strict=True)) for row in found]
