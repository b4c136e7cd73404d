"""The contents of an archive's files."""

import hashlib
from collections.abc import Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyarrow import parquet

from mqsc.reports.archive.commit_files import commits
from mqsc.reports.archive.place import Place, existing_place
from mqsc.reports.errors import ArchiveError
from mqsc.reports.file_pages import ARROW_TYPES
from mqsc.reports.times import iso
from mqsc.store.published import EVENT

MICROSECONDS_A_DAY = 86_400_000_000
DESCRIPTION = b"description"
SCHEMA = pa.schema(
    [
        pa.field(column.name, ARROW_TYPES[column.type], metadata={DESCRIPTION: column.doc})
        for column in EVENT.columns
    ],
)
NAMES = SCHEMA.names
# In files, times are timestamps; those of older versions have numbers. Both are read as numbers.
TIMES = ("at", "put_at", "expires_at")
FILE_SCHEMA = pa.schema(
    [
        field.with_type(pa.timestamp("us", "UTC")) if field.name in TIMES else field
        for field in SCHEMA
    ],
)


class ContentHash:
    """The hash of the content of rows that are given in order, as tables."""

    def __init__(self) -> None:
        self.rows = 0
        self._parts = [[hashlib.sha256() for _ in range(3)] for _ in SCHEMA]

    def update(self, rows: pa.Table) -> None:
        self.rows += rows.num_rows
        for name, parts in zip(NAMES, self._parts, strict=True):
            for array in rows.column(name).chunks:
                for part, content in zip(parts, _strings(array), strict=False):
                    part.update(content)

    def hexdigest(self) -> str:
        whole = hashlib.sha256()
        for parts in self._parts:
            for part in parts:
                whole.update(part.digest())
        return whole.hexdigest()


def _strings(array: pa.Array) -> Iterator[Any]:
    yield _values(pc.cast(pc.is_valid(array), pa.uint8()))
    if pa.types.is_integer(array.type):
        yield _values(pc.fill_null(array, 0))
        return
    plain = pc.fill_null(array.cast(pa.binary()), b"")
    yield _values(pc.cast(pc.binary_length(plain), pa.int64()))
    offsets = memoryview(plain.buffers()[1]).cast("i")
    begin, end = offsets[plain.offset], offsets[plain.offset + len(plain)]
    if end > begin:
        yield memoryview(plain.buffers()[2])[begin:end]


def _values(array: pa.Array) -> memoryview:
    """The values of an array without NULLs, as bytes."""
    width = array.type.bit_width // 8
    return memoryview(array.buffers()[1])[
        array.offset * width : (array.offset + len(array)) * width
    ]


def day_of(at: int) -> str:
    """The day of a time in microseconds since 1970, UTC, as YYYY-MM-DD; years beyond four digits
    have a sign.
    """
    year, month, day = iso(at).partition("T")[0].rsplit("-", 2)
    number = int(year)
    written = f"{number:04d}" if 0 <= number <= 9999 else f"{number:+07d}"
    return f"{written}-{month}-{day}"


def on_day(rows: pa.Table, day: int) -> pa.Table:
    """The events of that day."""
    start = day * MICROSECONDS_A_DAY
    at = rows.column("at")
    bounds = pc.min_max(at)
    if (
        rows.num_rows
        and start <= bounds["min"].as_py()
        and bounds["max"].as_py() < start + MICROSECONDS_A_DAY
    ):
        return rows
    within = pc.and_(pc.greater_equal(at, start), pc.less(at, start + MICROSECONDS_A_DAY))
    return rows.filter(within)


def tables(place: Place, path: str) -> Iterator[pa.Table]:
    """The events of a file, a row group at a time. ArchiveError when it cannot be read or holds
    something else.
    """
    with place.reading(path) as source:
        file = parquet.ParquetFile(source, page_checksum_verification=True)
        for group in range(file.num_row_groups):
            yield file.read_row_group(group).cast(SCHEMA)


def archived_events(url: str, store: str, last: int) -> Iterator[tuple[Any, ...]]:
    """The events of a store in an archive, as rows with the columns of the history, a file after
    the other.

    ArchiveError if it does not have those up to number `last`, or cannot be read.
    """
    place = existing_place(url)
    committed = commits(place, store)
    if not committed or committed[-1].last < last:
        has = f"events 1 to {committed[-1].last}" if committed else "no events"
        raise ArchiveError(
            f"{place.url} has {has} of this store; those up to {last} were removed from it",
        )
    for file in (file for commit in committed for file in commit.files):
        for rows in tables(place, file.path):
            yield from zip(*(rows.column(name).to_pylist() for name in NAMES), strict=True)
