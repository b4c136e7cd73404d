"""`mqsc channel`: channels that move messages between queue managers."""

from __future__ import annotations

import click

from mqsc.console.options import LazyGroup, common_options

COMMANDS = {
    "run": ("mqsc.cli.channel.run", "run", "Run a channel until it ends."),
    "explain": ("mqsc.cli.channel.explain", "explain", "Explain the state of a channel and its next message."),
    "map": ("mqsc.cli.channel.map", "map_", "Map the host names in CONNAME to stores."),
    "fault": ("mqsc.cli.channel.fault", "fault", "Make a channel fail at a step, to see what happens then."),
}


@click.group(cls=LazyGroup, rows=COMMANDS)
@common_options
def channel() -> None:
    """Run and explain channels, which move messages between queue managers."""
