"""Random histories of a queue-sharing group: units of work over private and shared queues of its
members, messages that skip backouts, programs that are killed, and a queue manager that joins and
leaves.
"""

from __future__ import annotations

import gc
import random
from contextlib import suppress

from mqsc import run
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, SharingGroupError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.garbage import leave_out_what_was_imported
from tests.reports.played import MSG_IDS

GROUP = "QSG1"
SHARED = """DEFINE CFSTRUCT(APP)
DEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(APP)
DEFINE QLOCAL(T) QSGDISP(SHARED) CFSTRUCT(APP)
DEFINE QALIAS(G) QSGDISP(GROUP) TARGET(S)"""
PRIVATE = "DEFINE QLOCAL(L) BOTHRESH(0)\nDEFINE QLOCAL(M)"
QUEUES = "SSTLMG"
COMMANDS = (
    *(
        "CLEAR QLOCAL(S) QSGDISP(SHARED)",
        "MOVE QLOCAL(L) TOQLOCAL(M)",
        "CLEAR QLOCAL(M)",
        "REFRESH QMGR TYPE(EXPIRY)",
    ),
    *(
        "ALTER QLOCAL(S) QSGDISP(SHARED) DESCR('{n}')",
        "ALTER QALIAS(G) QSGDISP(GROUP) DESCR('{n}')",
    ),
    *(
        "ALTER QLOCAL(T) QSGDISP(SHARED) GET(DISABLED)",
        "ALTER QLOCAL(T) QSGDISP(SHARED) GET(ENABLED)",
    ),
)
PUTS = (MQPMO.SYNCPOINT, MQPMO.NO_SYNCPOINT)
SKIPPING = MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT
GETS = (MQGMO.SYNCPOINT, MQGMO.NO_SYNCPOINT, SKIPPING, SKIPPING)


class Sharing:
    """Takes random steps at two members of a group and a third queue manager, from those that a
    seed gives.
    """

    def __init__(self, chance: random.Random, store: Store) -> None:
        self._chance, self._store = chance, store
        leave_out_what_was_imported()
        self._members = [store.create_queue_manager(name, group=GROUP) for name in ("QM1", "QM2")]
        self._joining = store.create_queue_manager("QM3")
        run(self._members[0], SHARED, check=True)
        for qmgr in self._all():
            run(qmgr, PRIVATE, check=True)
        self._connections = {qmgr.name: self._two(qmgr) for qmgr in self._all()}

    def _all(self) -> list[QueueManager]:
        return [*self._members, self._joining]

    def _two(self, qmgr: QueueManager) -> list[Connection]:
        return [qmgr.connect("app") for _ in range(2)]

    def step(self) -> None:
        steps = {
            self._put: 40,
            self._get: 30,
            self._commit: 10,
            self._back: 16,
            self._kill: 2,
            self._command: 7,
            self._join_or_leave: 2,
        }
        self._store.environment.clock.advance(self._chance.choice((0, 0, 1, 30)))
        with suppress(MQError):
            self._chance.choices(list(steps), list(steps.values()))[0]()

    def _connection(self) -> Connection:
        return self._chance.choice(self._connections[self._chance.choice(self._all()).name])

    def _put(self) -> None:
        descriptor = MessageDescriptor(
            msg_id=self._chance.choice(MSG_IDS),
            expiry=self._chance.choice((-1, -1, 100)),
        )
        options = PutMessageOptions(int(self._chance.choice(PUTS)))
        self._connection().put1(self._chance.choice(QUEUES), Message(b"x", descriptor), options)

    def _get(self) -> None:
        queue = self._connection().open(self._chance.choice(QUEUES), int(MQOO.INPUT_SHARED))
        queue.get(GetMessageOptions(int(self._chance.choice(GETS))))
        if self._chance.random() < 0.8:
            queue.close()

    def _commit(self) -> None:
        self._connection().commit()

    def _back(self) -> None:
        self._connection().back()

    def _kill(self) -> None:
        """A program ends without a word; the next one recovers what it has left."""
        qmgr = self._chance.choice(self._all())
        self._connections[qmgr.name].pop(0)
        gc.collect()
        self._connections[qmgr.name].append(qmgr.connect("app"))

    def _command(self) -> None:
        run(
            self._chance.choice(self._members),
            self._chance.choice(COMMANDS).format(n=self._store.bound().seq),
        )

    def _join_or_leave(self) -> None:
        self._joining.end(immediate=True)
        with suppress(SharingGroupError):
            if self._chance.random() < 0.5:
                self._store.join_group("QM3", GROUP)
            else:
                self._store.leave_group("QM3")
        self._joining.start()
        self._connections["QM3"] = self._two(self._joining)
