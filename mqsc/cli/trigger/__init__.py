"""`mqsc trigger`: an explanation of triggering, and the trigger monitor."""

from __future__ import annotations

import click

from mqsc.console.options import LazyGroup, common_options

COMMANDS = {
    "explain": ("mqsc.cli.trigger.explain", "explain", "Explain why a queue does or does not trigger."),
    "run": ("mqsc.cli.trigger.run", "run", "Start the programs that trigger messages ask for."),
}


@click.group(cls=LazyGroup, rows=COMMANDS)
@common_options
def trigger() -> None:
    """Explain triggering, and run the trigger monitor."""
