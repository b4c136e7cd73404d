"""The events in a file of an archive: their Arrow schema, and the hash of their content.

The hash does not depend on how a file is encoded. For each column, in the published order, three byte strings: a byte
per row, 1 for a value and 0 for NULL; per row 8 bytes, little-endian, the number or the length of the text in bytes,
0 for NULL; the bytes of all texts. The hash is the SHA-256 of the SHA-256 digests of these strings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyarrow import parquet

from reports.archive.place import Place
from reports.sqlite_pages import ARROW_TYPES
from store.published import EVENT

MICROSECONDS_A_DAY = 86_400_000_000
DESCRIPTION = b"description"
SCHEMA = pa.schema(
    [pa.field(each.name, ARROW_TYPES[each.type], metadata={DESCRIPTION: each.doc}) for each in EVENT.columns]
)
NAMES = SCHEMA.names
# In files, times are timestamps; those of older versions have numbers. Both are read as numbers.
TIMES = ("at", "put_at", "expires_at")
FILE_SCHEMA = pa.schema(
    [field.with_type(pa.timestamp("us", "UTC")) if field.name in TIMES else field for field in SCHEMA]
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
    return memoryview(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]


def day_of(at: int) -> str:
    """The day of a time in microseconds since 1970, UTC, as YYYY-MM-DD; years beyond four digits have a sign."""
    # The civil calendar, in eras of 400 years that begin in March.
    era, day = divmod(at // MICROSECONDS_A_DAY + 719_468, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    of_year = day - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    date = of_year - (153 * month + 2) // 5 + 1
    number = year + era * 400 + (month >= 10)
    written = f"{number:04d}" if 0 <= number <= 9999 else f"{number:+07d}"
    return f"{written}-{(month + 2) % 12 + 1:02d}-{date:02d}"


def on_day(rows: pa.Table, day: int) -> pa.Table:
    """The events of that day."""
    start = day * MICROSECONDS_A_DAY
    at = rows.column("at")
    bounds = pc.min_max(at)
    if rows.num_rows and start <= bounds["min"].as_py() and bounds["max"].as_py() < start + MICROSECONDS_A_DAY:
        return rows
    within = pc.and_(pc.greater_equal(at, start), pc.less(at, start + MICROSECONDS_A_DAY))
    return rows.filter(within)


def tables(place: Place, path: str) -> Iterator[pa.Table]:
    """The events of a file, a row group at a time. ArchiveError when they cannot be read or are no events."""
    with place.reading(path) as source:
        file = parquet.ParquetFile(source, page_checksum_verification=True)
        for group in range(file.num_row_groups):
            yield file.read_row_group(group).cast(SCHEMA)
