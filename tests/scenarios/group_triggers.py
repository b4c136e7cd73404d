"""Three members of a queue-sharing group that trigger by one shared queue: the starting state of
sharing S29 to S41.
"""

from __future__ import annotations

import mqsc
from mqsc.agents.trigger_monitor import browse_all
from mqsc.console.getting import get_or_none
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql import queues
from mqsc.store.sqlite.database import Reading

SHARED = "DEFINE QLOCAL({}) QSGDISP(SHARED) CFSTRUCT(APPL1)"
OF_THE_GROUP = (
    "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)",
    SHARED.format("SQ") + " TRIGGER TRIGTYPE(FIRST) TRIGMPRI(5) PROCESS(P1) INITQ(INIT)",
)
OF_EACH = ("DEFINE PROCESS(P1) APPLICID('/bin/serve')",)
PRIVATE_INITQ = "DEFINE QLOCAL(INIT)"


def run(qmgr: QueueManager, *commands: str) -> None:
    answers = mqsc.run(qmgr, "\n".join(commands))
    assert [each.text for each in answers if each.completion] == []


class GroupTriggers:
    """QM1 to QM3, the programs that serve SQ there, and the monitors, which get nothing."""

    def __init__(
        self,
        store: Store,
        *,
        monitors: tuple[int, ...] = (1, 2, 3),
        shared_initq: bool = False,
    ) -> None:
        self.members = {
            number: store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)
        }
        run(self.members[1], *OF_THE_GROUP)
        if shared_initq:
            run(self.members[1], SHARED.format("INIT"))
        for qmgr in self.members.values():
            run(qmgr, *OF_EACH, *(() if shared_initq else (PRIVATE_INITQ,)))
        self._putters: dict[int, tuple[Connection, ObjectHandle]] = {}
        self.servers: dict[int, list[ObjectHandle]] = {1: [], 2: [], 3: []}
        self.monitors = {number: self.monitor(number) for number in monitors}
        self._shared = shared_initq
        self._read = dict.fromkeys(self.members, 0)

    def monitor(self, number: int) -> ObjectHandle:
        """A monitor opens INIT on a member."""
        return self.members[number].connect("monitor").open("INIT", MQOO.INPUT_SHARED)

    @property
    def new(self) -> tuple[int, ...]:
        """The new trigger messages on the initiation queue of each member; of a shared one the
        number alone.
        """
        numbers = (1,) if self._shared else tuple(self.members)
        depths = {number: self._depth_of_initq(number) for number in numbers}
        found = tuple(depths[number] - self._read[number] for number in numbers)
        self._read.update(depths)
        return found

    def _depth_of_initq(self, number: int) -> int:
        qmgr = self.members[number]
        with Reading(qmgr.store.database) as reading:
            row = queues.visible(reading, qmgr.row(), "INIT")
        assert row is not None
        return row.depth

    def makers(self, number: int = 1) -> list[str]:
        """PutApplName of the messages on INIT of a member, in order."""
        with self.members[number].connect() as connection:
            handle = connection.open("INIT", MQOO.BROWSE)
            return [message.descriptor.put_appl_name for message in browse_all(handle)]

    def _putter(self, number: int) -> tuple[Connection, ObjectHandle]:
        if number not in self._putters:
            connection = self.members[number].connect("putter")
            self._putters[number] = connection, connection.open("SQ", MQOO.OUTPUT)
        return self._putters[number]

    def put(self, number: int, *priorities: int, unit: bool = False) -> None:
        """Put messages on a member, one call each."""
        for priority in priorities:
            options = PutMessageOptions(MQPMO.SYNCPOINT if unit else MQPMO.NONE)
            self._putter(number)[1].put(
                Message(b"x", MessageDescriptor(priority=priority)),
                options,
            )

    def commit(self, number: int) -> None:
        self._putter(number)[0].commit()

    def back(self, number: int) -> None:
        self._putter(number)[0].back()

    def open(self, number: int, options: int = MQOO.INPUT_SHARED) -> ObjectHandle:
        """A program on a member opens SQ for input."""
        handle = self.members[number].connect("server").open("SQ", options)
        self.servers[number].append(handle)
        return handle

    def close(self, number: int) -> None:
        """The program on a member that opened SQ last closes it."""
        self.servers[number].pop().close()

    def kill(self, number: int) -> None:
        """The program on a member that opened SQ last is gone, and the next one will notice."""
        self.members[number].store.abandoned.append(self.servers[number].pop().connection.number)

    def drain(self, number: int) -> None:
        """Get every message through a handle that is open."""
        while get_or_none(self.servers[number][-1], GetMessageOptions(MQGMO.NO_WAIT)):
            continue

    def alter(self, number: int, change: str) -> None:
        run(self.members[number], f"ALTER QLOCAL(SQ) QSGDISP(SHARED) {change}")

    @property
    def is_on(self) -> bool:
        """Whether SQ has TRIGGER."""
        [reply] = mqsc.run(self.members[1], "DISPLAY QLOCAL(SQ) TRIGGER")
        return bool(reply.rows[0]["TRIGGER"] == "TRIGGER")
