"""`mqsc dlq retry`: dead letters put on their original destination."""

from __future__ import annotations

from typing import Any

import click

from mqsc.cli.dlq.redrive_run import RETRY_LIMIT, redrive_options, run_redrive
from mqsc.dlq.rules import Rule


@click.command()
@redrive_options
@RETRY_LIMIT
def retry(context: click.Context, /, queue: str | None, **given: Any) -> None:
    """Put the dead letters on QUEUE (default: the DEADQ) on their original destination, without the header.

    A message without a header, as on a backout queue, goes back to the queue that it was moved from according to the
    history; it is skipped when that is unknown.

    Each message moves in a unit of work of its own; a message that cannot be put stays. After an interruption, run the
    command again. Exit code 10 when a put failed, or would fail with --dry-run.
    """
    run_redrive(context, queue, Rule((), "RETRY"), given)
