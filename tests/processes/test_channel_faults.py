"""The kill matrix of channels (poison-and-channels §4): after every fault, restart and drain, the seven points hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from signal import SIGKILL
from typing import NamedTuple

import pytest

from mqsc.channels.link import Step
from store.admin.channel import status
from store.constants import MQCHS, MQOO
from tests.processes.channel_cells import CELLS, MOMENTS, Cell, Killer
from tests.processes.channel_oracle import Sent, faults
from tests.processes.channel_world import MESSAGES, OWN, PARTNER, Bench, Kind, World, breaks, nothing, opened, set_speed
from tests.processes.disks import SmallFileSystem, small_file_system

every_cell = pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)


def begun(world: World, cell: Cell) -> list[Sent]:
    """Put the messages of a cell."""
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
def test_the_runner_is_killed(cell: Cell, bench: Bench, killer: Killer) -> None:
    folders = bench.begin(two=cell.two)
    with opened(folders) as world:
        sent = begun(world, cell)
    assert killer.play(cell, folders) == (SIGKILL if cell.is_reached else 0)
    with opened(folders) as world:
        holds(world, sent)


class Disks(NamedTuple):
    """The disks of the two ends, and the stores on them."""

    bench: Bench
    by_end: Mapping[str, SmallFileSystem]


@pytest.fixture(scope="module")
def disks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disks]:
    """Two disks that can be filled."""
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
    """When the run failed, its status could not be written; the same process corrects it once there is space."""
    disk = disks.by_end[OWN]
    with opened(disks.bench.begin(two=True)) as world, world.qm1.connect("runmqchi") as initiator:
        initiator.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)
        sent = world.put(Kind.PERSISTENT, range(1, MESSAGES + 1))
        without_reserve(disk)
        at_confirmation = next(each for each in MOMENTS if each.name == "S5 before")
        try:
            ending = world.run(at_confirmation.hook(lambda step, number: disk.fill()))
        finally:
            disk.free()
        assert (ending.status, ending.failed) == (MQCHS.RETRYING, True)
        (found,) = status.instances(world.qm1, "C")
        assert (found.status, found.process, found.retry_at) == (MQCHS.RETRYING, None, ending.retry_at)
        assert not world.run(nothing).failed
        assert faults(world.route(idle=["runmqchi"]), sent) == []
