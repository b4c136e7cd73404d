"""The moment that a report describes: the last event, and a copy of everything that later calls change."""

from __future__ import annotations

from pathlib import Path

from mqsc.store.admin.read_only_store import clocks_of
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import StoreState
from mqsc.store.published import KEPT, PENDING, Bound
from mqsc.store.sql import history, kept, managers
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.queries import Queries
from mqsc.store.sqlite.relation_copies import copy_relations

# How long another program may take to recover a large unit of work.
RECOVERY_SECONDS = 10.0


def freeze(store: StoreState, file: Path, *, with_kept: bool = False) -> Bound:
    """Recover dead programs; then copy the messages on queues into the new file `file`, and return
    the bound.

    With `with_kept` also the data of messages that are gone. The copy and the bound come from one
    state of the store. StoreError if the file cannot be written.
    """
    store.database.with_reserve(lambda: recover(store, RECOVERY_SECONDS))
    with Reading(store.database, one_state=True) as reading:
        bound = bound_of(reading, store)
        relations = {PENDING: f"main.{PENDING.table}"}
        if with_kept:
            bound = bound._replace(kept=kept.last(reading))
            relations[KEPT] = kept.PUBLISHED
        copy_relations(reading, relations, file)
    return bound._replace(frozen=str(file.absolute()))


def bound_of(reading: Queries, store: StoreState) -> Bound:
    """The limits of a report on the state that `reading` sees."""
    seq, message = history.bound(reading)
    return Bound(seq, message, clocks_of(store, managers.all(reading)))
