"""`mqsc dlq forward`: dead letters put on another queue."""

from __future__ import annotations

from typing import Any

import click

from mqsc.cli.dlq.redrive_run import RETRY_LIMIT, redrive_options, run_redrive
from mqsc.console.object_names import ObjectName
from mqsc.dlq.rules import Rule


@click.command()
@click.option("--to", type=ObjectName(), required=True, metavar="QUEUE", help="The target queue.")
@click.option("--to-q-mgr", default="", metavar="NAME", help="Its queue manager (default: the one with the messages).")
@click.option("--strip-header", is_flag=True, help="Remove the dead-letter header.")
@redrive_options
@RETRY_LIMIT
def forward(
    context: click.Context, /, queue: str | None, to: str, to_q_mgr: str, strip_header: bool, **given: Any
) -> None:
    """Put the dead letters on QUEUE (default: the DEADQ) on another queue, with their header unless --strip-header.

    Each message moves in a unit of work of its own; a message that cannot be put stays. Exit code 10 when a put failed,
    or would fail with --dry-run, and when there is no such target.
    """
    run_redrive(context, queue, Rule((), "FWD", to, to_q_mgr, "NO" if strip_header else "YES"), given)
