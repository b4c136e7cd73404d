"""`mqsc dlq run`: the dead-letter queue handler."""

import click

from mqsc.cli.dlq.foreground import run_handler_with
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import AnyPath
from mqsc.dlq.handler_run import HandlerArguments


@command()
@click.argument("rules", type=AnyPath(), metavar="RULES|-")
@click.option(
    "--queue",
    type=ObjectName(),
    metavar="NAME",
    help="The queue to process instead of INPUTQ; ' ' means the DEADQ.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Apply changes to the file RULES at once, not at the next start.",
)
def run(choices: Choices, rules: str, queue: str | None, watch: bool) -> int:
    """Run the dead-letter queue handler with the rules table in the file RULES (- is standard
    input).

    INPUTQ, INPUTQM, RETRYINT and WAIT in the table say which queue to process, how often to retry
    and how long to wait. The handler ends when no work is left; SIGTERM or SIGINT ends it between
    two messages. Exit code 0 in both cases, 10 when an error ended it or the queue manager does not
    exist, 20 when it could not start.
    """
    if watch and rules == "-":
        raise click.UsageError("--watch needs a file: standard input is read once")
    return run_handler_with(
        choices,
        rules,
        HandlerArguments(queue, choices.qmgr_name()),
        watch=watch,
    )
