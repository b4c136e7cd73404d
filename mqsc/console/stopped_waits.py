"""The line on stderr about a wait that goes on because a manual clock stands still."""

from __future__ import annotations

import threading

# Locked once the line was printed: one for each process is enough.
_told = threading.Lock()


def sentence(qmgr: str) -> str:
    """Why a wait does not end by itself, and what ends it."""
    return f"mqsc: {qmgr} has a manual clock: the wait ends when `mqsc clock` moves it"


def tell_once(qmgr: str) -> None:
    """Print the sentence, the first time in this process."""
    if _told.acquire(blocking=False):
        # Takes long to load, and few programs print anything.
        from mqsc.console.terminal import notice

        notice(sentence(qmgr))
