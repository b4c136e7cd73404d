"""`mqsc dlq show`: the dead letters on a queue, counted and listed."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import click

from mqsc.cli.dlq.dead_letter_queue import dead_letter_queue
from mqsc.cli.dlq.options import LettersWanted, dead_letter_options
from mqsc.console.json_rows import print_data
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import columns, wrapped
from mqsc.console.text.messages import body_lines
from mqsc.console.text.reasons import legend_lines
from mqsc.dlq import dead_letter_text, overview
from mqsc.dlq.dead_letter import DeadLetter, dead_letters_on_queue
from mqsc.store.admin.message_origins import MessageOrigins
from mqsc.store.admin.peeking import peek
from mqsc.store.headers import mqdlh
from mqsc.targets.on_target import most_option, on_target

INDENT = "      "
# Yields the selected dead letters. The argument limits how many bytes of data are read from each;
# None reads them all.
Selected = Callable[[int | None], Iterator[DeadLetter]]


@command(past=True, reads=True)
@click.argument("queue", type=ObjectName(), required=False)
@click.option("--summary", is_flag=True, help="Print only the overview.")
@click.option(
    "--details",
    is_flag=True,
    help="Also print origin, format, expiry and backout count of each message.",
)
@click.option("--body", is_flag=True, help="Also print the data of each message.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="List at most N messages below the overview.",
)
@dead_letter_options
@on_target
@most_option
def show(
    choices: Choices,
    queue: str | None,
    summary: bool,
    details: bool,
    body: bool,
    limit: int | None,
    reasons: tuple[int, ...],
    destination: str | None,
    older_than: int | None,
    msg_id: str | None,
) -> None:
    """Show the dead letters on QUEUE (default: the DEADQ): an overview by reason and destination,
    then each message.

    Messages without a dead-letter header, as on a backout queue, are counted by the queue that they
    were moved from and by the program that backed them out last, as far as the history tells.

    No message is locked or discarded. With --format json, each message is printed as by `mqsc
    browse`, with the fields of its dead-letter header added; --summary prints the overview instead.
    """
    if summary and (details or body or limit):
        raise click.UsageError(
            "--summary cannot be used with --details, --body or --limit: it lists no messages",
        )
    letters = LettersWanted(reasons, destination, older_than, msg_id)
    with opened_queue_manager(choices) as qmgr:
        now, name = qmgr.now(), dead_letter_queue(qmgr, queue)
        choices.bring_messages(qmgr, name)
        filter = letters.on_queue(qmgr, name)
        origins = MessageOrigins(qmgr, name)

        def selected(most: int | None) -> Iterator[DeadLetter]:
            found = dead_letters_on_queue(peek(qmgr, name, most), origins.of)
            return (each for each in found if filter.selects(each, now))

        if print_data(choices.format, _dead_letter_rows(selected, limit, now, summary=summary)):
            return
        groups = overview.overview_of(selected(mqdlh.MQDLH_LENGTH))
        if not groups:
            choices.inform(f"mqsc: no {'' if filter.selects_all else 'matching '}message on {name}")
            return
        codes = (key.reason for key in groups if key.reason is not None)
        for line in (
            *overview.overview_lines(groups, now, columns()),
            *legend_lines(codes),
        ):
            click.echo(line)
        if not summary:
            lines = dead_letter_text.dead_letter_lines if details else dead_letter_text.short_lines
            for letter in islice(selected(None if body else mqdlh.MQDLH_LENGTH), limit):
                text = (
                    part
                    for line in lines(letter, now)
                    for part in wrapped(line, columns(), hanging=INDENT)
                )
                click.echo(
                    "\n".join(
                        (
                            "",
                            *text,
                            *(body_lines(dead_letter_text.body_of(letter)) if body else ()),
                        ),
                    ),
                )


def _dead_letter_rows(
    selected: Selected,
    limit: int | None,
    now: int,
    *,
    summary: bool,
) -> Iterator[dict[str, Any]]:
    if summary:
        yield from overview.overview_rows(
            overview.overview_of(selected(mqdlh.MQDLH_LENGTH)),
            now,
        )
    else:
        yield from (
            dead_letter_text.dead_letter_row(each, now) for each in islice(selected(None), limit)
        )
