"""The data that a store has kept of messages that are gone, in an archive: only if asked, beside
the events.

`store=<uuid>/_kept/<number>.parquet` has what a run found in the store and no earlier file has.
Programs that read Parquet files pass over such a folder. The files are no part of the chain of
commits: readers do not need them, and may remove them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import parquet

from mqsc.reports.archive.commit_files import folder_of
from mqsc.reports.archive.place import Place, existing_place, open_place
from mqsc.reports.errors import ArchiveError
from mqsc.reports.file_pages import ARROW_TYPES

FOLDER, SUFFIX = "_kept", ".parquet"
TIMES = ("left_at", "put_at", "expires_at")
# Which message it was, and when it left which queue.
KEY = ("qmgr", "queue", "msg_id", "put_at", "left_at")

KeptRow = tuple[Any, ...]


def add(
    url: str, store: str, columns: Mapping[str, str], pages: Iterable[Sequence[KeptRow]]
) -> int:
    """Add rows with these columns, each with its SQLite type, except those that are there already;
    return how many.

    The file appears complete or not at all, so a run that is killed is repeated without loss.
    ArchiveError if that is not possible.
    """
    place = open_place(url)
    there = _numbers(place, store)
    known = {key for number in there for key in _rows(place, _path(store, number), KEY)}
    at = [[*columns].index(name) for name in KEY]
    unknown = (
        [row for row in page if tuple(row[each] for each in at) not in known] for page in pages
    )
    new_pages = filter(None, unknown)
    first = next(new_pages, None)
    if first is None:
        return 0
    time = pa.timestamp("us", "UTC")
    schema = pa.schema(
        [(name, time if name in TIMES else ARROW_TYPES[type]) for name, type in columns.items()],
    )
    added = 0
    with (
        place.created(_path(store, max(there, default=0) + 1)) as (name, files),
        parquet.ParquetWriter(
            name,
            schema,
            filesystem=files,
            compression="zstd",
            write_page_checksum=True,
        ) as writer,
    ):
        for page in chain([first], new_pages):
            values = zip(*page, strict=True)
            arrays = [
                pa.array(column, field.type) for column, field in zip(values, schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            added += len(page)
    return added


def urls(place: Place, store: str) -> tuple[str, ...]:
    """The files as Spark reads them."""
    return tuple(place.url_of(_path(store, number)) for number in _numbers(place, store))


def kept_of(url: str, store: str, columns: Iterable[str]) -> Iterator[KeptRow]:
    """What is archived of a store, in the order in which it was, with the values of these columns.

    ArchiveError if it cannot be read.
    """
    place = existing_place(url)
    for number in _numbers(place, store):
        yield from _rows(place, _path(store, number), [*columns])


def verified(place: Place, store: str) -> tuple[int, dict[str, str]]:
    """How many messages have data in an archive, and what is wrong by file: it cannot be read, is
    missing, or repeats.

    No commit has hashes of these files, so a change that keeps the checksums of pages right is not
    found.
    """
    known: set[KeptRow] = set()
    wrong: dict[str, str] = {}
    numbers = _numbers(place, store)
    for number in range(1, max(numbers, default=0) + 1):
        path = _path(store, number)
        if number not in numbers:
            wrong[place.at(path)] = "the file is missing"
            continue
        try:
            # Whatever is damaged is in a page with a checksum.
            keys = [row[: len(KEY)] for row in _rows(place, path, [*KEY, "body"])]
        except ArchiveError as error:
            wrong[place.at(path)] = str(error).removeprefix(f"{place.at(path)}: ")
            continue
        if again := len(keys) - len({*keys} - known):
            wrong[place.at(path)] = f"{again} messages are in it twice, or in an earlier file"
        known.update(keys)
    return len(known), wrong


def _numbers(place: Place, store: str) -> list[int]:
    names = place.names(f"{folder_of(store)}/{FOLDER}")
    return sorted(
        int(name.removesuffix(SUFFIX)) for name in names if name.removesuffix(SUFFIX).isdecimal()
    )


def _path(store: str, number: int) -> str:
    return f"{folder_of(store)}/{FOLDER}/{number}{SUFFIX}"


def _rows(place: Place, path: str, names: Sequence[str]) -> Iterator[KeptRow]:
    with place.reading(path) as source:
        rows = parquet.read_table(source, columns=list(names), page_checksum_verification=True)
    if lacking := [name for name in names if name not in rows.column_names]:
        raise ArchiveError(f"{place.at(path)}: it has no column {lacking[0]}")
    yield from zip(
        *(
            rows[name].cast(pa.int64()).to_pylist() if name in TIMES else rows[name].to_pylist()
            for name in names
        ),
        strict=True,
    )
