"""Names, permissions and file systems of a store's files."""

from __future__ import annotations

import errno
import os
import pwd
import re
import stat
import struct
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import StoreError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

OWNER_ONLY = 0o600
NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb3 smbfs 9p afs ceph glusterfs lustre fuse.sshfs fuse.glusterfs fuse.s3fs".split(),
)
# How long another process may take to write the first page of a store that it has just created.
CREATION_SECONDS = 2.0


def file_failure(path: str | Path, error: OSError) -> StoreError:
    """Return the StoreError for a file that the system cannot read or write, such as on a disk
    that fails.
    """
    return StoreError(f"{path} cannot be read or written: {error.strerror}")


# What the system says of a name without a file; ValueError of a name that no file can have.
_NO_FILE = (FileNotFoundError, NotADirectoryError, ValueError)


def is_missing(path: str | Path) -> bool:
    """Whether there is no file of that name; StoreError if the system cannot say.

    `os.path.exists` would take a file on a disk that fails for a missing one.
    """
    try:
        os.stat(path)
    except _NO_FILE:
        return True
    except OSError as error:
        raise file_failure(path, error) from error
    return False


def file_size(path: str | Path) -> int:
    """The bytes of the file; 0 if there is none, such as a log that another program has just removed."""
    try:
        return os.stat(path).st_size
    except _NO_FILE:
        return 0


def with_file_failures(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """A function whose OSErrors are StoreErrors."""

    @wraps(function)
    def wrapped(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        try:
            return function(*arguments, **named)
        except OSError as error:
            raise file_failure(error.filename or "a file of the store", error) from error

    return wrapped


# The names of the files beside a store, after its own name.
_BESIDE = re.compile(
    r"(-wal|-shm|-journal|\.(reserve|recovery|processes|report-run|archive-(run|writer)|(serve|job|amqpcsea)-.+))$",
)


def refuse_name_beside(path: Path) -> None:
    """Raise StoreError if a file of that name belongs to a store: to replace or remove it would
    damage the store.
    """
    for name, folder in ((path.name, path.parent), (path.parent.name, path.parent.parent)):
        beside = _BESIDE.search(name)
        if beside is not None and (folder / name[: beside.start()]).is_file():
            store = folder / name[: beside.start()]
            raise StoreError(f"{path} is the name of a file that belongs to the store {store}")


@with_file_failures
def create_private(path: str, content: bytes = b"") -> None:
    """Create the file with mode 0600 if it is missing; SQLite itself would make it readable by
    everyone.

    Where the system can, it appears with its content, so that a program that is killed leaves no
    empty one.

    StoreError for an empty file that another program has left: SQLite would take it for a new
    database. Likewise where the log of a file is that was deleted or renamed: SQLite would delete
    it.
    """
    if is_missing(path):
        refuse_name_beside(Path(path))
        if file_size(f"{path}-wal"):
            raise StoreError(
                f"{path} was deleted or renamed, but its log {path}-wal is still there, with "
                "messages that the "
                "file may not hold; put the file back, or delete the log to create a new store",
            )
    try:
        # A store that exists is opened on a full disk, too.
        if not os.path.lexists(path):
            _create(path, content)
            return
    except FileExistsError:
        pass
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}") from error
    _refuse_empty(path)


def first_page() -> bytes:
    """A database without tables that has a log and can return its free space, as SQLite writes it.

    Its header (https://www.sqlite.org/fileformat.html#the_database_header), and the page of an
    empty table.
    """
    page = bytearray(4096)
    page[:24] = struct.pack(">16sH6B", b"SQLite format 3", len(page), 2, 2, 0, 64, 32, 32)
    # Its changes and pages; the two marks of incremental vacuum; the changes again.
    for place in (24, 28, 52, 64, 92):
        page[place + 3] = 1
    page[100:108] = struct.pack(">BHHHB", 13, 0, 0, len(page), 0)
    return bytes(page)


def _create(path: str, content: bytes) -> None:
    try:
        descriptor = os.open(os.path.dirname(path) or ".", os.O_TMPFILE | os.O_RDWR, OWNER_ONLY)
    except (AttributeError, OSError):
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY)
    try:
        # The umask may keep the owner out, and the files beside the store get its mode.
        os.fchmod(descriptor, OWNER_ONLY)
        os.write(descriptor, content)
        # After a power failure, SQLite would delete the log beside an empty file. Its first sync is
        # also the folder's.
        os.fsync(descriptor)
        if not os.fstat(descriptor).st_nlink:
            os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=descriptor)
    except OSError:
        if os.fstat(descriptor).st_nlink:
            os.unlink(path)
        raise
    finally:
        os.close(descriptor)


def _refuse_empty(path: str) -> None:
    deadline = elapsed_real_seconds() + CREATION_SECONDS
    # SQLite takes a single byte for an empty database too.
    while os.path.isfile(path) and os.path.getsize(path) <= 1:
        if elapsed_real_seconds() > deadline:
            what = "is empty" if os.path.getsize(path) == 0 else "holds a single byte"
            raise StoreError(
                f"{path} is not a store: the file {what}; delete it to create a new store there",
            )
        pause_a_moment()


def open_like(path: Path, like: Path, *, for_writers: bool = False) -> int:
    """Open the file for reading and writing; a new file gets the owner and permissions of `like`.

    Otherwise a job that root runs would lock the owner out of the store. With `for_writers` users
    who may only read `like` get no permission. OSError when the file cannot be opened, is a
    symbolic link, or belongs to a user who may not write `like`, and could hold the lock forever.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY)
    except FileExistsError:
        _refuse_foreign(path, like)
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        file_status = os.fstat(descriptor)
        # Files of former versions could be locked by readers.
        if (
            for_writers
            and os.geteuid() in (0, file_status.st_uid)
            and _writers_only(file_status.st_mode) != file_status.st_mode
        ):
            os.fchmod(descriptor, _writers_only(stat.S_IMODE(file_status.st_mode)))
        return descriptor
    copy_owner_and_mode(descriptor, like, _writers_only if for_writers else _same)
    return descriptor


def _writers_only(mode: int) -> int:
    """The mode, with read permission removed where write permission is missing."""
    return mode & ~0o444 | (mode & 0o222) << 1


def make_folder(folder: Path) -> None:
    """Create a folder beside a store if it is missing, with the store's owner and permissions.

    The folder's name is the store's with a suffix. OSError when it cannot be created, or when it
    belongs to a user who may not write the store and could so replace the lock files in it.
    """
    store = folder.with_suffix("")
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir() or folder.is_symlink():
            raise NotADirectoryError(
                errno.ENOTDIR,
                os.strerror(errno.ENOTDIR),
                str(folder),
            ) from None
        _refuse_foreign(folder, store)
        return
    # Users who may read the store need execute permission, to open files in the folder.
    copy_owner_and_mode(folder, store, lambda mode: mode | (mode & 0o444) >> 2)


def _refuse_foreign(path: Path, like: Path) -> None:
    file_status = path.lstat()
    try:
        store = like.stat()
    except FileNotFoundError:
        return
    if file_status.st_uid not in (0, os.geteuid()) and not _may_write(file_status, store):
        raise PermissionError(
            errno.EPERM,
            f"it belongs to {_name_of(file_status.st_uid)}, who may not write the store; delete it",
            str(path),
        )


def _may_write(owned: os.stat_result, store: os.stat_result) -> bool:
    """Whether the owner of a file may write the store."""
    if owned.st_uid == store.st_uid or store.st_mode & stat.S_IWOTH:
        return True
    try:
        account = pwd.getpwuid(owned.st_uid)
        groups = os.getgrouplist(account.pw_name, account.pw_gid)
    except KeyError:
        groups = [owned.st_gid]
    return bool(store.st_mode & stat.S_IWGRP) and store.st_gid in groups


def owner_of(path: str | None) -> tuple[bool, str]:
    """Whether this process is that of the owner of a store, or of root; and the owner's name.

    A store in memory is its creator's. The name is blank if the file is gone, the number of an
    owner without a name.
    """
    if path is None:
        return True, ""
    try:
        owner = os.stat(path).st_uid
    except OSError:
        return os.geteuid() == 0, ""
    try:
        name = pwd.getpwuid(owner).pw_name
    except KeyError:
        name = str(owner)
    return os.geteuid() in (0, owner), name


@with_file_failures
def mode_of(path: str | None) -> int:
    """The permissions of a store's file; 0 for a store in memory."""
    return 0 if path is None else stat.S_IMODE(os.stat(path).st_mode)


def _name_of(user: int) -> str:
    try:
        return f"user {pwd.getpwuid(user).pw_name}"
    except KeyError:
        return f"user {user}"


def is_at(path: Path, descriptor: int) -> bool:
    """Whether the name leads to the open file."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _same(mode: int) -> int:
    return mode


def copy_owner_and_mode(
    created: int | Path,
    like: Path,
    mode_for: Callable[[int], int] = _same,
) -> None:
    """Give a new file or folder the owner and permissions of `like`, unless that has been
    removed.
    """
    try:
        file_status = like.stat()
    except FileNotFoundError:
        return
    os.chmod(created, mode_for(stat.S_IMODE(file_status.st_mode) & 0o666))
    if os.geteuid() == 0 != file_status.st_uid:
        os.chown(created, file_status.st_uid, file_status.st_gid)


@with_file_failures
def refuse_network_file_system(path: str) -> None:
    """Raise StoreError on a network file system: the locks and shared memory of SQLite's WAL do
    not work there.
    """
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return
    real_path = os.path.realpath(path)
    best, kind = "", ""
    for line in mounts.read_text(errors="replace").splitlines():
        fields = line.split(" ")
        point = fields[1].replace("\\040", " ") if len(fields) > 2 else ""
        if len(point) >= len(best) and (
            real_path == point or real_path.startswith(point.rstrip("/") + "/")
        ):
            best, kind = point, fields[2]
    if kind in NETWORK_FILE_SYSTEMS:
        raise StoreError(f"{path} is on a network file system ({kind}), where a store is not safe")
