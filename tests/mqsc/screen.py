"""The output of a command on a terminal of a given width."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ENTRY = "from mqsc.cli.main import main; main()"


def screen(folder: Path, *arguments: str, width: int = 80, typed: str = "") -> str:
    """Run a command on the store in `folder`; return its screen output, without the terminal's carriage returns.

    With `typed`, its standard input is the terminal too, where these keys are typed.
    """
    ours, theirs = os.openpty()
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{folder}/store.db", "COLUMNS": str(width)}
    command = [sys.executable, "-c", ENTRY, *arguments]
    stdin = theirs if typed else subprocess.DEVNULL
    with subprocess.Popen(command, stdin=stdin, stdout=theirs, stderr=theirs, env=environment) as program:
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
        program.wait()
    return b"".join(pieces).decode().replace("\r\n", "\n")
