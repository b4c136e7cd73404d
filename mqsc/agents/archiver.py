"""The archive of the history: ranges of events are claimed, written and noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mqsc.console.parameters import iso
from mqsc.store.admin import archiving
from mqsc.store.admin.archiving import Pruned
from mqsc.store.client.store import Store
from mqsc.store.error import StoreError
from mqsc.store.rules.archive_ranges import MOST_EVENTS, Head, Step
from mqsc.version import __version__

OnStep = Callable[[str], None]


class ArchivedRange(NamedTuple):
    """A range of events that is in the archive now; `missing` are the numbers of events that the
    store did not have.
    """

    first: int
    last: int
    rows: int
    files: int
    bytes: int
    missing: tuple[str, ...]


class ArchivePlan(NamedTuple):
    """What a run would do: the numbers of the events that it would archive, and how many it
    would prune.
    """

    first: int
    last: int
    pruned: int


class Archiver:
    """Archives a store to one place. Only one program at a time does that; use it as a context
    manager.

    `on_step` is called after each step of the protocol: claimed, writing, written, compared,
    committed, marked, and pruned after each batch. A range has at most `most` events.
    """

    def __init__(
        self,
        store: Store,
        url: str,
        on_step: OnStep = lambda step: None,
        *,
        most: int = MOST_EVENTS,
    ) -> None:
        from mqsc.reports.archive.writing import url_of

        if store.path is None:
            raise StoreError("only a store in a file can be archived")
        self._store = store
        self._path = store.path
        # A folder by its absolute path.
        self.url = url_of(url)
        self._on_step = on_step
        self._most = most
        self._lock = archiving.lock_for(store.path)

    def __enter__(self) -> Archiver:
        if not self._lock.acquire():
            raise StoreError(f"another program is archiving {self._path}")
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def plan(self, keep: int) -> ArchivePlan:
        """What `archive` and `prune` would do now; changes nothing."""
        uuid = archiving.archived_to(self._store)[0]
        first, last = archiving.preview(self._store, self.url, self._head(uuid) if uuid else Head())
        return ArchivePlan(first, last, sum(map(len, archiving.prunable(self._store, last, keep))))

    def archive(self) -> Iterator[ArchivedRange]:
        """Archive the events that the store has now, a range at a time."""
        uuid = archiving.identity(self._store)
        until = archiving.last_event(self._store)
        while step := archiving.claim(self._store, self.url, self._head(uuid), until, self._most):
            self._on_step("claimed")
            yield self._archive(uuid, step)

    def add_kept_data(self) -> int:
        """Archive, too, what the store has kept of messages that are gone, unless it is there;
        of how many messages.
        """
        from mqsc.reports.archive.kept import add
        from mqsc.store.past.kept_data import all_kept

        return add(self.url, archiving.identity(self._store), *all_kept(self._store))

    def prune(self, keep: int) -> Pruned:
        """Remove archived events that are older than `keep` microseconds and that nothing in the
        store asks for.
        """
        return archiving.prune(self._store, keep, lambda: self._on_step("pruned"))

    def _head(self, uuid: str) -> Head:
        from mqsc.reports.archive.writing import head

        commit = head(self.url, uuid)
        return Head() if commit is None else Head(commit.first, commit.last, commit.sha256)

    def _archive(self, uuid: str, step: Step) -> ArchivedRange:
        from mqsc.reports.archive.commit_files import spans
        from mqsc.reports.archive.writing import Source, write

        # Bytes that are not UTF-8 are replaced.
        name = Path(self._path).stem.encode("utf-8", "replace").decode()
        source = Source(self._path, uuid, name, archiving.writer_lock_of(self._path), self.url)
        about: Any = {"now": iso(self._store.environment.clock.now()), "version": __version__}
        commit = write(
            source,
            step.first,
            step.last,
            written=step.written,
            on_step=self._on_step,
            **about,
        )
        self._on_step("committed")
        archiving.commit(self._store, self.url, step, commit.sha256)
        self._on_step("marked")
        size = sum(file.bytes for file in commit.files)
        return ArchivedRange(
            commit.first,
            commit.last,
            commit.rows,
            len(commit.files),
            size,
            tuple(spans(commit.missing)),
        )
