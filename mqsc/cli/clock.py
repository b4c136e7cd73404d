"""`mqsc clock`: the time of a queue manager with a manual clock."""

from collections.abc import Callable

import click

from mqsc.cli.qmgr import clock_text
from mqsc.console.json_rows import print_data
from mqsc.console.options import Choices, command, confirm
from mqsc.console.parameters import Moment, Span, iso
from mqsc.console.target import failing, opened_queue_manager
from mqsc.store.client.queue_manager import QueueManager


@command(reads=True)
def show(choices: Choices) -> None:
    """Show the queue manager's time in UTC, and whether it uses the system clock or a manual
    one.
    """
    with opened_queue_manager(choices) as qmgr:
        _print(choices, qmgr)


# Without this, a negative SPAN would be reported as an unknown option.
@command(context_settings={"ignore_unknown_options": True})
@click.argument("span", type=Span())
def advance(choices: Choices, span: int) -> None:
    """Move the manual clock forward by SPAN (90s, 15m, 1h30m, 2d, 250ms) and wake the programs
    that wait for it.
    """
    with opened_queue_manager(choices) as qmgr:
        with failing(ValueError):
            qmgr.advance_clock(span)
        _print(choices, qmgr, confirm)


@command("set")
@click.argument("moment", type=Moment())
def set_(choices: Choices, moment: int) -> None:
    """Set the manual clock to MOMENT, for example 2026-03-01T09:00:00 (UTC unless it has an
    offset).
    """
    with opened_queue_manager(choices) as qmgr:
        with failing(ValueError):
            qmgr.set_clock(moment)
        _print(choices, qmgr, confirm)


def _print(choices: Choices, qmgr: QueueManager, say: Callable[[str], None] = click.echo) -> None:
    at, format = qmgr.now(), choices.format
    mode = clock_text(qmgr.row().clock_at)
    if not print_data(format, [{"qmgr": qmgr.name, "now": iso(at), "clock": mode}]):
        say(f"{iso(at)} {mode}")
