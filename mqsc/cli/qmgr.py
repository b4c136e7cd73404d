"""`mqsc qmgr`: queue managers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from mqsc.console.agreement import is_agreed
from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import QMGR, ObjectName
from mqsc.console.options import Choices, command, confirm
from mqsc.console.parameters import iso
from mqsc.console.tables import table_lines
from mqsc.console.target import (
    FAILED,
    check_named,
    explained,
    not_created,
    opened_queue_manager,
    opened_store,
)
from mqsc.console.terminal import columns
from mqsc.console.text.reasons import counted
from mqsc.language.developer_objects import DEVELOPER_OBJECTS
from mqsc.language.reply import message_text
from mqsc.script import run
from mqsc.store.admin.group_copies import not_refreshed
from mqsc.store.admin.queue_managers import delete_queue_manager, message_count
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from mqsc.store.error import MQError
from mqsc.verbs.group_copies import refresh_lines

HEADINGS = ("NAME", "STATE", "DEFAULT", "CLOCK", "GROUP", "CREATED")


@command()
@click.argument("name")
@click.option(
    "--clock",
    type=click.Choice(("system", "manual")),
    default="system",
    help="Use the system clock, or one moved by `mqsc clock`.",
)
@click.option(
    "--default",
    "default",
    is_flag=True,
    help="Make it the store's default queue manager.",
)
@click.option("--group", metavar="NAME", help="Make it a member of this queue-sharing group.")
@click.option("--dev", is_flag=True, help="Define the objects of IBM's image for developers.")
def create(
    choices: Choices,
    name: str,
    clock: str,
    default: bool,
    group: str | None,
    dev: bool,
) -> None:
    """Create the queue manager NAME with its SYSTEM objects, and start it. The first in a store
    becomes the default.

    With --clock manual its clock shows the time of creation until `mqsc clock` moves it. A store
    has at most one queue-sharing group; --group creates it when the store has none. --dev defines
    what IBM's image for developers has: DEV.QUEUE.1 to 3, DEV.APP.MODEL.QUEUE,
    DEV.DEAD.LETTER.QUEUE, DEV.BASE.TOPIC, DEV.APP.SVRCONN and DEV.ADMIN.SVRCONN, with their rules
    and the authorities of the user app.
    """
    if group == "":
        # Such as an unset variable of a shell.
        raise click.BadParameter(
            "the name is empty; leave out --group for none",
            param_hint="--group",
        )
    with opened_store(choices, create=True) as store:
        if choices.qmgr != name:
            check_named(store, choices)
        manual_at = store.environment.clock.now() if clock == "manual" else None
        try:
            qmgr = store.create_queue_manager(
                name,
                manual_clock_at=manual_at,
                default=default,
                group=group or "",
            )
        except MQError as error:
            raise not_created(error, name) from error
        if dev:
            run(qmgr, DEVELOPER_OBJECTS.read_text("utf-8"), check=True)
    _say("AMQ8001I", name)
    _say("AMQ8003I", name)


@command()
@click.argument("name", type=ObjectName(QMGR), required=False)
def start(choices: Choices, name: str | None) -> None:
    """Start the queue manager NAME (default: the one selected); if it is already running,
    nothing changes.
    """
    with _named(choices, name) as chosen:
        if chosen.start():
            _say("AMQ8003I", chosen.name)
            for line in refresh_lines(not_refreshed(chosen)):
                choices.inform(line)
        else:
            choices.inform(f"mqsc: {chosen.name} is already running")


@command()
@click.argument("name", type=ObjectName(QMGR), required=False)
@click.option(
    "--immediate",
    is_flag=True,
    help="Break connections instead of waiting for them to close.",
)
def end(choices: Choices, name: str | None, immediate: bool) -> None:
    """End the queue manager NAME: at once if no program is connected, otherwise when the last
    program disconnects.
    """
    with _named(choices, name) as chosen:
        if chosen.end(immediate=immediate) == "ENDED":
            _say("AMQ8004I", chosen.name)
        else:
            choices.inform(
                f"mqsc: {chosen.name} is quiescing; it ends when the last program disconnects",
            )


@command()
@click.argument("name", type=ObjectName(QMGR))
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def delete(choices: Choices, name: str, yes: bool) -> int:
    """Delete the queue manager NAME with its objects and messages. It must have been ended.

    If it has messages, a question on a terminal says how many.
    """
    running = f"{name} is running; end it first with `mqsc qmgr end {name}`"
    with _named(choices, name) as chosen, explained(MQRC.OBJECT_IN_USE, running):
        if not chosen.is_running and not _may_be_deleted(chosen, yes=yes):
            return FAILED
        delete_queue_manager(chosen.store, chosen.name)
    _say("AMQ8002I", name)
    return 0


def _may_be_deleted(qmgr: QueueManager, *, yes: bool) -> bool:
    number = message_count(qmgr.store, qmgr.name)
    return not number or is_agreed(
        f"Delete {qmgr.name} with {counted(number, 'message')}?",
        yes=yes,
    )


@command()
@click.argument("name", type=ObjectName(QMGR))
@click.argument("group")
def join(choices: Choices, name: str, group: str) -> None:
    """Make the queue manager NAME a member of the queue-sharing GROUP. It must have been ended.

    A store has at most one group; it is created when the store has none. With a manual clock, NAME
    takes over the time of the other members.
    """
    with _named(choices, name) as chosen:
        chosen.store.join_group(chosen.name, group)
    confirm(f"{name} is a member of {group}.")


@command()
@click.argument("name", type=ObjectName(QMGR))
def leave(choices: Choices, name: str) -> None:
    """Take the queue manager NAME out of its queue-sharing group. It must have been ended.

    The group stays, with its objects and messages, even without members. Copies of group objects
    are deleted; those with messages become objects of the queue manager.
    """
    with _named(choices, name) as chosen:
        group = chosen.row().sharing_group
        chosen.store.leave_group(chosen.name)
    confirm(f"{name} has left {group}.")


@command("list", reads=True)
def list_(choices: Choices) -> None:
    """List the queue managers of the store."""
    with opened_store(choices) as store:
        rows = [
            (
                row.name,
                row.state,
                bool(row.is_default),
                clock_text(row.clock_at),
                row.sharing_group,
                iso(row.created_at),
            )
            for row in store.queue_managers()
        ]
    print_table(
        choices, HEADINGS, rows, "there are no queue managers; `mqsc qmgr create NAME` creates one"
    )


def print_table(
    choices: Choices,
    headings: Sequence[str],
    rows: Sequence[Sequence[object]],
    none: str,
) -> None:
    """Print rows as a table or, with --format, as JSON; without rows, `none` is said on stderr."""
    words: dict[object, str] = {True: "yes", False: "no"}
    cells = [[words.get(each, each) for each in row] for row in rows]
    named = (dict(zip(map(str.lower, headings), row, strict=True)) for row in rows)
    print_rows(choices.format, named, table_lines(headings, cells, columns()) if rows else ())
    if not rows:
        choices.inform(f"mqsc: {none}")


@contextmanager
def _named(choices: Choices, name: str | None) -> Iterator[QueueManager]:
    """The queue manager; the name of a group, which would lead to any member, is refused."""
    named = choices if name is None else choices._replace(qmgr=name)
    with opened_queue_manager(named, group=False) as chosen:
        # The one after -m, too, if NAME names another.
        check_named(chosen.store, choices)
        yield chosen


def _say(message_id: str, name: str) -> None:
    confirm(f"{message_id}: {message_text(message_id, name)}")


def clock_text(manual_at: int | None) -> str:
    return "system" if manual_at is None else "manual"
