"""The space that a store takes: its log and its free pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from mqsc.store.sqlite.database import Database, Reading, Transaction
from mqsc.store.sqlite.driver import DriverConnection

# A transaction that returns this many pages takes a few milliseconds.
PAGES_PER_TRANSACTION = 250
# So many free pages (4 MB) are kept for messages to come: returning and taking them costs writes.
KEPT_PAGES = 1000
INCREMENTAL = 2
_RETURN = f"PRAGMA incremental_vacuum({PAGES_PER_TRANSACTION})"


class Pages(NamedTuple):
    """The size of a file in pages, how many of them hold no data, and whether they can be
    returned one by one.
    """

    size: int
    pages: int
    free: int
    returnable: bool


class Checkpoint(NamedTuple):
    """The frames in the log, and how many of them are in the main file; they differ while a
    program reads.
    """

    frames: int
    copied: int


def pages(database: Database) -> Pages:
    with Reading(database) as reading:
        size, number, free = map(reading.pragma, ("page_size", "page_count", "freelist_count"))
        return Pages(size, number, free, reading.pragma("auto_vacuum") == INCREMENTAL)


def return_free_pages(database: Database, keep: int) -> int:
    """Return all free pages but `keep` to the file system, a few in each transaction; return how
    many.

    The file shrinks at the next checkpoint. Does nothing for a store of an old version (`vacuum`).
    """
    before = pages(database)
    excess = before.free - keep if before.returnable else 0
    returned = 0
    while returned < excess:
        with Transaction(database, durable=False) as tx:
            tx.execute(_RETURN, ()).fetchall()
            left = tx.pragma("freelist_count")
        if before.free - left <= returned:
            break
        returned = before.free - left
    return max(0, returned)


def vacuum(database: Database) -> None:
    """Write the file anew without free pages; afterwards they can be returned one by one.

    Takes as much disk space again as the data, and keeps other programs from writing.
    """
    with _outside_transactions(database, durable=True) as connection:
        connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}").fetchall()
        connection.execute("VACUUM").fetchall()


def checkpoint(database: Database, *, truncate: bool = False) -> Checkpoint:
    """Copy the log into the main file as far as readers allow, while no program of ours writes.

    With `truncate`, the log is then cut to zero bytes, unless a program reads from it.
    """
    with _outside_transactions(database, durable=False) as connection:
        mode = "TRUNCATE" if truncate else "PASSIVE"
        _, frames, copied = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    return Checkpoint(frames, copied)


@contextmanager
def _outside_transactions(database: Database, *, durable: bool) -> Iterator[DriverConnection]:
    """A connection for what SQLite does only outside transactions, while no program of ours
    writes.
    """
    connection, failure = database.begin(durable=durable), None
    try:
        connection.execute("COMMIT")
        yield connection
        # For end(), which commits it.
        connection.execute("BEGIN")
    except BaseException as error:
        failure = error
        raise
    finally:
        database.end(connection, failure)
