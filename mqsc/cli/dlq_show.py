"""`mqsc dlq show`: dead letters decoded."""

from __future__ import annotations

import sys
from itertools import islice
from typing import Any

import click

from mqsc.console.dead_letter_options import dead_letter_queue, filter_of, filter_options
from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import choices_of, common_options
from mqsc.console.target import opened_queue_manager
from mqsc.dlq.dead_letter_text import dead_letter_lines, dead_letter_row
from mqsc.dlq.dead_letters import dead_letters_on_queue
from store.admin.peek import peek
from store.headers import mqdlh


@click.command()
@click.argument("queue", required=False)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="The first N of them only.")
@filter_options
@common_options
@click.pass_context
def show(context: click.Context, /, queue: str | None, limit: int | None, **given: Any) -> None:
    """Show the letters on QUEUE (or the DEADQ): reason, destination, since when, by whom, format, expiry.

    Nothing is locked or discarded by looking. With --format json a message is printed as browse does, with the fields
    of its header beside it.
    """
    choices, wanted = choices_of(context), filter_of(given)
    as_object = choices.format in JSON_FORMATS
    with opened_queue_manager(choices) as qmgr:
        now, name = qmgr.now(), dead_letter_queue(qmgr, queue)
        seen = dead_letters_on_queue(peek(qmgr, name, None if as_object else mqdlh.LENGTH))
        letters = islice((letter for letter in seen if wanted.selects(letter, now)), limit)
        if as_object:
            with Rows(sys.stdout, array=choices.format == "json") as rows:
                for letter in letters:
                    rows.write(dead_letter_row(letter, now))
            return
        shown = False
        for letter in letters:
            shown = True
            click.echo("\n".join(dead_letter_lines(letter, now)))
    if not shown:
        choices.talk(f"mqsc: no message on {name}" + ("" if wanted.selects_all else " that is meant"))
