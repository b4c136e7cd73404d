"""The events of a store and of an archive, as plain rows."""

from __future__ import annotations

from typing import Any

from mqsc.reports.archive.commit_files import commits, stores
from mqsc.reports.archive.content import tables
from mqsc.reports.archive.place import open_place
from mqsc.store.client.store import Store
from mqsc.store.published import EVENT
from mqsc.store.sqlite.database import Reading

Event = tuple[Any, ...]
_ALL = f"SELECT {', '.join(each.name for each in EVENT.columns)} FROM event ORDER BY seq"


def events_in(store: Store) -> list[Event]:
    with Reading(store.database) as reading:
        return [tuple(row) for row in reading.all(_ALL)]


def events_archived(url: str) -> list[Event]:
    """All events of all commits of an archive, in the order of the commits, by number in each."""
    place = open_place(url)
    return [
        event
        for store in stores(place)
        for commit in commits(place, store)
        for event in sorted(
            tuple(row.values())
            for file in commit.files
            for rows in tables(place, file.path)
            for row in rows.to_pylist()
        )
    ]
