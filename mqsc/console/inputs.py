"""Where commands come from: files, standard input and texts, as streams of lines.

A file is opened when its turn comes and read line by line. Files of the store are refused: closing any descriptor on a
store's file drops SQLite's locks, and committed data could then be lost (design §3.13).
"""

from __future__ import annotations

import glob
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

LOOKED_AT = 8192
BLOCK = 65_536
STORE_FILES = ("", "-wal", "-shm", "-journal")
SCRIPT_SUFFIX = ".mqsc"


class InputError(Exception):
    """An input that cannot be read at all; the text says which, where and why."""


@dataclass(frozen=True, slots=True)
class Source:
    """One input: a file by its path, standard input (path "-"), or a text given on the command line.

    `content` is what it holds, once that has been read; `fault` why there is nothing to read.
    """

    path: str | None = None
    text: str | None = None
    content: bytes | None = None
    fault: str = ""

    @property
    def file(self) -> str | None:
        """How replies name the input: the path as given, or None for standard input and texts."""
        return None if self.path in (None, "-") else self.path

    @property
    def name(self) -> str:
        """How a sentence names the input."""
        return self.file or ("standard input" if self.path else "the text given")


def named_by(given: str) -> list[Source]:
    """The inputs that one argument names, in the order of their paths.

    A folder stands for the scripts in it (*.mqsc, folders inside it left out), a pattern that is not itself a file for
    what it matches. Where that is nothing, the one input says so when it is opened.
    """
    if given == "-" or os.path.isfile(given):
        return [Source(path=given)]
    if os.path.isdir(given):
        return _scripts_in(given) or [Source(path=given, fault=f"{given} is a folder without a file *{SCRIPT_SUFFIX}")]
    if os.path.lexists(given) or not glob.has_magic(given):
        return [Source(path=given)]
    matching = sorted(glob.glob(given, recursive=True))
    found = [source for path in matching for source in (_scripts_in(path) if os.path.isdir(path) else [Source(path)])]
    return found or [Source(path=given, fault=f"{given} matches no file")]


def _scripts_in(folder: str) -> list[Source]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        return [Source(path=folder, fault=f"{folder} cannot be read: {error.strerror}")]
    scripts = [name for name in names if name.endswith(SCRIPT_SUFFIX) and not name.startswith(".")]
    return [Source(path=os.path.join(folder, name)) for name in scripts]


def read_now(source: Source) -> Source:
    """The input with what it holds; what cannot be read says so when it is opened."""
    try:
        with opened_lines(source) as lines:
            return replace(source, content=b"".join(lines))
    except InputError as fault:
        return replace(source, fault=str(fault))


@contextmanager
def opened_lines(source: Source, store_path: str | None = None) -> Iterator[Iterator[bytes]]:
    """The lines of an input as bytes, closed on leaving; InputError when it is missing, unreadable or binary."""
    if source.fault:
        raise InputError(source.fault)
    if source.content is not None:
        yield io.BytesIO(source.content)
    elif source.text is not None:
        yield io.BytesIO(source.text.encode("utf-8", "surrogateescape"))
    elif source.path == "-":
        yield _checked(sys.stdin.buffer, source)
    else:
        with opened_file(str(source.path), store_path) as stream:
            yield _checked(stream, source)


@contextmanager
def opened_file(path: str, store_path: str | None = None) -> Iterator[BinaryIO]:
    """The file at `path`, to read bytes from; InputError says in a sentence why it cannot be."""
    if store_path is not None and is_store_file(path, store_path):
        raise InputError(f"{path} is the store itself")
    # Opened outside the `with`: an error of whoever reads must not be taken for one of the file.
    try:
        stream = Path(path).open("rb")  # noqa: SIM115
    except FileNotFoundError as error:
        raise InputError(f"{path} does not exist") from error
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder, not a file") from error
    except PermissionError as error:
        raise InputError(f"{path} cannot be read: no permission") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
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


def is_pipe(path: str) -> bool:
    """Whether what can be read at `path` is gone once it is read: a named pipe, a terminal, `<(...)` of the shell."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


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
        raise InputError(f"{source.name}, line 1, column 1: this is UTF-16; save it as UTF-8")
    at = begin.find(b"\0")
    if at >= 0:
        line = begin.count(b"\n", 0, at) + 1
        column = at - (begin.rfind(b"\n", 0, at) + 1) + 1
        raise InputError(f"{source.name}, line {line}, column {column}: a NUL byte; this is a binary file, not MQSC")
    return stream
