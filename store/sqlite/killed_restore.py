"""What a restore that was killed has left beside a store: it is undone before the store is next
used.

A restore gives the store's file a second name, moves the log to it, and then replaces the file by
the copy. Killed in between, it leaves the store as it was, but with two names or, on a file system
without hard links, under the second name alone.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from mqsc.store.error import StoreError
from mqsc.store.sqlite.copies import partial_of, remove_abandoned, sync_folder
from mqsc.store.sqlite.locks import SingleInstanceLock
from mqsc.store.sqlite.open_files import LOG

# A restore has the lock while it copies, but two names only for an instant.
PATIENCE_SECONDS = 2.0
_MOMENT = re.compile(r"\d{8}T\d{6}Z(-\d+)?")


def names_aside(store: Path) -> list[Path]:
    """The files that restores have put aside, the oldest first."""
    prefix = f"{store.name}.before-"
    files = (
        file
        for file in store.parent.glob(f"{_escaped(prefix)}*")
        if _MOMENT.fullmatch(file.name[len(prefix) :])
    )
    return sorted(files)


def undo_killed_restore(path: str) -> str:
    """Undo a restore that was killed, and remove its incomplete copy; a sentence about it, blank if
    there is none.

    Nothing is done while a program restores, nor for a user who may not write beside the store.
    """
    store = Path(path)
    partial = partial_of(store)
    has_names = _has_names(store)
    if not has_names and not os.path.lexists(partial):
        return ""
    lock = SingleInstanceLock(Path(f"{path}.recovery"), store if store.exists() else store.parent)
    try:
        if not lock.acquire_within(PATIENCE_SECONDS if has_names else 0):
            return ""
        is_undone = _undone(store, partial)
        is_removed = remove_abandoned(partial)
    except (OSError, StoreError):
        # Opening the store will say what is wrong.
        return ""
    finally:
        lock.release()
    if is_undone:
        return (
            f"a restore was killed before it had replaced {path}; the store is as it was before "
            "the restore"
        )
    return (
        f"removed the incomplete copy {partial.name} of a restore or a backup that was killed"
        if is_removed
        else ""
    )


def _has_names(store: Path) -> bool:
    try:
        found = store.lstat()
    except OSError:
        # There is none yet, or opening it will say what is wrong.
        return False
    return stat.S_ISREG(found.st_mode) and found.st_nlink > 1 and bool(names_aside(store))


def _undone(store: Path, partial: Path) -> bool:
    """Give the store its one name, and its log; whether it did not have them."""
    aside = _aside(store, partial)
    if aside is None:
        return False
    log, log_aside = Path(f"{store}{LOG}"), Path(f"{aside}{LOG}")
    if store.exists():
        if log_aside.exists() and not log.exists():
            os.replace(log_aside, log)
        aside.unlink()
    else:
        if log_aside.exists():
            os.replace(log_aside, log)
        os.replace(aside, store)
    sync_folder(store.parent)
    return True


def _aside(store: Path, partial: Path) -> Path | None:
    """The second name of the store's file, or the only one if it was renamed, and a restore has
    not gone further.
    """
    names = names_aside(store)
    if store.exists():
        return next((name for name in names if name.samefile(store)), None)
    return names[-1] if names and partial.exists() else None


def _escaped(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)
