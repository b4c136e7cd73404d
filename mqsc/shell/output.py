"""Where the output of a command goes: the screen, the pager, a file, or a command of the user's own shell."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import IO, TextIO

import click

from mqsc.console.terminal import is_terminal
from mqsc.shell.redirection import Output

# less keeps colours, ends by itself when everything fits, and leaves the text on the screen.
_PAGER_DEFAULTS = {"LESS": "FRX", "LV": "-c"}


class PagerStream(io.TextIOBase):
    """Holds output until it is longer than the screen, then sends it to a pager; the terminal for everything else."""

    def __init__(self, screen: TextIO, command: list[str]) -> None:
        self._screen = screen
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
        """What tells less that it gets UTF-8, which the locale C does not say: Python writes UTF-8 there, too."""
        return {"LESSCHARSET": "utf-8"} if self.encoding.lower().replace("-", "") == "utf8" else {}

    def _send(self, text: str) -> None:
        assert self._pager is not None
        assert self._pager.stdin is not None
        try:
            self._pager.stdin.write(text.encode(self.encoding, "backslashreplace"))
        except BrokenPipeError:
            # The user has left the pager: the command need not go on.
            raise click.exceptions.Exit(0) from None

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
        while True:
            try:
                self._pager.wait()
                return
            except KeyboardInterrupt:
                # Ctrl-C belongs to the pager.
                continue

    def isatty(self) -> bool:
        return is_terminal(self._screen)

    def fileno(self) -> int:
        return self._screen.fileno()

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._screen.encoding or "utf-8"


def pager_command() -> list[str]:
    """The user's pager: MQSC_PAGER, PAGER or less; empty if there is none."""
    chosen = os.environ.get("MQSC_PAGER", os.environ.get("PAGER", "less"))
    words = shlex.split(chosen)
    return words if words and shutil.which(words[0]) and os.environ.get("TERM", "dumb") != "dumb" else []


@contextmanager
def going_to(output: Output, *, paged: bool) -> Iterator[None]:
    """Send stdout to the output while the block runs; OSError if a file cannot be opened."""
    if output.file:
        path = Path(output.file).expanduser()
        mode = "a" if output.append else "w"
        with path.open(mode, encoding="utf-8", errors="backslashreplace") as file, redirect_stdout(file):
            yield
        return
    if output.pipe:
        yield from _to_command(output.pipe)
        return
    command = pager_command() if paged and is_terminal(sys.stdout) else []
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
    started = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, text=True, errors="backslashreplace")
    assert started.stdin is not None
    try:
        with suppress(click.exceptions.Exit), redirect_stdout(_PipeStream(started.stdin)):
            yield
    finally:
        # head and the like read only the beginning.
        with suppress(BrokenPipeError):
            started.stdin.close()
        started.wait()


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
