"""Where an archive is: a folder, or a URL that pyarrow's file systems know. Files appear
complete or not at all.
"""

import errno
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import fs

from mqsc.reports.errors import ArchiveConflictError, ArchiveError, NoArchiveError
from mqsc.reports.masters import HADOOP_SCHEMES

GLOB = re.compile(r"([\[\]{}*?\\])")
# A file system that has no hard links.
NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


@dataclass(frozen=True, slots=True)
class Place:
    """An archive's file system and its root there. Paths are relative to the root, with slashes."""

    url: str
    files: fs.FileSystem
    root: str

    @property
    def is_local(self) -> bool:
        return isinstance(self.files, fs.LocalFileSystem)

    def full(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted, without unfinished files; empty if there is no such
        folder.
        """
        with self._explained(folder):
            entries = self.files.get_file_info(
                fs.FileSelector(self.full(folder), allow_not_found=True),
            )
        return sorted(each.base_name for each in entries if not each.base_name.startswith("."))

    def size(self, path: str) -> int | None:
        """The size of a file in bytes; None if there is no such file."""
        with self._explained(path):
            (entry,) = self.files.get_file_info([self.full(path)])
        return int(entry.size) if entry.type == fs.FileType.File else None

    def sizes(self, folder: str) -> dict[str, int]:
        """The sizes of all files below a folder, by their paths."""
        with self._explained(folder):
            entries = self.files.get_file_info(
                fs.FileSelector(self.full(folder), allow_not_found=True, recursive=True),
            )
        start = len(self.full("")) + 1
        return {
            each.path[start:]: int(each.size) for each in entries if each.type == fs.FileType.File
        }

    def read(self, path: str) -> bytes:
        with self._explained(path), self.files.open_input_stream(self.full(path)) as stream:
            return bytes(stream.read())

    @contextmanager
    def reading(self, path: str) -> Iterator[pa.NativeFile]:
        """The file, open for random access."""
        with self._explained(path), self.files.open_input_file(self.full(path)) as file:
            yield file

    @contextmanager
    def created(self, path: str) -> Iterator[tuple[str, fs.FileSystem]]:
        """Where to write a new file; on leaving the block it appears as `path`, synced to disk.

        Nothing is created if the block fails. ArchiveConflictError if another writer created the
        file meanwhile. Object stores cannot check that: they replace the file.
        """
        if not self.is_local:
            with self._explained(path):
                yield self.full(path), self.files
            return
        final = Path(self.full(path))
        with self._explained(path):
            final.parent.mkdir(parents=True, exist_ok=True)
            _remove_left(final)
            # Readable by the user only, like the store.
            descriptor, unfinished = tempfile.mkstemp(prefix=f".{final.name}.", dir=final.parent)
            os.close(descriptor)
            try:
                yield unfinished, self.files
                sync(unfinished)
                _link(unfinished, final)
                sync(str(final.parent))
            except FileExistsError as error:
                raise ArchiveConflictError(f"{final} exists already") from error
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(unfinished)

    def write_new(self, path: str, content: bytes) -> None:
        """Create a file. ArchiveConflictError when it exists."""
        if not self.is_local and self.size(path) is not None:
            raise ArchiveConflictError(f"{self.at(path)} exists already")
        with self.created(path) as (name, files), files.open_output_stream(name) as stream:
            stream.write(content)

    def url_of(self, path: str) -> str:
        """The URL of a file as Spark reads it: not encoded, but with patterns escaped."""
        return GLOB.sub(r"\\\1", self._hadoop_url(path))

    def _hadoop_url(self, path: str) -> str:
        if self.is_local:
            return f"file://{self.full(path)}"
        scheme = HADOOP_SCHEMES.get(self.url.partition("://")[0])
        # The path in these file systems begins with the bucket.
        return f"{scheme}://{self.full(path)}" if scheme else self.at(path)

    def at(self, path: str) -> str:
        """The path as the user knows it."""
        return f"{self.url.rstrip('/')}/{path}"

    @contextmanager
    def _explained(self, path: str) -> Iterator[None]:
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            raise ArchiveError(f"{self.at(path)}: {_words(error)}") from error


def open_place(url: str) -> Place:
    """The archive at a URL or in a folder, which may be missing. ArchiveError when that cannot
    be one.
    """
    if url.startswith("sqlite:"):
        raise NoArchiveError(
            f"{url} is a store; an archive is a folder, or a URL such as s3://bucket/archive",
        )
    try:
        # A surrogate stands for a byte that is not UTF-8. The store could not note the name.
        url.encode()
        if "://" in url:
            files, root = fs.FileSystem.from_uri(url)
            if not isinstance(files, fs.LocalFileSystem):
                return Place(url, files, root.rstrip("/"))
            url = root
        path = Path(url).expanduser().resolve()
    except (OSError, ValueError, RuntimeError, pa.ArrowException) as error:
        raise NoArchiveError(f"{url} cannot be an archive: {_words(error)}") from error
    if not url or (path.exists() and not path.is_dir()):
        raise NoArchiveError(f"{url or 'a blank name'} is not a folder, so it cannot be an archive")
    return Place(str(path), fs.LocalFileSystem(), str(path))


def existing_place(url: str) -> Place:
    """The archive at a URL. NoArchiveError when there is none."""
    place = open_place(url)
    if not any(name.startswith("store=") for name in place.names("")):
        raise NoArchiveError(f"there is no archive at {place.url}")
    return place


def _words(error: Exception) -> str:
    if isinstance(error, UnicodeEncodeError):
        return "its name is not UTF-8"
    if isinstance(error, OSError) and error.errno:
        # It may be a folder on the way to the file.
        return (
            f"{os.strerror(error.errno)} ({error.filename})"
            if error.filename
            else os.strerror(error.errno)
        )
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines or [type(error).__name__])[0].rstrip(".")


def sync(path: str | Path) -> None:
    """Write a file or a folder to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_left(final: Path) -> None:
    """Remove what killed runs left: unfinished files for this name, and second names of files
    that are finished.
    """
    for left in final.parent.glob(".*"):
        with suppress(FileNotFoundError):
            if left.name.startswith(f".{final.name}.") or (
                left.is_file() and left.stat().st_nlink > 1
            ):
                left.unlink()


def _link(unfinished: str, final: Path) -> None:
    """Give a complete file its name, unless that is taken."""
    try:
        os.link(unfinished, final)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if final.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(final)) from error
        os.rename(unfinished, final)
