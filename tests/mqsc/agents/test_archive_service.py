"""`mqsc serve --archive`: when it archives, and what it does about failures."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from mqsc.agents.archiver import DAY, ArchiveService, next_time
from store.client.api import QueueManager, Store
from tests.conftest import START
from tests.reports.archive.reading import events_archived, events_in

HOUR = DAY // 24

TIMES = [(0, 2, 2), (2, 2, 26), (1, 0, 24), (23, 2, 26), (26, 2, 50)]


@pytest.mark.parametrize(("now", "at", "due"), TIMES)
def test_the_next_time_of_a_day(now: int, at: int, due: int) -> None:
    assert next_time(now * HOUR, at * HOUR) == due * HOUR


def served(store: Store, url: str) -> list[str]:
    """What it logs until it waits."""
    lines: list[str] = []
    stop = Event()

    def log(line: str) -> None:
        lines.append(line)
        if "next at" in line:
            stop.set()

    ArchiveService(store, url, 0, 2 * HOUR, log, stop).run_all()
    return lines


def test_it_archives_when_it_starts(store: Store, qmgr: QueueManager, tmp_path: Path) -> None:
    before = events_in(store)
    archived, pruned, due = served(store, str(tmp_path / "archive"))
    assert archived.startswith(f"archive: archived events 1 to {len(before)} (1 file, ")
    assert pruned.startswith("archive: pruned ")
    assert due == "archive: next at 2023-11-15T02:00:00Z"
    assert events_archived(str(tmp_path / "archive")) == before


def test_it_tries_again_after_a_failure(store: Store, qmgr: QueueManager, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    served(store, str(folder))
    assert START == 1_700_000_000_000_000
    (commit,) = folder.rglob("*.json")
    commit.write_text("{")
    failed, due = served(store, str(folder))
    assert failed.endswith(f"{commit} cannot be read: it is not a commit file")
    assert due == "archive: next at 2023-11-14T23:13:20Z"
