"""Programs in containers: each has namespaces of its own for processes, mounts and the name of
the host.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.processes.programs import Work

HOST = "container-1"
_NEW_NAMESPACES = 0x20000 | 0x4000000 | 0x20000000
_PRIVATE_FROM_HERE_ON, _SAME_FILE = 0x4000 | 0x40000, 0x1000
_DIES_WITH_PARENT = 1
_LAST_NUMBER = Path("/proc/sys/kernel/ns_last_pid")


def skip_without_containers() -> None:
    """Skip the test where programs may not have namespaces of their own."""
    try:
        made = subprocess.run(
            ["unshare", "-pmu", "--fork", "--mount-proc", "true"],
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("this system has no unshare")
    if made.returncode:
        pytest.skip(f"no namespaces are permitted here: {made.stderr.decode().strip()}")


def contained(
    number: int | None,
    mounts: Mapping[Path, Path],
    work: Work,
    *arguments: object,
) -> None:
    """Work in a container, as the process with this number there, where each of `mounts` is
    mounted on its value.
    """
    system = ctypes.CDLL(None, use_errno=True)
    _check(system.unshare(_NEW_NAMESPACES))
    socket.sethostname(HOST)
    _become_child(system)
    _check(system.mount(b"none", b"/", None, _PRIVATE_FROM_HERE_ON, None))
    _check(system.mount(b"proc", b"/proc", b"proc", 0, None))
    for file, place in mounts.items():
        _check(system.mount(os.fsencode(file), os.fsencode(place), None, _SAME_FILE, None))
    if number is not None:
        _LAST_NUMBER.write_text(str(number - 1))
        _become_child(system)
    work(*arguments)


def _check(failed: int) -> None:
    if failed:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _become_child(system: ctypes.CDLL) -> None:
    """Return in a child, which is killed when its parent is; the parent ends as the child does."""
    child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os._exit(code if code >= 0 else 128 - code)
    system.prctl(_DIES_WITH_PARENT, signal.SIGKILL)
