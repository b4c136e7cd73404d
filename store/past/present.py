"""A copy of a store as it is now, on which the ordinary code runs, while nothing is written to the
store itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mqsc.store.error import MissingStoreError
from mqsc.store.past.temporary_folders import NAME, temporary_folder
from mqsc.store.sqlite import copies, liveness
from mqsc.store.sqlite.files import OWNER_ONLY, is_missing


@contextmanager
def copy_of_present(path: str) -> Iterator[Path]:
    """The file of a copy, in the state after the last commit; it is removed at the end of the
    block.

    SQLite has the store's file open for reading alone. Programs that are connected to the store
    count as living in the copy, so their handles and units of work are there. StoreError when there
    is no store, or none that can be read.
    """
    if is_missing(path):
        raise MissingStoreError(path)
    with temporary_folder() as folder:
        file = folder / NAME
        file.touch(OWNER_ONLY)
        copies.copy_unchanged(Path(path), file)
        living = liveness.folder_beside(path)
        with liveness.counted_as_living(living, liveness.folder_beside(str(file))):
            yield file
