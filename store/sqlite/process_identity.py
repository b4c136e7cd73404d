"""Which process a number means: it is valid in one PID namespace, such as a container, of one start
of one machine.

Programs of several containers may share a store. Each writes beside its number where and when it
started, so that no program takes the number of a process elsewhere for that of a process here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

_BOOT = Path("/proc/sys/kernel/random/boot_id")
# Names of hosts, the ids and the names of namespaces such as pid:[4026531836] consist of other
# characters.
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._:[\]()-]")
# The start time among the fields of /proc/PID/stat that follow the name of the program, in proc(5)
# field 22.
_STARTED = 19


class ProcessIdentity(NamedTuple):
    """Where a process runs, and since when.

    `boot` is the id of the start of the machine, `namespace` the PID namespace, `started` the time
    in clock ticks since that start, and `host` the name of the host, which in a container is the
    container's.
    """

    boot: str
    namespace: str
    started: str
    host: str

    def has_numbers_of(self, other: ProcessIdentity) -> bool:
        """Whether a number means the same process for both."""
        return (self.boot, self.namespace) == (other.boot, other.namespace)

    def is_same_process_as(self, other: ProcessIdentity) -> bool:
        """Whether two processes with the same number are one."""
        return self.has_numbers_of(other) and self.started == other.started

    def place_seen_from(self, other: ProcessIdentity) -> str:
        """Where the process runs, in words; blank if its number is valid for the other process."""
        if self.has_numbers_of(other):
            return ""
        if self.boot != other.boot:
            return f"on another machine (host {self.host})"
        return f"in another container (host {self.host})"


def own_identity() -> ProcessIdentity | None:
    """The identity of this process; None where the system does not say it."""
    return _identity_of("self")


def identity_of(process: int) -> ProcessIdentity | None:
    """The identity of a process with this number; None if there is none, or this user may not
    see it.
    """
    return _identity_of(str(process))


def _identity_of(process: str) -> ProcessIdentity | None:
    try:
        boot = _BOOT.read_text().strip()
        namespace = os.readlink(f"/proc/{process}/ns/pid")
        # The name of the program may contain parentheses and blanks.
        _, _, fields = Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")
        return ProcessIdentity(boot, namespace, fields.split()[_STARTED], os.uname().nodename)
    except (OSError, IndexError):
        return None


def written(identity: ProcessIdentity | None) -> bytes:
    """The text of an identity for a file: its parts with blanks between them, and a newline."""
    return b"" if identity is None else " ".join([*identity, "\n"]).encode(errors="replace")


def read_identity(text: bytes) -> ProcessIdentity | None:
    """The identity in the text of a file; None if there is none, as in the files of older
    versions.
    """
    parts = text.decode(errors="replace").split()
    if len(parts) != len(ProcessIdentity._fields):
        return None
    # It is shown on terminals, and another user may have written the file.
    return ProcessIdentity(*(_NOT_IN_NAMES.sub("?", each) for each in parts))


def has_open(process: int, file: Path) -> bool:
    """Whether a process has a file open; False when this user may not see that."""
    try:
        wanted = file.stat()
        opened = os.listdir(f"/proc/{process}/fd")
    except OSError:
        return False
    return any(_is_same(f"/proc/{process}/fd/{each}", wanted) for each in opened)


def _is_same(name: str, wanted: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(name), wanted)
    except OSError:
        return False
