"""`mqsc trigger run`: the trigger monitor."""

from __future__ import annotations

import click

from mqsc.agents.trigger_monitor import UNLIMITED, MonitorSettings
from mqsc.cli.trigger.foreground import preview_monitor, run_monitor
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command, earlier_word
from mqsc.console.parameters import TIMEOUT, WAIT
from mqsc.store.environment import MICROSECONDS


@command()
@click.option(
    "-q",
    "--queue",
    type=ObjectName(),
    default="SYSTEM.DEFAULT.INITIATION.QUEUE",
    show_default=True,
    metavar="INITQ",
    help="The initiation queue.",
)
@click.option(
    "--once",
    is_flag=True,
    help="Process the trigger messages already queued, then exit.",
)
@click.option(
    "--plan",
    "only_plan",
    is_flag=True,
    help="Print which programs would start; start none and get no message.",
)
@earlier_word("--dry-run", now="--plan", is_flag=True)
@click.option(
    "--max-running",
    type=click.IntRange(min=1),
    metavar="N",
    help="Run at most N programs at a time.",
)
@click.option(
    "--timeout",
    type=TIMEOUT,
    help="End a program after this time, such as 10m; a bare number means seconds.",
)
@click.option(
    "--wait",
    type=WAIT,
    help=(
        "Exit after this time without a trigger message, such as 30s; a bare number means "
        "milliseconds."
    ),
)
@click.option(
    "--shell",
    is_flag=True,
    help="Start programs through a shell; only if you trust all trigger messages.",
)
@click.option(
    "--safe",
    is_flag=True,
    help="Keep a trigger message queued until its program has started.",
)
def run(
    choices: Choices,
    queue: str,
    once: bool,
    only_plan: bool,
    max_running: int | None,
    timeout: int | None,
    wait: int | None,
    shell: bool,
    safe: bool,
) -> int:
    """Start the program that each trigger message on INITQ asks for, until SIGTERM or SIGINT.

    The words of APPLICID are the program; its arguments are the MQTMC2 and the words of ENVRDATA.
    The monitor waits for the program to end unless ENVRDATA ends with &. A trigger message whose
    program cannot start goes to the dead-letter queue.
    """
    if once and wait is not None:
        raise click.UsageError("--once does not wait, so --wait cannot be given with it")
    settings = MonitorSettings(
        queue,
        once=once,
        wait=UNLIMITED if wait is None else wait,
        max_running=max_running,
        timeout=timeout and timeout / MICROSECONDS,
        shell=shell,
        safe=safe,
    )
    return preview_monitor(choices, settings) if only_plan else run_monitor(choices, settings)
