"""The kill matrix of channels (poison-and-channels §4): after every fault, restart and drain the seven points hold."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from signal import SIGKILL
from typing import NamedTuple

import pytest

from mqsc.channels.faults import LinkBrokenError
from mqsc.channels.link import Step
from tests.processes.channel_cells import CELLS, Cell, request
from tests.processes.channel_oracle import Sent, faults
from tests.processes.channel_world import MESSAGES, Folders, World, build, nothing, opened, set_speed
from tests.processes.disks import SmallFileSystem, small_file_system
from tests.source import ROOT

OWN, PARTNER = "sender", "receiver"
every_cell = pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)


class Bench:
    """Stores that are made once, and copied to the folders of the two ends for each cell."""

    def __init__(self, templates: Path, own: Path, partner: Path) -> None:
        self._working = (own, partner)
        self._templates = {}
        for two in (False, True):
            folder = templates / ("two" if two else "one")
            folder.mkdir(parents=True)
            self._templates[two] = Folders(folder, folder, two)
            build(self._templates[two], Folders(own, partner, two))

    def begin(self, cell: Cell) -> Folders:
        """Stores as the cell begins with them."""
        folders = Folders(*self._working, cell.two)
        folders.copy_from(self._templates[cell.two])
        return folders


def begun(world: World, cell: Cell) -> list[Sent]:
    """The messages of a cell are put."""
    set_speed(world, cell.kind)
    return world.put(cell.kind, range(1, MESSAGES + 1))


def holds(world: World, sent: Sequence[Sent]) -> None:
    """Another run moves what is left, and every point of the oracle holds."""
    ending = world.run(nothing)
    assert not ending.failed, ending
    assert faults(world.route(), sent) == []


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Stores in ordinary folders."""
    make = tmp_path_factory.mktemp
    return Bench(make("templates"), make(OWN), make(PARTNER))


@pytest.fixture(scope="module")
def killer() -> Iterator[subprocess.Popen[str]]:
    """A program that forks others, which kill themselves."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-m", "tests.processes.channel_cells"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, bufsize=1) as program:
        yield program
        assert program.stdin is not None
        program.stdin.close()


def breaks(step: Step, number: int) -> None:
    """The connection of the two ends is lost."""
    raise LinkBrokenError("local(QM2)", "QM1")


@every_cell
def test_the_link_breaks(cell: Cell, bench: Bench) -> None:
    with opened(bench.begin(cell)) as world:
        sent = begun(world, cell)
        assert world.run(cell.moment.hook(breaks)).failed == cell.is_reached
        holds(world, sent)


@every_cell
def test_the_runner_is_killed(cell: Cell, bench: Bench, killer: subprocess.Popen[str]) -> None:
    folders = bench.begin(cell)
    with opened(folders) as world:
        sent = begun(world, cell)
    assert killer.stdin is not None
    assert killer.stdout is not None
    killer.stdin.write(request(cell, folders) + "\n")
    assert int(killer.stdout.readline()) == (SIGKILL if cell.is_reached else 0)
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
    """The run may fail, or go on with the reserve; it never ends otherwise than by an Ending."""
    disk = disks.by_end[end]

    def fill(step: Step, number: int) -> None:
        if not (disk.folder / "ballast").exists():
            disk.fill()

    with opened(disks.bench.begin(cell)) as world:
        sent = begun(world, cell)
        if not reserve:
            for kept in disk.folder.glob("*.reserve"):
                kept.unlink()
                kept.mkdir()
        try:
            world.run(cell.moment.hook(fill))
        finally:
            disk.free()
        holds(world, sent)
