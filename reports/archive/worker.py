"""The process that writes a range of events: `python -m reports.archive.worker`, with a request as
JSON on stdin.

It reads the store's file through another SQLite library, so it must not be a process that has the
store open (design §3.13). It prints its steps as JSON lines, the last with the result or an error.
It ends when its parent does.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from adbc_driver_manager import Error as DriverError
from msgspec import to_builtins
from msgspec.structs import replace
from pyarrow import parquet

from mqsc.reports.archive.commit_files import ArchivedFile, file_path
from mqsc.reports.archive.content import (
    FILE_SCHEMA,
    MICROSECONDS_A_DAY,
    SCHEMA,
    ContentHash,
    day_of,
    on_day,
    tables,
)
from mqsc.reports.archive.place import Place, open_place
from mqsc.reports.archive.reading_ahead import ahead
from mqsc.reports.errors import ArchiveConflictError, ArchiveError
from mqsc.reports.file_pages import pages, said, typed
from mqsc.store.published import EVENT

# Days whose files are open at a time; a range with more days is read several times.
MOST_FILES = 64
COMPRESSION = "zstd"
# Most values of these columns differ, so dictionaries of them would only take time and space.
GROWING = ("seq", "at", "put_at", "expires_at", "unit")
DISTINCT = (*GROWING, "msg_id", "correl_id")
READ_BYTES = 1 << 20
# Readers take time for each group, whatever its size; this process has two of them in memory.
ROWS_A_GROUP = 250_000
_COLUMNS = ", ".join(f'"{name}"' for name in SCHEMA.names)
_IN_RANGE = f"FROM {EVENT.table} WHERE seq > ? AND seq <= ?"
# Division rounds towards zero, so days before 1970 are one less.
_DAYS = f"SELECT DISTINCT at / {MICROSECONDS_A_DAY} - (at % {MICROSECONDS_A_DAY} < 0) {_IN_RANGE}"
_EVENTS = f"SELECT {_COLUMNS} {_IN_RANGE}"
_EVENTS_OF_DAYS = f"{_EVENTS} AND at >= ? AND at < ?"

Say = Callable[[str], None]


class Request(NamedTuple):
    """What to archive: events of the store in the file `path`, and where.

    `written` are the files of a commit that exists already, which are only compared with the store.
    While the process works it locks the file `lock`.
    """

    path: str
    url: str
    store: str
    first: int
    last: int
    lock: str
    written: Sequence[Mapping[str, Any]] = ()


def archive(request: Request, say: Say) -> dict[str, Any]:
    """Write the files of the range, read them back and compare them with the store; report each
    step to `say`.
    """
    place = open_place(request.url)
    days = _days(request)
    seen = Numbers(request.first)
    if request.written:
        files = [ArchivedFile(**each) for each in request.written]
        _compare_with_store(request, files, days, seen)
    else:
        files = _write_all(place, request, days, seen, say)
    say("written")
    files = [read_back(place, file) for file in files]
    say("compared")
    rows = sum(file.rows for file in files)
    return {
        "files": to_builtins(files),
        "rows": rows,
        "qmgrs": sorted(seen.qmgrs),
        "missing": seen.missing(request.last),
    }


def _write_all(
    place: Place,
    request: Request,
    days: list[int],
    seen: Numbers,
    say: Say,
) -> list[ArchivedFile]:
    if len(days) <= MOST_FILES:
        return _write(place, request, days, seen.learned(_events(request)), say)
    for _ in seen.learned(_events(request)):
        continue
    groups = (days[start : start + MOST_FILES] for start in range(0, len(days), MOST_FILES))
    return [
        file
        for group in groups
        for file in _write(place, request, group, _events(request, group), say)
    ]


def _write(
    place: Place,
    request: Request,
    days: list[int],
    events: Iterable[pa.Table],
    say: Say,
) -> list[ArchivedFile]:
    """Write a file for each of the days."""
    paths = {
        day: file_path(request.store, day_of(day * MICROSECONDS_A_DAY), request.first, request.last)
        for day in days
    }
    hashes = {day: ContentHash() for day in days}
    about = {f"mqsc.{key}": str(getattr(request, key)) for key in ("store", "first", "last")}
    schema = FILE_SCHEMA.with_metadata(about)
    with ExitStack() as opened:
        writers = {day: opened.enter_context(_writer(place, paths[day], schema)) for day in days}
        say("writing")
        for part in ahead(_together(events)):
            for day in days:
                rows = part if len(days) == 1 else on_day(part, day)
                if rows.num_rows:
                    hashes[day].update(rows)
                    writers[day].write_table(rows.cast(FILE_SCHEMA))
    return [
        ArchivedFile(
            paths[day],
            day_of(day * MICROSECONDS_A_DAY),
            hashes[day].rows,
            0,
            hashes[day].hexdigest(),
            "",
        )
        for day in days
    ]


def _together(read_pages: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The rows of the pages in larger tables, each of which becomes a row group."""
    waiting: list[pa.Table] = []
    for page in read_pages:
        waiting.append(page)
        if sum(each.num_rows for each in waiting) >= ROWS_A_GROUP:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


@contextmanager
def _writer(place: Place, path: str, schema: pa.Schema) -> Iterator[parquet.ParquetWriter]:
    """Write a new file; one that an earlier run left under its name is kept, and compared later
    as if it were new.
    """
    try:
        with place.created(path) as (name, files):
            how: dict[str, Any] = {
                "filesystem": files,
                "compression": COMPRESSION,
                "write_page_checksum": True,
            }
            how["use_dictionary"] = [column for column in schema.names if column not in DISTINCT]
            how["column_encoding"] = dict.fromkeys(GROWING, "DELTA_BINARY_PACKED")
            with parquet.ParquetWriter(name, schema, **how) as writer:
                yield writer
    except ArchiveConflictError:
        return


def _compare_with_store(
    request: Request,
    files: list[ArchivedFile],
    days: list[int],
    seen: Numbers,
) -> None:
    """Raise ArchiveError unless the store has the same events as the commit."""
    hashes = {day_of(day * MICROSECONDS_A_DAY): (day, ContentHash()) for day in days}
    for page in seen.learned(_events(request)):
        for day, hash in hashes.values():
            hash.update(on_day(page, day))
    if {day: hash.hexdigest() for day, (_, hash) in hashes.items()} != {
        file.day: file.sha256 for file in files
    }:
        raise ArchiveConflictError(
            f"{request.url} has other events {request.first} to {request.last} of this store: it "
            "was restored from a "
            "backup, or a copy of it is archived there too; archive it to another folder",
        )


def read_back(place: Place, file: ArchivedFile) -> ArchivedFile:
    """The file with its size and hash, after its events were read and compared. ArchiveError
    when they differ.
    """
    content = ContentHash()
    for rows in ahead(tables(place, file.path)):
        content.update(rows)
    if (content.rows, content.hexdigest()) != (file.rows, file.sha256):
        raise ArchiveConflictError(
            f"{place.at(file.path)} does not hold the {file.rows} events that the store has: "
            "another copy of the store "
            "was archived there, or the disk failed; if no commit names the file, remove it",
        )
    size, digest = file_hash(place, file.path)
    return replace(file, bytes=size, file_sha256=digest)


def file_hash(place: Place, path: str) -> tuple[int, str]:
    """The size of a file and the SHA-256 of its bytes."""
    digest, size = hashlib.sha256(), 0
    with place.reading(path) as source:
        while part := source.read(READ_BYTES):
            digest.update(part)
            size += len(part)
    return size, digest.hexdigest()


def _days(request: Request) -> list[int]:
    """The numbers of the days of the events, counted from 1970, in order."""
    pages_of_days = pages(request.path, _DAYS, (), request.first - 1, request.last)
    days = {day for page in pages_of_days for day in page.column(0).to_pylist()}
    if not all(isinstance(day, int) for day in days):
        raise ArchiveError(
            f"an event of {request.first} to {request.last} has no time: the store was edited",
        )
    return sorted(days)


def _events(request: Request, days: list[int] | None = None) -> Iterator[pa.Table]:
    """The events of the range, those of some consecutive days only if these are given."""
    parent = os.getppid()
    sql: str = _EVENTS
    values: tuple[int, ...] = ()
    if days is not None:
        sql = _EVENTS_OF_DAYS
        values = (days[0] * MICROSECONDS_A_DAY, (days[-1] + 1) * MICROSECONDS_A_DAY)
    for page in pages(request.path, sql, values, request.first - 1, request.last):
        if os.getppid() != parent:
            raise ArchiveError("the program that archives has ended")
        yield _typed(page)


def _typed(page: pa.Table) -> pa.Table:
    """The page with the types of the history. ArchiveError when it has a value of another type."""
    try:
        return typed(page, SCHEMA)
    except pa.ArrowException as error:
        wrong = [each.name for each in SCHEMA if not _fits(page.column(each.name), each.type)]
        events = f"{page.column('seq')[0]} to {page.column('seq')[-1]}"
        raise ArchiveError(
            f"{wrong[0]} of one of the events {events} has a wrong type: somebody edited it",
        ) from error


def _fits(values: pa.ChunkedArray, type: pa.DataType) -> bool:
    try:
        values.cast(type)
    except pa.ArrowException:
        # A column without values fits any type.
        return bool(values.null_count == len(values))
    return True


class Numbers:
    """The numbers of the events that were read, in order, which are missing, and the owners of
    the events.
    """

    def __init__(self, first: int) -> None:
        self.qmgrs: set[str] = set()
        self._next = first
        self._missing: list[tuple[int, int]] = []

    def learned(self, events: Iterable[pa.Table]) -> Iterator[pa.Table]:
        """The same events, after their numbers and owners were noted."""
        for page in events:
            self.learn(page)
            self.qmgrs |= {name or "" for name in pc.unique(page.column("qmgr")).to_pylist()}
            yield page

    def learn(self, rows: pa.Table) -> None:
        if not rows.num_rows:
            return
        numbers = rows.column("seq")
        first, last = numbers[0].as_py(), numbers[-1].as_py()
        if first != self._next or last - first + 1 != rows.num_rows:
            for number in numbers.to_pylist():
                self._reach(number)
                self._next = number + 1
        self._next = last + 1

    def missing(self, last: int) -> list[tuple[int, int]]:
        """The ranges of numbers up to `last` that no event had."""
        self._reach(last + 1)
        return self._missing

    def _reach(self, number: int) -> None:
        if number > self._next:
            self._missing.append((self._next, number - 1))


def main() -> int:
    """Read the request, wait for a process that an earlier program left, and archive."""
    # Ctrl-C is for the program that archives, which then ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        request = Request(**json.load(sys.stdin))
    except ValueError:
        # The program that archives was killed before it had written the request.
        return 1
    try:
        fcntl.flock(os.open(request.lock, os.O_RDWR), fcntl.LOCK_EX)
        _print({"result": archive(request, lambda step: _print({"step": step}))})
    except DriverError as error:
        _print({"error": f"{request.path} cannot be read: {said(error)}", "conflict": False})
        return 1
    except (ArchiveError, OSError) as error:
        _print({"error": str(error), "conflict": isinstance(error, ArchiveConflictError)})
        return 1
    return 0


def _print(line: Mapping[str, Any]) -> None:
    try:
        print(json.dumps(line), flush=True)
    except BrokenPipeError:
        # The program that archives has ended. Not by an exception: Python would complain about
        # stdout at exit.
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
