"""Archiving is killed at every step: no event is lost or doubled, and the next run goes on
(archive §3).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL

import pytest

from mqsc.agents.archiver import Archiver
from mqsc.reports.archive.verifying import verify
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.processes.conftest import Start
from tests.reports.archive.reading import Event, events_archived, events_in
from tests.rows import rows

STEPS = ["claimed", "writing", "written", "compared", "committed", "marked", "pruned"]

FOR_EVER = 1 << 60

Run = Callable[..., tuple[int, str, str]]


def archive(url: str, to: str, most: int, keep: int, step: str, occurrence: int, whom: str) -> None:
    """Archive and prune. The process kills itself, or its worker, at this occurrence of a step
    of the protocol.
    """
    seen: Counter[str] = Counter()

    def kill(name: str) -> None:
        seen[name] += 1
        if name == step and seen[name] == occurrence:
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            os.kill(int(children[0]) if whom else os.getpid(), SIGKILL)

    with open_store(url, create=False) as store, Archiver(store, to, kill, most=most) as archiver:
        for each in archiver.archive():
            print(each.first, each.last)
        print("pruned", archiver.prune(keep).events)


@pytest.fixture
def run(start: Start, archive_url: str) -> Run:
    """Archives the store in a process of its own, 60 events a range unless told otherwise."""

    def run(
        step: str = "",
        occurrence: int = 1,
        whom: str = "",
        most: int = 60,
        keep: int = 0,
    ) -> tuple[int, str, str]:
        return start(archive, archive_url, most, keep, step, occurrence, whom, errors=True).rest()

    return run


@pytest.fixture
def archive_url(tmp_path: Path) -> str:
    return str(tmp_path / "archive")


def work(qmgr: QueueManager, messages: int) -> None:
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
    step: str,
    qmgr: QueueManager,
    run: Run,
    archive_url: str,
) -> None:
    # With those of the queue manager, two ranges and a bit.
    work(qmgr, 10)
    before = events_in(qmgr.store)
    assert run(step, 2 if step != "pruned" else 1)[0] == -SIGKILL
    # The store works on, and what happens meanwhile is archived as well.
    work(qmgr, 3)
    left = events_in(qmgr.store)
    code, said, err = run()
    assert code == 0, err
    assert_nothing_is_lost(qmgr.store, archive_url, sorted({*before, *left}))
    ranges = [line.split() for line in said.splitlines()[:-1]]
    assert len(events_in(qmgr.store)) < len(before)
    # It goes on from the claim, not from the beginning.
    assert [int(ranges[0][0])] == [{"marked": 121, "pruned": len(before) + 1}.get(step, 61)]


@rows("writing", "written")
def test_the_process_that_writes_is_killed(
    qmgr: QueueManager,
    run: Run,
    archive_url: str,
    step: str,
) -> None:
    work(qmgr, 10)
    before = events_in(qmgr.store)
    code, _, err = run(step, 2, "worker")
    assert code == 1
    assert "ended unexpectedly (SIGKILL)" in err
    assert run()[0] == 0
    assert_nothing_is_lost(qmgr.store, archive_url, before)


@pytest.mark.long
def test_kills_at_random(qmgr: QueueManager, run: Run, archive_url: str) -> None:
    """5 kills; for a longer run set MQSC_KILLS. The seed is printed."""
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    choose = random.Random(seed)
    recorded: dict[int, Event] = {}
    for _ in range(int(os.environ.get("MQSC_KILLS", "5"))):
        work(qmgr, choose.randrange(1, 25))
        recorded |= {event[0]: event for event in events_in(qmgr.store)}
        most, keep = choose.choice([1 << 10, 17, 64]), choose.choice([0, 0, FOR_EVER])
        run(choose.choice(STEPS), choose.randrange(1, 4), most=most, keep=keep)
    assert run(most=50)[0] == 0
    assert sorted(recorded) == list(range(1, len(recorded) + 1))
    assert_nothing_is_lost(qmgr.store, archive_url, [recorded[seq] for seq in sorted(recorded)])


def test_two_writers_at_once(qmgr: QueueManager, command: Start, archive_url: str) -> None:
    work(qmgr, 5)
    before = events_in(qmgr.store)
    both = [command("archive", "--to", archive_url) for _ in range(2)]
    ended = [(code, said) for code, _, said in (each.rest() for each in both)]
    assert any(code == 0 for code, _ in ended)
    assert all(
        code == 0 or (code == 20 and "another program is archiving" in said) for code, said in ended
    )
    assert_nothing_is_lost(qmgr.store, archive_url, before)
