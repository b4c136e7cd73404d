"""`mqsc backup`: a verified copy of the store, made while programs use it."""

from __future__ import annotations

from pathlib import Path

import click

from mqsc.console import target
from mqsc.console.json_rows import print_data
from mqsc.console.options import Choices, command
from mqsc.console.parameters import FILE_PATH
from mqsc.store.admin.backup import back_up
from mqsc.store.sqlite.untouched import must_stay_as_it_is


@command(reads=True)
@click.argument("file", type=FILE_PATH)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option(
    "--kept-data",
    is_flag=True,
    help="With the data that `mqsc history keep` has kept of past messages.",
)
def backup(choices: Choices, file: Path, force: bool, kept_data: bool) -> None:
    """Copy the store, with all its queue managers, into FILE, while programs use it.

    The copy shows the store after one commit. FILE appears only when the copy is complete and has
    been verified, and only you can read it. Its SHA-256 is printed; commands that only read FILE do not
    change it. `mqsc restore FILE` brings it back.
    """
    if file.exists() and not force:
        raise target.NothingRunError(f"{file} exists already; replace it with --force")
    path = target.path_of_file(choices)
    original = path if must_stay_as_it_is(path) else ""
    with target.opened_store(choices) as store:
        copy = back_up(store, file.absolute(), replace=force, kept=kept_data, original=original)
        source = original or store.path
        row = {
            "store": source,
            "file": str(file),
            "bytes": copy.size,
            "sha256": copy.sha256,
        }
        if not print_data(choices.format, [row]):
            choices.inform(
                f"mqsc: backed up {source} to {file} ({copy.size:,} bytes), SHA-256 {copy.sha256}",
            )
