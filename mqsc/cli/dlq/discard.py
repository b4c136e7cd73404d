"""`mqsc dlq discard`: dead letters deleted."""

from __future__ import annotations

from typing import Any

import click

from mqsc.cli.dlq.redrive_run import redrive_options, run_redrive
from mqsc.dlq.redrive import DEFAULT_RETURNS
from mqsc.dlq.rules import Rule


@click.command()
@click.option(
    "--all", "everything", is_flag=True, help="Delete every message; needed if no other option selects messages."
)
@click.option(
    "--save", metavar="FILE", help="First append each message to FILE, as JSON that `mqsc put --json` can read."
)
@redrive_options
def discard(context: click.Context, /, queue: str | None, everything: bool, save: str | None, **given: Any) -> None:
    """Delete dead letters from QUEUE (default: the DEADQ), without reports. Select messages, or give --all."""
    if not (everything or any(given[name] for name in ("reasons", "destination", "older_than", "msg_id"))):
        raise click.UsageError("select the messages to delete with --reason, --destination ..., or give --all")
    run_redrive(context, queue, Rule((), "DISCARD"), {**given, "returns": DEFAULT_RETURNS}, save=save)
