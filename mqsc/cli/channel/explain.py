"""`mqsc channel explain`: why a channel is in its status, and what would become of its next message."""

from __future__ import annotations

import sys

import click

from mqsc.channels.forecast import forecast
from mqsc.cli.channel.explanation_rows import explanation_row
from mqsc.cli.channel.explanation_text import explanation_lines
from mqsc.console.json_output import print_json
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, shown_on
from mqsc.language.messages import message_line
from store.admin.channel_explanation import explain as explain_channel
from store.constants import MQRCCF
from store.error import MQError


@command()
@click.argument("name", type=ObjectName("channel"))
def explain(choices: Choices, name: str) -> None:
    """Explain why the channel NAME is in its status, and what would happen to its next message.

    Shows who runs it and what it waits for, its last failure and its next attempt, a batch in doubt with the messages
    it holds and what the partner has on record, what could start it, and what commands would answer. Changes nothing.
    """
    with opened_queue_manager(choices) as qmgr:
        try:
            facts = explain_channel(qmgr, name)
        except MQError as error:
            if error.reason != MQRCCF.CHANNEL_NOT_FOUND:
                raise
            raise CommandFailedError(message_line("AMQ8227E", name)) from error
        found = forecast(qmgr, facts) if facts.sends else None
    if print_json(choices.format, [explanation_row(facts, found)]):
        return
    for line in explanation_lines(facts, found, columns()):
        click.echo(shown_on(sys.stdout, line))
