"""`mqsc archive list`: which stores and events an archive has."""

from __future__ import annotations

import click

from mqsc.console.archive_errors import archive_errors
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.console.tables import table_lines
from mqsc.console.terminal import columns

_SHOWN = tuple(
    "name store first last events first_day last_day commits files bytes archived_at".split(),
)


@command("list")
@click.argument("url", metavar="URL")
def list_(choices: Choices, url: str) -> None:
    """List the stores in the archive at URL: their events, days and files. Needs no store."""
    with archive_errors():
        from mqsc.reports.archive.listing import contents

        stores = [*contents(url)]
    lines = table_lines(_SHOWN, [[each[name] for name in _SHOWN] for each in stores], columns())
    print_rows(choices.format, stores, lines)
