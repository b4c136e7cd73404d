"""The handles that created temporary dynamic queues: closing such a handle deletes its queue."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.store.admin.event_search import EventSelection, events, newest
from mqsc.store.engine.state import StoreState
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sql import past, queues
from mqsc.store.sqlite.database import Transaction


def find_creators(
    tx: Transaction,
    history: StoreState,
    seq: int,
    handles: Mapping[int, int],
) -> None:
    """Give each temporary queue the handle that created it, as `history` says up to an event.

    `handles`: the handles that are open, by their recorded numbers. A queue whose creator has
    closed is marked as deleted: only handles of other programs still keep it.
    """
    for owner, name, number in past.temporary_queues(tx):
        opening = _creating_open(history, owner, name, seq)
        if opening is not None:
            creator = handles.get(opening.detail["handle"])
            is_deleted = int(creator is None)
            queues.set_columns(
                tx,
                number,
                {"creator": creator, "logically_deleted": is_deleted},
            )


def _creating_open(history: StoreState, owner: str, name: str, seq: int) -> TracedEvent | None:
    """The OPEN of the call that made the queue, None if that is no longer in the history."""
    of_queue = EventSelection(queue=name, qmgr=owner)
    dynamic = of_queue._replace(kinds=frozenset({"DEFINE"}), causes=frozenset({"dynamic"}))
    made = newest(history, dynamic, 1, last=seq)
    if not made:
        return None
    opened = of_queue._replace(kinds=frozenset({"OPEN"}))
    return next(iter(events(history, opened, first=made[0].seq, last=seq)), None)
