"""`mqsc expiry`: expired messages, and which of them a get or a scan would discard; changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain
from typing import Any

import click
from msgspec.structs import asdict

from mqsc.console.completion.names import queues_to_complete
from mqsc.console.json_output import print_json
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameter_types import iso
from mqsc.console.tables import table_lines
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, printable, wrapped
from mqsc.language.messages import message_line
from store.admin.expiry import ExpiryPreview, preview

HEADINGS = ("QUEUE", "DEPTH", "EXPIRED", "SINCE", "A GET DISCARDS", "A SCAN DISCARDS", "REPORTS", "NEXT EXPIRY")


@command()
@click.argument("queue", type=ObjectName(), metavar="QUEUE|GENERIC", shell_complete=queues_to_complete)
@click.option("--all", "show_all", is_flag=True, help="Include queues without expired messages.")
def expiry(choices: Choices, queue: str, show_all: bool) -> None:
    """Show how many messages on QUEUE, or on all queues that match a name such as 'APP.*', have expired.

    Expired messages count towards the depth until a get or a scan discards them. The table shows how many a get would
    discard before it finds a message, how many a scan would discard, who put them, and when the next messages expire.
    For an alias or a remote queue, the local queue behind it is shown; for a shared queue also which member of the
    group scans it. Changes nothing.
    """
    generic = queue.endswith("*")
    with opened_queue_manager(choices) as qmgr:
        # Messages locked by a dead program are available again, as for DISPLAY.
        qmgr.store.recover()
        found = preview(qmgr, queue)
        first = next(found, None)
        if first is None:
            raise CommandFailedError(message_line("AMQ8147E", queue))
        shown = (each for each in chain([first], found) if show_all or not generic or each.expired)
        if not print_json(choices.format, (_as_row(each) for each in shown)):
            _print(shown)


def _as_row(each: ExpiryPreview) -> dict[str, Any]:
    row = asdict(each)
    row["now"] = iso(each.now)
    row["expired_since"] = None if each.expired_since is None else iso(each.expired_since)
    row["next"] = [{"at": iso(at), "messages": count} for at, count in each.next]
    row["putters"] = [{"application": a, "user": u, "messages": count} for a, u, count in each.putters]
    return row


def _print(previews: Iterable[ExpiryPreview]) -> None:
    """A table, or a paragraph for each queue if it is too wide, and the programs that put the expired messages."""
    found, width = list(previews), columns()
    if not found:
        click.echo("No message has expired.")
        return
    table = [*table_lines(HEADINGS, [_cells(each) for each in found], sys.maxsize)]
    if max(map(len, table)) <= width:
        for line in table:
            click.echo(line)
    for each in found:
        if max(map(len, table)) > width:
            _print_wrapped(_sentence(each), width)
        for who, user, count in each.putters:
            _print_wrapped(f"{each.queue}: {count} put by {who or '(no application)'}, user {user or '(none)'}", width)
        if each.group:
            _print_wrapped(_scanner(each), width)


def _scanner(each: ExpiryPreview) -> str:
    """Which member of the group scans a shared queue."""
    if not each.scanned_by:
        return f"{each.queue}: shared queue of {each.group}, scanned by no member (EXPRYINT)"
    return f"{each.queue}: shared queue of {each.group}, scanned by {each.scanned_by} every {each.interval} s"


def _print_wrapped(text: str, width: int) -> None:
    for line in wrapped(printable(text), width, hanging="    "):
        click.echo(line)


def _sentence(preview: ExpiryPreview) -> str:
    """The cells of the table in words."""
    _, depth, expired, since, _, scan, reports, following = _cells(preview)
    if preview.expired:
        get = f"{preview.get_discards}{'' if preview.get_finds else ' and finds none'}"
        about = f"{expired} expired since {since}; a get discards {get}; a scan discards {scan}, reports {reports}"
    else:
        about = "none expired"
    return f"{preview.queue}: depth {depth}, {about}" + (f"; next expiry {following}" if preview.next else "")


def _cells(each: ExpiryPreview) -> tuple[str, ...]:
    """The cells of a row, as HEADINGS names them."""
    following = f"{iso(each.next[0][0])} ({each.next[0][1]})" if each.next else "-"
    get = f"{each.get_discards}" if each.get_finds else f"{each.get_discards}, then 2033"
    return (
        each.queue,
        str(each.depth),
        str(each.expired),
        iso(each.expired_since) if each.expired_since is not None else "-",
        get,
        str(each.scan_discards),
        str(each.scan_reports),
        following,
    )
