"""Two queue managers and a channel between them, driven by the test: no thread, no sleep.

QM1 has the transmission queue X, the sender C and the remote queue RQ, which is Q at QM2; QM2 has
the receiver C.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from mqsc import run
from mqsc.channels.attempt import RunSettings
from mqsc.channels.channel_run import run_channel
from mqsc.channels.end import ChannelEnd
from mqsc.channels.link import Step
from mqsc.channels.run_failures import LinkBrokenError
from mqsc.channels.steps import Ending, Run, Wait
from mqsc.channels.sync_record import SyncRecords
from mqsc.store.admin.channel import status as channel_status
from mqsc.store.admin.channel.status import ChannelInstance
from mqsc.store.catalog import Stored
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCHS, MQGMO, MQOO, MQPER
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import MICROSECONDS, Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.sqlite.database import Reading

SECOND = MICROSECONDS
PERSISTENT, FAST = MQPER.PERSISTENT, MQPER.NOT_PERSISTENT
AT_QM1 = (
    "DEFINE QLOCAL(X) USAGE(XMITQ) MAXDEPTH(10000)",
    "DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)",
    "DEFINE QLOCAL(DLQ)",
    "DEFINE QLOCAL(REPLIES)",
    "ALTER QMGR DEADQ(DLQ) CHLEV(ENABLED)",
)
AT_QM2 = (
    "DEFINE QLOCAL(Q)",
    "DEFINE QLOCAL(DLQ)",
    "DEFINE QLOCAL(QM1) USAGE(XMITQ)",
    "ALTER QMGR DEADQ(DLQ) CHLEV(ENABLED)",
    "DEFINE CHANNEL(C) CHLTYPE(RCVR)",
)


def _keep_running(qmgr: QueueManager, name: str, settings: RunSettings) -> Run:
    """Run a channel, and again as long as it is to be retried."""
    while True:
        ending = yield from run_channel(qmgr, name, settings)
        if ending.status != MQCHS.RETRYING:
            return ending
        while True:
            found = [each for each in channel_status.instances(qmgr, name) if not each.partner]
            status = found[0].status if found else MQCHS.INACTIVE
            if status not in (MQCHS.RETRYING, MQCHS.STARTING) or settings.stop():
                return ending._replace(status=status)
            retry_at = found[0].retry_at
            if status == MQCHS.STARTING or retry_at is None or qmgr.now() >= retry_at:
                break
            yield Wait(qmgr, retry_at, (qmgr.store,))


class Network:
    """QM1 and QM2. Both are in `store` unless `other` is given; they may be there already, with
    their objects.
    """

    def __init__(
        self,
        store: Store,
        environment: Environment[FrozenClock],
        other: Store | None = None,
        address: str = "local(QM2)",
    ) -> None:
        self.clock = environment.clock
        is_new = not store.queue_managers()
        self.qm1, self.qm2 = (
            where.create_queue_manager(name) if is_new else where.queue_manager(name)
            for where, name in ((store, "QM1"), (other or store, "QM2"))
        )
        self.reports: list[str] = []
        self.steps: list[tuple[Step, int]] = []
        # A run that is garbage-collected would end.
        self.runs: list[Driven] = []
        self._initiator: Connection | None = None
        if is_new:
            self.define(address)

    def define(self, address: str = "local(QM2)") -> None:
        """Define the objects of both."""
        self.at1(*AT_QM1, f"DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('{address}')")
        self.at2(*AT_QM2)

    def at1(self, *commands: str) -> None:
        mqsc(self.qm1, *commands)

    def at2(self, *commands: str) -> None:
        mqsc(self.qm2, *commands)

    def initiator(self) -> None:
        """Let a program read SYSTEM.CHANNEL.INITQ of QM1."""
        self._initiator = self.qm1.connect("runmqchi")
        self._initiator.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)

    def end_initiator(self) -> None:
        """End that program."""
        assert self._initiator is not None
        self._initiator.disconnect()

    def settings(
        self,
        hook: Callable[[Step, int], None] | None = None,
        *,
        until_empty: bool = False,
    ) -> RunSettings:
        def observe(step: Step, number: int) -> None:
            self.steps.append((step, number))
            if hook is not None:
                hook(step, number)

        return RunSettings(until_empty, self.reports.append, observe)

    def start(
        self,
        hook: Callable[[Step, int], None] | None = None,
        *,
        until_empty: bool = False,
    ) -> Driven:
        """Start the channel and run it until it waits."""
        return Driven(
            run_channel(self.qm1, "C", self.settings(hook, until_empty=until_empty)),
            self,
        )

    def keep(self, hook: Callable[[Step, int], None] | None = None) -> Driven:
        """Run the channel as an initiator does, with its retries."""
        return Driven(_keep_running(self.qm1, "C", self.settings(hook)), self)

    def drain(self) -> Ending:
        """Run the channel until its transmission queue is empty."""
        ending = self.start(until_empty=True).ending
        assert ending is not None
        return ending

    def put(
        self,
        *texts: str,
        queue: str = "RQ",
        qmgr: QueueManager | None = None,
        **fields: object,
    ) -> None:
        """Put messages, which are persistent unless the given fields say otherwise."""
        given = {"persistence": int(PERSISTENT), "format": "MQSTR", **fields}
        with (qmgr or self.qm1).connect("app") as connection:
            for text in texts:
                connection.put1(queue, Message(text.encode(), MessageDescriptor(**given)))  # type: ignore[arg-type]

    def texts(self, queue: str = "Q", qmgr: QueueManager | None = None) -> list[str]:
        """Return the data of the messages on a queue that a program can get."""
        return [message.body.decode() for message in self.messages(queue, qmgr or self.qm2)]

    def messages(self, queue: str, qmgr: QueueManager) -> list[Message]:
        found: list[Message] = []
        with qmgr.connect("looking") as connection:
            handle = connection.open(queue, MQOO.BROWSE)
            with suppress(MQError):
                while True:
                    found.append(handle.get(GetMessageOptions(MQGMO.BROWSE_NEXT)))
        return found

    def depth(self, queue: str, qmgr: QueueManager | None = None) -> int:
        return int(row(qmgr or self.qm1, f"DISPLAY QLOCAL({queue}) CURDEPTH")["CURDEPTH"])

    def sender(self) -> ChannelInstance | None:
        """Return the status of the sending end."""
        return next(
            (each for each in channel_status.instances(self.qm1, "C") if not each.partner),
            None,
        )

    def receiver(self) -> ChannelInstance | None:
        """Return the status of the receiving end that QM1 called."""
        return next(
            (each for each in channel_status.instances(self.qm2, "C") if each.partner == "QM1"),
            None,
        )

    def status(self) -> str:
        """Return the name of the sending end's status."""
        found = self.sender()
        return "INACTIVE" if found is None else found.status.name

    def numbers(self) -> tuple[int, int]:
        """Return LSTSEQNO in the synchronization records of both ends."""
        return record(self.qm1, "C", "sender", "QM2"), record(self.qm2, "C", "receiver", "QM1")

    def said(self, *ids: str) -> bool:
        """Return whether messages with these ids were reported."""
        return all(any(f"{each}:" in line for line in self.reports) for each in ids)


class Driven:
    """A run that the test drives: `wait` is what it is waiting for, `ending` its result."""

    def __init__(self, run: Run, network: Network) -> None:
        self._run = run
        self._network = network
        network.runs.append(self)
        self.wait: Wait | None = None
        self.ending: Ending | None = None
        self.resume()

    def resume(self) -> Driven:
        """Let the run do all that is possible without waiting."""
        try:
            self.wait = next(self._run)
        except StopIteration as ended:
            self.wait, self.ending = None, ended.value
        return self

    def after(self, seconds: float) -> Driven:
        """Advance the clock, stopping at every deadline on the way, and resume."""
        clock = self._network.clock
        until = clock.now() + round(seconds * MICROSECONDS)
        while self.wait is not None and self.wait.until is not None and self.wait.until <= until:
            clock.set(max(clock.now(), self.wait.until))
            self.resume()
        clock.set(until)
        if self.wait is not None:
            self.resume()
        return self

    def close(self) -> None:
        """End the run as if its program were killed."""
        self._run.close()


def broken_at(step: Step, number: int = 0, *, times: int = 1) -> Callable[[Step, int], None]:
    """Return a hook that breaks the link at a step, `times` times."""
    left = [times]

    def hook(at: Step, message: int) -> None:
        if at is step and message == number and left[0]:
            left[0] -= 1
            raise LinkBrokenError("local(QM2)", "QM1")

    return hook


def mqsc(qmgr: QueueManager, *commands: str) -> list[str]:
    """Run commands that must succeed; return the ids of their messages."""
    replies = run(qmgr, "\n".join(commands))
    assert not [reply for reply in replies if reply.completion], [reply.text for reply in replies]
    return [reply.message_id for reply in replies]


def answer(qmgr: QueueManager, command: str) -> str:
    """Run a command that may fail; return the id of its message."""
    (reply,) = run(qmgr, command)
    return reply.message_id


def row(qmgr: QueueManager, command: str) -> dict[str, str | int]:
    """Run a DISPLAY command; return the only row of its reply."""
    (reply,) = run(qmgr, command)
    (found,) = reply.rows
    return dict(found)


def record(qmgr: QueueManager, channel: str, role: str, partner: str) -> int:
    """Return the sequence number in the synchronization record of an end, or 0 without a record."""
    with qmgr.connect("looking") as connection:
        definition: dict[str, Stored] = {}
        end = ChannelEnd(qmgr, channel, role, definition, print)
        return SyncRecords(connection, end, PartnerIdentity(partner)).read().sequence


def events(qmgr: QueueManager, kind: str, owner: str = "") -> list[dict[str, Any]]:
    """Return the events of a kind, oldest first, as dicts by column: those of a queue manager,
    or of another owner.
    """
    with Reading(qmgr.store.database) as reading:
        rows = reading.connection.execute(
            "SELECT * FROM event WHERE qmgr = ? AND kind = ? ORDER BY seq",
            (owner or qmgr.name, kind),
        )
        names = [each[0] for each in rows.description]
        return [dict(zip(names, each, strict=True)) for each in rows.fetchall()]
