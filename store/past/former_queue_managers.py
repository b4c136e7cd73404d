"""Queue managers in the past: which there were, whether they ran, and their clocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mqsc.store.past.clocks import Moment
from mqsc.store.sql import managers, past
from mqsc.store.sql.managers import ENDED, RUNNING
from mqsc.store.sql.past import ObjectEvent
from mqsc.store.sqlite.database import Transaction


def take_back_queue_managers(
    tx: Transaction,
    moment: Moment,
    clocks: Mapping[str, int],
    later: list[ObjectEvent],
) -> None:
    states: dict[str, dict[str, Any]] = {}
    for event in reversed(later):
        if event.kind == "CREATE":
            managers.remove_owned(tx, event.qmgr)
            managers.remove(tx, event.qmgr)
        elif event.kind == "OWNER":
            managers.set_expiry_owner(tx, event.qmgr, event.told.get("from", ""))
        else:
            states.setdefault(event.qmgr, {}).update(_BEFORE[event.kind](event))
    for event in past.of_objects(tx, 1, moment.seq, ["START", "JOIN"]) if states else ():
        if event.qmgr in states:
            states[event.qmgr].update(_SINCE[event.kind](event))
    for row in managers.all(tx):
        managers.set_columns(
            tx,
            row.name,
            {**states.get(row.name, {}), "clock_at": clocks[row.name]},
        )


_BEFORE: Mapping[str, Callable[[ObjectEvent], dict[str, Any]]] = {
    "START": lambda event: {"state": ENDED},
    "END": lambda event: {"state": RUNNING},
    "JOIN": lambda event: {"sharing_group": ""},
    "LEAVE": lambda event: {"sharing_group": event.type},
}
_SINCE: Mapping[str, Callable[[ObjectEvent], dict[str, Any]]] = {
    "START": lambda event: {"started_at": event.at},
    "JOIN": lambda event: {"member_number": event.told.get("number", 0)},
}
