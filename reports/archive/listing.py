"""What is in an archive, as its commits say; reads no events."""

from __future__ import annotations

from typing import NamedTuple

from reports.archive.commits import commits, stores
from reports.archive.place import existing_place


class ListedStore(NamedTuple):
    """A store in an archive: its events, the days that they are of, their files, and when it was archived last."""

    store: str
    name: str
    first: int
    last: int
    events: int
    first_day: str
    last_day: str
    commits: int
    files: int
    bytes: int
    archived_at: str


def contents(url: str) -> list[ListedStore]:
    """The stores in an archive. NoArchiveError when there is none, ArchiveError when its chain is broken."""
    place = existing_place(url)
    listed = []
    for store in stores(place):
        found = commits(place, store)
        if not found:
            continue
        files = [file for each in found for file in each.files]
        days = sorted((file.day for file in files), key=_in_time)
        listed.append(
            ListedStore(
                store,
                found[-1].name,
                found[0].first,
                found[-1].last,
                sum(each.rows for each in found),
                days[0] if days else "",
                days[-1] if days else "",
                len(found),
                len(files),
                sum(file.bytes for file in files),
                found[-1].written_at,
            )
        )
    return listed


def _in_time(day: str) -> tuple[int, str]:
    """A key by which days sort in time; a year with a sign has more than four digits."""
    year = day.rsplit("-", 2)[0]
    return int(year), day
