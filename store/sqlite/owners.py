"""The processes that own liveness files: what to call them, and how one is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import NamedTuple

from mqsc.store.sqlite.liveness import is_dead, process_id
from mqsc.store.sqlite.process_identity import (
    ProcessIdentity,
    has_open,
    identity_of,
    own_identity,
    read_identity,
)

_LONGEST_TEXT = 512


class Owner(NamedTuple):
    """A process by its number. `place` says where that number is valid, blank if it is here."""

    process: int
    place: str = ""

    @property
    def number_here(self) -> int:
        """Its number if that means the same process here, else 0: here it may be that of an
        innocent one.
        """
        return 0 if self.place else self.process

    def __str__(self) -> str:
        return f"{self.process} {self.place}".rstrip()


def owner_of(folder: Path, name: str) -> Owner:
    """The process that a liveness file belongs to; for a blank name this process."""
    identity, own = _identity_in(folder / name) if name else None, own_identity()
    if identity is None or own is None:
        return Owner(process_id(name))
    return Owner(process_id(name), identity.place_seen_from(own))


def kill_owner(folder: Path, name: str) -> bool:
    """Kill the process that owns the file; return whether it is dead.

    It is not killed if it is this process, if this user may not kill it, or if it is not certain
    that a process of this number is the owner.
    """
    process = process_id(name)
    try:
        # Once it is open, no other process with the same number can be meant.
        descriptor = os.pidfd_open(process)
    except (AttributeError, OSError):
        return is_dead(folder, name)
    try:
        if is_dead(folder, name):
            return True
        if process == os.getpid() or not _is_owner(process, folder / name):
            return False
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _is_owner(process: int, file: Path) -> bool:
    """Whether the process is the one that has written its identity into the file, and has the
    file open.
    """
    stated, found = _identity_in(file), identity_of(process)
    return (
        stated is not None
        and found is not None
        and found.is_same_process_as(stated)
        and has_open(process, file)
    )


def _identity_in(file: Path) -> ProcessIdentity | None:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        return read_identity(os.read(descriptor, _LONGEST_TEXT))
    except OSError:
        return None
    finally:
        os.close(descriptor)
