"""Temporary folders of this user, locked while they are used; what killed programs leave is removed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from stat import S_ISDIR
from tempfile import gettempdir, mkdtemp

from mqsc.store.environment import MICROSECONDS, Environment
from mqsc.store.error import StoreError
from mqsc.store.sqlite.locks import LockFile

NAME, _LOCK = "past.db", "lock"
# Folders that are made and those that are in use. A program that has not gone on for an hour was
# killed.
_NEW = "mqsc-new-"
_OWNED = "mqsc-past-"
_NEW_FOR = 3600 * MICROSECONDS


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A temporary folder of this user, locked for the block and then removed, as are those of
    killed programs.
    """
    _remove_those_left()
    # It gets its name when it is locked: others would remove it before.
    new_folder = Path(mkdtemp(prefix=_NEW))
    lock = LockFile(new_folder / _LOCK)
    folder = new_folder.with_name(new_folder.name.replace(_NEW, _OWNED, 1))
    try:
        lock.acquire()
        yield new_folder.rename(folder)
    finally:
        lock.close()
        for each in (new_folder, folder):
            rmtree(each, ignore_errors=True)


def _remove_those_left() -> None:
    now = Environment.system().clock.now()
    for folder in (each for name in (_NEW, _OWNED) for each in Path(gettempdir()).glob(f"{name}*")):
        with suppress(OSError, StoreError):
            status = folder.lstat()
            is_new = folder.name.startswith(_NEW) and now - status.st_mtime_ns // 1000 < _NEW_FOR
            if not S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or is_new:
                continue
            lock = LockFile(folder / _LOCK)
            try:
                if lock.acquire():
                    rmtree(folder, ignore_errors=True)
            finally:
                lock.close()
