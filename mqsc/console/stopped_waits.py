"""The line on stderr about a wait that cannot end because no program moves the manual clock."""

from __future__ import annotations

import threading

# Locked once the line was printed: one for each process is enough.
_told = threading.Lock()


def sentence(qmgr: str, consequence: str = "the wait ends when `mqsc clock` moves it") -> str:
    """Why something does not happen by itself, and what lets it happen."""
    return f"mqsc: {qmgr} has a manual clock: {consequence}"


def tell_once(qmgr: str) -> None:
    """Print the sentence, the first time in this process."""
    if _told.acquire(blocking=False):
        # Takes long to load, and few programs print anything.
        from mqsc.console.terminal import notice

        notice(sentence(qmgr))
