"""The manual clock of a queue manager, set and moved (design §3.7)."""

from __future__ import annotations

from collections.abc import Callable

from mqsc.store.admin import sharing_groups
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.sql import managers

# The times of a manual clock, in microseconds: the years 1000 to 9995. The years of MQ have four
# digits, and a message expires up to three years after it was put.
CLOCK_TIMES = range(-30_610_224_000_000_000, 253_276_070_400_000_000)


def set_clock(qmgr: QueueManagerState, at: int) -> None:
    """Set it; ValueError for a queue manager that follows real time, or another year than 1000
    to 9995.
    """
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
            raise ValueError(
                f"{qmgr.name} follows real time; a manual clock is chosen when a queue manager is "
                "created",
            )
        becomes = moved(was)
        require_clock_time(becomes)
        # The members of a group have one clock (sharing §10).
        for name in sharing_groups.members_with(tx, call.qmgr):
            managers.set_columns(tx, name, {"clock_at": becomes})
            detail = {"from": was, "to": becomes}
            record_event(tx, call, "CLOCK", cause=cause, qmgr=name, at=becomes, detail=detail)


def require_clock_time(at: int | None) -> None:
    if at is not None and at not in CLOCK_TIMES:
        raise ValueError("a manual clock shows a time in the years 1000 to 9995")
