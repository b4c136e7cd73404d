"""Checks an archive: the chain of commits, the hashes of files and of their events, gaps, and
files that moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from mqsc.reports.archive import commit_files, kept, reading_ahead
from mqsc.reports.archive.content import ContentHash, day_of, tables
from mqsc.reports.archive.place import Place, existing_place
from mqsc.reports.archive.worker import Numbers, file_hash
from mqsc.reports.errors import ArchiveError


class Problem(NamedTuple):
    """A fault of an archive, and the file that has it."""

    path: str
    text: str


class VerifiedStore(NamedTuple):
    """A store in an archive: its events, ranges and files that were checked, and what is wrong.

    `kept` is of how many messages there is data, in other files. `uncommitted` are files with
    events that no commit names: a run was killed, or a commit was removed.
    """

    store: str
    name: str
    last: int
    events: int
    commits: int
    files: int
    problems: tuple[Problem, ...]
    kept: int = 0
    uncommitted: tuple[str, ...] = ()


def verify(
    url: str,
    progress: Callable[[str], None] = lambda text: None,
    *,
    with_kept: bool = False,
) -> list[VerifiedStore]:
    """Read the whole archive and compare it with its commits. NoArchiveError when there is none.

    `with_kept`: read the data of messages that is beside it, too.
    """
    place = existing_place(url)
    # Also folders that only look like stores.
    folders = [name.removeprefix("store=") for name in place.names("") if name.startswith("store=")]
    verified = [_verified(place, store, progress) for store in folders]
    return [_with_kept(place, each) for each in verified] if with_kept else verified


def _with_kept(place: Place, verified: VerifiedStore) -> VerifiedStore:
    number, wrong = kept.verified(place, verified.store)
    return verified._replace(
        kept=number,
        problems=(*verified.problems, *map(Problem._make, wrong.items())),
    )


def _verified(place: Place, store: str, progress: Callable[[str], None]) -> VerifiedStore:
    problems: list[Problem] = []
    commits: list[commit_files.Commit] = []
    if store not in commit_files.stores(place):
        problems.append(
            Problem(
                place.at(commit_files.folder_of(store)),
                "the folder is not named after the UUID of a store",
            ),
        )
    previous, expected = "", 1
    for (first, last), folder in commit_files.ranges(place, store).items():
        path = place.at(commit_files.commit_path(store, first, last, folder))
        try:
            commit = commit_files.read_commit(place, store, first, last, folder)
        except ArchiveError as error:
            problems.append(Problem(path, _without(str(error), path)))
            # The next one is not to blame.
            previous, expected = "?", last + 1
            continue
        fault = commit_files.chain_fault(
            commit,
            commit.previous if previous == "?" else previous,
            expected,
        )
        if fault:
            problems.append(Problem(path, fault))
        previous, expected = commit.sha256, max(expected, last + 1)
        progress(f"{commit.name}: events {first} to {last}")
        problems += _of_commit(place, commit)
        commits.append(commit)
    if not commits and not problems:
        problems.append(Problem(place.at(commit_files.folder_of(store)), "there is no commit file"))
    name, last = (commits[-1].name, commits[-1].last) if commits else ("", 0)
    events = sum(commit.rows for commit in commits)
    files = sum(len(commit.files) for commit in commits)
    uncommitted = tuple(map(place.at, _uncommitted(place, store, commits)))
    return VerifiedStore(
        store,
        name,
        last,
        events,
        len(commits),
        files,
        tuple(problems),
        uncommitted=uncommitted,
    )


def _uncommitted(
    place: Place,
    store: str,
    commits: Iterable[commit_files.Commit],
) -> Iterator[str]:
    """The files with events that no commit names, except those of commits that cannot be read."""
    named = {file.path for commit in commits for file in commit.files}
    readable = {(commit.first, commit.last) for commit in commits}
    unreadable = commit_files.ranges(place, store).keys() - readable
    for path, numbers in commit_files.event_files(place, store):
        if path not in named and numbers not in unreadable:
            yield path


def _of_commit(place: Place, commit: commit_files.Commit) -> Iterator[Problem]:
    path = place.at(commit.path)
    if commit.missing:
        removed = ", ".join(commit_files.spans(commit.missing))
        yield Problem(
            path,
            f"the store did not have the events {removed}: somebody had removed them",
        )
    numbers: list[pa.Array] = []
    is_whole = True
    for file in commit.files:
        fault = _fault(place, commit, file, numbers)
        if fault:
            is_whole = False
            yield Problem(place.at(file.path), fault)
    gaps = _gaps(commit, numbers) if is_whole else []
    if gaps:
        yield Problem(
            path, f"the events {', '.join(commit_files.spans(gaps))} are in none of its files"
        )


def _fault(
    place: Place,
    commit: commit_files.Commit,
    file: commit_files.ArchivedFile,
    numbers: list[pa.Array],
) -> str:
    """What is wrong with a file; blank for nothing. The numbers of its events are added to
    `numbers`.
    """
    try:
        if file.path != commit_files.file_path(commit.store, file.day, commit.first, commit.last):
            return "it is not where the events of this range and day belong"
        size = place.size(file.path)
        if size is None:
            return "the file is missing"
        if size != file.bytes:
            return f"the file was changed: it has {size} bytes, committed were {file.bytes}"
        if file.file_sha256 != file_hash(place, file.path)[1]:
            return "the file was changed: its hash differs from the one that was committed"
        content, strays = ContentHash(), 0
        for rows in reading_ahead.ahead(tables(place, file.path)):
            content.update(rows)
            numbers.append(rows.column("seq"))
            bounds = pc.min_max(rows.column("at")).as_py()
            strays += sum(day_of(at) != file.day for at in bounds.values())
    except ArchiveError as error:
        return _without(str(error), place.at(file.path))
    if (content.rows, content.hexdigest()) != (file.rows, file.sha256):
        difference = "their content differs"
        if content.rows != file.rows:
            difference = f"{content.rows} instead of {file.rows}"
        return f"its events are not those that were committed: {difference}"
    return "it has events of another day" if strays else ""


def _gaps(commit: commit_files.Commit, numbers: list[pa.ChunkedArray]) -> list[tuple[int, int]]:
    """The ranges of numbers that should be in the files and are not."""
    numbers_of_events = pa.chunked_array(
        [chunk for column in numbers for chunk in column.chunks], pa.int64()
    )
    seen = Numbers(commit.first)
    if len(numbers_of_events):
        seen.learn(pa.table({"seq": numbers_of_events.take(pc.sort_indices(numbers_of_events))}))
    return [each for each in seen.missing(commit.last) if each not in commit.missing]


def _without(text: str, path: str) -> str:
    return text.removeprefix(f"{path}: ").removeprefix(f"{path} ")
