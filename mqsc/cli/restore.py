"""`mqsc restore`: the store as it was when a backup was made."""

from __future__ import annotations

from pathlib import Path

import click

from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command
from mqsc.console.target import NothingRunError


@command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def restore(choices: Choices, file: Path) -> None:
    """Replace the store by the copy in FILE that `mqsc backup` made.

    Refused while a program uses the store, `mqsc serve` included. The old store is kept beside the new one, under a
    name with the time. Units of work that were open when the copy was made are backed out by the next program.
    """
    from store.admin.backups import restore as restore_store
    from store.client.store_url import path_of
    from store.environment import Environment

    path = path_of(choices.store_url())
    if path is None:
        raise NothingRunError("only a store in a file can be restored")
    restored = restore_store(path, file.absolute(), Environment.system().clock.now())
    aside = None if restored.aside is None else str(restored.aside)
    if print_json(choices.format, [{"store": path, "file": str(file), "bytes": restored.size, "old_store": aside}]):
        return
    kept = f"; the old store is now {restored.aside}" if restored.aside else ""
    choices.inform(f"mqsc: restored {path} from {file} ({restored.size:,} bytes){kept}")
