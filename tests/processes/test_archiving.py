"""Archiving is killed at every step: no event is lost or doubled, and the next run goes on (archive §3)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.archive.verifying import verify
from store.client.api import QueueManager, Store
from store.constants import MQGMO, MQOO, MQPMO
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.processes.programs import PATIENCE_SECONDS
from tests.reports.archive.reading import Event, events_archived, events_in
from tests.source import ROOT

STEPS = ["claimed", "writing", "written", "compared", "committed", "marked", "pruned"]
WORKER_STEPS = ["writing", "written"]
FOR_EVER = 1 << 60

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(url: str, tmp_path: Path) -> Run:
    """Archives the store in a process of its own, 60 events a range unless told otherwise."""

    def archive(*step: str, most: int = 60, keep: int = 0) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.processes.archive_driver", url, str(tmp_path / "archive")]
        return subprocess.run(
            [*command, str(most), str(keep), *step],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    return archive


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    return store.create_queue_manager("QM1")


def work(qmgr: QueueManager, messages: int) -> None:
    """Put messages and get half of them, in units of work."""
    with qmgr.connect() as connection:
        queue = connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        for number in range(messages):
            queue.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
            if number % 2:
                queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.commit()
        queue.close()


def assert_nothing_is_lost(store: Store, url: str, before: list[Event]) -> None:
    """The archive has exactly these events, and the store has no other."""
    assert events_archived(url) == before
    assert set(events_in(store)) <= set(before)
    assert [each.problems for each in verify(url)] == [()]


@pytest.mark.parametrize("step", STEPS)
def test_the_next_run_goes_on_after_a_kill(
    step: str, store: Store, qmgr: QueueManager, run: Run, tmp_path: Path
) -> None:
    # With those of the queue manager, two ranges and a bit.
    work(qmgr, 10)
    before = events_in(store)
    killed = run(step, "2" if step != "pruned" else "1")
    assert killed.returncode == -signal.SIGKILL
    # The store works on, and what happens meanwhile is archived as well.
    work(qmgr, 3)
    left = events_in(store)
    again = run()
    assert again.returncode == 0, again.stderr
    assert_nothing_is_lost(store, str(tmp_path / "archive"), sorted({*before, *left}))
    ranges = [line.split() for line in again.stdout.splitlines()[:-1]]
    assert len(events_in(store)) < len(before)
    # It goes on from the claim, not from the beginning.
    assert [int(ranges[0][0])] == [{"marked": 121, "pruned": len(before) + 1}.get(step, 61)]


@pytest.mark.parametrize("step", WORKER_STEPS)
def test_the_process_that_writes_is_killed(
    step: str, store: Store, qmgr: QueueManager, run: Run, tmp_path: Path
) -> None:
    work(qmgr, 10)
    before = events_in(store)
    failed = run(step, "2", "worker")
    assert failed.returncode == 1
    assert "ended unexpectedly (SIGKILL)" in failed.stderr
    assert run().returncode == 0
    assert_nothing_is_lost(store, str(tmp_path / "archive"), before)


@pytest.mark.long
def test_kills_at_random(store: Store, qmgr: QueueManager, run: Run, tmp_path: Path) -> None:
    """5 kills; for a longer run set MQSC_KILLS. The seed is printed."""
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    choose = random.Random(seed)
    recorded: dict[int, Event] = {}
    for _ in range(int(os.environ.get("MQSC_KILLS", "5"))):
        work(qmgr, choose.randrange(1, 25))
        recorded |= {event[0]: event for event in events_in(store)}
        most, keep = choose.choice([1 << 10, 17, 64]), choose.choice([0, 0, FOR_EVER])
        run(choose.choice(STEPS), str(choose.randrange(1, 4)), most=most, keep=keep)
    assert run(most=50).returncode == 0
    assert sorted(recorded) == list(range(1, len(recorded) + 1))
    assert_nothing_is_lost(store, str(tmp_path / "archive"), [recorded[seq] for seq in sorted(recorded)])


def test_two_writers_at_once(store: Store, qmgr: QueueManager, run: Run, url: str, tmp_path: Path) -> None:
    work(qmgr, 5)
    before = events_in(store)
    command = [sys.executable, "-m", "mqsc", "--store", url, "archive", "--to", str(tmp_path / "archive")]
    both = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ended = [(process.communicate(timeout=PATIENCE_SECONDS)[1], process.returncode) for process in both]
    assert any(code == 0 for _, code in ended)
    assert all(code == 0 or (code == 20 and "another program is archiving" in said) for said, code in ended)
    assert_nothing_is_lost(store, str(tmp_path / "archive"), before)
