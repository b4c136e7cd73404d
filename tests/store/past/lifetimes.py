"""Random histories in which what can happen once happens again: queues of one name that are defined
and deleted, dynamic queues of one name, restarts. Queue managers have clocks of their own, two are
a queue-sharing group, events are imported, messages were put that the history does not have, and
its beginning may be pruned.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from mqsc import run
from mqsc.store.admin.imported_records import FoundRecord, add_records
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCO, MQGMO, MQOO, MQPER, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql import maintenance
from mqsc.store.sql.rows import ArchiveRow, EventRow
from mqsc.store.sqlite.database import Transaction
from tests.reports.history import at
from tests.reports.played import PAUSES
from tests.scenarios.channel_bench import Network
from tests.store.past.lived import Lives

# Queues that are defined and deleted again and again.
AGAIN = ("AGAIN.1", "AGAIN.2")
# Dynamic queues that always have the same name, and their model queues.
DYNAMIC = {"PERMANENT.ONE": "AGAIN.MODEL", "TEMPORARY.ONE": "SYSTEM.DEFAULT.MODEL.QUEUE"}
GROUP, SHARED, STRUCTURE = "QSG1", "SHARED.Q", "APP"
INBOUND, OUTBOUND = int(MQOO.INPUT_SHARED), int(MQOO.OUTPUT)
CLOSES = (MQCO.NONE, MQCO.DELETE, MQCO.DELETE_PURGE)


class ManualClocks:
    """The clocks of some queue managers, each of which goes at another speed."""

    def __init__(self, qmgrs: list[QueueManager]) -> None:
        self._qmgrs = qmgrs

    def advance(self, seconds: float) -> None:
        """Move the clocks forward: the first by `seconds`, the second by twice as much, and so
        on.
        """
        for number, qmgr in enumerate(self._qmgrs, 1):
            qmgr.advance_clock(round(seconds * number * MICROSECONDS) + 1)


class Lifetimes(Lives):
    """Takes steps of `Lives` and its own. QM1, QM2 and the group of QM3 and QM4 have clocks of
    their own.

    In a store that has them already, such as a restored one, it goes on.
    """

    def __init__(self, chance: random.Random, store: Store) -> None:
        is_new = not store.queue_managers()
        qm1, qm2 = (_manager(store, name) for name in ("QM1", "QM2"))
        self._members = [_manager(store, name, GROUP) for name in ("QM3", "QM4")]
        network = Network(store, store.environment)
        if is_new:
            network.define()
        network.clock = ManualClocks([qm1, qm2, self._members[0]])  # type: ignore[assignment]
        super().__init__(chance, network, is_new=is_new)
        if is_new:
            network.at2("DEFINE QMODEL(AGAIN.MODEL) DEFTYPE(PERMDYN)")
            run(self._members[0], f"DEFINE CFSTRUCT({STRUCTURE})", check=True)
        # Programs that have units of work on queues that are deleted meanwhile.
        self._programs: list[Connection] = []
        # Of a record that was imported before, nothing is added.
        self._imported = 0 if is_new else store.bound().seq

    def step(self) -> None:
        if self._chance.random() < 0.35:
            super().step()
            return
        steps: dict[Callable[[], None], int] = {
            self._define_again: 14,
            self._use_again: 20,
            self._end_program: 8,
            self._use_dynamic_again: 8,
            self._share: 12,
            self._restart_one: 2,
            self._import: 1,
        }
        self._take(steps)

    def _message(self, msg_id: bytes | None = None, **more: object) -> Message:
        # Of two with one queue, MsgId and time of put, the history does not know which is meant.
        return super()._message(self._chance.randbytes(24), **more)

    def _define_again(self) -> None:
        name = self._chance.choice(AGAIN)
        if self._chance.random() < 0.4:
            # A second life begins at once.
            run(self._network.qm2, f"DELETE QLOCAL({name}) PURGE\nDEFINE QLOCAL({name})")
            return
        commands = (
            *(f"DEFINE QLOCAL({name})", f"DEFINE QLOCAL({name}) DESCR('again') MAXDEPTH(6)"),
            *(f"DEFINE QLOCAL({name}) REPLACE", f"DEFINE QLOCAL({name}) LIKE(OTHER)"),
            *(
                f"DELETE QLOCAL({name})",
                f"DELETE QLOCAL({name}) PURGE",
                f"DELETE QLOCAL({name}) PURGE",
            ),
            *(f"CLEAR QLOCAL({name})", f"MOVE QLOCAL({AGAIN[0]}) TOQLOCAL({AGAIN[1]})"),
            *(f"MOVE QLOCAL(Q) TOQLOCAL({name})", f"ALTER QLOCAL({name}) GET(DISABLED)"),
            *(
                f"ALTER QLOCAL({name}) GET(ENABLED)",
                f"DEFINE QALIAS({name}) TARGET(Q)",
                f"DELETE QALIAS({name})",
            ),
        )
        run(self._network.qm2, self._chance.choice(commands))

    def _program(self, qmgr: QueueManager) -> Connection:
        own = [each for each in self._programs if each.qmgr.name == qmgr.name]
        if len(own) < 3:
            own.append(qmgr.connect("again"))
            self._programs.append(own[-1])
        return self._chance.choice(own)

    def _use_again(self) -> None:
        self._call_on(self._program(self._network.qm2), self._chance.choice(AGAIN))

    def _call_on(self, connection: Connection, name: str) -> None:
        in_unit = self._chance.random() < 0.5
        if self._chance.random() < 0.6:
            options = MQPMO.SYNCPOINT if in_unit else MQPMO.NO_SYNCPOINT
            connection.put1(name, self._message(), PutMessageOptions(int(options)))
            return
        queue = connection.open(name, INBOUND)
        with suppress(MQError):
            queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT if in_unit else MQGMO.NO_SYNCPOINT)))
        queue.close()

    def _end_program(self) -> None:
        if self._programs:
            connection = self._programs.pop(self._chance.randrange(len(self._programs)))
            how = self._chance.choice(
                (connection.commit, connection.back, connection.back, connection.abend),
            )
            how()
            if how != connection.abend:
                connection.disconnect()

    def _use_dynamic_again(self) -> None:
        name, model = self._chance.choice([*DYNAMIC.items()])
        connection = self._program(self._network.qm2)
        try:
            queue = connection.open(model, INBOUND | OUTBOUND, dynamic_name=name)
        except MQError:
            queue = connection.open(name, INBOUND | OUTBOUND)
        for _ in range(self._chance.randrange(4)):
            self._network.clock.advance(0)
            queue.put([self._message()])
        if self._chance.random() < 0.5:
            with suppress(MQError):
                queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT)))
        queue.close(int(self._chance.choice(CLOSES)))

    def _share(self) -> None:
        member = self._chance.choice(self._members)
        commands = (
            *(
                f"DEFINE QLOCAL({SHARED}) QSGDISP(SHARED) CFSTRUCT({STRUCTURE})",
                f"CLEAR QLOCAL({SHARED}) QSGDISP(SHARED)",
            ),
            *(
                f"DELETE QLOCAL({SHARED}) QSGDISP(SHARED) PURGE",
                f"DELETE QLOCAL({SHARED}) QSGDISP(SHARED)",
            ),
            *("DEFINE QLOCAL(PRIVATE)", "DELETE QLOCAL(PRIVATE) PURGE"),
        )
        if self._chance.random() < 0.3:
            run(member, self._chance.choice(commands))
            run(member, commands[0])
        else:
            self._call_on(self._program(member), self._chance.choice((SHARED, SHARED, "PRIVATE")))

    def _restart_one(self) -> None:
        qmgr = self._chance.choice((self._network.qm1, self._network.qm2, *self._members))
        qmgr.end(immediate=True)
        self._network.clock.advance(self._chance.choice(PAUSES))
        qmgr.start()
        self._programs = [each for each in self._programs if each.qmgr.name != qmgr.name]
        if qmgr is self._network.qm2:
            self._start_monitor()

    def _import(self) -> None:
        """A put at another queue manager, whose clock shows another year."""
        self._imported += 1
        event = EventRow(
            self._imported,
            "ELSEWHERE",
            "PUT",
            queue="Q",
            msg_id=self._chance.randbytes(24),
            put_at=1,
            detail='{"source":"log"}',
        )
        add_records(self.store, [FoundRecord(str(self._imported), [event])])


def _manager(store: Store, name: str, group: str = "") -> QueueManager:
    """The queue manager, running; it is made if it is not there yet."""
    if name not in {each.name for each in store.queue_managers()}:
        return store.create_queue_manager(name, manual_clock_at=at(0), group=group)
    qmgr = store.queue_manager(name)
    if not qmgr.is_running:
        qmgr.start()
    return qmgr


def prune(store: Store, last: int) -> None:
    """Remove the events up to a number that can be removed, as after an archive."""
    with Transaction(store.database, durable=False) as tx:
        maintenance.write_archiving(
            tx,
            ArchiveRow(1, "some", "COMMITTED", "file:///archive", 1, last, "", last),
        )
        maintenance.remove_events(
            tx,
            [each[0] for each in maintenance.old_events(tx, 0, last, last) if not each[-1]],
        )


def put_unrecorded(qmgr: QueueManager, queue: str, number: int) -> None:
    """Put messages whose puts the history does not have: ACCTQ is OFF for them."""
    run(qmgr, f"DEFINE QLOCAL({queue}) ACCTQ(OFF)", check=True)
    with qmgr.connect("silent") as connection:
        for _ in range(number):
            connection.put1(
                queue,
                Message(b"x", MessageDescriptor(persistence=int(MQPER.PERSISTENT))),
            )
    run(qmgr, f"ALTER QLOCAL({queue}) ACCTQ(ON)", check=True)
