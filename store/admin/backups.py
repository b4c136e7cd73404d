"""Backups: a verified copy of a store made while programs use it, and the store replaced by such a copy."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from store.engine.state import StoreState
from store.environment import MICROSECONDS
from store.error import StoreError
from store.sql import schema_version
from store.sql.rows import APPLICATION_ID, SCHEMA_VERSION
from store.sqlite import backup
from store.sqlite.files import refuse_name_beside, refuse_network_file_system
from store.sqlite.locks import SingleInstanceLock
from store.sqlite.open_files import LOG

# So many faults of a file are named in an error.
FAULTS_LISTED = 5


class Restored(NamedTuple):
    """The size of the restored store in bytes, and where the file that it replaced is now, if there was one."""

    size: int
    aside: Path | None


def back_up(store: StoreState, file: Path, *, replace: bool = False) -> int:
    """Copy the store into `file` while programs use it; return the size in bytes.

    The copy shows the store after one commit, has mode 0600 and appears under its name only when it is complete and
    verified. StoreError when the file exists and `replace` is false, or when the copy fails.
    """
    if store.path is None:
        raise StoreError("only a store in a file can be backed up")
    file = _real(file)
    _require_other_file(Path(store.path), file)
    refuse_name_beside(file)
    if file.exists() and not replace:
        raise StoreError(f"{file} exists already")
    if file.exists() and Path(f"{file}{LOG}").exists():
        raise StoreError(f"{file} is a store that programs use")
    with backup.partial_file(file, None) as partial:
        backup.copy_store(store.database, partial, file)
        with backup.opened(partial, file) as copy:
            faults = schema_version.file_faults(copy, FAULTS_LISTED)
        if faults:
            raise StoreError(f"the copy is damaged, so the store is too: {'; '.join(faults)}")
        size = partial.stat().st_size
        backup.rename(partial, file)
    return size


def restore(path: str, file: Path, now: int) -> Restored:
    """Replace the store at `path` by a copy of `file`; the old file is kept beside it, with the time `now` in its name.

    StoreError, and nothing has changed, when a program uses the store, or when `file` is damaged, is not a store, or
    was written by a newer version. The store may be missing or damaged.
    """
    target = Path(path)
    refuse_name_beside(target)
    refuse_name_beside(_real(file))
    refuse_network_file_system(path)
    _require_other_file(target, file)
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    if not target.parent.is_dir():
        raise StoreError(f"there is no folder {target.parent}")
    # Programs that start meanwhile do not recover the work of dead ones in a file that is being replaced.
    lock = SingleInstanceLock(Path(f"{path}.recovery"), target if target.exists() else target.parent)
    if not lock.acquire():
        raise StoreError(f"{path} is in use: another program restores or recovers it")
    try:
        with backup.partial_file(target, target if target.exists() else None) as partial:
            backup.copy_file(file, partial, target)
            _require_store(partial, file)
            size = partial.stat().st_size
            aside = _free_name(target, now) if target.exists() else None
            # What `mqsc serve`, `mqsc run --skip-if-running` and `mqsc archive` lock while they run.
            patterns = (f"{target.name}.{kind}-*" for kind in ("serve", "job", "archive"))
            locks = [file for pattern in patterns for file in sorted(target.parent.glob(pattern))]
            with backup.exclusive_use(path, locks):
                backup.exchange(target, partial, aside or target)
    finally:
        lock.release()
    return Restored(size, aside)


def _real(file: Path) -> Path:
    """The file with the folder's own name; a symbolic link in its own place is replaced, not followed."""
    return file.parent.resolve() / file.name


def _require_other_file(store: Path, file: Path) -> None:
    if file.exists() and store.exists() and file.samefile(store):
        raise StoreError(f"{file} is the store itself")


def _require_store(copy: Path, file: Path) -> None:
    with backup.opened(copy, file) as connection:
        version, application = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("user_version", "application_id")
        )
        if application != APPLICATION_ID or version <= 0:
            raise StoreError(f"{file} is not a copy of a store")
        if version > SCHEMA_VERSION:
            raise StoreError(f"{file} was written by a newer version of mqsc; upgrade mqsc to restore it")
        # Triggers that are not ours would change messages, for example.
        faults = schema_version.file_faults(connection, FAULTS_LISTED)
    if faults:
        raise StoreError(f"{file} is damaged: {'; '.join(faults)}")


def _free_name(store: Path, now: int) -> Path:
    moment = datetime.fromtimestamp(now // MICROSECONDS, UTC).strftime("%Y%m%dT%H%M%SZ")
    first = Path(f"{store}.before-{moment}")
    names = (first, *(Path(f"{first}-{number}") for number in range(2, 1000)))
    return next(name for name in names if not name.exists())
