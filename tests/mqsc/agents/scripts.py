"""Small programs for monitors to start, and ways to wait for them without fixed sleeps."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

# Much longer than anything here takes, even on a busy machine.
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.02

# Appends its arguments to a file, in hexadecimal, as one line.
TELL = """
import os, sys
words = [os.fsencode(argument).hex() for argument in sys.argv[1:]]
with open({told!r}, "a") as told:
    told.write(" ".join(words) + "\\n")
"""
# Waits until it can read a byte from the gate, a FIFO; ends at once if the gate has been removed.
WAIT = """
import contextlib
with contextlib.suppress(FileNotFoundError), open({gate!r}, "rb", 0) as gate:
    gate.read(1)
"""


class Scripts:
    """Programs in a folder; `told` returns the arguments that they have reported."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._told = folder / "told"
        self._gate = folder / "gate"
        os.mkfifo(self._gate)
        # Opened for reading and writing, so that neither side blocks when it opens the FIFO.
        self._passes = os.open(self._gate, os.O_RDWR)

    def make(self, name: str, text: str) -> str:
        """Write a program, filling in the paths {told} and {gate} in its text; return its
        APPLICID.
        """
        path = self.folder / name
        path.write_text(text.format(told=str(self._told), gate=str(self._gate)))
        return f"{shlex.quote(sys.executable)} {path}"

    @property
    def told(self) -> list[list[str]]:
        """The arguments of each program that has run, in the order in which they reported them."""
        if not self._told.exists():
            return []
        lines = self._told.read_text().splitlines()
        return [
            [bytes.fromhex(word).decode() for word in line.split(" ") if word] for line in lines
        ]

    def let_through(self, number: int = 1) -> None:
        """Let `number` programs end, counting those that have not reached the gate yet."""
        os.write(self._passes, b"." * number)

    def close(self) -> None:
        """Let all waiting programs end, and remove the gate, so that later ones end at once."""
        self.let_through(100)
        self._gate.unlink()
        os.close(self._passes)


def wait_until(happened: Callable[[], object], what: str = "") -> None:
    """Poll a condition until it is true; AssertionError after PATIENCE_SECONDS."""
    never = Event()
    for _ in range(round(PATIENCE_SECONDS / LOOK_SECONDS)):
        if happened():
            return
        never.wait(LOOK_SECONDS)
    raise AssertionError(f"waited in vain: {what or happened}")
