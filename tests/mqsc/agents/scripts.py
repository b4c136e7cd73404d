"""Small programs for monitors to start, and the means to wait for what they do without sleeping."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

# Longer than anything here takes on a busy machine.
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.02

# Writes its arguments to a file, a line for each in hexadecimal.
TELL = """
import os, sys
words = [os.fsencode(argument).hex() for argument in sys.argv[1:]]
with open({told!r}, "a") as told:
    told.write(" ".join(words) + "\\n")
"""
# Ends when it is let through the gate, or when there is none any more.
WAIT = """
import contextlib
with contextlib.suppress(FileNotFoundError), open({gate!r}, "rb", 0) as gate:
    gate.read(1)
"""


class Scripts:
    """Programs in a folder; `told` is what they have told so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._told = folder / "told"
        self._gate = folder / "gate"
        os.mkfifo(self._gate)
        # For reading and writing, so that opening the gate waits for nobody on either side.
        self._passes = os.open(self._gate, os.O_RDWR)

    def make(self, name: str, text: str) -> str:
        """The APPLICID of a program with this text; {told} and {gate} in it are the paths of those files."""
        path = self.folder / name
        path.write_text(text.format(told=str(self._told), gate=str(self._gate)))
        return f"{shlex.quote(sys.executable)} {path}"

    @property
    def told(self) -> list[list[str]]:
        """The arguments that programs were started with, in the order in which they told them."""
        if not self._told.exists():
            return []
        lines = self._told.read_text().splitlines()
        return [[bytes.fromhex(word).decode() for word in line.split(" ") if word] for line in lines]

    def let_through(self, number: int = 1) -> None:
        """Let so many waiting programs end, those that are still to come included."""
        os.write(self._passes, b"." * number)

    def close(self) -> None:
        """Let everybody through who still waits; who comes later finds no gate and ends too."""
        self.let_through(100)
        self._gate.unlink()
        os.close(self._passes)


def wait_until(happened: Callable[[], object], what: str = "") -> None:
    """Wait until something is true; AssertionError when it does not come."""
    never = Event()
    for _ in range(round(PATIENCE_SECONDS / LOOK_SECONDS)):
        if happened():
            return
        never.wait(LOOK_SECONDS)
    raise AssertionError(f"waited in vain: {what or happened}")
