"""Whether the file of a rules table has changed, asked between messages and in the middle of a wait."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from store.environment import Clock, Environment


class TableChanged(Exception):
    """Raised where the handler waits for a message: the rules table is to be read again."""


class WatchedFile:
    """A file that was read; `has_changed` says so once for each change."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen = self._look()

    def has_changed(self) -> bool:
        """Whether it is another one than at the last look. While there is none (an editor replaces it) it is not."""
        now = self._look()
        changed = now is not None and now != self._seen
        self._seen = now or self._seen
        return changed

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns


class WatchfulClock:
    """The clock of an environment whose waits end by TableChanged as soon as the file has changed."""

    def __init__(self, clock: Clock, file: WatchedFile) -> None:
        self._clock = clock
        self._file = file
        self.frozen = clock.frozen

    def now(self) -> int:
        """Microseconds since 1970, UTC, of the clock behind this one."""
        return self._clock.now()

    def pause(self, seconds: float) -> None:
        """Let real time pass; TableChanged when the file has changed."""
        self._clock.pause(seconds)
        if self._file.has_changed():
            raise TableChanged


def watchful(environment: Environment[Any], file: WatchedFile) -> Environment[WatchfulClock]:
    """The same world, in which every wait ends when the file changes."""
    return replace(environment, clock=WatchfulClock(environment.clock, file))
