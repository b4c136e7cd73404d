"""The contents of an archive's files, and files merged.

The hash does not depend on how a file is encoded. For each column, in the published order, three
byte strings: a byte per row, 1 for a value and 0 for NULL; per row 8 bytes, little-endian, the
number or the length of the text in bytes, 0 for NULL; the bytes of all texts. The hash is the
SHA-256 of the SHA-256 digests of these strings.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from pyarrow import parquet

from mqsc.reports.archive.kept import urls
from mqsc.reports.archive.place import Place, existing_place
from mqsc.reports.archive.writing import ArchivedFile, Commit, commits, folder_of, stores
from mqsc.reports.catalog import iso
from mqsc.reports.errors import ArchiveError, NoArchiveError
from mqsc.reports.held_rows import ARROW_TYPES
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


# The events of several archives, each once: merged by store and number (archive §4).


class FileToRead(NamedTuple):
    """A file with events of a day; `fault` is what is wrong with it, as far as that can be seen
    without opening it.
    """

    url: str
    day: str
    fault: str = ""


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


def merged(urls: Sequence[str]) -> list[ArchivedStore]:
    """The stores in the archives. ArchiveError when one cannot be read, or two have different
    events of a store.
    """
    commits_of: dict[str, list[tuple[Place, Commit]]] = {}
    sizes: dict[str, dict[str, int]] = {}
    for url in dict.fromkeys(urls):
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
    return FileToRead(place.url_of(file.path), file.day, fault)


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
