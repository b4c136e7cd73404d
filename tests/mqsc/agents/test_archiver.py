"""The archive never mixes the events of two stores with one identity (archive §1); when `mqsc
serve` archives.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import mqsc
from mqsc.agents.archive_service import DAY, ArchiveService, next_time
from mqsc.agents.archiver import Archiver, OnStep
from mqsc.reports.archive.merging import merged
from mqsc.reports.archive.verifying import verify
from mqsc.reports.errors import ArchiveConflictError, ArchiveError
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.error import StoreError
from tests.conftest import START
from tests.reports.archive.reading import Event, events_archived, events_in
from tests.rows import rows


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store and its archive."""
    folder = tmp_path_factory.mktemp("archived")
    with open_store(f"sqlite:///{folder}/one.db") as one:
        one.create_queue_manager("QM1")
        archive(one, folder / "archive")
    return folder


@pytest.fixture
def stores(archived: Path, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """A store that was archived, and a copy of it."""
    shutil.copytree(archived / "archive", tmp_path / "archive")
    for name in ("one.db", "two.db"):
        shutil.copyfile(archived / "one.db", tmp_path / name)
    with (
        open_store(f"sqlite:///{tmp_path}/one.db") as one,
        open_store(f"sqlite:///{tmp_path}/two.db") as two,
    ):
        yield one, two


def archive(store: Store, folder: Path) -> None:
    with Archiver(store, str(folder)) as archiver:
        assert all(each.rows for each in archiver.archive())


def define(store: Store, *names: str) -> list[Event]:
    """Record an event for each name; all events afterwards."""
    for name in names:
        mqsc.run(store.queue_manager(), f"DEFINE QLOCAL({name})")
    return events_in(store)


def test_a_copy_is_refused(stores: tuple[Store, Store], tmp_path: Path) -> None:
    one, two = stores
    before = define(one, "A")
    archive(one, tmp_path / "archive")
    define(two, "B", "C")
    with pytest.raises(
        StoreError,
        match="was restored from a backup, or a copy of it is archived there too",
    ):
        archive(two, tmp_path / "archive")
    assert events_archived(str(tmp_path / "archive")) == before


@pytest.mark.parametrize("names", [["B"], ["B", "C"]], ids=["the same range", "another range"])
@pytest.mark.parametrize("step", ["claimed", "writing", "compared"])
def test_a_store_and_its_copy_archive_at_the_same_time(
    step: str,
    names: list[str],
    stores: tuple[Store, Store],
    tmp_path: Path,
) -> None:
    """One of them wins, the other says so."""
    url = str(tmp_path / "archive")
    one, two = stores
    events = [define(one, "A"), define(two, *names)]
    failed: list[Store] = []

    def at_the_same_time(name: str) -> None:
        if name == step:
            attempt(one, url, failed)

    attempt(two, url, failed, at_the_same_time)
    (loser,) = failed
    assert (events_archived(url), [each.problems for each in verify(url)]) == (
        events[0 if loser is two else 1],
        [()],
    )


def attempt(
    store: Store,
    url: str,
    failed: list[Store],
    on_step: OnStep = lambda step: None,
) -> None:
    """Archive a store; if another one was faster it is added to `failed`."""
    try:
        with Archiver(store, url, on_step) as archiver:
            list(archiver.archive())
    except ArchiveConflictError:
        failed.append(store)


def test_archives_of_a_store_and_its_copy_are_not_read_together(
    stores: tuple[Store, Store],
    tmp_path: Path,
) -> None:
    one, two = stores
    shutil.copytree(tmp_path / "archive", tmp_path / "other")
    define(one, "A")
    define(two, "B")
    archive(one, tmp_path / "archive")
    archive(two, tmp_path / "other")
    with pytest.raises(
        ArchiveError,
        match=r"have different events \d+ to \d+ of the store two|of the store one",
    ):
        merged([str(tmp_path / "archive"), str(tmp_path / "other")])


def test_an_archive_may_be_moved(stores: tuple[Store, Store], tmp_path: Path) -> None:
    one, _ = stores
    before = define(one, "A")
    archive(one, tmp_path / "archive")
    with Archiver(one, str(tmp_path / "archive")) as archiver:
        archiver.prune(0)
    (tmp_path / "archive").rename(tmp_path / "moved")
    last = define(one, "B")[-1]
    archive(one, tmp_path / "moved")
    assert events_archived(str(tmp_path / "moved")) == [*before, last]


HOUR = DAY // 24


@rows((0, 2, 2), (2, 2, 26), (1, 0, 24), (23, 2, 26), (26, 2, 50))
def test_the_next_time_of_a_day(now: int, at: int, due: int) -> None:
    assert next_time(now * HOUR, at * HOUR) == due * HOUR


def served(store: Store, url: str) -> list[str]:
    """What it logs until it waits."""
    lines: list[str] = []
    stop = threading.Event()

    def log(line: str) -> None:
        lines.append(line)
        if "next at" in line:
            stop.set()

    ArchiveService(store, url, 0, 2 * HOUR, log, stop).run_all()
    return lines


def test_it_archives_when_it_starts_and_tries_again_after_a_failure(
    store: Store,
    qmgr: QueueManager,
    tmp_path: Path,
) -> None:
    folder, before = tmp_path / "archive", events_in(store)
    archived, pruned, due = served(store, str(folder))
    assert archived.startswith(f"archive: archived events 1 to {len(before)} (1 file, ")
    assert pruned.startswith("archive: pruned ")
    assert (due, events_archived(str(folder))) == ("archive: next at 2023-11-15T02:00:00Z", before)
    assert START == 1_700_000_000_000_000
    (commit,) = folder.rglob("*.json")
    commit.write_text("{")
    failed, due = served(store, str(folder))
    assert failed.endswith(f"{commit} cannot be read: it is not a commit file")
    assert due == "archive: next at 2023-11-14T23:13:20Z"
