"""The events of several archives, each once: merged by store and number (archive §4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reports.archive.commits import Commit, commits, stores
from reports.archive.place import Place, existing_place
from reports.errors import ArchiveError


@dataclass(frozen=True, slots=True)
class ArchivedPart:
    """Files with events of one store; those numbered up to `after` are read from another part.

    `files` are URLs with their days.
    """

    after: int
    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ArchivedStore:
    """A store in the archives: its name there, its queue managers, its last archived event, and the parts to read."""

    store: str
    name: str
    qmgrs: frozenset[str]
    last: int
    parts: tuple[ArchivedPart, ...]


def merged(urls: Sequence[str]) -> list[ArchivedStore]:
    """The stores in the archives. ArchiveError when one cannot be read, or two have different events of a store."""
    found: dict[str, list[tuple[Place, Commit]]] = {}
    for url in dict.fromkeys(urls):
        place = existing_place(url)
        for store in stores(place):
            found.setdefault(store, []).extend((place, commit) for commit in commits(place, store))
    return [_merged(store, each) for store, each in sorted(found.items()) if each]


def _merged(store: str, found: list[tuple[Place, Commit]]) -> ArchivedStore:
    parts: list[ArchivedPart] = []
    # The files of most ranges are read whole, and all at once.
    whole: list[tuple[str, str]] = []
    read: dict[tuple[int, int], tuple[Place, Commit]] = {}
    last = 0
    for place, commit in sorted(found, key=lambda each: (each[1].first, -each[1].last)):
        other = read.setdefault((commit.first, commit.last), (place, commit))
        if _content(other[1]) != _content(commit):
            raise ArchiveError(
                f"{place.url} and {other[0].url} have different events {commit.first} to {commit.last} of the store "
                f"{commit.name} ({store}): one is that of a copy of the store; leave it out"
            )
        if commit.last > last:
            files = [(place.url_of(each.path), each.day) for each in commit.files]
            if commit.first == last + 1:
                whole += files
            else:
                parts.append(ArchivedPart(last, tuple(files)))
            last = commit.last
    qmgrs = frozenset(name for _, commit in found for name in commit.qmgrs)
    name = max(found, key=lambda each: each[1].last)[1].name
    return ArchivedStore(store, name, qmgrs, last, (ArchivedPart(0, tuple(whole)), *parts))


def _content(commit: Commit) -> set[tuple[str, str]]:
    return {(each.day, each.sha256) for each in commit.files}


def labels(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """A text for each store, given as UUID and name: its name, with the start of the UUID if others have that name."""
    listed = list(names)
    times = [name for _, name in listed]
    return {store: name if times.count(name) == 1 else f"{name}-{store[:8]}" for store, name in listed}
