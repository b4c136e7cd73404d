"""`mqsc expiry`: expired messages, and those that will expire."""

import sys
from collections.abc import Iterable
from itertools import chain
from typing import Any

import click
from msgspec.structs import asdict

from mqsc.console import json_rows, tables, target, terminal
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import iso, iso_or_none
from mqsc.history.output import OUTPUTS, with_kept_data
from mqsc.language.reply import message_line
from mqsc.store.admin import event_search
from mqsc.store.admin.expiry import ExpiryPreview, expiry_preview
from mqsc.store.client.queue_manager import QueueManager
from mqsc.targets.on_target import most_option, on_target

HEADINGS = (
    "QUEUE",
    "DEPTH",
    "EXPIRED",
    "SINCE",
    "A GET DISCARDS",
    "A SCAN DISCARDS",
    "REPORTS",
    "NEXT EXPIRY",
)


@command(past=True, reads=True)
@click.argument("queue", type=ObjectName(), metavar="QUEUE|GENERIC")
@click.option("--all", "show_all", is_flag=True, help="Include queues without expired messages.")
@click.option(
    "--data",
    is_flag=True,
    help="List those that expired and are gone, with data that was kept of them.",
)
@on_target
@most_option
def expiry(choices: Choices, queue: str, show_all: bool, data: bool) -> None:
    """Show how many messages on QUEUE, or on all queues that match a name such as 'APP.*', have
    expired.

    Expired messages count towards the depth until a get or a scan discards them. The table shows
    how many a get would discard before it finds a message, how many a scan would discard, who put
    them, and when the next messages expire. For an alias or a remote queue, the local queue behind
    it is shown; for a shared queue also which member of the group scans it. Changes nothing.
    """
    generic = queue.endswith("*")
    with target.opened_queue_manager(choices) as qmgr:
        # Messages locked by a dead program are available again, as for DISPLAY.
        qmgr.store.recover()
        choices.bring_messages(qmgr, queue)
        previews = expiry_preview(qmgr, queue)
        first = next(previews, None)
        if first is None:
            raise target.CommandFailedError(message_line("AMQ8147E", queue))
        if data:
            _print_gone(choices, qmgr, queue)
            return
        shown = (
            each for each in chain([first], previews) if show_all or not generic or each.expired
        )
        if not json_rows.print_data(choices.format, (_as_row(each) for each in shown)):
            _print(choices, shown)


def _print_gone(choices: Choices, qmgr: QueueManager, queue: str) -> None:
    """The messages that expired on queues, and were discarded, with their data as far as it was
    kept.
    """
    owners = {qmgr.name, qmgr.row().sharing_group}
    expired = event_search.events(
        qmgr.store,
        event_search.EventSelection(queue=queue, kinds=frozenset({"EXPIRE"})),
    )
    with OUTPUTS[choices.format or "text"]() as write:
        for event in expired:
            if event.qmgr in owners:
                write(with_kept_data(qmgr.store, event))


def _as_row(preview: ExpiryPreview) -> dict[str, Any]:
    row = asdict(preview)
    row["now"] = iso(preview.now)
    row["expired_since"] = iso_or_none(preview.expired_since)
    row["next"] = [{"at": iso(at), "messages": count} for at, count in preview.next]
    row["putters"] = [
        {"application": a, "user": u, "messages": count} for a, u, count in preview.putters
    ]
    return row


def _print(choices: Choices, previews: Iterable[ExpiryPreview]) -> None:
    """A table, or a paragraph for each queue if it is too wide, and the programs that put the
    expired messages.
    """
    shown = list(previews)
    if not shown:
        choices.inform("mqsc: no message has expired")
        return
    table = [*tables.table_lines(HEADINGS, [_cells(preview) for preview in shown], sys.maxsize)]
    fits = max(map(len, table)) <= terminal.columns()
    for line in table if fits else ():
        click.echo(line)
    for preview in shown:
        if not fits:
            print_wrapped(_sentence(preview))
        for who, user, count in preview.putters:
            print_wrapped(
                f"{preview.queue}: {count} put by {who or '(no application)'}, user "
                f"{user or '(none)'}",
            )
        if preview.group:
            print_wrapped(_scanner(preview))


def _scanner(preview: ExpiryPreview) -> str:
    """Which member of the group scans a shared queue."""
    if not preview.scanned_by:
        return f"{preview.queue}: shared queue of {preview.group}, scanned by no member (EXPRYINT)"
    return (
        f"{preview.queue}: shared queue of {preview.group}, scanned by {preview.scanned_by} every "
        f"{preview.interval} s"
    )


def print_wrapped(text: str, hanging: str = "    ") -> None:
    terminal.print_line(terminal.printable(text), hanging)


def _sentence(preview: ExpiryPreview) -> str:
    """The cells of the table in words."""
    _, depth, expired, since, _, scan, reports, following = _cells(preview)
    if preview.expired:
        get = f"{preview.get_discards}{'' if preview.get_finds else ' and finds none'}"
        about = (
            f"{expired} expired since {since}; a get discards {get}; a scan discards {scan}, "
            f"reports {reports}"
        )
    else:
        about = "none expired"
    return f"{preview.queue}: depth {depth}, {about}" + (
        f"; next expiry {following}" if preview.next else ""
    )


def _cells(preview: ExpiryPreview) -> tuple[str | int, ...]:
    """The cells of a row, as HEADINGS names them."""
    following = f"{iso(preview.next[0][0])} ({preview.next[0][1]})" if preview.next else "-"
    get = f"{preview.get_discards}" if preview.get_finds else f"{preview.get_discards}, then 2033"
    since = iso_or_none(preview.expired_since) or "-"
    first = preview.queue, preview.depth, preview.expired, since, get
    return (*first, preview.scan_discards, preview.scan_reports, following)
