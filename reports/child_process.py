"""How a child process is started and how it ended."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path


def command_of(module: str) -> list[str]:
    """The command that runs a module with this Python, but not one from the folder that the user
    happens to be in.
    """
    return [sys.executable, "-P", "-m", module]


def python_path() -> str:
    """A PYTHONPATH with the folder of our packages, which such a process would not find in a
    checkout otherwise.
    """
    packages = str(Path(__file__).absolute().parents[__name__.count(".")])
    return os.pathsep.join(filter(None, (packages, os.environ.get("PYTHONPATH"))))


def ending(code: int) -> str:
    """How a process with this return code ended, for people."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
