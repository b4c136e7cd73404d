"""The queue manager of a test, and its clock."""

from __future__ import annotations

from pathlib import Path

from mqsc.script import run
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.environment import MICROSECONDS

_CLOCKS = ("manual", "system")


def made_queue_manager(
    store: Store,
    *,
    script: str | Path | None = None,
    name: str = "QM1",
    clock: str = "manual",
) -> QueueManager:
    """Create a queue manager and run a script of MQSC on it, given as text or as the path of a
    file.

    mqsc.CommandError for a command that fails, ValueError for another clock than `manual` and
    `system`.
    """
    if clock not in _CLOCKS:
        raise ValueError(f"clock is one of {', '.join(_CLOCKS)}, not {clock!r}")
    if script is not None and not isinstance(script, (str, Path)):
        raise TypeError(f"script is MQSC text or a Path, not {type(script).__name__}")
    at = store.environment.clock.now() if clock == "manual" else None
    created = store.create_queue_manager(name, manual_clock_at=at)
    if script is not None:
        run(created, _text_of(script), check=True)
    return created


def _text_of(script: str | Path) -> str:
    if isinstance(script, Path):
        return script.read_text(encoding="utf-8")
    if script.endswith(".mqsc") and "\n" not in script:
        raise ValueError(f"script is MQSC text; for a file write Path({script!r})")
    return script


class ManualClock:
    """The clock of a queue manager with a manual clock; programs in other processes see it too."""

    def __init__(self, queue_manager: QueueManager) -> None:
        self._queue_manager = queue_manager

    def now(self) -> int:
        """The time in microseconds UTC since 1970."""
        return self._queue_manager.now()

    def advance(self, seconds: float) -> None:
        """Let time pass; gets whose wait is over end. ValueError for a queue manager that
        follows real time.
        """
        if not isinstance(seconds, (int, float)):
            raise TypeError(f"seconds must be a number, not {type(seconds).__name__}")
        self._queue_manager.advance_clock(round(seconds * MICROSECONDS))

    def set(self, at: int) -> None:
        """Set the time (microseconds UTC since 1970), also back."""
        self._queue_manager.set_clock(at)
