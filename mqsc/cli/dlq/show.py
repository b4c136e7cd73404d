"""`mqsc dlq show`: dead letters decoded."""

from __future__ import annotations

import sys
from itertools import islice
from typing import Any

import click

from mqsc.console.dead_letter_options import dead_letter_queue, filter_of, filter_options
from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.options import choices_of, common_options
from mqsc.console.target import opened_queue_manager
from mqsc.dlq.dead_letter_text import dead_letter_lines, dead_letter_row
from mqsc.dlq.dead_letters import dead_letters_on_queue
from store.admin.peek import peek
from store.headers import mqdlh


@click.command()
@click.argument("queue", required=False)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Show at most N messages.")
@filter_options
@common_options
@click.pass_context
def show(context: click.Context, /, queue: str | None, limit: int | None, **given: Any) -> None:
    """Show the dead letters on QUEUE (default: the DEADQ): reason, destination, age, origin, format, expiry.

    No message is locked or discarded. With --format json, each message is printed as by `mqsc browse`, with the fields
    of its dead-letter header added.
    """
    choices, filter = choices_of(context), filter_of(given)
    as_object = choices.format in JSON_FORMATS
    with opened_queue_manager(choices) as qmgr:
        now, name = qmgr.now(), dead_letter_queue(qmgr, queue)
        seen = dead_letters_on_queue(peek(qmgr, name, None if as_object else mqdlh.LENGTH))
        letters = islice((letter for letter in seen if filter.selects(letter, now)), limit)
        if as_object:
            with JsonRows(sys.stdout, array=choices.format == "json") as rows:
                for letter in letters:
                    rows.write(dead_letter_row(letter, now))
            return
        shown = False
        for letter in letters:
            shown = True
            click.echo("\n".join(dead_letter_lines(letter, now)))
    if not shown:
        choices.inform(f"mqsc: no {'' if filter.selects_all else 'matching '}message on {name}")
