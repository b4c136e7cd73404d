"""Before a command answers "in use": whatever dead processes hold is given back first (design §3.8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from store.constants import MQRC, MQRCCF
from store.engine.recovery import recover
from store.engine.state import StoreState
from store.error import MQError

# The refusals that handles or units of work of others bring about.
IN_THE_WAY = frozenset({MQRC.OBJECT_IN_USE, MQRC.Q_NOT_EMPTY, MQRCCF.OBJECT_OPEN_FORCE})
Result = TypeVar("Result")


def despite_dead_processes(store: StoreState, command: Callable[[], Result]) -> Result:
    """What `command` returns; when something is in its way and a dead process held it, the second attempt counts."""
    try:
        return command()
    except MQError as refusal:
        if refusal.reason not in IN_THE_WAY or not recover(store):
            raise
    return command()
