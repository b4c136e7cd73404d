"""Whether a file of a store is mounted by itself, as into a container, apart from the files beside
it.

A program that sees the file in another folder has another log and other locks beside it: it and the
programs that use the store elsewhere would overwrite each other's work, and neither they nor SQLite
would notice.
"""

from __future__ import annotations

import os

from mqsc.store.error import StoreError

# The files whose folder must be that of the store: itself, its log, its shared memory and the locks
# of processes.
_TOGETHER = ("", "-wal", "-shm", ".processes")
# Opens a file for its name alone, which needs no permission and leaves SQLite's locks in place.
_NAME_ALONE = getattr(os, "O_PATH", None)
# What the system says about a descriptor is shorter, and says the mount in its first lines.
_DESCRIPTION_BYTES = 512


def refuse_mounted_alone(path: str) -> None:
    """Raise StoreError if the store's file, or one beside it that belongs to it, is a mount
    point.
    """
    try:
        folder = _mount_of(os.path.dirname(path) or ".")
        for name in (path + suffix for suffix in _TOGETHER):
            if _mount_of(name) not in (folder, None):
                raise StoreError(
                    f"{name} is mounted by itself, without its folder: programs that use the store "
                    "through its folder "
                    "have another log and other locks, and messages would be lost. Mount the "
                    "folder of the store",
                )
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}") from error


def _mount_of(name: str) -> int | None:
    """The number of the mount that a file is in, None if it is missing; the device's where no
    mounts are numbered.
    """
    try:
        if _NAME_ALONE is None:
            return os.lstat(name).st_dev
        descriptor = os.open(name, _NAME_ALONE | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        return _mount_in(_description_of(descriptor))
    except FileNotFoundError:
        # Without /proc.
        return os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)


def _description_of(descriptor: int) -> bytes:
    description = os.open(f"/proc/self/fdinfo/{descriptor}", os.O_RDONLY)
    try:
        return os.read(description, _DESCRIPTION_BYTES)
    finally:
        os.close(description)


def _mount_in(description: bytes) -> int:
    r"""The mount in what the system says about a descriptor: lines such as `mnt_id:\t29`."""
    _, _, rest = description.partition(b"mnt_id:")
    return int(rest.split(maxsplit=1)[0])
