"""Which format a file has, by its content, and how it is opened: unpacked, and UTF-16 as UTF-8.

The formats and their patterns are rows of formats.py.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import IO, Any, BinaryIO, cast

from click import ClickException
from msgspec import Struct, field

from mqsc.console.inputs import InputError, InputSource, is_pipe, named_by, opened_file
from mqsc.console.options import Choices
from mqsc.imports.formats import FORMATS, Format
from mqsc.imports.source_text import LocalTimes

# The bytes at the beginning of a file that decide.
HEAD = 16_384
_MARKS = (
    (codecs.BOM_UTF8, ""),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_COMPRESSED: tuple[tuple[bytes, Callable[[BinaryIO], Any]], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\0", lzma.open),
)
_ZIP = b"PK\x03\x04"
# Compressed files, which are recognised but not expanded: offset, bytes there, and a sentence.
_NOT_EXPANDED = (
    (0, b"\x28\xb5\x2f\xfd", "it is compressed with zstd"),
    (0, b"\x04\x22\x4d\x18", "it is compressed with lz4"),
    (0, b"\x1f\x9d", "it is compressed with compress"),
    (0, b"7z\xbc\xaf\x27\x1c", "it is an archive of 7-Zip"),
    (0, b"Rar!\x1a\x07", "it is a RAR archive"),
    (257, b"ustar", "it is a tar archive"),
)
_LONGEST_BEGINNING = 262
# A file may be compressed, in a zip file, in another one; a file that is deeper was made to be
# expanded forever.
_DEEPEST = 3
# What Python's readers of compressed data raise for data that is damaged, encrypted or of a kind
# that they do not know.
_UNREADABLE = (
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    IndexError,
    MemoryError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


class ImportOptions(Struct, frozen=True):
    """How to import, and the `choices` of where to.

    `plan` writes nothing; `keep_going` skips damaged records, `skip_unsupported` what is not here.
    `queue` is the queue for messages, instead of the one that the file names. `apply` makes the
    definitions that the output of DISPLAY shows, which was `taken_at` that time (microseconds UTC).
    Events of a queue manager get the name that it has in `renamed`; `defined` are those whose
    definitions are imported too. Text is UTF-8, else in `encoding`; `times` turns local times into
    UTC. A plan that is undone has the open `store`.
    """

    choices: Choices
    plan: bool = False
    keep_going: bool = False
    skip_unsupported: bool = False
    queue: str | None = None
    apply: bool = False
    taken_at: int | None = None
    renamed: Mapping[str, str] = {}
    defined: frozenset[str] = frozenset()
    encoding: str = "latin-1"
    times: LocalTimes = field(default_factory=LocalTimes)
    store: Any = None


class Remark(Struct, frozen=True):
    """A sentence about a place in a file, `FILE:LINE` or `FILE`."""

    place: str
    sentence: str


class Imported(Struct):
    """What came of a file, or with `plan` would. `counts` has numbers by noun, such as {"message":
    3}.

    `remarks` say what has no effect or was left out, and why; `faults` say what was damaged or
    refused (exit code 10). `stopped` is the place from which on a fault kept everything from being
    imported; blank for a whole import. `refusal` says why the file could not be imported at all,
    with an exit code.
    """

    file: str
    format: str
    qmgr: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    stopped: str = ""
    refusal: ClickException | None = None


class ImportFile(Struct, frozen=True):
    """A file, or a member of a zip file: its name in sentences, and how to open it from its
    beginning.

    `damage` says what is wrong with the data of one that is compressed, which ends there.
    """

    name: str
    opened: Callable[[], BinaryIO]
    damage: list[str] = field(default_factory=list)


def recognised(head: bytes) -> Format | None:
    """The format of a file that begins with these bytes; None for an unknown one."""
    text = head.decode("latin-1").lstrip("\0 \t\r\n")
    return next((each for each in FORMATS.values() if each.pattern.search(text)), None)


def files_named(paths: Sequence[str], store_path: str | None) -> Iterator[ImportFile | InputSource]:
    """The files that the arguments name; of a folder all, of a zip file its members. A source
    has a `fault`.
    """
    for source in (each for path in paths for each in named_by(path, suffixes=("",))):
        if source.fault:
            yield source
            continue
        try:
            yield from _members(source.name, _opener(source, store_path), [], 0)
        except (InputError, *_UNREADABLE) as fault:
            yield InputSource(source.path, fault=_why(source.name, fault))


def head_of(file: ImportFile) -> bytes:
    """The beginning of a file."""
    with file.opened() as stream:
        return stream.read(HEAD)


def _opener(source: InputSource, store_path: str | None) -> Callable[[], BinaryIO]:
    """How to open an input again and again: standard input and pipes are kept in a temporary
    file.
    """
    path = str(source.path)
    if path != "-" and not is_pipe(path):
        return partial(_reopened, path, store_path)
    kept = tempfile.TemporaryFile()  # noqa: SIM115
    if path == "-":
        shutil.copyfileobj(sys.stdin.buffer, kept)
    else:
        with opened_file(path, store_path) as stream:
            shutil.copyfileobj(stream, kept)
    kept.flush()
    return partial(opened_again, kept)


def _reopened(path: str, store_path: str | None) -> BinaryIO:
    with opened_file(path, store_path) as stream:
        return open(os.dup(stream.fileno()), "rb")


def opened_again(stream: IO[bytes]) -> BinaryIO:
    """An open file, open once more from its beginning; one that is compressed is the same
    stream, read into memory.
    """
    try:
        again = open(os.dup(stream.fileno()), "rb")  # noqa: SIM115
    except io.UnsupportedOperation:
        stream.seek(0)
        return io.BytesIO(stream.read())
    again.seek(0)
    return again


def _members(
    name: str,
    opened: Callable[[], BinaryIO],
    damage: list[str],
    depth: int,
) -> Iterator[ImportFile | InputSource]:
    """The file itself, or the members of a zip file, which may be compressed themselves.

    A member that cannot be read does not keep the others from it. `depth` is how many others the
    file is in.
    """
    with opened() as stream:
        begin = stream.read(_LONGEST_BEGINNING)
        packed = zipfile.ZipFile(stream).infolist() if begin.startswith(_ZIP) else []
    if not begin.startswith(_ZIP):
        yield ImportFile(name, _decoded(opened, begin, damage, depth), damage)
    for packed_file in sorted(packed, key=lambda member: member.filename):
        if packed_file.is_dir():
            continue
        within = list[str]()
        member = partial(_member, opened, packed.index(packed_file), within)
        member_name = f"{name}:{packed_file.filename}"
        try:
            _check_depth(depth + 1)
            _beginning_of_whole(member)
            yield from _members(member_name, member, within, depth + 1)
        except (InputError, *_UNREADABLE) as fault:
            yield InputSource(member_name, fault=_why(member_name, fault))


def _check_depth(depth: int) -> None:
    if depth > _DEEPEST:
        raise InputError(f"it is compressed more than {_DEEPEST} times, or in so many others")


def _why(name: str, fault: BaseException) -> str:
    """Why a file cannot be read, as a sentence."""
    if isinstance(fault, InputError) and str(fault).startswith(name):
        return str(fault)
    return f"{name} cannot be read: {_reason(fault)}"


def _reason(fault: BaseException) -> str:
    """What Python says of data that it cannot expand, in our words where it speaks to
    programmers.
    """
    if isinstance(fault, RuntimeError) and "password" in str(fault):
        return "it needs a password; expand it first"
    if isinstance(fault, RuntimeError):
        return "it is compressed by a method that is not known here, or encrypted; expand it first"
    return str(fault) or type(fault).__name__


def _member(opened: Callable[[], BinaryIO], index: int, damage: list[str]) -> BinaryIO:
    source = opened()
    try:
        archive = zipfile.ZipFile(source)
        # By its place: two members may have one name.
        stream = archive.open(archive.infolist()[index])
    except BaseException:
        source.close()
        raise
    return io.BufferedReader(_Expanded(cast("io.BufferedIOBase", stream), damage, archive, source))


def _decoded(
    opened: Callable[[], BinaryIO],
    begin: bytes,
    damage: list[str],
    depth: int,
) -> Callable[[], BinaryIO]:
    """How to open the file as it was before it was compressed, without a byte order mark, as
    UTF-8.
    """
    _check_depth(depth)
    for place, mark, what in _NOT_EXPANDED:
        if begin[place : place + len(mark)] == mark:
            raise InputError(f"{what}, which is not read; expand it first")
    for mark, expand in _COMPRESSED:
        if begin.startswith(mark):
            expanded = partial(_expanded, expand, opened, damage)
            return _decoded(expanded, _beginning_of_whole(expanded), damage, depth + 1)
    for mark, encoding in _MARKS:
        if begin.startswith(mark):
            return partial(_unmarked, opened, len(mark), encoding)
    return opened


def _beginning_of_whole(opened: Callable[[], BinaryIO]) -> bytes:
    """The first bytes of a compressed file, which is read to its end: its checksum is there."""
    with opened() as stream:
        begin = stream.read(_LONGEST_BEGINNING)
        while stream.read(1 << 20):
            pass
    return begin


def _expanded(
    expand: Callable[[BinaryIO], Any],
    opened: Callable[[], BinaryIO],
    damage: list[str],
) -> BinaryIO:
    source = opened()
    return io.BufferedReader(_Expanded(expand(source), damage, source))


class _Expanded(io.RawIOBase):
    """A stream that is read from other ones, and closes them. It ends where what it is read from
    is damaged.
    """

    def __init__(
        self,
        stream: io.BufferedIOBase,
        damage: list[str],
        *sources: BinaryIO | zipfile.ZipFile,
    ) -> None:
        self._stream, self._damage = stream, damage
        self._sources = sources

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; how many bytes it was."""
        try:
            # Not read(), which loses what it has when it meets damage.
            data = self._stream.read1(len(buffer))
        except _UNREADABLE as error:
            # Of the same damage, a stream says something else at each further read.
            self._damage[:] = self._damage or [f"its compressed data is damaged: {_reason(error)}"]
            return 0
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to an offset."""
        return self._stream.seek(offset, whence)

    def close(self) -> None:
        """Close all streams."""
        for each in (self._stream, *self._sources):
            each.close()
        super().close()


def _unmarked(opened: Callable[[], BinaryIO], length: int, encoding: str) -> BinaryIO:
    stream = opened()
    stream.seek(length)
    return cast("BinaryIO", codecs.EncodedFile(stream, "utf-8", encoding)) if encoding else stream


def by_stage(
    recognized: Iterable[tuple[ImportFile, Format]],
) -> Iterator[tuple[Format, list[ImportFile]]]:
    """The files of each format together, definitions first; the order of the files is kept."""
    groups: dict[str, list[ImportFile]] = {}
    for file, format in recognized:
        groups.setdefault(format.name, []).append(file)
    for name in sorted(groups, key=lambda name: FORMATS[name].stage):
        yield FORMATS[name], groups[name]
