"""Units of work in doubt, as an administrator sees and resolves them."""

from __future__ import annotations

from collections.abc import Sequence

from store.engine import prepared
from store.engine.channel_event import ChannelEvent, note
from store.engine.state import QueueManagerState
from store.sql import units_of_work
from store.sql.units_of_work import UnitInDoubt
from store.sqlite.database import Reading


def in_doubt(qmgr: QueueManagerState) -> list[UnitInDoubt]:
    """The units in doubt of a queue manager, oldest first; also of one that has ended."""
    with Reading(qmgr.store.database) as reading:
        return units_of_work.in_doubt(reading, qmgr.name)


def resolve(
    qmgr: QueueManagerState, name: str, luwid: str, *, commit: bool, noted: Sequence[ChannelEvent] = ()
) -> None:
    """Commit or back out a unit in doubt, and append the events `noted`, in one transaction.

    MQError 2255 when no unit is in doubt under that name and identifier, 2059 when the queue manager does not run.
    """
    with qmgr.transaction(durable=True) as (tx, call):
        unit = prepared.resolve(tx, call, name, luwid, commit=commit)
        note(tx, call, noted, unit)
