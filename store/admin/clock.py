"""The manual clock of a queue manager, set and moved (design §3.7)."""

from __future__ import annotations

import json
from collections.abc import Callable

from store.admin.sharing_groups import members_with
from store.engine.state import QueueManagerState
from store.sql import history, managers


def set_clock(qmgr: QueueManagerState, at: int) -> None:
    """Set it; ValueError for a queue manager that follows real time."""
    _move(qmgr, "set", lambda _: at)


def advance_clock(qmgr: QueueManagerState, microseconds: int) -> None:
    """Move it forward; ValueError for a negative time too."""
    if microseconds < 0:
        raise ValueError("a clock is advanced by a time that is not negative; set it to go back")
    _move(qmgr, "advance", lambda was: was + microseconds)


def _move(qmgr: QueueManagerState, cause: str, moved: Callable[[int], int]) -> None:
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        was = call.qmgr.clock_at
        if was is None:
            raise ValueError(f"{qmgr.name} follows real time; a manual clock is chosen when a queue manager is created")
        becomes = moved(was)
        detail = json.dumps({"from": was, "to": becomes})
        # The members of a group have one clock (sharing §10).
        for name in members_with(tx, call.qmgr):
            managers.set_columns(tx, name, {"clock_at": becomes})
            event = {**call.event("CLOCK", cause=cause), "qmgr": name, "at": becomes, "detail": detail}
            history.append(tx, event)
