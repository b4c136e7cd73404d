"""`mqsc backup`: a verified copy of the store, made while programs use it."""

from __future__ import annotations

from pathlib import Path

import click

from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command
from mqsc.console.target import NothingRunError, opened_store
from store.admin.backups import back_up


@command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def backup(choices: Choices, file: Path, force: bool) -> None:
    """Copy the store, with all its queue managers, into FILE, while programs use it.

    The copy shows the store after one commit. FILE appears only when the copy is complete and has been verified, and
    only you can read it. `mqsc restore FILE` brings it back.
    """
    if file.exists() and not force:
        raise NothingRunError(f"{file} exists already; replace it with --force")
    with opened_store(choices) as store:
        size = back_up(store, file.absolute(), replace=force)
        if not print_json(choices.format, [{"store": store.path, "file": str(file), "bytes": size}]):
            choices.inform(f"mqsc: backed up {store.path} to {file} ({size:,} bytes)")
