"""The real program in a pseudo-terminal, with its screen as text (pyte). Nothing sleeps: tests
wait for text.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pexpect
import pyte

ENTRY = "from mqsc.main import main; main()"
# Much longer than needed even on a busy machine, so reaching it is a failure.
PATIENCE_SECONDS = 60.0
PASTE, PASTED = "\x1b[200~", "\x1b[201~"
DARK = {
    "NO_COLOR",
    "LESS",
    "PAGER",
    "MQSC_PAGER",
    "MQPROMPT",
    "MQSC_QMGR",
    "COLUMNS",
    "LINES",
    "MQSC_KEYS",
}


class _Screen(pyte.Screen):
    """A screen that answers the terminal's questions, such as that for the position of the
    cursor.
    """

    answer: Callable[[str], Any]

    def write_process_input(self, data: str) -> None:
        self.answer(data)


class Terminal:
    """A shell on the store in `folder`; leaving the block kills it."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        width: int = 80,
        height: int = 24,
        environment: Mapping[str, str] | None = None,
        command: list[str] | None = None,
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in DARK}
        settings = {
            "MQSC_STORE": f"sqlite:///{folder}/store.db",
            "XDG_STATE_HOME": f"{folder}/state",
            "XDG_CONFIG_HOME": f"{folder}/config",
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "LESS": "FRX",
        }
        program, *given = command or [sys.executable, "-c", ENTRY, *arguments]
        self.process = pexpect.spawn(
            program,
            given,
            env={**kept, **settings, **(environment or {})},
            dimensions=(height, width),
            timeout=None,
        )
        self._screen = _Screen(width, height)
        self._screen.answer = self.process.send
        self._stream = pyte.ByteStream(self._screen)
        self.output = b""

    def press(self, text: str) -> Self:
        self.process.send(text)
        return self

    def enter(self, *lines: str) -> Self:
        for line in lines:
            self.process.send(f"{line}\r")
        return self

    def lines(self) -> list[str]:
        """The screen as it is now, without blank lines at the end."""
        found = [line.rstrip() for line in self._screen.display]
        while found and not found[-1]:
            found.pop()
        return found

    def wait(self, wanted: str | Callable[[list[str]], bool]) -> list[str]:
        """The screen as soon as it contains the text, or satisfies the condition."""
        fits = (
            (lambda lines: any(wanted in line for line in lines))
            if isinstance(wanted, str)
            else wanted
        )
        # The clock of the toolbar is drawn every second, so there is always something to read.
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not fits(self.lines()):
            self._read(deadline)
        return self.lines()

    def _read(self, deadline: float) -> None:
        try:
            piece = self.process.read_nonblocking(65536, max(deadline - time.monotonic(), 0))
        except (pexpect.TIMEOUT, pexpect.EOF) as error:
            raise AssertionError(
                "\n".join([f"{type(error).__name__}; the screen:", *self.lines()]),
            ) from None
        self.output += piece
        self._stream.feed(piece)

    def resize(self, width: int, height: int) -> Self:
        self._screen.resize(height, width)
        self.process.setwinsize(height, width)
        return self

    def has_style(self, word: str) -> bool:
        """Whether a word on the screen is shown in a colour, bold or underlined."""
        for row, line in enumerate(self._screen.display):
            column = line.find(word)
            if column >= 0:
                cell = self._screen.buffer[row][column]
                return cell.fg != "default" or cell.bold or cell.underscore
        raise AssertionError(f"{word} is not on the screen")

    def cells(self) -> list[list[Any]]:
        """The characters of the screen with their styles, as pyte has them, row by row."""
        return [
            [self._screen.buffer[row][column] for column in range(self._screen.columns)]
            for row in range(len(self.lines()))
        ]

    def end(self) -> int | None:
        """The exit status, after everything the program still prints."""
        try:
            while True:
                piece = self.process.read_nonblocking(65536, PATIENCE_SECONDS)
                self.output += piece
                self._stream.feed(piece)
        except pexpect.EOF:
            self.process.close()
        status: int | None = self.process.exitstatus
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.close(force=True)
