"""`mqsc dlq show`, and the options that select dead letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import click

from mqsc.console.options import Choices, command, several
from mqsc.console.parameters import HexBytes, Span, TextType
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, print_json, wrapped
from mqsc.console.text.messages import body_lines
from mqsc.console.text.reasons import legend_lines
from mqsc.dlq.dead_letter_text import (
    DeadLetterKey,
    body_of,
    dead_letter_lines,
    dead_letter_row,
    overview_lines,
    overview_of,
    overview_rows,
    short_lines,
)
from mqsc.dlq.keywords import constants_of, similar_constant
from mqsc.dlq.redrive import DeadLetter, DeadLetterFilter, dead_letters_on_queue
from mqsc.language.messages import message_line
from store.admin.history import MessageOrigins
from store.admin.put_preview import leads_to, peek
from store.client.api import QueueManager
from store.headers import mqxqh

# Options of the `mqsc dlq` commands: which queue, which messages.

FAMILIES = ("MQRC", "MQFB")


class ReasonCode(TextType):
    """The reason of a dead letter: a number, or a name such as MQRC_Q_FULL or Q_FULL."""

    name = "reason"

    def read(self, text: str) -> int:
        if text.isascii() and text.isdigit():
            return int(text)
        names, name = constants_of(FAMILIES), text.upper()
        for candidate in (name, *(f"{family}_{name}" for family in FAMILIES)):
            if candidate in names:
                return names[candidate]
        near = similar_constant(name, names)
        hint = f"; did you mean {near}?" if near else "; use a number, or a name such as MQRC_Q_FULL"
        raise ValueError(f"{text!r} is not a reason{hint}")


# The options that select messages; their values are for `filter_of`.
filter_options = several(
    click.option(
        "--reason", "reasons", type=ReasonCode(), multiple=True, help="Only messages with this reason; repeatable."
    ),
    click.option(
        "--destination", metavar="NAME", help="Only messages for or from this queue; generic names such as 'APP.*'."
    ),
    click.option("--older-than", type=Span(), help="Only messages at least this long on the queue: 15m, 2h, 3d."),
    click.option("--msg-id", type=HexBytes(), help="Only the message with this identifier."),
)


def filter_of(given: dict[str, Any]) -> DeadLetterFilter:
    """The filter made from those options, which are removed from `given`."""
    return DeadLetterFilter(
        frozenset(given.pop("reasons")), given.pop("destination"), given.pop("older_than"), given.pop("msg_id")
    )


def dead_letter_queue(qmgr: QueueManager, named: str | None) -> str:
    """The local queue that `named`, or else DEADQ, resolves to; CommandFailedError when there is none."""
    name = (named or "").strip() or str(qmgr.row().dead_letter_queue)
    if not name:
        raise CommandFailedError(
            f"{qmgr.name} has no dead-letter queue; name a queue, or set one with ALTER QMGR DEADQ(...)"
        )
    queue = leads_to(qmgr, name)
    if not queue:
        raise CommandFailedError(message_line("AMQ8147E", name))
    return queue


INDENT = "      "
# Yields the selected dead letters. The argument limits how many bytes of data are read from each; None reads them all.
Selected = Callable[[int | None], Iterator[DeadLetter]]


@command(past=True)
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
        groups = overview_of(selected(mqxqh.MQDLH_LENGTH))
        if not groups:
            choices.inform(f"mqsc: no {'' if filter.selects_all else 'matching '}message on {name}")
            return
        reasons = (key.reason for key in groups if isinstance(key, DeadLetterKey))
        for line in (*overview_lines(groups, now, columns()), *legend_lines(reasons)):
            click.echo(line)
        if not summary:
            lines = dead_letter_lines if details else short_lines
            for each in islice(selected(None if body else mqxqh.MQDLH_LENGTH), limit):
                text = (part for line in lines(each, now) for part in wrapped(line, columns(), hanging=INDENT))
                click.echo("\n".join(("", *text, *(body_lines(body_of(each)) if body else ()))))


def _rows(selected: Selected, limit: int | None, now: int, *, summary: bool) -> Iterator[dict[str, Any]]:
    if summary:
        yield from overview_rows(overview_of(selected(mqxqh.MQDLH_LENGTH)), now)
    else:
        yield from (dead_letter_row(each, now) for each in islice(selected(None), limit))
