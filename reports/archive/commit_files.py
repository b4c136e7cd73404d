"""The commits of an archive: a file for each range of events."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins

from mqsc.reports.archive.place import Place
from mqsc.reports.errors import ArchiveError

FORMAT = 1
# Programs that read Parquet files pass over a folder whose name begins with an underscore.
COMMITS = "_commits"
# Where older versions wrote commits; they stay there.
OLD_COMMITS = "commits"
# The folder of a store has its UUID after this.
STORE = "store="
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NAME = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)\.json")
# The folder of a day, and the names of files with events in it.
_DAY = "day="
_EVENTS = re.compile(r"events-([1-9][0-9]*)-([1-9][0-9]*)\.parquet")


class ArchivedFile(Struct, frozen=True):
    """A Parquet file: its path below the archive, its day, rows and bytes.

    `sha256` is the hash of its content (reports.archive.content), `file_sha256` that of its bytes.
    """

    path: str
    day: str
    rows: int
    bytes: int
    sha256: str
    file_sha256: str


class Commit(Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """A range of events of a store in an archive.

    `qmgrs` are the owners of the events. `missing` are ranges of numbers that the store did not
    have, because these events had been removed. `previous` is the hash of the commit before it, blank
    for the first; `sha256` is that of this commit, which is not in the file, and neither is
    `folder`.
    """

    store: str
    name: str
    first: int
    last: int
    rows: int
    qmgrs: tuple[str, ...]
    missing: tuple[tuple[int, int], ...]
    files: tuple[ArchivedFile, ...]
    previous: str
    written_at: str
    version: str
    sha256: str = ""
    folder: str = COMMITS

    @property
    def path(self) -> str:
        return commit_path(self.store, self.first, self.last, self.folder)


def folder_of(store: str) -> str:
    return f"{STORE}{store}"


def commit_path(store: str, first: int, last: int, folder: str = COMMITS) -> str:
    return f"{folder_of(store)}/{folder}/{first}-{last}.json"


def file_path(store: str, day: str, first: int, last: int) -> str:
    return f"{folder_of(store)}/{_DAY}{day}/events-{first}-{last}.parquet"


def encoded(commit: Commit) -> bytes:
    """The content of the commit's file."""
    values = to_builtins(commit)
    del values["sha256"], values["folder"]
    return (
        json.dumps({"format": FORMAT, **values, "program": "mqsc"}, indent=1, ensure_ascii=False)
        + "\n"
    ).encode()


def decoded(content: bytes, folder: str) -> Commit:
    """The commit in a file. ValueError, KeyError, TypeError or ValidationError when the file
    does not contain one.
    """
    row: Mapping[str, Any] = json.loads(content)
    if row["format"] != FORMAT:
        raise ValueError(f"its format is {row['format']}, this version of mqsc knows {FORMAT}")
    return convert({**row, "sha256": hashlib.sha256(content).hexdigest(), "folder": folder}, Commit)


def stores(place: Place) -> list[str]:
    """The UUIDs of the stores in an archive."""
    names = [name.removeprefix(STORE) for name in place.names("") if name.startswith(STORE)]
    return [name for name in names if _UUID.fullmatch(name)]


def ranges(place: Place, store: str) -> dict[tuple[int, int], str]:
    """The ranges of events that have a commit file, in order, and the folder of that file."""
    named = [
        (name, each)
        for each in (OLD_COMMITS, COMMITS)
        for name in place.names(f"{folder_of(store)}/{each}")
    ]
    folders = {
        (int(name[1]), int(name[2])): folder
        for each, folder in named
        if (name := _NAME.fullmatch(each))
    }
    return dict(sorted(folders.items()))


def event_files(place: Place, store: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """The paths of all files with events, in a commit or not, and their ranges of events."""
    days = [name for name in place.names(folder_of(store)) if name.startswith(_DAY)]
    paths = [
        (f"{folder_of(store)}/{day}/{name}", _EVENTS.fullmatch(name))
        for day in days
        for name in place.names(f"{folder_of(store)}/{day}")
    ]
    for path, numbers in paths:
        if numbers is not None:
            yield path, (int(numbers[1]), int(numbers[2]))


def read_commit(place: Place, store: str, first: int, last: int, folder: str) -> Commit:
    """The commit of a range, whose file is in `folder`. ArchiveError when it is damaged, or of
    another store.
    """
    path = commit_path(store, first, last, folder)
    try:
        commit = decoded(place.read(path), folder)
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        why = (
            str(error)
            if isinstance(error, ValueError) and "format" in str(error)
            else "it is not a commit file"
        )
        raise ArchiveError(f"{place.at(path)} cannot be read: {why}") from error
    if (commit.store, commit.first, commit.last) != (store, first, last):
        raise ArchiveError(
            f"{place.at(path)} is the commit of events {commit.first} to {commit.last} of the "
            f"store {commit.store}",
        )
    return commit


def last_commit(place: Place, store: str) -> Commit | None:
    """The commit with the last events of a store, or None."""
    by_range = ranges(place, store)
    last = max(by_range, default=None)
    return read_commit(place, store, *last, by_range[last]) if last else None


def commits(place: Place, store: str) -> list[Commit]:
    """The commits of a store in order. ArchiveError when one cannot be read, or the chain is
    broken.
    """
    in_order = [
        read_commit(place, store, *numbers, folder)
        for numbers, folder in ranges(place, store).items()
    ]
    previous, expected = "", 1
    for commit in in_order:
        fault = chain_fault(commit, previous, expected)
        if fault:
            raise ArchiveError(f"{place.at(commit.path)}: {fault}")
        previous, expected = commit.sha256, commit.last + 1
    return in_order


def chain_fault(commit: Commit, previous: str, expected: int) -> str:
    """What is wrong with a commit that should begin with the event `expected` and follow the
    commit with that hash.
    """
    if commit.first > expected:
        return f"the commits of events {expected} to {commit.first - 1} are missing"
    if commit.first < expected:
        return f"events {commit.first} to {min(commit.last, expected - 1)} are committed twice"
    if commit.previous != previous:
        return "the commit before it was changed or replaced: its hash is not the one noted here"
    return ""


def spans(ranges: Iterable[tuple[int, int]]) -> list[str]:
    """Ranges of numbers as text: 5, 7 to 9."""
    return [str(first) if first == last else f"{first} to {last}" for first, last in ranges]
