"""A first look into a store's file with the driver alone, before the code of the queue manager is loaded."""

from __future__ import annotations

import os

from mqsc.store.sqlite.driver import open_connection, sqlite_library

_DEFAULT = "SELECT name FROM queue_manager WHERE is_default = 1"
_BY_NAME = "SELECT name FROM queue_manager WHERE name = ?"


def name_of_queue_manager(path: str, name: str | None) -> str | None:
    """The name of the queue manager in an existing file, or of the default one.

    None if there is none, or if the file cannot be read at once or not be written; opening the
    store then says why.
    """
    if not os.access(path, os.W_OK):
        # To look at it would leave files of SQLite beside it.
        return None
    library = sqlite_library()
    try:
        connection = open_connection(library, path)
    except library.Error:
        return None
    try:
        row = connection.execute(*((_DEFAULT,) if name is None else (_BY_NAME, (name,)))).fetchone()
    except library.Error:
        return None
    finally:
        connection.close()
    return None if row is None else str(row[0])
