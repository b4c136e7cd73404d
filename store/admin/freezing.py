"""The moment that a report describes: the last event, and a copy of everything that later calls change."""

from __future__ import annotations

from pathlib import Path

from store.admin.event_search import clocks_of
from store.engine.state import StoreState
from store.engine.units import recover
from store.published import MUTABLE, Bound
from store.sql import history, managers
from store.sqlite.database import Queries, Reading
from store.sqlite.frozen_copy import copy_relations

# How long another program may take to recover a large unit of work.
PATIENCE_SECONDS = 10.0


def freeze(store: StoreState, file: Path) -> Bound:
    """Recover dead programs; then copy the relations that change into the new file `file`, and return the bound.

    The copy and the bound come from one state of the store. StoreError if the file cannot be written.
    """
    store.database.with_reserve(lambda: recover(store, PATIENCE_SECONDS))
    with Reading(store.database, one_state=True) as reading:
        bound = bound_of(reading, store)
        copy_relations(reading, MUTABLE, file)
    return bound._replace(frozen=str(file.absolute()))


def bound_of(reading: Queries, store: StoreState) -> Bound:
    """The limits of a report on the state that `reading` sees."""
    seq, message = history.bound(reading)
    return Bound(seq, message, clocks_of(store, managers.all(reading)))
