"""What a fork must not share: SQLite connections, locks and the liveness file stay with the parent."""

from __future__ import annotations

import os
import threading
import weakref

from store.engine.state import StoreState

open_stores: weakref.WeakSet[StoreState] = weakref.WeakSet()


_HELD_FOR_FORK: list[StoreState] = []
# Two threads may fork at once.
_FORKING = threading.Lock()


def _before_fork() -> None:
    _FORKING.acquire()
    _HELD_FOR_FORK[:] = open_stores
    for store in _HELD_FOR_FORK:
        store.database.before_fork()


def _after_fork_in_parent() -> None:
    while _HELD_FOR_FORK:
        _HELD_FOR_FORK.pop().database.after_fork_in_parent()
    _FORKING.release()


def _after_fork_in_child() -> None:
    while _HELD_FOR_FORK:
        _HELD_FOR_FORK.pop().after_fork_in_child()
    # The thread that took it is the one that the child has.
    _FORKING.release()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
