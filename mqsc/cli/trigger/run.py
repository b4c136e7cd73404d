"""`mqsc trigger run`: the trigger monitor."""

from __future__ import annotations

from typing import Any

import click

from mqsc.agents.trigger_monitor import DEFAULT_QUEUE, UNLIMITED, MonitorSettings
from mqsc.console.foreground.trigger_monitor import preview_monitor, run_monitor
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameter_types import MILLISECOND, Duration
from store.environment import MICROSECONDS


@command()
@click.option(
    "-q",
    "--queue",
    type=ObjectName(),
    default=DEFAULT_QUEUE,
    show_default=True,
    metavar="INITQ",
    help="The initiation queue.",
)
@click.option("--once", is_flag=True, help="Process the trigger messages already queued, then exit.")
@click.option("--dry-run", is_flag=True, help="Print which programs would start; start none and get no message.")
@click.option("--max-running", type=click.IntRange(min=1), metavar="N", help="Run at most N programs at a time.")
@click.option(
    "--timeout",
    type=Duration(1, bare=MICROSECONDS, lowest=1),
    help="End a program after this time, such as 10m; a bare number means seconds.",
)
@click.option(
    "--wait",
    type=Duration(MILLISECOND, lowest=0),
    help="Exit after this time without a trigger message, such as 30s; a bare number means milliseconds.",
)
@click.option("--shell", is_flag=True, help="Start programs through a shell; only if you trust all trigger messages.")
@click.option("--safe", is_flag=True, help="Keep a trigger message queued until its program has started.")
def run(choices: Choices, dry_run: bool, once: bool, wait: int | None, **given: Any) -> int:
    """Start the program that each trigger message on INITQ asks for, until SIGTERM or SIGINT.

    The words of APPLICID are the program; its arguments are the MQTMC2 and the words of ENVRDATA. The monitor waits for
    the program to end unless ENVRDATA ends with &. A trigger message whose program cannot start goes to the dead-letter
    queue.
    """
    if once and wait is not None:
        raise click.UsageError("--once does not wait, so --wait cannot be given with it")
    timeout = given.pop("timeout")
    given |= {"wait": UNLIMITED if wait is None else wait, "timeout": timeout and timeout / MICROSECONDS}
    settings = MonitorSettings(once=once, **given)
    return preview_monitor(choices, settings) if dry_run else run_monitor(choices, settings)
