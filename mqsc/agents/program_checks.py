"""Checks that a program can be started, without running it and before a message is got for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# As many bytes as Linux looks at, and as many interpreters of interpreters as it follows.
_HEAD = 256
_MOST_INTERPRETERS = 5
_ELF = b"\x7fELF"
# Formats that Linux was told to run with other programs; two of the files are always there.
OTHER_FORMATS = Path("/proc/sys/fs/binfmt_misc")
_NO_FORMAT = frozenset({"register", "status"})


def start_fault(program: str, other_formats: Path = OTHER_FORMATS) -> str:
    """Why `program`, a path or a name to look up in PATH, cannot be started; empty if nothing
    speaks against it.
    """
    path = shutil.which(program)
    if path is None:
        return "no such program, or it is not executable"
    for _ in range(_MOST_INTERPRETERS):
        try:
            with open(path, "rb") as file:
                head = file.read(_HEAD)
        except OSError:
            # A program may be executable but not readable.
            return ""
        if not head.startswith(b"#!"):
            return "" if _is_runnable(head, other_formats) else "Exec format error"
        path = _interpreter(head)
        if not os.path.isfile(path) or not os.access(path, os.X_OK):
            return f"its interpreter {path!r} does not exist, or is not executable"
    return "too many interpreters"


def _interpreter(head: bytes) -> str:
    # Only blanks and tabs end the name: a carriage return is part of it.
    first_line = head[2:].partition(b"\n")[0].strip(b" \t").replace(b"\t", b" ")
    return os.fsdecode(first_line.partition(b" ")[0])


def _is_runnable(head: bytes, other_formats: Path) -> bool:
    """Whether the system may know the format of a file that is not a script."""
    if head.startswith(_ELF) or sys.platform != "linux":
        return True
    try:
        return not set(os.listdir(other_formats)) <= _NO_FORMAT
    except OSError:
        return False


def shell_fault(line: str) -> str:
    """What the shell says against a command line that it cannot parse; it is not run."""
    checked = subprocess.run(
        ["/bin/sh", "-n", "-c", line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return (
        (checked.stderr.strip() or f"exit status {checked.returncode}")
        if checked.returncode
        else ""
    )
