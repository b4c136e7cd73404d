"""The inputs of a command: files, standard input and texts, as streams of lines.

A file is opened only when it is reached, and read line by line. The files of the store are refused:
closing any descriptor on them drops SQLite's locks, and committed data could then be lost (design
§3.13).
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct, structs

from mqsc.console.terminal import is_terminal, notice

CHECKED_BYTES = 8192
BLOCK = 65_536
# In bytes. A script with the line ends of old Macs is one line; no command is a thousandth as long.
LONGEST_LINE = 1 << 24
STORE_FILES = ("", "-wal", "-shm", "-journal")
SCRIPT_SUFFIX = ".mqsc"
_FAULTS = {
    FileNotFoundError: "does not exist",
    IsADirectoryError: "is a folder, not a file",
    PermissionError: "cannot be read: no permission",
}


class InputError(Exception):
    """An input that cannot be read; the text names it and gives the reason."""


class InputSource(Struct, frozen=True):
    """One input: a file by its path, standard input (path "-"), or a text given on the command
    line.

    `content` is its content once it has been read; `fault` is why it cannot be read.
    """

    path: str | None = None
    text: str | None = None
    content: bytes | None = None
    fault: str = ""

    @property
    def file(self) -> str | None:
        """The name of the input in replies: the path as given, or None for standard input and
        texts.
        """
        return None if self.path in (None, "-") else self.path

    @property
    def name(self) -> str:
        """The name of the input in a sentence."""
        return self.file or ("standard input" if self.path else "the -c text")


def named_by(
    argument: str,
    *,
    subfolders: bool = True,
    suffixes: tuple[str, ...] = (SCRIPT_SUFFIX,),
    to_write: bool = False,
) -> list[InputSource]:
    """The inputs that one argument names, sorted by path.

    A folder means the files with these suffixes in it and in its subfolders, which are left out
    without `subfolders`; a line on stderr says which scripts are not read. A pattern that is not
    itself a file means the files that match it. If no file matches, opening the one input returned
    raises InputError. With `to_write`, symbolic links in a folder or of a pattern are left out if
    they lead out of their folder, and a file that several links lead to is there once.
    """
    if argument == "-" or os.path.isfile(argument):
        return [InputSource(path=argument)]
    if os.path.isdir(argument):
        wanted = " or ".join(f"*{each}" for each in suffixes)
        nothing = InputSource(path=argument, fault=f"{argument} is a folder without {wanted} files")
        return _scripts_in(argument, subfolders, suffixes, to_write=to_write) or [nothing]
    import glob

    if os.path.lexists(argument) or not glob.has_magic(argument):
        return [InputSource(path=argument, fault=_fault_of_command(argument))]
    matching = sorted(glob.glob(argument, recursive=True))
    if to_write:
        matching = _without_links_out(matching)
    sources = [
        source
        for path in matching
        for source in (
            _scripts_in(path, subfolders, suffixes, to_write=to_write)
            if os.path.isdir(path)
            else [InputSource(path)]
        )
    ]
    # A pattern may match a file twice: also in its folder, or by a link.
    once = {os.path.realpath(str(each.path)): each for each in reversed(sources)}
    return [*reversed(once.values())] or [
        InputSource(path=argument, fault=f"{argument} matches no file")
    ]


def _fault_of_command(argument: str) -> str:
    """The fault of a command that is given in place of a file; blank for another text."""
    from mqsc.console.likely_commands import as_mqsc
    from mqsc.language.command_table import verb_of

    is_command = not os.path.lexists(argument) and verb_of(argument.partition(" ")[0].upper())
    return f"{argument} does not exist; {as_mqsc(argument.split())}" if is_command else ""


def _without_links_out(paths: list[str], folder: str | None = None) -> list[str]:
    """The paths but symbolic links that lead out of `folder` (default: their own), which a line
    on stderr names.
    """
    kept = [
        each
        for each in paths
        if not os.path.islink(each) or _is_inside(each, folder or os.path.dirname(each))
    ]
    for each in sorted({*paths} - {*kept}):
        notice(
            f"mqsc: {each} is left as it is: it is a link to {os.path.realpath(each)}; name it to "
            "change that file",
        )
    # The file itself rather than a link to it.
    named = {
        os.path.realpath(each): each for each in sorted(kept, key=os.path.islink, reverse=True)
    }
    return sorted(named.values())


def _is_inside(path: str, folder: str) -> bool:
    real = os.path.realpath(folder or ".")
    return os.path.commonpath([real, os.path.realpath(path)]) == real


def _scripts_in(
    folder: str,
    subfolders: bool,
    suffixes: tuple[str, ...],
    *,
    to_write: bool = False,
) -> list[InputSource]:
    faults: list[OSError] = []
    scripts: list[str] = []
    left_out: list[str] = []
    for path, folders, names in os.walk(folder, onerror=faults.append):
        is_read = path == folder or subfolders
        for name in names:
            if name.endswith(suffixes):
                (scripts if is_read and not name.startswith(".") else left_out).append(
                    os.path.join(path, name),
                )
        # Links could lead in circles.
        linked = [each for each in folders if os.path.islink(os.path.join(path, each))]
        left_out += (os.path.join(path, each) for each in linked if is_read)
        folders[:] = [each for each in folders if not each.startswith(".")]
    if left_out:
        more = f" and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        notice(
            f"mqsc: {folder}: not read: {min(left_out, key=_by_folder)}{more} (hidden, linked or "
            "in a subfolder)",
        )
    if to_write:
        scripts = _without_links_out(scripts, folder)
    faulty = [
        InputSource(
            path=str(each.filename),
            fault=f"{each.filename} cannot be read: {each.strerror}",
        )
        for each in faults
    ]
    return [*faulty, *(InputSource(path=path) for path in sorted(scripts, key=_by_folder))]


def _by_folder(path: str) -> list[str]:
    return path.split(os.sep)


def is_empty(source: InputSource) -> bool:
    """Whether an input is known to contain no command; consumes nothing. Waits until standard input
    has a byte or ends.

    False for a named pipe, which can be read only once.
    """
    if source.fault:
        return False
    if source.content is not None:
        return not source.content.strip()
    if source.text is not None:
        return not source.text.strip()
    if source.path == "-":
        return standard_input_is_empty()
    path = str(source.path)
    return os.path.isfile(path) and os.path.getsize(path) == 0


def standard_input_is_empty() -> bool:
    """Whether standard input ends before its first byte; waits for either, except on a terminal."""
    stream = sys.stdin.buffer
    return (
        isinstance(stream, io.BufferedReader) and not is_terminal(sys.stdin) and not stream.peek(1)
    )


def read_now(source: InputSource, store_path: str | None = None) -> InputSource:
    """The input with its content; if it cannot be read, opening the result raises InputError."""
    try:
        with opened_lines(source, store_path) as lines:
            return structs.replace(source, content=b"".join(lines))
    except InputError as fault:
        return structs.replace(source, fault=str(fault))


@contextmanager
def opened_lines(source: InputSource, store_path: str | None = None) -> Iterator[Iterator[bytes]]:
    """The lines of an input as bytes; InputError when it is missing, unreadable or binary."""
    if source.fault:
        raise InputError(source.fault)
    if source.content is not None:
        yield io.BytesIO(source.content)
    elif source.text is not None:
        yield io.BytesIO(source.text.encode("utf-8", "surrogateescape"))
    else:
        with opened_file(str(source.path), store_path) as stream:
            yield _bounded(_checked(stream, source), source)


@contextmanager
def opened_file(path: str, store_path: str | None = None) -> Iterator[BinaryIO]:
    """The file at `path`, opened for reading bytes, or standard input (-); InputError when it
    cannot be read.
    """
    if path == "-":
        yield sys.stdin.buffer
        return
    if store_path is not None and is_store_file(path, store_path):
        raise InputError(f"{path} is the store itself")
    # Opened outside the `with`, so that an error in the caller's block is not reported as an error
    # of the file.
    try:
        file = _InputFile(path)
    except OSError as error:
        raise _unreadable(path, error) from error
    with io.BufferedReader(file) as stream:
        yield stream


class _InputFile(io.FileIO):
    """A file whose reads raise InputError with its name, as on a disk that fails; Python's own
    OSError has no name.
    """

    def readinto(self, buffer: Any, /) -> int | None:
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise _unreadable(self.name, error) from error

    def readall(self) -> bytes:
        try:
            return super().readall()
        except OSError as error:
            raise _unreadable(self.name, error) from error


def _unreadable(path: str, error: OSError) -> InputError:
    return InputError(f"{path} {_FAULTS.get(type(error), f'cannot be read: {error.strerror}')}")


def lines_as_they_come(stream: BinaryIO) -> Iterator[list[bytes]]:
    """The lines of a stream without line ends, in one batch per read, so that the lines of a
    slow pipe come at once.
    """
    rest = b""
    read = getattr(stream, "read1", stream.read)
    while piece := read(BLOCK):
        *lines, rest = (rest + piece).split(b"\n")
        if lines:
            yield [line.removesuffix(b"\r") for line in lines]
    if rest:
        yield [rest.removesuffix(b"\r")]


def is_pipe(path: str) -> bool:
    """Whether `path` can be read only once: a named pipe, a terminal, `<(...)` of the shell."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def is_store_file(path: str, store_path: str) -> bool:
    """Whether `path` is a file of the store at `store_path`; compares file identities and opens
    neither.
    """
    given = _identity(path)
    return given is not None and any(
        _identity(store_path + suffix) == given for suffix in STORE_FILES
    )


def _identity(path: str) -> tuple[int, int] | None:
    """Device and inode; None for a file that is not there, as a log that a program has just removed."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        # ValueError for a name that no file can have.
        return None
    return status.st_dev, status.st_ino


def _checked(stream: BinaryIO, source: InputSource) -> BinaryIO:
    """`stream`; InputError when it starts as UTF-16 or contains a NUL."""
    begin = (
        stream.peek(CHECKED_BYTES)[:CHECKED_BYTES] if isinstance(stream, io.BufferedReader) else b""
    )
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{source.name}, line 1, column 1: the file is UTF-16; save it as UTF-8")
    at = begin.find(b"\0")
    if at >= 0:
        line = begin.count(b"\n", 0, at) + 1
        column = at - (begin.rfind(b"\n", 0, at) + 1) + 1
        raise InputError(
            f"{source.name}, line {line}, column {column}: a NUL byte: this is a binary file, not "
            "MQSC",
        )
    return stream


def _bounded(stream: BinaryIO, source: InputSource) -> Iterator[bytes]:
    """The lines of a stream; InputError for one that is so long that the memory for its copies
    could be missing.
    """
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE), b""), 1):
        if len(line) == LONGEST_LINE:
            raise InputError(
                f"{source.name}, line {number}: it has {LONGEST_LINE} bytes or more: this is not "
                "MQSC",
            )
        yield line


def check_replaceable(path: Path, store_path: str | None, mark: bytes) -> None:
    """Raise InputError if there is a file at `path` with something else than what a command writes
    there.

    `mark` is in all that it writes; the files of the store are not opened.
    """
    if path.is_file():
        with opened_file(str(path), store_path) as stream:
            content = stream.read()
        if content and mark not in content:
            raise InputError(
                f"{path} is not replaced: it has no {mark.decode()}, so it is another kind of file",
            )
