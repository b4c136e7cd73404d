"""A full disk can be drained: the space for removing messages comes from the reserve, which puts cannot use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.admin.defining import create
from store.admin.deleting import clear, delete
from store.admin.expiry import refresh_expiry
from store.admin.health import facts_about
from store.catalog import KINDS
from store.client.api import QueueManager, Store, open_store
from store.constants import MQGMO, MQOO
from store.descriptor import MessageDescriptor
from store.message import GetMessageOptions, Message
from tests.processes.disks import Disk, small_file_system
from tests.processes.programs import PATIENCE_SECONDS
from tests.processes.test_full_disk import calls_until_full
from tests.source import ROOT
from tests.store.admin.looking import queue_row

SIZE = 48 << 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_file_system(folder, SIZE) as disk:
        yield disk


@pytest.fixture
def store(disk: Disk) -> Iterator[Store]:
    """A store that was closed and opened again, like every store in use."""
    url = f"sqlite:///{disk.folder / 'test.db'}"
    with open_store(url) as created:
        qmgr = created.create_queue_manager("QM1")
        create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 999_999})
    with open_store(url) as opened:
        yield opened


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    return store.queue_manager("QM1")


def fill(qmgr: QueueManager, disk: Disk, how: str, length: int = 3000, expiry: int = -1) -> int:
    """Put messages until the disk is full. With `ballast`, another file takes the free space after 300 puts."""
    message = Message(bytes(length), MessageDescriptor(persistence=1, expiry=expiry))
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT)
        first = 300 if how == "ballast" else 0
        for _ in range(first):
            queue.put(message)
        if how == "ballast":
            disk.fill()
        return first + calls_until_full(lambda _: queue.put(message))


def is_sound(store: Store) -> bool:
    facts = facts_about(store)
    return not facts.damage and not facts.wrong_depths and facts.events == facts.last_event


FULL = pytest.mark.parametrize("how", ["puts", "ballast"])


@FULL
def test_every_message_can_be_got(disk: Disk, store: Store, qmgr: QueueManager, how: str) -> None:
    """The reserve is allocated again after each get, so that puts cannot use it up."""
    depth = fill(qmgr, disk, how)
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        for _ in range(depth):
            assert len(queue.get().body) == 3000
    assert is_sound(store)
    assert queue_row(qmgr, "Q").depth == 0


@FULL
def test_a_unit_of_work_can_be_committed_and_backed_out(disk: Disk, store: Store, qmgr: QueueManager, how: str) -> None:
    depth = fill(qmgr, disk, how)
    under_syncpoint = GetMessageOptions(MQGMO.SYNCPOINT)
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        for end in (connection.back, connection.commit):
            for _ in range(50):
                queue.get(under_syncpoint)
            end()
    assert queue_row(qmgr, "Q").depth == depth - 50


@FULL
def test_a_queue_can_be_cleared_and_deleted(disk: Disk, store: Store, qmgr: QueueManager, how: str) -> None:
    depth = fill(qmgr, disk, how)
    assert clear(qmgr, "Q") == depth
    assert is_sound(store)
    assert fill(qmgr, disk, "puts") > 0
    delete(qmgr, KINDS["QLOCAL"], "Q", purge=True)
    assert is_sound(store)


@FULL
def test_expired_messages_can_be_discarded(disk: Disk, store: Store, qmgr: QueueManager, how: str) -> None:
    depth = fill(qmgr, disk, how, expiry=1)
    store.environment.clock.pause(0.2)
    (scan,) = refresh_expiry(qmgr, "Q")
    assert scan.discarded == depth
    assert is_sound(store)


@FULL
def test_a_new_program_can_drain_it(disk: Disk, store: Store, qmgr: QueueManager, how: str) -> None:
    """`mqsc get` opens the store, connects, gets and disconnects."""
    depth = fill(qmgr, disk, how)
    store.close()
    url = f"sqlite:///{store.path}"
    got = run("get", "--store", url, "Q", "--all", "--format", "jsonl")
    assert got.returncode == 0, got.stderr
    assert len(got.stdout.splitlines()) == depth


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mqsc", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)


def test_puts_never_use_up_what_removals_need(disk: Disk, store: Store, qmgr: QueueManager) -> None:
    """Puts fill the disk again and again; each time, a message can still be got."""
    removed = 0
    message = Message(bytes(3000), MessageDescriptor(persistence=1))
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        placed = calls_until_full(lambda _: queue.put(message))
        for _ in range(20):
            queue.get()
            removed += 1
            placed += calls_until_full(lambda _: queue.put(message))
            assert (disk.folder / "test.db.reserve").stat().st_size > 0
    assert queue_row(qmgr, "Q").depth == placed - removed
    assert clear(qmgr, "Q") == placed - removed
    assert is_sound(store)
