"""Units of work in doubt, as an administrator sees and resolves them."""

from __future__ import annotations

from collections.abc import Sequence

from mqsc.store.engine import channel_event, prepared_units
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.sql import units_of_work


def in_doubt(qmgr: QueueManagerState) -> list[units_of_work.UnitInDoubt]:
    """The units in doubt of a queue manager, oldest first; also of one that has ended."""
    return qmgr.store.read(units_of_work.in_doubt, qmgr.name)


def resolve(
    qmgr: QueueManagerState,
    name: str,
    luwid: str,
    *,
    commit: bool,
    noted: Sequence[channel_event.ChannelEvent] = (),
) -> None:
    """Commit or back out a unit in doubt, and append the events `noted`, in one transaction.

    MQError 2255 when no unit is in doubt under that name and identifier, 2059 when the queue
    manager does not run.
    """
    with qmgr.transaction(durable=True) as (tx, call):
        unit = prepared_units.resolve_prepared(tx, call, name, luwid, commit=commit)
        channel_event.note(tx, call, noted, unit)
