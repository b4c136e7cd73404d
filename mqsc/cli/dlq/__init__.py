"""`mqsc dlq`: the dead-letter queue handler, and tools for working with dead letters."""

from __future__ import annotations

import click

from mqsc.console.options import LazyGroup, common_options

COMMANDS = {
    "run": ("mqsc.cli.dlq.run", "run", "Run the dead-letter queue handler with a rules table."),
    "check": ("mqsc.cli.dlq.check", "check", "Check a rules table: report its errors, or else advice."),
    "test": ("mqsc.cli.dlq.test", "test", "Try a rules table on messages without moving any."),
    "show": ("mqsc.cli.dlq.show", "show", "Show dead letters decoded, and where other messages came from."),
    "retry": ("mqsc.cli.dlq.retry", "retry", "Put messages on their original destination."),
    "forward": ("mqsc.cli.dlq.forward", "forward", "Put messages on another queue."),
    "discard": ("mqsc.cli.dlq.discard", "discard", "Delete messages."),
}


@click.group(cls=LazyGroup, rows=COMMANDS)
@common_options
def dlq() -> None:
    """Work with dead-letter and backout queues: by rules, as runmqdlq does, or by hand."""
