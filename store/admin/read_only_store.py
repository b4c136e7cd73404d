"""Opening a store for a command that only looks something up, without loading the code of calls and commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from mqsc.store.engine.state import StoreState, time_of
from mqsc.store.environment import Environment
from mqsc.store.sql import connections, managers, schema_version
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.untouched import is_unused, must_stay_as_it_is


class Managers(NamedTuple):
    """The time of each queue manager and queue-sharing group, microseconds UTC, and the name of
    the default one.
    """

    now: Mapping[str, int]
    default: str


@contextmanager
def opened_to_read(
    path: str,
    environment: Environment[Any],
    *,
    untouched: bool = False,
) -> Iterator[StoreState]:
    """The store in an existing file, after dead programs have been recovered; StoreError when it
    is unusable.

    A file that `can_be_read_as_it_is` may stay `untouched`: nothing is recovered then.
    """
    store = StoreState(path, environment, create=False, untouched=untouched)
    try:
        if not untouched:
            store.database.with_reserve(lambda: schema_version.create_or_upgrade(store.database))
            _recover(store)
        yield store
    finally:
        store.database.close()


def can_be_read_as_it_is(path: str) -> bool:
    """Whether a file that no program uses has the current schema, so that all can be read without
    a change to it.
    """
    return must_stay_as_it_is(path) and is_unused(path) and schema_version.is_current_in(path)


def _recover(store: StoreState) -> None:
    folder = liveness.folder_beside(store.path or "")
    others = store.read(connections.other_processes, store.process)
    if any(liveness.is_dead(folder, file) for _, file in others):
        # Loads most of the engine, which takes longer than a look-up.
        from mqsc.store.engine.recovery import recover

        store.database.with_reserve(lambda: recover(store))


def managers_of(store: StoreState) -> Managers:
    """The queue managers of a store and their clocks."""
    rows = store.read(managers.all)
    return Managers(clocks_of(store, rows), next((row.name for row in rows if row.is_default), ""))


def clocks_of(store: StoreState, rows: list[ManagerRow]) -> dict[str, int]:
    """The time of each queue manager, and of each group: its members have one clock."""
    clocks = {row.name: time_of(row, store.environment) for row in rows}
    return clocks | {row.sharing_group: clocks[row.name] for row in rows if row.sharing_group}
