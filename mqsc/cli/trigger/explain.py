"""`mqsc trigger explain`: why a queue does or does not trigger."""

from __future__ import annotations

import sys

import click

from mqsc.console.json_output import print_json
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, shown_on
from mqsc.console.text.triggering import explanation_lines, explanation_row, read_hypothetical
from mqsc.language.messages import message_line
from store.admin.trigger_explanation import Hypothetical
from store.admin.trigger_explanation import explain as explain_trigger
from store.constants import MQRC
from store.error import MQError


@command()
@click.argument("queue", type=ObjectName())
@click.option("--if", "hypothetical", metavar="PUT", help="Predict this put, for example 'put priority 5 persistent'.")
def explain(choices: Choices, queue: str, hypothetical: str | None) -> None:
    """Explain why QUEUE does or does not trigger now.

    Shows whether each trigger condition holds, which values it depends on, and which command would change it; then the
    events that would make a trigger message now and, with --if, the outcome of that put; for a shared queue, also what
    each member of the group decides. Changes nothing.
    """
    put = None if hypothetical is None else _read(hypothetical)
    with opened_queue_manager(choices) as qmgr:
        try:
            found = explain_trigger(qmgr, queue, put)
        except MQError as error:
            if error.reason != MQRC.UNKNOWN_OBJECT_NAME:
                raise
            raise CommandFailedError(message_line("AMQ8147E", queue)) from error
    if print_json(choices.format, [explanation_row(found)]):
        return
    for line in explanation_lines(found, columns()):
        click.echo(shown_on(sys.stdout, line))


def _read(text: str) -> Hypothetical:
    try:
        return read_hypothetical(text)
    except ValueError as fault:
        raise click.UsageError(f"--if {fault}") from fault
