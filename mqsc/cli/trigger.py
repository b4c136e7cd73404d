"""`mqsc trigger`: why a queue does or does not trigger, and the trigger monitor."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import LazyGroup, choices_of, common_options, is_terminal
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import printable
from mqsc.console.trigger_text import explanation_lines, explanation_row, read_hypothetical
from store.constants import MQRC
from store.error import MQError

if TYPE_CHECKING:
    from store.admin.trigger_explanation import Hypothetical

COMMANDS = {
    "explain": (__name__, "explain", "Why a queue does or does not trigger, and what would make it."),
    "run": ("mqsc.cli.trigger_run", "run", "Start the programs that trigger messages ask for."),
}


@click.group(cls=LazyGroup, rows=COMMANDS)
@common_options
def trigger() -> None:
    """Explain triggering, and start what is triggered."""


@click.command()
@click.argument("queue")
@click.option("--if", "imagined", metavar="TEXT", help="What a put would do: 'put priority 5 persistent syncpoint'.")
@common_options
@click.pass_context
def explain(context: click.Context, queue: str, imagined: str | None) -> None:
    """Say of every trigger condition of QUEUE whether it is met, what it read, and which command would change it.

    Then which events would make a trigger message now, and with --if what a certain put would come to. Nothing is
    changed.
    """
    from store.admin.trigger_explanation import explain as explained

    choices = choices_of(context)
    hypothetical = _imagined(imagined)
    with opened_queue_manager(choices) as qmgr:
        try:
            found = explained(qmgr, queue, hypothetical)
        except MQError as error:
            if error.reason != MQRC.UNKNOWN_OBJECT_NAME:
                raise
            raise CommandFailedError(f"AMQ8147E: IBM MQ object {queue} not found.") from error
    if choices.format in JSON_FORMATS:
        with Rows(sys.stdout, array=choices.format == "json") as rows:
            rows.write(explanation_row(found))
        return
    for line in explanation_lines(found):
        click.echo(printable(line) if is_terminal(sys.stdout) else line)


def _imagined(text: str | None) -> Hypothetical | None:
    if text is None:
        return None
    try:
        return read_hypothetical(text)
    except ValueError as fault:
        raise click.UsageError(f"--if {fault}") from fault
