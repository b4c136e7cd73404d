"""The files of a store: their owner and permissions, and the refusal of network file systems."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from store.error import StoreError

OWNER_ONLY = 0o600
NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb3 smbfs 9p afs ceph glusterfs lustre fuse.sshfs fuse.glusterfs fuse.s3fs".split()
)


def create_private(path: str) -> None:
    """Create the file with mode 0600 if it is missing; SQLite itself would make it readable by everyone."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}") from error


def open_like(path: Path, like: Path) -> int:
    """Open the file for reading and writing; a new file gets the owner and permissions of `like`.

    Otherwise a job that root runs would lock the owner out of the store. OSError when the file cannot be opened.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY)
    except FileExistsError:
        return os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY)
    _copy_owner_and_mode(descriptor, like, lambda mode: mode)
    return descriptor


def make_folder(folder: Path) -> None:
    """Create a folder beside a store if it is missing, with the store's owner and permissions.

    The folder's name is the store's with a suffix. OSError when it cannot be created.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    # Users who may read the store need execute permission, to open files in the folder.
    _copy_owner_and_mode(folder, folder.with_suffix(""), lambda mode: mode | (mode & 0o444) >> 2)


def _copy_owner_and_mode(created: int | Path, like: Path, mode_for: Callable[[int], int]) -> None:
    """Do nothing when `like` has been removed."""
    try:
        found = like.stat()
    except FileNotFoundError:
        return
    mode = stat.S_IMODE(found.st_mode) & 0o666
    if mode != OWNER_ONLY:
        os.chmod(created, mode_for(mode))
    if os.geteuid() == 0 != found.st_uid:
        os.chown(created, found.st_uid, found.st_gid)


def refuse_network_file_system(path: str) -> None:
    """Raise StoreError on a network file system: the locks and shared memory of SQLite's WAL do not work there."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return
    real_path = os.path.realpath(path)
    best, kind = "", ""
    for line in mounts.read_text(errors="replace").splitlines():
        fields = line.split(" ")
        point = fields[1].replace("\\040", " ") if len(fields) > 2 else ""
        if len(point) >= len(best) and (real_path == point or real_path.startswith(point.rstrip("/") + "/")):
            best, kind = point, fields[2]
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreError(f"{path} is on a network file system ({kind}), where a store is not safe")
