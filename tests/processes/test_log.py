"""A write-ahead log as a killed process or a power failure leaves it: truncated, torn, or with garbage in it.

In every case the store is intact and holds the complete work of some number of units: those whose commits are still in
the log.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from store.client.api import Store, open_store
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.processes.programs import Player, is_whole
from tests.store.admin.looking import queue_row

FILE = "test.db"
UNITS = 20
MOVED = 5
PAGE = 4096 + 24
_BODIES = Statement(text("SELECT body FROM message JOIN queue ON queue.id = message.queue WHERE name = :name"))


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a process that was killed in the middle of a unit of work, after UNITS others.

    Each unit puts two messages on Q and one on R.
    """
    folder = tmp_path_factory.mktemp("left")
    url = f"sqlite:///{folder / FILE}"
    with open_store(url) as store:
        store.create_queue_manager("QM1")
    with Player(url) as program:
        program.run("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)")
        for number in range(UNITS):
            program.run(f"put a{number} b{number} persistence=1 syncpoint length=3000")
            program.run(f"put c{number} on R persistence=1 syncpoint length=9000\ncommit")
        program.run("get syncpoint => a0\nput lost on R persistence=1 syncpoint")
    return folder


def holds(store: Store) -> int:
    """Return the number of units of work that the queues hold. AssertionError if one is incomplete."""
    store.recover()
    bodies = {}
    with Reading(store.database) as reading:
        for name in ("Q", "R"):
            bodies[name] = [row[0].decode().rstrip(".") for row in reading.all(_BODIES, {"name": name})]
    assert is_whole(store)
    units = len(bodies["R"])
    assert bodies["R"] == [f"c{number}" for number in range(units)]
    assert sorted(bodies["Q"]) == sorted(f"{letter}{number}" for letter in "ab" for number in range(units))
    if not units:
        return 0
    qmgr = store.queue_manager("QM1")
    assert (queue_row(qmgr, "Q").depth, queue_row(qmgr, "R").depth) == (2 * units, units)
    return units


def opened(left: Path, folder: Path, damage: Callable[[bytes], bytes]) -> int:
    """Damage the log and open the store twice; return the number of units of work that it holds."""
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
        shutil.copy(left / name, folder / name)
    log = folder / f"{FILE}-wal"
    log.write_bytes(damage(log.read_bytes()))
    url = f"sqlite:///{folder / FILE}"
    with open_store(url) as store:
        units = holds(store)
    with open_store(url) as store:
        assert holds(store) == units
    return units


def partly_lost(log: bytes, chance: random.Random) -> bytes:
    """Bytes that never reached the disk: a range is zeros or garbage; everything after it is ignored."""
    at, length = chance.randrange(len(log)), chance.randrange(1, 2 * PAGE)
    lost = bytes(length) if chance.random() < 0.5 else chance.randbytes(length)
    return (log[:at] + lost + log[at + length :])[: len(log)]


# What becomes of the log, in how many ways, and whether all units are still in it.
DAMAGES: dict[str, tuple[Callable[[bytes, random.Random], bytes], int, bool]] = {
    "none": (lambda log, chance: log, 1, True),
    "cut off at any byte, even within a page": (lambda log, chance: log[: chance.randrange(len(log))], 10, False),
    "partly lost": (partly_lost, 10, False),
    "rubbish follows": (lambda log, chance: log + chance.randbytes(chance.randrange(1, 3 * PAGE)), 5, True),
    "old pages of its own follow": (lambda log, chance: log + log[32 : 32 + 5 * PAGE], 1, True),
}


@pytest.mark.parametrize(("damage", "seed"), [(name, seed) for name in DAMAGES for seed in range(DAMAGES[name][1])])
def test_a_log_that_was_damaged(left: Path, tmp_path: Path, damage: str, seed: int) -> None:
    act, _, keeps_all = DAMAGES[damage]
    units = opened(left, tmp_path, lambda log: act(log, random.Random(seed)))
    assert units == UNITS if keeps_all else 0 <= units <= UNITS


@pytest.mark.parametrize("kept", ["", f"{FILE}-wal"])
def test_the_files_of_shared_memory_are_made_anew(left: Path, tmp_path: Path, kept: str) -> None:
    """They can be rebuilt at any time. Without the log, the store is as the last checkpoint left it."""
    for name in filter(None, (FILE, kept)):
        shutil.copy(left / name, tmp_path / name)
    with open_store(f"sqlite:///{tmp_path / FILE}") as store:
        assert holds(store) == (UNITS if kept else 0)
