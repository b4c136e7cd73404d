"""What a store's file asks of the place it is in: for its owner alone, and not across a network."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from store.error import StoreError

OWNER_ALONE = 0o600
NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb3 smbfs 9p afs ceph glusterfs lustre fuse.sshfs fuse.glusterfs fuse.s3fs".split()
)


def create_private(path: str) -> None:
    """Create the file with mode 0600 when it is missing, before SQLite would create it readable by all."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ALONE))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}") from error


def open_like(path: Path, like: Path) -> int:
    """A descriptor to read and write the file; made when it is missing, for whom `like` is.

    What root makes belongs to the owner of `like`: a job of root's must not shut the owner of a store out. OSError when
    it cannot be made or opened.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ALONE)
    except FileExistsError:
        return os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ALONE)
    _give(descriptor, like, lambda mode: mode)
    return descriptor


def make_folder(folder: Path) -> None:
    """Make the folder beside a store when it is missing, for whom the store is: its name is the store's with a suffix.

    OSError when it cannot be made.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    # Who may read may enter.
    _give(folder, folder.with_suffix(""), lambda mode: mode | (mode & 0o444) >> 2)


def _give(made: int | Path, like: Path, mode_for: Callable[[int], int]) -> None:
    """Let what was made for its owner alone be for whom `like` is; a file that is gone has nobody."""
    try:
        known = like.stat()
    except FileNotFoundError:
        return
    mode = stat.S_IMODE(known.st_mode) & 0o666
    if mode != OWNER_ALONE:
        os.chmod(made, mode_for(mode))
    if os.geteuid() == 0 != known.st_uid:
        os.chown(made, known.st_uid, known.st_gid)


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
        raise StoreError(f"{path} is on a network file system ({kind}), where a store cannot be kept safely")
