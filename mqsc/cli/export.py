"""`mqsc export`: the definitions of a queue manager, as commands or as data."""

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from mqsc.console.elsewhere import Elsewhere
from mqsc.console.getting import get_or_none, opened_to_browse
from mqsc.console.json_rows import print_data
from mqsc.console.object_names import ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command
from mqsc.console.parameters import AnyPath
from mqsc.console.shared_options import input_options
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import in_utf8, shown_on
from mqsc.imports.qload_output import heading, qload_lines
from mqsc.scripts import selection as selecting
from mqsc.scripts.declarations import Declarations, declared_in, inputs_named_by
from mqsc.scripts.export import DefinitionKey, ExportCommand, ExportSelection, export_commands
from mqsc.scripts.export_output import rows, script_lines, wrapped, yaml_lines
from mqsc.scripts.selection import only_defined_option, selection_options
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO
from mqsc.store.message import GetMessageOptions
from mqsc.store.message_times import MICROSECONDS
from mqsc.store.rules.properties.delivery import STORED
from mqsc.targets.on_target import most_option, on_target


@command(common=WITHOUT_FORMAT, past=True, reads=True)
@click.argument("files", type=AnyPath(), nargs=-1, metavar="[FILE|FOLDER|PATTERN|-]...")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include attributes at their default values.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(("mqsc", "text", "json", "jsonl", "yaml")),
    help="Output format; text means mqsc.",
)
@click.option(
    "--messages",
    "queue",
    type=ObjectName(),
    metavar="QUEUE",
    help="Write the messages on QUEUE instead, as dmpmqmsg does.",
)
@click.option(
    "--kept-data",
    is_flag=True,
    help="With --messages --as-of: with data that `mqsc history keep` has kept.",
)
@selection_options
@only_defined_option
@input_options
@on_target
@most_option
def export(
    choices: Choices,
    files: tuple[str, ...],
    everything: bool,
    format_: str | None,
    queue: str | None,
    kept_data: bool,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    types: tuple[frozenset[str], ...],
    only_defined: bool,
    settings: tuple[str, ...],
    setting_files: tuple[Path, ...],
    no_subfolders: bool,
) -> None:
    """Write the definitions of a queue manager, as commands that recreate them on a new one or as
    data.

    Without --all, only attributes that differ from their defaults are written. SYSTEM objects are
    written only where they differ from those of a new queue manager. With --only-defined, only what
    FILEs define is written. Secrets are left out; a comment names each of them.

    With --messages, the messages on a queue are written in the format of dmpmqmsg, which `mqsc
    import` and dmpmqmsg itself read. They stay on the queue.
    """
    if kept_data and (queue is None or click.get_current_context().params["as_of"] is None):
        raise click.UsageError(
            "--kept-data is for --messages and --as-of: it is the data of messages that are gone",
        )
    if queue is not None:
        selects = include or exclude or types or only_defined
        if files or everything or format_ or selects or settings or setting_files:
            raise click.UsageError(
                "--messages writes messages and no definitions; leave the other options out",
            )
        _export_messages(choices, queue)
        return
    variables = selecting.variables_of(settings, setting_files)
    selection = selecting.selection_of(
        include=include,
        exclude=exclude,
        types=types,
        only_defined=only_defined,
    )
    if selection.only_defined != bool(files):
        raise click.UsageError("--only-defined goes with the FILEs that define what to write")
    named: set[DefinitionKey] | None = None
    if files:
        sources = inputs_named_by(choices, files, subfolders=not no_subfolders)
        statements = declared_in(
            sources,
            variables,
            purpose="nothing was written: export",
            elsewhere=choices.elsewhere,
        )
        named = Declarations(
            [each.request for each in statements if each.request and each.is_definition],
        ).named
    wanted = format_ or choices.format or "mqsc"
    with opened_queue_manager(choices) as qmgr:
        unknown = {} if choices.elsewhere is None else choices.elsewhere.unknown
        found = export_commands(qmgr, ExportSelection(everything, selection, named, unknown))
        if print_data(wanted, rows(found)):
            return
        users = not files and selection.is_everything
        for line in (
            yaml_lines(rows(found))
            if wanted == "yaml"
            else _script(qmgr, found, choices.elsewhere, whole=users)
        ):
            in_utf8(sys.stdout).write(f"{shown_on(sys.stdout, line)}\n")


def _script(
    qmgr: QueueManager,
    commands: Iterable[ExportCommand],
    elsewhere: Elsewhere | None,
    *,
    whole: bool,
) -> Iterator[str]:
    """The commands; of a `whole` queue manager also those that are not known here, and comments on
    users.
    """
    from mqsc.console.text.authority import user_commands

    yield from script_lines(commands)
    for unread in elsewhere.unread if elsewhere and whole else ():
        yield ""
        yield from wrapped(unread)
    remarks = [f"* {each}" for each in user_commands(qmgr)] if whole and not elsewhere else []
    if remarks:
        yield ""
        yield (
            "* Users, groups and modes have no MQSC commands. These are for a shell, and ask for "
            "passwords:"
        )
        yield from remarks


def _export_messages(choices: Choices, queue: str) -> None:
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        choices.bring_messages(qmgr, queue)
        handle = opened_to_browse(choices, connection, queue)
        options = GetMessageOptions(
            MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING,
            property_control=STORED,
        )
        created = time.asctime(time.gmtime(qmgr.store.environment.clock.now() // MICROSECONDS))
        out = in_utf8(sys.stdout)
        for line in heading(qmgr.name, queue, created):
            out.write(f"{line}\n")
        while message := get_or_none(handle, options):
            for line in qload_lines(message):
                out.write(f"{line}\n")
