"""Where the output of a command goes: the pager, a file or a program; several commands, and
`watch`.
"""

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from itertools import accumulate
from os import terminal_size
from pathlib import Path
from typing import IO, Any, TextIO

import click
from rich.cells import cell_len

from mqsc.console.config import value
from mqsc.console.inputs import is_store_file
from mqsc.console.parameters import iso
from mqsc.console.terminal import is_screen, is_terminal
from mqsc.console.text.reasons import counted
from mqsc.language.secrets import masked
from mqsc.shell.command_text import Output
from mqsc.shell.own_commands import SettingError

# less keeps colours, ends by itself when everything fits, and leaves the text on the screen.
_PAGER_DEFAULTS = {"LESS": "FRX", "LV": "-c"}


class ScreenStream(io.TextIOBase):
    """A stream of text in front of the screen; like it in everything but what is written."""

    def __init__(self, screen: TextIO) -> None:
        self._screen = screen

    def isatty(self) -> bool:
        return is_terminal(self._screen)

    def fileno(self) -> int:
        return self._screen.fileno()

    def writable(self) -> bool:
        return True

    def copy(self, text: str) -> None:
        """Note text that is shown on the screen by something else, such as a pager."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._screen.encoding or "utf-8"


class PagerStream(ScreenStream):
    """Holds output until it is longer than the screen, then sends it to a pager; the terminal
    for everything else.
    """

    def __init__(self, screen: TextIO, command: list[str]) -> None:
        super().__init__(screen)
        self._command = command
        self._size = shutil.get_terminal_size()
        self._held: list[str] = []
        self._lines = 0
        self._pager: subprocess.Popen[bytes] | None = None

    def write(self, text: str) -> int:
        _check_is_text(text)
        if self._pager is not None:
            self._send(text)
            return len(text)
        self._held.append(text)
        self._lines += text.count("\n") + len(text) // (self._size.columns + 1)
        if self._lines >= self._size.lines - 1:
            self._start()
        return len(text)

    def _start(self) -> None:
        held, self._held = "".join(self._held), []
        try:
            environment = {**_PAGER_DEFAULTS, **self._charset(), **os.environ}
            self._pager = subprocess.Popen(self._command, stdin=subprocess.PIPE, env=environment)
        except OSError:
            # Without a pager the output is simply long.
            self._command, self._lines = [], -sys.maxsize
            self._screen.write(held)
            return
        self._send(held)

    def _charset(self) -> dict[str, str]:
        """What tells less that it gets UTF-8, which the locale C does not say: Python writes
        UTF-8 there, too.
        """
        return {"LESSCHARSET": "utf-8"} if self.encoding.lower().replace("-", "") == "utf8" else {}

    def _send(self, text: str) -> None:
        assert self._pager is not None
        assert self._pager.stdin is not None
        try:
            self._pager.stdin.write(text.encode(self.encoding, "backslashreplace"))
        except BrokenPipeError:
            # The user has left the pager, so the command can stop.
            raise click.exceptions.Exit(0) from None
        if isinstance(self._screen, ScreenStream):
            self._screen.copy(text)

    def finish(self) -> None:
        """Show what is held, or wait until the user leaves the pager."""
        if self._pager is None:
            self._screen.write("".join(self._held))
            self._held = []
            self._screen.flush()
            return
        assert self._pager.stdin is not None
        try:
            self._pager.stdin.close()
        except BrokenPipeError:
            self._held = []
        ended(self._pager)


def ended(program: subprocess.Popen[Any]) -> int:
    """The exit code of a program, when it has ended. Ctrl-C is for it alone."""
    # Not by catching KeyboardInterrupt: one that comes when the program has just ended would lose
    # its exit code.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return program.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def pager_command() -> list[str]:
    """The user's pager by the settings; empty if there is none."""
    try:
        words = shlex.split(value("pager"))
    except ValueError:
        # A quote that is not closed: there is no such program.
        return []
    return words if words and shutil.which(words[0]) else []


def check_file(output: Output, store: str | None, ask: Callable[[str], bool]) -> None:
    """SettingError if the output must not go to this file, or if the user does not want to replace
    it.

    `store` is the path of the store, whose files are never written.
    """
    if not os.path.isfile(output.file):
        return
    if store is not None and is_store_file(output.file, store):
        raise SettingError(f"{output.file} belongs to the store")
    asks = not (output.append or output.replaces)
    if asks and not ask(f"{output.file} exists. Replace it? [y/N] "):
        raise SettingError(
            f"{output.file} was left as it is; >! replaces a file without a question, >> appends",
        )


@contextmanager
def going_to(output: Output, *, paged: bool) -> Iterator[None]:
    """Send stdout to the output while the block runs; OSError if a file cannot be opened."""
    if output.file:
        mode = "a" if output.append else "w"
        with (
            Path(output.file).open(mode, encoding="utf-8", errors="backslashreplace") as file,
            redirect_stdout(file),
        ):
            yield
        return
    if output.pipe:
        yield from _to_command(output.pipe)
        return
    command = pager_command() if paged and is_screen(sys.stdout) else []
    if not command:
        yield
        return
    stream = PagerStream(sys.stdout, command)
    try:
        with redirect_stdout(stream):
            yield
    except click.exceptions.Exit:
        # The user has left the pager.
        return
    finally:
        stream.finish()


def _to_command(command: str) -> Iterator[None]:
    # The user typed this command for their shell, as in any other shell.
    started = subprocess.Popen(
        command,
        shell=True,
        stdin=subprocess.PIPE,
        text=True,
        errors="backslashreplace",
    )
    assert started.stdin is not None
    try:
        with suppress(click.exceptions.Exit), redirect_stdout(_PipeStream(started.stdin)):
            yield
    finally:
        # head and the like read only the beginning.
        with suppress(BrokenPipeError):
            started.stdin.close()
        ended(started)


class _PipeStream(io.TextIOBase):
    """A pipe whose closed end ends the command that writes to it."""

    def __init__(self, pipe: IO[str]) -> None:
        self._pipe = pipe

    def write(self, text: str) -> int:
        _check_is_text(text)
        try:
            return self._pipe.write(text)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def flush(self) -> None:
        try:
            self._pipe.flush()
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def writable(self) -> bool:
        return True


def _check_is_text(text: object) -> None:
    """Refuse bytes: click recognises a stream of text by that."""
    if not isinstance(text, str):
        raise TypeError("a stream of text")


# `watch`: repeats a command, redraws the screen, and marks the words that changed.

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_WORD = re.compile(r"\S+")
# The heading with the line below it, and the line of the cursor.
_AROUND = 3
_CLEAR = "\x1b[H\x1b[2J"
_REVERSE = "\x1b[7m"
_NORMAL = "\x1b[0m"


def marked(line: str, before: str | None, mark: Callable[[str], str]) -> str:
    """A line with every word marked that differs from the word at the same place of the line
    before.
    """
    plain = _STYLE.sub("", line)
    if before is None or plain == before:
        return line
    previous = {found.start(): found.group() for found in _WORD.finditer(before)}
    words = {found.group() for found in _WORD.finditer(before)}
    return _WORD.sub(
        lambda found: (
            found.group()
            if previous.get(found.start()) == found.group()
            or (found.start() not in previous and found.group() in words)
            else mark(found.group())
        ),
        plain,
    )


class _Screenful(ScreenStream):
    """Text for a terminal, kept to be compared with the text before."""

    def __init__(self, screen: TextIO) -> None:
        super().__init__(screen)
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)


class CommandSequence:
    """Commands that are carried out one after the other; it says which failed.

    `failures` is the number of failures so far, `say` prints a remark.
    """

    def __init__(self, failures: Callable[[], int], say: Callable[[str], None]) -> None:
        self._failures = failures
        self._say = say
        self._done = 0
        self._failed: list[int] = []

    @contextmanager
    def next(self, text: str, place: str = "") -> Iterator[None]:
        """The next command, which is carried out while the block runs."""
        before = self._failures()
        yield
        self._done += 1
        if self._failures() > before:
            self._failed.append(self._done)
            self._say(f"Command {self._done}{place} failed: {masked(' '.join(text.split()))}")

    def report(self) -> None:
        """Say how many were carried out, and which failed."""
        failed = ", ".join(map(str, self._failed))
        which = f"{len(self._failed)} failed: {failed}" if failed else "none failed"
        self._say(f"({counted(self._done, 'command')}, {which})")


def watch_command(
    command: str,
    show: Callable[[], None],
    seconds: float,
    now: Callable[[], int],
) -> None:
    """Watch what `show` prints, until Ctrl-C, below the command and the time."""
    dumb = not is_screen(sys.stdout)

    def once() -> list[str]:
        buffer = _Screenful(sys.stdout)
        with redirect_stdout(buffer):
            show()
        return buffer.text.splitlines()

    def heading() -> str:
        name = f"every {seconds:g} s: {command}"
        room = max(shutil.get_terminal_size().columns - 24, 8)
        return f"{name[:room]}  {iso(now())[:19].replace('T', ' ')}"

    try:
        watch(
            once,
            sys.stdout,
            seconds=seconds,
            heading=heading,
            size=None if dumb else shutil.get_terminal_size,
        )
    except KeyboardInterrupt:
        sys.stdout.write("\n")


def watch(
    once: Callable[[], list[str]],
    screen: TextIO,
    *,
    seconds: float,
    heading: Callable[[], str],
    size: Callable[[], terminal_size] | None,
) -> None:
    """Show the lines of `once` again and again, until Ctrl-C; at most as many as a screen of that
    size has.

    A terminal that cannot be cleared has no size: it gets all lines one below the other, with
    changed words between asterisks.
    """
    before: list[str] = []
    never = threading.Event()
    mark = (f"{_REVERSE}{{}}{_NORMAL}" if size else "*{}*").format
    while True:
        lines = once()
        known = [before[index] if index < len(before) else None for index in range(len(lines))]
        shown = [
            marked(line, old if before else line, mark)
            for line, old in zip(lines, known, strict=True)
        ]
        if size:
            shown = _fitting(shown, size())
        screen.write(
            "".join([_CLEAR if size else "", *(f"{line}\n" for line in (heading(), "", *shown))]),
        )
        screen.flush()
        before = [_STYLE.sub("", line) for line in lines]
        never.wait(seconds)


def _fitting(lines: list[str], size: terminal_size) -> list[str]:
    """The lines that fit below the heading, where one that is too long takes several, and how
    many are left out.
    """
    room = size.lines - _AROUND
    ends = [
        *accumulate(max(-(-cell_len(_STYLE.sub("", line)) // size.columns), 1) for line in lines),
    ]
    if not lines or ends[-1] <= room:
        return lines
    kept = sum(end < room for end in ends)
    return [*lines[:kept], f"… {len(lines) - kept} more lines"]
