"""Backups: a verified copy of a store made while programs use it, and the store replaced by such a
copy.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mqsc.store.admin.health import FAULTS_LISTED
from mqsc.store.engine.state import StoreState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import StoreError
from mqsc.store.sql import rows, schema_version
from mqsc.store.sql.kept import FORGET
from mqsc.store.sqlite import copies, open_files
from mqsc.store.sqlite.files import (
    refuse_name_beside,
    refuse_network_file_system,
    with_file_failures,
)
from mqsc.store.sqlite.killed_restore import undo_killed_restore
from mqsc.store.sqlite.locks import SingleInstanceLock
from mqsc.store.sqlite.mounts import refuse_mounted_alone

_HAS_KEPT = "SELECT 1 FROM sqlite_master WHERE name = 'kept_message'"


class Restored(NamedTuple):
    """The size of the restored store in bytes, and where the file that it replaced is now, if there
    was one.

    Of a store whose file was gone, that is its log. `undone` is a sentence about an earlier restore
    that was killed.
    """

    size: int
    aside: Path | None
    undone: str = ""


class BackedUp(NamedTuple):
    """The size of a copy in bytes, and the SHA-256 of its file, in hexadecimal."""

    size: int
    sha256: str


@with_file_failures
def back_up(
    store: StoreState,
    file: Path,
    *,
    replace: bool = False,
    kept: bool = False,
    original: str = "",
) -> BackedUp:
    """Copy the store into `file` while programs use it.

    With `kept`, the copy also has the data that was kept of messages that have left their queues.
    `original` is the file to copy, as it is, if the store is a copy of one that must not change.

    The copy shows the store after one commit, has mode 0600 and appears under its name only when it
    is complete and verified. StoreError when the file exists and `replace` is false, or when the
    copy fails.
    """
    if store.path is None:
        raise StoreError("only a store in a file can be backed up")
    file = _real(file)
    _require_other_file(Path(original or store.path), file)
    refuse_name_beside(file)
    if file.exists() and not replace:
        raise StoreError(f"{file} exists already")
    if file.exists() and Path(f"{file}{open_files.LOG}").exists():
        raise StoreError(f"{file} is a store that programs use")
    with copies.partial_file(file, None) as partial:
        if original:
            copies.copy_untouched(Path(original), partial, file)
        else:
            copies.copy_store(store.database, partial, file)
        with copies.opened(partial, file) as copy:
            # A store of an earlier version may not have the table yet.
            if not kept and copy.execute(_HAS_KEPT).fetchone():
                copy.executescript(FORGET)
            faults = schema_version.file_faults(copy, FAULTS_LISTED)
        if faults:
            raise StoreError(f"the copy is damaged, so the store is too: {'; '.join(faults)}")
        with partial.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256")
        size = partial.stat().st_size
        copies.rename(partial, file)
    return BackedUp(size, digest.hexdigest())


@with_file_failures
def restore(path: str, file: Path, now: int) -> Restored:
    """Replace the store at `path` by a copy of `file`; the old file is kept beside it, with the
    time `now` in its name.

    StoreError, and nothing has changed, when a program uses the store, or when `file` is damaged,
    is not a store, or was written by a newer version. The store may be missing or damaged.
    """
    target = Path(path)
    refuse_name_beside(target)
    refuse_name_beside(_real(file))
    refuse_network_file_system(path)
    refuse_mounted_alone(path)
    _require_other_file(target, file)
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    if not target.parent.is_dir():
        raise StoreError(f"there is no folder {target.parent}")
    undone = undo_killed_restore(path)
    # Programs that start meanwhile do not recover the work of dead ones in a file that is being
    # replaced.
    lock = SingleInstanceLock(
        Path(f"{path}.recovery"),
        target if target.exists() else target.parent,
    )
    if not lock.acquire():
        raise StoreError(f"{path} is in use: another program restores or recovers it")
    try:
        with copies.partial_file(target, target if target.exists() else None) as partial:
            copies.copy_file(file, partial, target)
            _require_store(partial, file)
            size = partial.stat().st_size
            aside = _free_name(target, now)
            # What `mqsc serve`, `mqsc run --skip-if-running` and `mqsc archive` lock while they
            # run.
            patterns = (f"{target.name}.{kind}-*" for kind in ("serve", "job", "archive"))
            locks = [file for pattern in patterns for file in sorted(target.parent.glob(pattern))]
            with copies.exclusive_use(path, locks):
                copies.exchange(target, partial, aside)
    finally:
        lock.release()
    put_aside = (each for each in (aside, _log_of(aside)) if each.exists())
    return Restored(size, next(put_aside, None), undone)


def _real(file: Path) -> Path:
    """The file with the folder's own name; a symbolic link in its own place is replaced, not
    followed.
    """
    return file.parent.resolve() / file.name


def _require_other_file(store: Path, file: Path) -> None:
    if file.exists() and store.exists() and file.samefile(store):
        raise StoreError(f"{file} is the store itself")


def _require_store(copy: Path, file: Path) -> None:
    with copies.opened(copy, file) as connection:
        version, application = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("user_version", "application_id")
        )
        if application != rows.APPLICATION_ID or version <= 0:
            raise StoreError(f"{file} is not a copy of a store")
        if version > rows.SCHEMA_VERSION:
            raise StoreError(
                f"{file} was written by a newer version of mqsc; upgrade mqsc to restore it",
            )
        # Triggers that are not ours would change messages, for example.
        faults = schema_version.file_faults(connection, FAULTS_LISTED)
    if faults:
        raise StoreError(f"{file} is damaged: {'; '.join(faults)}")


def _free_name(store: Path, now: int) -> Path:
    moment = datetime.fromtimestamp(now // MICROSECONDS, UTC).strftime("%Y%m%dT%H%M%SZ")
    first = Path(f"{store}.before-{moment}")
    names = (first, *(Path(f"{first}-{number}") for number in range(2, 1000)))
    return next(name for name in names if not name.exists() and not _log_of(name).exists())


def _log_of(file: Path) -> Path:
    return Path(f"{file}{open_files.LOG}")
