"""A fork must not share SQLite connections, locks or the liveness file: they stay with the parent."""

from __future__ import annotations

import os
import threading
import weakref

from mqsc.store.engine.state import StoreState
from mqsc.store.sqlite.interruptions import enter, leave_later

open_stores: weakref.WeakSet[StoreState] = weakref.WeakSet()


_HELD_FOR_FORK: list[StoreState] = []
# Two threads may fork at the same time.
_FORKING = threading.Lock()


def _before_fork() -> None:
    enter()
    _FORKING.acquire()
    _HELD_FOR_FORK[:] = open_stores
    for store in _HELD_FOR_FORK:
        store.before_fork()


def _after_fork_in_parent() -> None:
    while _HELD_FOR_FORK:
        _HELD_FOR_FORK.pop().after_fork_in_parent()
    _end_fork()


def _after_fork_in_child() -> None:
    while _HELD_FOR_FORK:
        _HELD_FOR_FORK.pop().after_fork_in_child()
    # The child's only thread is the one that acquired the lock.
    _end_fork()


def _end_fork() -> None:
    _FORKING.release()
    # Python only prints an exception that is raised here.
    leave_later()


os.register_at_fork(
    before=_before_fork,
    after_in_parent=_after_fork_in_parent,
    after_in_child=_after_fork_in_child,
)
