"""Small programs for monitors to start, and the means to wait for what they do without sleeping."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

# Longer than anything here takes on a busy machine.
PATIENCE_SECONDS = 30.0
LOOK_SECONDS = 0.02

# Writes its arguments to a file, a line for each in hexadecimal.
TELL = """
import os, sys
words = [os.fsencode(argument).hex() for argument in sys.argv[1:]]
with open({told!r}, "a") as told:
    told.write(" ".join(words) + "\\n")
"""
# Ends when somebody has opened the gate for writing, and closed it.
WAIT = """
open({gate!r}).read()
"""


class Scripts:
    """Programs in a folder; `told` is what they have told so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._told = folder / "told"
        self._gate = folder / "gate"
        os.mkfifo(self._gate)

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

    def open_gate(self) -> None:
        """Let one waiting program end; waits until there is one."""
        with self._gate.open("w"):
            pass


def wait_until(happened: Callable[[], object], what: str = "") -> None:
    """Wait until something is true; AssertionError when it does not come."""
    never = Event()
    for _ in range(round(PATIENCE_SECONDS / LOOK_SECONDS)):
        if happened():
            return
        never.wait(LOOK_SECONDS)
    raise AssertionError(f"waited in vain: {what or happened}")
