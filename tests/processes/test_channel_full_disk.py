"""A full disk at one end of a channel: the channel ends with a message, and continues once there is space."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mqsc.channels.link import Step
from store.client.open_store import open_store
from store.environment import Environment
from tests.conftest import START
from tests.processes.disks import Disk, small_file_system
from tests.scenarios.channel_bench import Network

TEXTS = [str(number).rjust(20_000, ".") for number in range(20)]
STEPS = [Step.S1, Step.S2, Step.R1, Step.S3, Step.S4_BEFORE, Step.S4_AFTER, Step.R2_BEFORE, Step.R2_AFTER]


@pytest.fixture(params=["sender", "receiver"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Disk, Network]]:
    """A network of two stores, one of them on a disk that can be filled."""
    folder = tmp_path / "disk"
    folder.mkdir()
    environment = Environment.frozen(at=START)
    with small_file_system(folder) as disk, ExitStack() as stack:
        stack.callback(disk.free)
        folders = (folder, tmp_path) if request.param == "sender" else (tmp_path, folder)
        urls = [f"sqlite:///{each / name}.db" for each, name in zip(folders, ("one", "two"), strict=True)]
        stores = [stack.enter_context(open_store(url, environment)) for url in urls]
        net = Network(stores[0], environment, stores[1], f"{urls[1]}(QM2)")
        net.initiator()
        yield disk, net


@pytest.mark.parametrize("step", [*STEPS, Step.S5_BEFORE])
def test_nothing_is_lost_or_duplicated(place: tuple[Disk, Network], step: Step) -> None:
    disk, net = place
    filled: list[Step] = []

    def fill(at: Step, number: int) -> None:
        if at is step and not filled:
            filled.append(at)
            disk.fill()

    net.put(*TEXTS)
    run = net.start(fill)
    assert filled == [step]
    disk.free()
    # The reserve for full disks may have been enough.
    assert net.status() == ("RUNNING" if run.ending is None else "RETRYING")
    if run.ending is None:
        run.resume()
    else:
        net.drain()
    assert net.texts() == TEXTS
    assert (net.depth("X"), net.qm1.in_doubt()) == (0, [])
