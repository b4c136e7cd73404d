"""`mqsc expiry`: expired messages, and which of them a get or a scan would discard; changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from itertools import chain
from typing import Any

import click

from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.options import choices_of, common_options
from mqsc.console.parameter_types import iso
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, printable
from mqsc.console.text_table import table_lines
from store.admin.expiry import ExpiryPreview, preview

HEADINGS = ("QUEUE", "DEPTH", "EXPIRED", "SINCE", "A GET DISCARDS", "A SCAN DISCARDS", "REPORTS", "NEXT EXPIRY")


@click.command()
@click.argument("queue", metavar="QUEUE|GENERIC")
@click.option("--all", "show_all", is_flag=True, help="Include queues without expired messages.")
@common_options
@click.pass_context
def expiry(context: click.Context, queue: str, show_all: bool) -> None:
    """Show how many messages on QUEUE, or on all queues that match a name such as 'APP.*', have expired.

    Expired messages count towards the depth until a get or a scan discards them. The table shows how many a get would
    discard before it finds a message, how many a scan would discard, who put them, and when the next messages expire.
    For an alias or a remote queue, the local queue behind it is shown. Changes nothing.
    """
    choices = choices_of(context)
    generic = queue.endswith("*")
    with opened_queue_manager(choices) as qmgr:
        # Messages locked by a dead program are available again, as for DISPLAY.
        qmgr.store.recover()
        found = preview(qmgr, queue)
        first = next(found, None)
        if first is None:
            raise CommandFailedError(f"AMQ8147E: IBM MQ object {queue} not found.")
        shown = (each for each in chain([first], found) if show_all or not generic or each.expired)
        if choices.format in JSON_FORMATS:
            with JsonRows(sys.stdout, array=choices.format == "json") as rows:
                for each in shown:
                    rows.write(_as_row(each))
        else:
            _print(shown)


def _as_row(each: ExpiryPreview) -> dict[str, Any]:
    row = asdict(each)
    row["next"] = [{"at": at, "messages": count} for at, count in each.next]
    row["putters"] = [{"application": a, "user": u, "messages": count} for a, u, count in each.putters]
    return row


def _print(previews: Iterable[ExpiryPreview]) -> None:
    """A table, followed by the programs and users that put the expired messages."""
    rows: list[tuple[str, ...]] = []
    putters: list[str] = []
    for each in previews:
        rows.append(_cells(each))
        putters += [
            f"{each.queue}: {count} put by {who or '(no application)'}, user {user or '(none)'}"
            for who, user, count in each.putters
        ]
    if not rows:
        click.echo("No message has expired.")
        return
    for line in table_lines(HEADINGS, rows, columns()):
        click.echo(line)
    for sentence in putters:
        click.echo(printable(sentence))


def _cells(each: ExpiryPreview) -> tuple[str, ...]:
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
