"""`mqsc trigger explain`: why a queue does or does not trigger."""

from __future__ import annotations

import click

from mqsc.console import target
from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.terminal import columns
from mqsc.console.text.triggering import explanation_lines, explanation_row, read_hypothetical
from mqsc.language.reply import message_line
from mqsc.store.admin.trigger_explanation import explain as explain_trigger
from mqsc.store.constants import MQRC
from mqsc.targets.on_target import most_option, on_target


@command(past=True, reads=True)
@click.argument("queue", type=ObjectName())
@click.option(
    "--if",
    "hypothetical",
    metavar="PUT",
    help="Predict this put, for example 'put priority 5 persistent'.",
)
@on_target
@most_option
def explain(choices: Choices, queue: str, hypothetical: str | None) -> None:
    """Explain why QUEUE does or does not trigger now, or with --as-of then.

    Shows whether each trigger condition holds, which values it depends on, and which command would
    change it; then the events that would make a trigger message now and, with --if, the outcome of
    that put; for a shared queue, also what each member of the group decides. Changes nothing.
    """
    with target.failing(ValueError, click.UsageError, "--if "):
        put = None if hypothetical is None else read_hypothetical(hypothetical)
    unknown = message_line("AMQ8147E", queue)
    with (
        target.opened_queue_manager(choices) as qmgr,
        target.explained(MQRC.UNKNOWN_OBJECT_NAME, unknown),
    ):
        choices.bring_states(qmgr)
        choices.bring_messages(qmgr, queue)
        found = explain_trigger(qmgr, queue, put)
    print_rows(choices.format, [explanation_row(found)], explanation_lines(found, columns()))
