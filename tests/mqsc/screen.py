"""The output of a command on a terminal of a given width."""

from __future__ import annotations

import os
from pathlib import Path

from tests.mqsc.command_server import command_server


def screen(folder: Path, *arguments: str, width: int = 80, typed: str = "") -> str:
    """Run a command on the store in `folder`; return its screen output, without the terminal's
    carriage returns.

    With `typed`, its standard input is the terminal too, where these keys are typed.
    """
    ours, theirs = os.openpty()
    environment = {
        **os.environ,
        "MQSC_STORE": f"sqlite:///{folder}/store.db",
        "COLUMNS": str(width),
    }
    with Path(os.devnull).open() as nothing:
        stdin = theirs if typed else nothing.fileno()
        started = command_server().start(arguments, (stdin, theirs, theirs), environment)
    os.close(theirs)
    os.write(ours, typed.encode())
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:
        # The program has ended and closed the terminal.
        pass
    finally:
        os.close(ours)
    command_server().wait(started)
    return b"".join(pieces).decode().replace("\r\n", "\n")


def too_wide(folder: Path, width: int, *arguments: str, shortest: int = 0) -> list[str]:
    """The lines of a command that a terminal would break anywhere; a single long word is kept
    whole, to be copied.

    The output must have `shortest` lines at least.
    """
    lines = screen(folder, *arguments, width=width).splitlines()
    assert len(lines) >= shortest
    return [line for line in lines if len(line) > width and len(line.split()) > 1]
