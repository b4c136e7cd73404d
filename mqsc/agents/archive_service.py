"""Archives the history for `mqsc serve`: when it starts, and then every day at the same time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from mqsc.agents.archiver import ArchivedRange, Archiver
from mqsc.console.parameters import iso
from mqsc.store.admin.archiving import Pruned
from mqsc.store.client.store import Store
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.health import quantity, size

DAY = 86_400 * MICROSECONDS
# After a failure, such as a full disk or an archive that cannot be reached.
RETRY = 3_600 * MICROSECONDS
# The clock may be set while the service waits.
LOOK_SECONDS = 60.0


def next_time(now: int, at: int) -> int:
    """The next time after `now` at which it is `at` microseconds after midnight, UTC."""
    return now + DAY - (now - at) % DAY


class ArchiveService:
    """Archives to `url`, every day at `at` (microseconds after midnight, UTC), and prunes what
    is older than `keep`.
    """

    def __init__(
        self,
        store: Store,
        url: str,
        keep: int,
        at: int,
        log: Callable[[str], None],
        stop: Event,
    ) -> None:
        self._store = store
        self._url = url
        self._keep = keep
        self._at = at
        self._log = log
        self._stop = stop

    def run_all(self) -> None:
        """Archive until `stop` is set; the range of events that is being archived then is
        completed.
        """
        now = self._store.environment.clock.now
        due = now()
        while not self._stop.is_set():
            if now() >= due:
                due = next_time(now(), self._at) if self._archive() else now() + RETRY
                if not self._stop.is_set():
                    self._log(f"archive: next at {iso(due)}")
            self._stop.wait(max(0.0, min(LOOK_SECONDS, (due - now()) / MICROSECONDS)))

    def _archive(self) -> bool:
        """Archive and prune once; whether that succeeded."""
        from mqsc.reports.errors import ArchiveError

        try:
            with Archiver(self._store, self._url) as archiver:
                for archived_range in archiver.archive():
                    self._log(f"archive: {archived_text(archived_range)}")
                    if archived_range.missing:
                        self._log(
                            "archive: the store does not have the events "
                            f"{', '.join(archived_range.missing)}",
                        )
                    if self._stop.is_set():
                        return True
                self._log(f"archive: {pruned_text(archiver.prune(self._keep))}")
        except (ArchiveError, MQError, StoreError) as error:
            self._log(f"archive: {error}")
            return False
        return True


def archived_text(archived: ArchivedRange) -> str:
    where = f"{quantity(archived.files, 'file')}, {size(archived.bytes)}"
    return f"archived events {archived.first} to {archived.last} ({where})"


def pruned_text(pruned: Pruned) -> str:
    returned = f", returned {size(pruned.returned)} to the file system" if pruned.returned else ""
    rest = (
        "; a report is reading the history, so the rest is left to the next run"
        if pruned.interrupted
        else ""
    )
    return f"pruned {quantity(pruned.events, 'event')}{returned}{rest}"
