"""What a store's file asks of the place it is in: for its owner alone, and not across a network."""

from __future__ import annotations

import os
from pathlib import Path

from store.error import StoreFault

NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb3 smbfs 9p afs ceph glusterfs lustre fuse.sshfs fuse.glusterfs fuse.s3fs".split()
)


def create_private(path: str) -> None:
    """Create the file with mode 0600 when it is missing, before SQLite would create it readable by all."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreFault(f"{path} cannot be created: {error.strerror}") from error


def refuse_network_file_system(path: str) -> None:
    """Locks and shared memory of SQLite's WAL do not work over a network."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return
    place = os.path.realpath(path)
    best, kind = "", ""
    for line in mounts.read_text(errors="replace").splitlines():
        fields = line.split(" ")
        point = fields[1].replace("\\040", " ") if len(fields) > 2 else ""
        if len(point) >= len(best) and (place == point or place.startswith(point.rstrip("/") + "/")):
            best, kind = point, fields[2]
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreFault(f"{path} is on a network file system ({kind}), where a store cannot be kept safely")
