"""Notices changes of a rules table's file, between messages and during a wait."""

from __future__ import annotations

import os
from typing import Any

from mqsc.agents.stopping import ClockWithPause, with_pause
from mqsc.store.environment import Environment


class TableChanged(Exception):
    """Raised while the handler waits: the rules table must be read again."""


class WatchedFile:
    """A file whose changes are reported once each.

    A change counts when two checks in a row find the same file, because a program may still be
    writing it. A missing or empty file is not a change.
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
            status = os.stat(self._path)
        except OSError:
            return None
        return (status.st_ino, status.st_size, status.st_mtime_ns) if status.st_size else None


def watching(environment: Environment[Any], file: WatchedFile) -> Environment[ClockWithPause]:
    """The same environment, in which every wait ends with TableChanged when the file changes."""

    def pause(seconds: float) -> None:
        environment.clock.pause(seconds)
        if file.has_changed():
            raise TableChanged

    return with_pause(environment, pause)
