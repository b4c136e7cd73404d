"""`mqsc channel`: run message channels."""

from __future__ import annotations

import click

from mqsc.console.options import LazyGroup, common_options

COMMANDS = {
    "run": ("mqsc.cli.channel.run", "run", "Run a channel until it ends."),
}


@click.group(cls=LazyGroup, rows=COMMANDS)
@common_options
def channel() -> None:
    """Run message channels, which move messages between queue managers."""
