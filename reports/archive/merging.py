"""The events of several archives, each once: merged by store and number (archive §4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mqsc.reports.archive.commit_files import ArchivedFile, Commit, commits, folder_of, stores
from mqsc.reports.archive.kept import urls
from mqsc.reports.archive.place import Place, existing_place
from mqsc.reports.errors import ArchiveError, NoArchiveError


class FileToRead(NamedTuple):
    """A file with the events of a day, of which it has `rows`; `fault` is what is wrong with it, as
    far as that can be seen without opening it.
    """

    place: Place
    path: str
    day: str
    rows: int
    fault: str = ""

    @property
    def url(self) -> str:
        """The file as Spark reads it."""
        return self.place.url_of(self.path)


@dataclass(frozen=True, slots=True)
class ArchivedPart:
    """Files with events of one store; those numbered up to `after` are read from another part."""

    after: int
    files: tuple[FileToRead, ...]


@dataclass(frozen=True, slots=True)
class ArchivedStore:
    """A store in the archives: its name there, its queue managers, its last archived event, and the
    parts to read.

    `kept` are the URLs of files with data that was kept of messages.
    """

    store: str
    name: str
    qmgrs: frozenset[str]
    last: int
    parts: tuple[ArchivedPart, ...]
    kept: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """How many events the files have; a few may be in two of them."""
        return sum(file.rows for part in self.parts for file in part.files)


def merged(archives: Sequence[str]) -> list[ArchivedStore]:
    """The stores in the archives. ArchiveError when one cannot be read, or two have different
    events of a store.
    """
    commits_of: dict[str, list[tuple[Place, Commit]]] = {}
    sizes: dict[str, dict[str, int]] = {}
    for url in dict.fromkeys(archives):
        place = existing_place(url)
        there = {store: commits(place, store) for store in stores(place)}
        if not any(there.values()):
            raise NoArchiveError(
                f"no event has been archived to {place.url} yet: it has no commit file",
            )
        for store, each in there.items():
            commits_of.setdefault(store, []).extend((place, commit) for commit in each)
        # After the commits were read, so that no file is missing because an archive is being
        # written.
        sizes[place.url] = {
            path: size for store in there for path, size in place.sizes(folder_of(store)).items()
        }
    return [_merged(store, each, sizes) for store, each in sorted(commits_of.items()) if each]


def _merged(
    store: str,
    committed: list[tuple[Place, Commit]],
    sizes: Mapping[str, Mapping[str, int]],
) -> ArchivedStore:
    parts: list[ArchivedPart] = []
    # The files of most ranges are read whole, and all at once.
    whole: list[FileToRead] = []
    read: dict[tuple[int, int], tuple[Place, Commit]] = {}
    last = 0
    for place, commit in sorted(committed, key=lambda pair: (pair[1].first, -pair[1].last)):
        other = read.setdefault((commit.first, commit.last), (place, commit))
        if _content(other[1]) != _content(commit):
            raise ArchiveError(
                f"{place.url} and {other[0].url} have different events {commit.first} to "
                f"{commit.last} of the store "
                f"{commit.name} ({store}): one is that of a copy of the store; leave it out",
            )
        if commit.last > last:
            files = [
                _to_read(place, file, sizes[place.url].get(file.path)) for file in commit.files
            ]
            if commit.first == last + 1:
                whole += files
            else:
                parts.append(ArchivedPart(last, tuple(files)))
            last = commit.last
    qmgrs = frozenset(name for _, commit in committed for name in commit.qmgrs)
    name = max(committed, key=lambda pair: pair[1].last)[1].name
    kept = tuple(
        url
        for place in {place.url: place for place, _ in committed}.values()
        for url in urls(place, store)
    )
    return ArchivedStore(store, name, qmgrs, last, (ArchivedPart(0, tuple(whole)), *parts), kept)


def _to_read(place: Place, file: ArchivedFile, size: int | None) -> FileToRead:
    at = place.at(file.path)
    if size is None:
        fault = f"the file {at} is missing"
    elif size != file.bytes:
        fault = f"the file {at} was changed: it has {size} bytes, committed were {file.bytes}"
    else:
        fault = ""
    return FileToRead(place, file.path, file.day, file.rows, fault)


def _content(commit: Commit) -> set[tuple[str, str]]:
    return {(file.day, file.sha256) for file in commit.files}


def labels(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """A text for each store, given as UUID and name: its name, with the start of the UUID if
    others have that name.
    """
    listed = list(names)
    times = [name for _, name in listed]
    return {
        store: name if times.count(name) == 1 else f"{name}-{store[:8]}" for store, name in listed
    }
