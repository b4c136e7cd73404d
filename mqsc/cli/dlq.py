"""`mqsc dlq`: the dead-letter queue handler, and what helps before and beside it."""

from __future__ import annotations

import click

from mqsc.console.options import LazyGroup, common_options

_BY_HAND = "mqsc.cli.dlq_redrive"
COMMANDS = {
    "run": ("mqsc.cli.dlq_run", "run", "Run the dead-letter handler with a rules table."),
    "check": ("mqsc.cli.dlq_check", "check", "Check a rules table: its errors, or else advice."),
    "test": ("mqsc.cli.dlq_test", "test", "Try a rules table on messages without moving any."),
    "show": ("mqsc.cli.dlq_show", "show", "Show dead letters decoded: why, whereto, when, by whom."),
    "retry": (_BY_HAND, "retry", "Put dead letters where they should have gone."),
    "forward": (_BY_HAND, "forward", "Put dead letters on another queue."),
    "discard": (_BY_HAND, "discard", "Throw dead letters away."),
}


@click.group(cls=LazyGroup, rows=COMMANDS)
@common_options
def dlq() -> None:
    """Work on dead-letter queues: by rules as runmqdlq does, or by hand."""
