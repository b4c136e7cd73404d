"""Whether the file of a rules table has changed, asked between messages and in the middle of a wait."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from store.environment import Clock, Environment


class TableChanged(Exception):
    """Raised where the handler waits for a message: the rules table is to be read again."""


class WatchedFile:
    """A file that was read; `has_changed` says so once for each change.

    Somebody may be writing it right now: a change counts when two looks in a row find the same, and never while there
    is no file or nothing in it.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._known = self._last = self._look()

    def has_changed(self) -> bool:
        """Whether it is another one than before, and settled."""
        now = self._look()
        settled = now is not None and now == self._last
        self._last = now
        if not settled or now == self._known:
            return False
        self._known = now
        return True

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return (found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else None


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
