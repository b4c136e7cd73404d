"""Files that a command that only reads leaves exactly as they are: stores that cannot be written, and backups.

SQLite writes beside a database with a log even to read it, and into a backup, to give it a log.
"""

from __future__ import annotations

import os

from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.open_files import LOG
from mqsc.store.sqlite.reserve import may_be_database


def must_stay_as_it_is(path: str) -> bool:
    """Whether commands that only read must leave the file of a store alone.

    That is a file that this user cannot write, or one that no program has used as a store. Opening
    any other file, such as none or an empty one, says what is wrong with it.
    """
    if not (os.path.isfile(path) and may_be_database(path)):
        return False
    return is_unused(path) or cannot_be_written(path)


def is_unused(path: str) -> bool:
    """Whether no program has used the file under its name as a store, as no program uses a backup."""
    return not (os.path.lexists(folder_beside(path)) or os.path.lexists(f"{path}{LOG}"))


def cannot_be_written(path: str) -> bool:
    """Whether this user may not write the file or, while no program has it open, beside it."""
    folder = os.path.dirname(path) or "."
    is_open = os.path.lexists(f"{path}{LOG}")
    return not (os.access(path, os.W_OK) and (is_open or os.access(folder, os.W_OK)))
