"""`mqsc qmgr`: the queue managers of a store."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.options import LazyGroup, choices_of, common_options, confirm
from mqsc.console.parameter_types import iso
from mqsc.console.target import CommandFailedError, NothingRunError, opened_queue_manager, opened_store
from mqsc.console.terminal import columns
from mqsc.console.text_table import table_lines
from mqsc.language.messages import message_text
from store.admin.queue_managers import delete_queue_manager
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager, Store

COMMANDS = {
    "create": (__name__, "create", "Create a queue manager and start it."),
    "start": (__name__, "start", "Start a queue manager."),
    "end": (__name__, "end", "End a queue manager."),
    "delete": (__name__, "delete", "Delete an ended queue manager with its objects and messages."),
    "list": (__name__, "list_", "List the queue managers of the store."),
}
HEADINGS = ("NAME", "STATE", "DEFAULT", "CLOCK", "CREATED")


@click.group(cls=LazyGroup, rows=COMMANDS)
@common_options
def qmgr() -> None:
    """Create, start, end, delete and list the queue managers of a store."""


@click.command()
@click.argument("name")
@click.option(
    "--clock",
    type=click.Choice(("system", "manual")),
    default="system",
    help="Use the system clock, or one moved by `mqsc clock`.",
)
@click.option("--default", "default", is_flag=True, help="Make it the store's default queue manager.")
@common_options
@click.pass_context
def create(context: click.Context, name: str, clock: str, default: bool) -> None:
    """Create the queue manager NAME with its SYSTEM objects, and start it. The first in a store becomes the default.

    With --clock manual its clock shows the time of creation until `mqsc clock` moves it.
    """
    with opened_store(choices_of(context), create=True) as store:
        manual_at = store.environment.clock.now() if clock == "manual" else None
        try:
            store.create_queue_manager(name, manual_clock_at=manual_at, default=default)
        except MQError as error:
            raise _not_created(error, name) from error
    _say("AMQ8001I", name)
    _say("AMQ8003I", name)


@click.command()
@click.argument("name", required=False)
@common_options
@click.pass_context
def start(context: click.Context, name: str | None) -> None:
    """Start the queue manager NAME (default: the one selected); if it is already running, nothing changes."""
    with _named(context, name) as chosen:
        if chosen.start():
            _say("AMQ8003I", chosen.name)
        else:
            choices_of(context).inform(f"mqsc: {chosen.name} is already running")


@click.command()
@click.argument("name", required=False)
@click.option("--immediate", is_flag=True, help="Break connections instead of waiting for them to close.")
@common_options
@click.pass_context
def end(context: click.Context, name: str | None, immediate: bool) -> None:
    """End the queue manager NAME: at once if no program is connected, otherwise when the last program disconnects."""
    with _named(context, name) as chosen:
        if chosen.end(immediate=immediate) == "ENDED":
            _say("AMQ8004I", chosen.name)
        else:
            choices_of(context).inform(f"mqsc: {chosen.name} is quiescing; it ends when the last program disconnects")


@click.command()
@click.argument("name")
@common_options
@click.pass_context
def delete(context: click.Context, name: str) -> None:
    """Delete the queue manager NAME with its objects and messages. It must have been ended."""
    with _named(context, name) as chosen:
        try:
            delete_queue_manager(chosen.store, chosen.name)
        except MQError as error:
            if error.reason != MQRC.OBJECT_IN_USE:
                raise
            raise CommandFailedError(
                f"{chosen.name} is running; end it first with `mqsc qmgr end {chosen.name}`"
            ) from error
    _say("AMQ8002I", name)


@click.command("list")
@common_options
@click.pass_context
def list_(context: click.Context) -> None:
    """List the queue managers of the store."""
    choices = choices_of(context)
    with opened_store(choices) as store:
        found = _rows(store)
    if choices.format in JSON_FORMATS:
        with JsonRows(sys.stdout, array=choices.format == "json") as rows:
            for row in found:
                rows.write(row)
        return
    cells = [tuple(_cell(row[heading.lower()]) for heading in HEADINGS) for row in found]
    for line in table_lines(HEADINGS, cells, columns()):
        click.echo(line)


def _not_created(error: MQError, name: str) -> Exception:
    if error.reason == MQRCCF.OBJECT_ALREADY_EXISTS:
        return CommandFailedError(f"AMQ8110E: {message_text('AMQ8110E', name)}")
    if error.reason == MQRC.Q_MGR_NAME_ERROR:
        return NothingRunError(f"{name!r} is not a valid queue manager name: use 1 to 48 letters, digits and . / _ %")
    return error


def _named(context: click.Context, name: str | None) -> AbstractContextManager[QueueManager]:
    choices = choices_of(context)
    return opened_queue_manager(choices if name is None else replace(choices, qmgr=name))


def _say(message_id: str, name: str) -> None:
    confirm(f"{message_id}: {message_text(message_id, name)}")


def _cell(value: str | bool) -> str:
    return value if isinstance(value, str) else "yes" if value else "no"


def _rows(store: Store) -> list[dict[str, Any]]:
    return [
        {
            "name": row.name,
            "state": row.state,
            "default": bool(row.is_default),
            "clock": "system" if row.clock_at is None else "manual",
            "created": iso(row.created_at),
        }
        for row in store.queue_managers()
    ]
