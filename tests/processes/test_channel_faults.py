"""The kill matrix of channels (poison-and-channels §4): after every fault, restart and drain, the
seven points hold.

Also what a process that is killed leaves, in particular while a batch is in doubt (H40 to H45,
L50).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from signal import SIGKILL
from typing import NamedTuple

import pytest

from mqsc.channels.link import Step
from mqsc.store.admin.channel import status
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS, MQIACF, MQOO, MQRQ
from mqsc.store.headers import pcf
from tests.conftest import START
from tests.processes.channel_oracle import Sent, faults
from tests.processes.channel_world import (
    MESSAGES,
    OWN,
    PARTNER,
    Bench,
    Folders,
    Hook,
    Kind,
    World,
    breaks,
    nothing,
    opened,
    set_speed,
)
from tests.processes.disks import SmallFileSystem, small_file_system
from tests.processes.programs import Program
from tests.rows import rows
from tests.scenarios.channel_bench import answer, events, mqsc, row

SECOND = 1_000_000
HOUR = 3600 * SECOND


class Point(NamedTuple):
    """A moment of a run: the step, the number of the message, and how many times to let the step
    pass before acting.
    """

    name: str
    step: Step
    number: int = 0
    passed: int = 1

    def hook(self, act: Hook) -> Hook:
        left = [self.passed]

        def hook(step: Step, number: int) -> None:
            if (step, number) == (self.step, self.number):
                left[0] -= 1
                if left[0] < 0:
                    act(step, number)

        return hook


# All are in the second batch of three; its second message is retried and dead-lettered.
MOMENTS = (
    Point("S1", Step.S1, 2),
    *(
        Point(f"{step.value} {name}", step, at)
        for step in (Step.S2, Step.R1)
        for at, name in enumerate(("first", "middle", "last"), 1)
    ),
    *(Point("S3", Step.S3), Point("S4 before", Step.S4_BEFORE), Point("S4 after", Step.S4_AFTER)),
    *(
        Point("R2 before", Step.R2_BEFORE),
        Point("R2 after", Step.R2_AFTER),
        Point("S5 before", Step.S5_BEFORE),
    ),
    *(Point("S5 after", Step.S5_AFTER), Point("retry wait", Step.RETRY_WAIT, 2, passed=0)),
    Point("dead-letter put", Step.DEAD_LETTER, 2, passed=0),
)
# Batches of FAST messages alone have no sequence number and are not prepared.
_NUMBERED = frozenset({Step.S4_BEFORE, Step.S4_AFTER, Step.S5_BEFORE, Step.S5_AFTER})


class Cell(NamedTuple):
    """A moment, the kind of the messages, and whether each queue manager has its own store."""

    moment: Point
    kind: Kind
    two: bool

    @property
    def name(self) -> str:
        return f"{self.moment.name}, {self.kind.value}, {'two stores' if self.two else 'one store'}"

    @property
    def is_reached(self) -> bool:
        return self.kind is not Kind.FAST or self.moment.step not in _NUMBERED


CELLS = [Cell(moment, kind, two) for two in (False, True) for kind in Kind for moment in MOMENTS]
BY_NAME = {moment.name: moment for moment in MOMENTS}
every_cell = pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)


def run_until_killed(cell: Cell, folders: Folders) -> None:
    """Run the channel; at the moment of the cell this process kills itself, as `kill -9` does."""
    with opened(folders) as world:
        ending = world.run(cell.moment.hook(lambda step, number: os.kill(os.getpid(), SIGKILL)))
        assert ending.status == MQCHS.INACTIVE


def end_of_runner(cell: Cell, folders: Folders) -> int:
    """Run the channel in another process; return how that ended."""
    with Program(run_until_killed, cell, folders) as program:
        return program.wait()


def begun(world: World, cell: Cell) -> list[Sent]:
    set_speed(world, cell.kind)
    return world.put(cell.kind, range(1, MESSAGES + 1))


def holds(world: World, sent: Sequence[Sent]) -> None:
    """Drain the channel with another run, and check every point of the oracle."""
    ending = world.run(nothing)
    assert not ending.failed, ending
    assert faults(world.route(), sent) == []


@every_cell
def test_the_link_breaks(cell: Cell, bench: Bench) -> None:
    with opened(bench.begin(two=cell.two)) as world:
        sent = begun(world, cell)
        assert world.run(cell.moment.hook(breaks)).failed == cell.is_reached
        holds(world, sent)


@every_cell
def test_the_runner_is_killed(cell: Cell, bench: Bench) -> None:
    folders = bench.begin(two=cell.two)
    with opened(folders) as world:
        sent = begun(world, cell)
    assert end_of_runner(cell, folders) == (-SIGKILL if cell.is_reached else 0)
    with opened(folders) as world:
        holds(world, sent)


class Disks(NamedTuple):
    """The disks of the two ends, and the stores on them."""

    bench: Bench
    by_end: Mapping[str, SmallFileSystem]


@pytest.fixture(scope="module")
def disks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disks]:
    make = tmp_path_factory.mktemp
    with ExitStack() as stack:
        mounted = {end: stack.enter_context(small_file_system(make(end))) for end in (OWN, PARTNER)}
        small = {end: disk for end, disk in mounted.items() if isinstance(disk, SmallFileSystem)}
        yield Disks(Bench(make("templates"), small[OWN].folder, small[PARTNER].folder), small)


def without_reserve(disk: SmallFileSystem) -> None:
    """Disable the reserve, so that even removing messages finds no space."""
    for kept in disk.folder.glob("*.reserve"):
        kept.unlink()
        kept.mkdir()


@pytest.mark.parametrize("reserve", [True, False], ids=["with a reserve", "without a reserve"])
@pytest.mark.parametrize(
    ("cell", "end"),
    [
        pytest.param(cell, end, id=f"{cell.name}, at the {end}")
        for cell in CELLS
        for end in (OWN, PARTNER)
        # Both ends are on the same disk.
        if cell.two or end == OWN
    ],
)
def test_the_disk_is_full(cell: Cell, end: str, disks: Disks, *, reserve: bool) -> None:
    """The run may fail, or complete with the reserve, but it always returns an Ending."""
    disk = disks.by_end[end]

    def fill(step: Step, number: int) -> None:
        if not (disk.folder / "ballast").exists():
            disk.fill()

    with opened(disks.bench.begin(two=cell.two)) as world:
        sent = begun(world, cell)
        if not reserve:
            without_reserve(disk)
        try:
            world.run(cell.moment.hook(fill))
        finally:
            disk.free()
        holds(world, sent)


def test_an_initiator_retries_a_channel_whose_disk_was_full(disks: Disks) -> None:
    """When the run failed, its status could not be written; the same process corrects it once
    there is space.
    """
    disk = disks.by_end[OWN]
    with opened(disks.bench.begin(two=True)) as world, world.qm1.connect("runmqchi") as initiator:
        initiator.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)
        sent = world.put(Kind.PERSISTENT, range(1, MESSAGES + 1))
        without_reserve(disk)
        try:
            ending = world.run(BY_NAME["S5 before"].hook(lambda step, number: disk.fill()))
        finally:
            disk.free()
        assert (ending.status, ending.failed) == (MQCHS.RETRYING, True)
        (found,) = status.instances(world.qm1, "C")
        assert (found.status, found.process, found.retry_at) == (
            MQCHS.RETRYING,
            None,
            ending.retry_at,
        )
        assert not world.run(nothing).failed
        assert faults(world.route(idle=["runmqchi"]), sent) == []


@pytest.fixture(params=[False, True], ids=["one store", "two stores"])
def folders(request: pytest.FixtureRequest, bench: Bench) -> Folders:
    """Two queue managers and a channel with batches of three."""
    return bench.begin(two=request.param)


Killed = Callable[[str], list[Sent]]


@pytest.fixture
def killed(folders: Folders) -> Killed:
    """Put eight messages; kill the process that runs the channel at a moment of the second batch
    of three.
    """

    def kill(moment: str) -> list[Sent]:
        with opened(folders) as world:
            sent = world.put(Kind.PERSISTENT, range(1, MESSAGES + 1))
        assert (
            end_of_runner(Cell(BY_NAME[moment], Kind.PERSISTENT, folders.two), folders) == -SIGKILL
        )
        return sent

    return kill


def depth(qmgr: QueueManager, queue: str) -> int:
    return int(row(qmgr, f"DISPLAY QLOCAL({queue}) CURDEPTH")["CURDEPTH"])


def saved(world: World) -> dict[str, str | int]:
    return row(world.qm1, "DISPLAY CHSTATUS(C) SAVED INDOUBT CURLUWID LSTLUWID LSTSEQNO")


@rows(("S4 after", 3), ("R2 before", 3), ("R2 after", 5), ("S5 before", 5))
def test_h40_h41_h42_a_batch_in_doubt(
    folders: Folders,
    killed: Killed,
    moment: str,
    arrived: int,
) -> None:
    """Three messages arrive with the first batch, and two with the second, whose third is
    dead-lettered.
    """
    sent = killed(moment)
    with opened(folders) as world:
        found = saved(world)
        assert found["INDOUBT"] == "YES"
        assert found["CURLUWID"] != found["LSTLUWID"]
        assert [unit.gets for unit in world.qm1.in_doubt()] == [3 + 1]
        assert (depth(world.qm2, "Q"), depth(world.qm1, "X")) == (arrived, 2)
        assert not world.run(nothing).failed
        assert (saved(world)["INDOUBT"], faults(world.route(), sent)) == ("NO", [])


@rows(
    ("R2 after", "COMMIT", 2, 7),
    ("R2 before", "BACKOUT", 5, 7),
    # The wrong decision loses or duplicates messages.
    ("R2 before", "COMMIT", 2, 5),
    ("R2 after", "BACKOUT", 5, 9),
)
def test_h43_resolve_by_hand(
    folders: Folders,
    killed: Killed,
    moment: str,
    action: str,
    left: int,
    there: int,
) -> None:
    killed(moment)
    with opened(folders) as world:
        assert mqsc(world.qm1, f"RESOLVE CHANNEL(C) ACTION({action})") == ["AMQ8025I"]
        assert (depth(world.qm1, "X"), world.qm1.in_doubt()) == (left, [])
        if world.run(nothing).failed:
            # After the wrong decision, the sequence numbers of the two ends differ.
            mqsc(world.qm1, "RESET CHANNEL(C) SEQNUM(100)")
            assert not world.run(nothing).failed
        assert depth(world.qm2, "Q") == there


@rows("S4 after", "R2 after")
def test_h44_nothing_that_is_in_doubt_expires(
    folders: Folders,
    killed: Killed,
    moment: str,
) -> None:
    """The last two messages are not in doubt and expire; the others expire only once known not
    to have arrived.
    """
    sent = killed(moment)
    with opened(folders, START + 2 * HOUR) as world:
        mqsc(world.qm1, "REFRESH QMGR TYPE(EXPIRY) NAME(X)")
        assert ([unit.gets for unit in world.qm1.in_doubt()], depth(world.qm1, "REPLIES")) == (
            [3 + 1],
            2,
        )
        assert not world.run(nothing).failed
        assert depth(world.qm1, "REPLIES") == (2 if moment == "R2 after" else 5)
        assert faults(world.route(), sent) == []


def test_h45_what_a_batch_in_doubt_forbids(folders: Folders, killed: Killed) -> None:
    sent = killed("R2 after")
    with opened(folders) as world:
        assert answer(world.qm1, "RESET CHANNEL(C) SEQNUM(1)") == "AMQ9507E"
        assert answer(world.qm1, "DELETE CHANNEL(C)") == "AMQ9507E"
        assert answer(world.qm1, "CLEAR QLOCAL(X)") == "AMQ8143E"
        world.qm1.end(immediate=True)
        world.qm1.start()
        assert saved(world)["INDOUBT"] == "YES"
        assert not world.run(nothing).failed
        assert faults(world.route(), sent) == []


def test_l50_without_an_initiator_a_killed_channel_is_inactive(
    folders: Folders,
    killed: Killed,
) -> None:
    killed("S2 middle")
    with opened(folders) as world:
        assert answer(world.qm1, "DISPLAY CHSTATUS(C)") == "AMQ8420I"
        assert answer(world.qm2, "DISPLAY CHSTATUS(C)") == "AMQ8420I"


def test_l50_with_an_initiator_it_is_retried(folders: Folders, killed: Killed) -> None:
    killed("S2 middle")
    with opened(folders) as world, world.qm1.connect("runmqchi") as initiator:
        mqsc(world.qm1, "ALTER QMGR CHLEV(EXCEPTION)")
        mqsc(world.qm2, "ALTER QMGR CHLEV(EXCEPTION)")
        initiator.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)
        (found,) = senders(world)
        assert status.instances(world.qm2, "C") == []
        address = found.figures["CONNAME"]
        assert left_by_kill(world.qm1) == ("retry", address, 2283, int(MQRQ.CHANNEL_STOPPED_RETRY))
        assert left_by_kill(world.qm2) == ("failed", "QM1", 2283, int(MQRQ.CHANNEL_STOPPED_ERROR))
        assert (found.status, found.retry_at) == (MQCHS.RETRYING, START + 60 * SECOND)
        assert found.figures["SHORTRTS"] == 9


def left_by_kill(qmgr: QueueManager) -> tuple[str, str, int, int]:
    """Cause of the last CHANNEL event, the partner in its message; reason and qualifier of the
    event message.
    """
    last = events(qmgr, "CHANNEL")[-1]
    message = str(json.loads(last["detail"])["message"])
    found = re.fullmatch(
        r"AMQ9999E: .* to host '(.*)' ended abnormally: the program that ran it was killed\.",
        message,
    )
    assert found is not None, message
    with qmgr.connect("looking") as connection:
        body = connection.open("SYSTEM.ADMIN.CHANNEL.EVENT", MQOO.INPUT_SHARED).get().body
    header, parameters = pcf.unpack(body)
    (qualifier,) = (each.value for each in parameters if each.number == MQIACF.REASON_QUALIFIER)
    assert isinstance(qualifier, int)
    return last["cause"], found[1], int(header.reason), qualifier


def senders(world: World) -> list[status.ChannelInstance]:
    return [each for each in status.instances(world.qm1, "C") if not each.partner]


def test_v01_v02_two_failures_in_the_same_second(folders: Folders, killed: Killed) -> None:
    """The batch that the second run leaves in doubt has a LUWID other than that of the committed
    first one.
    """
    sent = killed("R2 after")
    with opened(folders) as world:
        world.run(BY_NAME["S4 after"]._replace(passed=0).hook(breaks))
        assert len(world.qm1.in_doubt()) == 1
        assert not world.run(nothing).failed
        assert faults(world.route(), sent) == []
