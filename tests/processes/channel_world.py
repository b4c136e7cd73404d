"""Two queue managers and a channel, in stores that are copied afresh for each fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from mqsc.channels.attempt import RunSettings
from mqsc.channels.channel_run import run_channel
from mqsc.channels.link import Step
from mqsc.channels.run_failures import LinkBrokenError
from mqsc.channels.steps import Ending
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQPER, MQPMO, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Clock, Environment, FrozenClock
from mqsc.store.message import Message, PutMessageOptions
from tests.processes.channel_oracle import Route, Sent, identifier
from tests.scenarios.channel_bench import mqsc
from tests.shared import START

Hook = Callable[[Step, int], None]
ONE, OTHER = "one.db", "other.db"
OWN, PARTNER = "sender", "receiver"
BATCH = 3
# Three batches; the second one contains a message that is dead-lettered after a retry.
MESSAGES, UNDELIVERABLE, UNDELIVERABLE_EVERY = 8, 2, 23
LIFETIME_TENTHS = 36_000
LENGTH = 3000
MANY = 999_999


class Kind(Enum):
    """Persistence and NPMSPEED of the messages of a cell."""

    PERSISTENT = "persistent"
    NORMAL = "NORMAL"
    FAST = "FAST"
    MIXED = "mixed"

    @property
    def speed(self) -> str:
        return "NORMAL" if self is Kind.NORMAL else "FAST"

    def is_persistent(self, number: int) -> bool:
        return self is Kind.PERSISTENT or (self is Kind.MIXED and number // 2 % 2 == 0)

    def is_fast(self, number: int) -> bool:
        return self.speed == "FAST" and not self.is_persistent(number)


class World:
    """The two queue managers, opened by this process. With `two`, each has its own store."""

    def __init__(self, folders: Folders, clock_at: int | None = START) -> None:
        self.folders = folders
        environment: Environment[Clock] = (
            Environment.system() if clock_at is None else Environment.frozen(clock_at)
        )
        self.clock = environment.clock
        self.store = open_store(folders.url, environment)
        self.other = open_store(folders.other_url, environment) if folders.two else self.store

    @property
    def qm1(self) -> QueueManager:
        return self.store.queue_manager("QM1")

    @property
    def qm2(self) -> QueueManager:
        return self.other.queue_manager("QM2")

    @property
    def stores(self) -> tuple[Store, ...]:
        return (self.store, self.other) if self.folders.two else (self.store,)

    def close(self) -> None:
        for each in self.stores:
            each.close()

    def route(self, channel: str = "C", idle: Sequence[str] = ()) -> Route:
        suffix = channel.removeprefix("C")
        return Route(self.qm1, self.qm2, channel, f"X{suffix}", f"Q{suffix}", idle=frozenset(idle))

    def put(
        self,
        kind: Kind,
        numbers: Sequence[int],
        channel: str = "C",
        lifetime: Callable[[], int] = lambda: LIFETIME_TENTHS,
    ) -> list[Sent]:
        """Put messages for the channel in one unit of work. Every UNDELIVERABLE_EVERY-th cannot
        be delivered.
        """
        suffix = channel.removeprefix("C")
        sent = [Sent(number, 4 + number % 2, kind.is_fast(number)) for number in numbers]
        with self.qm1.connect("app") as connection:
            handles = [connection.open(name + suffix, MQOO.OUTPUT) for name in ("RQ", "RFULL")]
            for each in sent:
                descriptor = MessageDescriptor(
                    persistence=int(
                        MQPER.PERSISTENT
                        if kind.is_persistent(each.number)
                        else MQPER.NOT_PERSISTENT,
                    ),
                    msg_id=identifier(channel, each.number),
                    priority=each.priority,
                    expiry=lifetime(),
                    report=int(MQRO.EXPIRATION),
                    reply_to_q="REPLIES",
                )
                body = each.body(channel).ljust(LENGTH, b".")
                is_undeliverable = each.number % UNDELIVERABLE_EVERY == UNDELIVERABLE
                handles[is_undeliverable].put(
                    Message(body, descriptor),
                    PutMessageOptions(MQPMO.SYNCPOINT),
                )
            connection.commit()
        return sent

    def run(self, hook: Hook, channel: str = "C") -> Ending:
        """Run the channel until its transmission queue is empty, advancing the clock for its
        waits.
        """
        assert isinstance(self.clock, FrozenClock)
        run = run_channel(self.qm1, channel, RunSettings(until_empty=True, hook=hook))
        try:
            while True:
                wait = next(run)
                assert wait.until is not None, "the run would wait forever"
                self.clock.set(max(self.clock.now(), wait.until))
        except StopIteration as ended:
            ending: Ending = ended.value
            return ending


class Folders(NamedTuple):
    """The folders of the stores. With one store, only `own` is used."""

    own: Path
    partner: Path
    two: bool

    @property
    def url(self) -> str:
        return f"sqlite:///{self.own / ONE}"

    @property
    def other_url(self) -> str:
        return f"sqlite:///{self.partner / OTHER}"

    def copy_from(self, template: Folders) -> None:
        self._copy(template.own / ONE, self.own)
        if self.two:
            self._copy(template.partner / OTHER, self.partner)

    def _copy(self, file: Path, folder: Path) -> None:
        for each in folder.glob(f"{file.name}*"):
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        shutil.copyfile(file, folder / file.name)


@contextmanager
def opened(folders: Folders, clock_at: int | None = START) -> Iterator[World]:
    world = World(folders, clock_at)
    try:
        yield world
    finally:
        world.close()


def build(
    folders: Folders,
    address_of: Folders,
    batch_sizes: Mapping[str, int] = {"C": BATCH},
) -> None:
    """Create and close the stores, with channels that look for the partner in the folders of
    `address_of`.
    """
    address = f"{address_of.other_url}(QM2)" if folders.two else "local(QM2)"
    with open_store(folders.url, Environment.frozen(START)) as store:
        store.create_queue_manager("QM1")
        if not folders.two:
            store.create_queue_manager("QM2")
    if folders.two:
        with open_store(folders.other_url, Environment.frozen(START)) as other:
            other.create_queue_manager("QM2")
    with opened(folders) as world:
        mqsc(
            world.qm1,
            f"DEFINE QLOCAL(DLQ) MAXDEPTH({MANY})",
            "DEFINE QLOCAL(REPLIES)",
            "ALTER QMGR DEADQ(DLQ)",
        )
        mqsc(world.qm2, f"DEFINE QLOCAL(DLQ) MAXDEPTH({MANY})", "DEFINE QLOCAL(QM1) USAGE(XMITQ)")
        mqsc(world.qm2, "DEFINE QLOCAL(FULL) MAXDEPTH(0)", "ALTER QMGR DEADQ(DLQ)")
        for channel, size in batch_sizes.items():
            _define(world, channel, size, address)


def _define(world: World, channel: str, size: int, address: str) -> None:
    suffix = channel.removeprefix("C")
    queue = f"X{suffix}"
    mqsc(
        world.qm1,
        f"DEFINE QLOCAL({queue}) USAGE(XMITQ) MAXDEPTH({MANY})",
        f"DEFINE QREMOTE(RQ{suffix}) RNAME(Q{suffix}) RQMNAME(QM2) XMITQ({queue})",
        f"DEFINE QREMOTE(RFULL{suffix}) RNAME(FULL) RQMNAME(QM2) XMITQ({queue})",
        f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) XMITQ({queue}) CONNAME('{address}') "
        f"BATCHSZ({size})",
    )
    mqsc(
        world.qm2,
        f"DEFINE QLOCAL(Q{suffix}) MAXDEPTH({MANY})",
        f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR) BATCHSZ({size}) MRRTY(1) MRTMR(1000)",
    )


class Bench:
    """Template stores, copied to the folders of the two ends for each cell."""

    def __init__(self, templates: Path, own: Path, partner: Path) -> None:
        self._working = (own, partner)
        self._templates: dict[bool, Folders] = {}
        for two in (False, True):
            folder = templates / ("two" if two else "one")
            folder.mkdir(parents=True)
            self._templates[two] = Folders(folder, folder, two)
            build(self._templates[two], Folders(own, partner, two))

    def begin(self, *, two: bool) -> Folders:
        """Return folders with fresh stores that hold no messages yet."""
        folders = Folders(*self._working, two)
        folders.copy_from(self._templates[two])
        return folders


def set_speed(world: World, kind: Kind, channel: str = "C") -> None:
    mqsc(world.qm1, f"ALTER CHANNEL({channel}) CHLTYPE(SDR) NPMSPEED({kind.speed})")
    mqsc(world.qm2, f"ALTER CHANNEL({channel}) CHLTYPE(RCVR) NPMSPEED({kind.speed})")


def nothing(step: Step, number: int) -> None:
    """A hook that does nothing."""


def breaks(step: Step, number: int) -> None:
    raise LinkBrokenError("local(QM2)", "QM1")
