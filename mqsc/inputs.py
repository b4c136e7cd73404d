"""Where commands come from: files, standard input and texts, as streams of lines.

A file is opened when its turn comes and read line by line. Files of the store are refused: closing any descriptor on a
store's file drops SQLite's locks, and committed data could then be lost (design §3.13).
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

LOOKED_AT = 8192
BLOCK = 65_536
STORE_FILES = ("", "-wal", "-shm", "-journal")


class InputFault(Exception):
    """An input that cannot be read at all; the text says which, where and why."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input: a file by its path, standard input (path "-"), or a text given on the command line."""

    path: str | None = None
    text: str | None = None

    @property
    def file(self) -> str | None:
        """How replies name the input: the path as given, or None for standard input and texts."""
        return None if self.path in (None, "-") else self.path

    @property
    def name(self) -> str:
        """How a sentence names the input."""
        return self.file or ("standard input" if self.path else "the text given")


@contextmanager
def opened_lines(source: Source, store_path: str | None = None) -> Iterator[Iterator[bytes]]:
    """The lines of an input as bytes, closed on leaving; InputFault when it is missing, unreadable or binary."""
    if source.text is not None:
        yield io.BytesIO(source.text.encode("utf-8", "surrogateescape"))
    elif source.path == "-":
        yield _checked(sys.stdin.buffer, source)
    else:
        with opened_file(str(source.path), store_path) as stream:
            yield _checked(stream, source)


@contextmanager
def opened_file(path: str, store_path: str | None = None) -> Iterator[BinaryIO]:
    """The file at `path`, to read bytes from; InputFault says in a sentence why it cannot be."""
    if store_path is not None and is_store_file(path, store_path):
        raise InputFault(f"{path} is the store itself")
    # Opened outside the `with`: an error of whoever reads must not be taken for one of the file.
    try:
        stream = Path(path).open("rb")  # noqa: SIM115
    except FileNotFoundError as error:
        raise InputFault(f"{path} does not exist") from error
    except IsADirectoryError as error:
        raise InputFault(f"{path} is a folder, not a file") from error
    except PermissionError as error:
        raise InputFault(f"{path} cannot be read: no permission") from error
    except OSError as error:
        raise InputFault(f"{path} cannot be read: {error.strerror}") from error
    with stream:
        yield stream


def lines_as_they_come(stream: BinaryIO) -> Iterator[list[bytes]]:
    """The lines of a stream without their ends, in lists of what was there at a time: a slow pipe is not waited for."""
    rest = b""
    read = getattr(stream, "read1", stream.read)
    while piece := read(BLOCK):
        *lines, rest = (rest + piece).split(b"\n")
        if lines:
            yield [line.removesuffix(b"\r") for line in lines]
    if rest:
        yield [rest.removesuffix(b"\r")]


def is_store_file(path: str, store_path: str) -> bool:
    """Whether `path` is one of the files of the store at `store_path`, by identity, without opening either."""
    return any(
        os.path.exists(store_path + suffix) and os.path.exists(path) and os.path.samefile(path, store_path + suffix)
        for suffix in STORE_FILES
    )


def _checked(stream: BinaryIO, source: Source) -> BinaryIO:
    """`stream`, unless its beginning shows that it is no text."""
    begin = stream.peek(LOOKED_AT)[:LOOKED_AT] if isinstance(stream, io.BufferedReader) else b""
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputFault(f"{source.name}, line 1, column 1: this is UTF-16; save it as UTF-8")
    at = begin.find(b"\0")
    if at >= 0:
        line = begin.count(b"\n", 0, at) + 1
        column = at - (begin.rfind(b"\n", 0, at) + 1) + 1
        raise InputFault(f"{source.name}, line {line}, column {column}: a NUL byte; this is a binary file, not MQSC")
    return stream
