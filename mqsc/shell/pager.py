"""The pager: output longer than the screen goes through it."""

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from typing import Any, TextIO

import click

from mqsc.console.config import value
from mqsc.console.terminal import is_terminal

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
        check_is_text(text)
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


def check_is_text(text: object) -> None:
    """Refuse bytes: click recognises a stream of text by that."""
    if not isinstance(text, str):
        raise TypeError("a stream of text")
