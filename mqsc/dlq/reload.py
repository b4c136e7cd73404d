"""Notices changes of a rules table's file, between messages and during a wait."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from store.environment import Clock, Environment


class TableChanged(Exception):
    """Raised while the handler waits: the rules table must be read again."""


class WatchedFile:
    """A file whose changes are reported once each.

    A change counts when two checks in a row find the same file, because a program may still be writing it. A missing
    or empty file is not a change.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._known = self._last = self._stat()

    def has_changed(self) -> bool:
        """Whether the file differs from the last reported one and from then on stayed the same."""
        now = self._stat()
        is_settled = now is not None and now == self._last
        self._last = now
        if not is_settled or now == self._known:
            return False
        self._known = now
        return True

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return (found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else None


class FileWatchingClock:
    """A clock whose `pause` raises TableChanged when the file has changed."""

    def __init__(self, clock: Clock, file: WatchedFile) -> None:
        self._clock = clock
        self._file = file
        self.frozen = clock.frozen

    def now(self) -> int:
        return self._clock.now()

    def pause(self, seconds: float) -> None:
        self._clock.pause(seconds)
        if self._file.has_changed():
            raise TableChanged


def watching(environment: Environment[Any], file: WatchedFile) -> Environment[FileWatchingClock]:
    """The same environment, in which every wait ends with TableChanged when the file changes."""
    return replace(environment, clock=FileWatchingClock(environment.clock, file))
