"""`mqsc restore`: the store as it was when a backup was made."""

from __future__ import annotations

from pathlib import Path

import click

from mqsc.console import target
from mqsc.console.json_rows import print_data
from mqsc.console.options import Choices, command
from mqsc.console.parameters import FILE_PATH
from mqsc.store.admin.backup import restore as restore_store
from mqsc.store.client.store_url import path_of
from mqsc.store.environment import Environment


@command()
@click.argument("file", type=FILE_PATH)
def restore(choices: Choices, file: Path) -> None:
    """Replace the store by the copy in FILE that `mqsc backup` made.

    Refused while a program uses the store, `mqsc serve` included. The old store is kept beside the
    new one, under a name with the time. Units of work that were open when the copy was made are
    backed out by the next program.
    """
    path = path_of(choices.store_url())
    if path is None:
        raise target.NothingRunError("only a store in a file can be restored")
    if choices.user_name() is not None and not choices.store_is_missing():
        # Who may not administer a store may not replace it either.
        with target.opened_store(choices):
            pass
    _refuse_missing(choices, file)
    restored = restore_store(path, file.absolute(), Environment.system().clock.now())
    if restored.undone:
        choices.inform(f"mqsc: {restored.undone}")
    aside = None if restored.aside is None else str(restored.aside)
    if print_data(
        choices.format,
        [{"store": path, "file": str(file), "bytes": restored.size, "old_store": aside}],
    ):
        return
    kept = f"; the old store is now {restored.aside}" if restored.aside else ""
    choices.inform(f"mqsc: restored {path} from {file} ({restored.size:,} bytes){kept}")


def _refuse_missing(choices: Choices, file: Path) -> None:
    """Raise UnknownQueueManagerError for a queue manager after -m that the copy does not have."""
    from mqsc.console.object_names import queue_managers

    # Reading the copy does not need the store, which may be damaged.
    known = queue_managers(Choices(store=f"sqlite:///{file.absolute()}", user=""))
    if choices.qmgr is not None and known and choices.qmgr not in known:
        raise target.unknown_queue_manager(choices.qmgr)
