"""`mqsc dlq show`: dead letters decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import click

from mqsc.cli.dlq.dead_letter_options import dead_letter_queue, filter_of, filter_options
from mqsc.console.json_output import print_json
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import columns, wrapped
from mqsc.console.text.messages import body_lines
from mqsc.console.text.reasons import legend_lines
from mqsc.dlq.dead_letter_text import body_of, dead_letter_lines, dead_letter_row, short_lines
from mqsc.dlq.dead_letters import DeadLetter, dead_letters_on_queue
from mqsc.dlq.overview import DeadLetterKey, overview_lines, overview_of, overview_rows
from store.admin.message_origin import MessageOrigins
from store.admin.peek import peek
from store.headers import mqdlh

INDENT = "      "
# Yields the selected dead letters. The argument limits how many bytes of data are read from each; None reads them all.
Selected = Callable[[int | None], Iterator[DeadLetter]]


@command()
@click.argument("queue", type=ObjectName(), required=False)
@click.option("--summary", is_flag=True, help="Print only the overview.")
@click.option("--details", is_flag=True, help="Also print origin, format, expiry and backout count of each message.")
@click.option("--body", is_flag=True, help="Also print the data of each message.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="List at most N messages below the overview.")
@filter_options
def show(
    choices: Choices, queue: str | None, summary: bool, details: bool, body: bool, limit: int | None, **given: Any
) -> None:
    """Show the dead letters on QUEUE (default: the DEADQ): an overview by reason and destination, then each message.

    Messages without a dead-letter header, as on a backout queue, are counted by the queue that they were moved from and
    by the program that backed them out last, as far as the history tells.

    No message is locked or discarded. With --format json, each message is printed as by `mqsc browse`, with the fields
    of its dead-letter header added; --summary prints the overview instead.
    """
    if summary and (details or body or limit):
        raise click.UsageError("--summary cannot be used with --details, --body or --limit: it lists no messages")
    filter = filter_of(given)
    with opened_queue_manager(choices) as qmgr:
        now, name = qmgr.now(), dead_letter_queue(qmgr, queue)
        origins = MessageOrigins(qmgr, name)

        def selected(most: int | None) -> Iterator[DeadLetter]:
            found = dead_letters_on_queue(peek(qmgr, name, most), origins.of)
            return (each for each in found if filter.selects(each, now))

        if print_json(choices.format, _rows(selected, limit, now, summary=summary)):
            return
        groups = overview_of(selected(mqdlh.LENGTH))
        if not groups:
            choices.inform(f"mqsc: no {'' if filter.selects_all else 'matching '}message on {name}")
            return
        reasons = (key.reason for key in groups if isinstance(key, DeadLetterKey))
        for line in (*overview_lines(groups, now, columns()), *legend_lines(reasons)):
            click.echo(line)
        if not summary:
            lines = dead_letter_lines if details else short_lines
            for each in islice(selected(None if body else mqdlh.LENGTH), limit):
                text = (part for line in lines(each, now) for part in wrapped(line, columns(), hanging=INDENT))
                click.echo("\n".join(("", *text, *(body_lines(body_of(each)) if body else ()))))


def _rows(selected: Selected, limit: int | None, now: int, *, summary: bool) -> Iterator[dict[str, Any]]:
    if summary:
        yield from overview_rows(overview_of(selected(mqdlh.LENGTH)), now)
    else:
        yield from (dead_letter_row(each, now) for each in islice(selected(None), limit))
