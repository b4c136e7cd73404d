"""What is in an archive, as its commits say; reads no events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mqsc.reports.archive.commit_files import commits, stores
from mqsc.reports.archive.place import existing_place


def contents(url: str) -> Iterator[dict[str, Any]]:
    """A row for each store in an archive: its events, the days that they are of, its files, when it
    was archived last.

    NoArchiveError when there is no archive, ArchiveError when its chain is broken.
    """
    place = existing_place(url)
    for store in stores(place):
        committed = commits(place, store)
        files = [file for commit in committed for file in commit.files]
        # A year with a sign has more than four digits.
        days = sorted(
            (file.day for file in files),
            key=lambda day: (int(day.rsplit("-", 2)[0]), day),
        ) or [""]
        if committed:
            yield {
                "store": store,
                "name": committed[-1].name,
                "first": committed[0].first,
                "last": committed[-1].last,
                "events": sum(commit.rows for commit in committed),
                "first_day": days[0],
                "last_day": days[-1],
                "commits": len(committed),
                "files": len(files),
                "bytes": sum(file.bytes for file in files),
                "archived_at": committed[-1].written_at,
            }
