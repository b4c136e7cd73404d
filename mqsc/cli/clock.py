"""`mqsc clock`: the time of a queue manager with a manual clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from mqsc.console.json_output import print_json
from mqsc.console.options import choices_of, common_options, confirm
from mqsc.console.parameter_types import Moment, Span, iso
from mqsc.console.target import CommandFailedError, opened_queue_manager

if TYPE_CHECKING:
    from store.client.api import QueueManager


@click.command()
@common_options
@click.pass_context
def show(context: click.Context) -> None:
    """Show the queue manager's time in UTC, and whether it uses the system clock or a manual one."""
    with opened_queue_manager(choices_of(context)) as qmgr:
        _print(context, qmgr)


# Without this, a negative SPAN would be reported as an unknown option.
@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("span", type=Span())
@common_options
@click.pass_context
def advance(context: click.Context, span: int) -> None:
    """Move the manual clock forward by SPAN (90s, 15m, 1h30m, 2d, 250ms) and wake the programs that wait for it."""
    with opened_queue_manager(choices_of(context)) as qmgr:
        try:
            qmgr.advance_clock(span)
        except ValueError as error:
            raise CommandFailedError(str(error)) from error
        _print(context, qmgr, confirm)


@click.command("set")
@click.argument("moment", type=Moment())
@common_options
@click.pass_context
def set_(context: click.Context, moment: int) -> None:
    """Set the manual clock to MOMENT, for example 2026-03-01T09:00:00 (UTC unless it has an offset)."""
    with opened_queue_manager(choices_of(context)) as qmgr:
        try:
            qmgr.set_clock(moment)
        except ValueError as error:
            raise CommandFailedError(str(error)) from error
        _print(context, qmgr, confirm)


def _print(context: click.Context, qmgr: QueueManager, say: Callable[[str], None] = click.echo) -> None:
    at, format = qmgr.now(), choices_of(context).format
    mode = "system" if qmgr.row().clock_at is None else "manual"
    if not print_json(format, [{"qmgr": qmgr.name, "now": iso(at), "clock": mode}]):
        say(f"{iso(at)} {mode}")
