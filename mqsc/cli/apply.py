"""`mqsc apply`, `diff`, `export`, `blame` and `undo`: what is or was declared, what a store
holds, the difference.
"""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, groupby
from pathlib import Path

import click
from msgspec.structs import replace

from mqsc.console import inputs, tables
from mqsc.console.object_names import ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command
from mqsc.console.parameters import (
    FILE_PATH,
    Ago,
    AnyPath,
    EventNumber,
    EventOrMoment,
    TextType,
    iso,
)
from mqsc.console.past import When, past_queue_manager
from mqsc.console.shared_options import input_options, skip_unsupported_option
from mqsc.console.target import (
    FAILED,
    CommandFailedError,
    failing,
    opened_queue_manager,
    path_of_file,
    running,
)
from mqsc.console.terminal import (
    DATA_FORMATS,
    columns,
    in_utf8,
    print_data,
    print_line,
    print_rows,
    shown_on,
)
from mqsc.console.text.messages import get_or_none, opened
from mqsc.history import event_text, output
from mqsc.imports.qload import heading, qload_lines
from mqsc.language.command_table import noun_of
from mqsc.plan import CHANGING, Action, Planned
from mqsc.scripts import past_definitions, planning, saved_plan, selection as selecting
from mqsc.scripts.apply_run import (
    ApplyOptions,
    apply_in_order,
    apply_saved,
    apply_sources,
    print_plan,
)
from mqsc.scripts.declarations import (
    PLAN_MARK,
    Declarations,
    declared_in,
    inputs_named_by,
    plan_in,
    record_of,
)
from mqsc.scripts.export import (
    SYSTEM,
    Definition,
    DefinitionKey,
    ExportCommand,
    ExportSelection,
    definitions,
    export_commands,
    kinds_in_order,
)
from mqsc.scripts.export_output import rows, script_lines, yaml_lines
from mqsc.scripts.selection import only_defined_option, selection_options
from mqsc.store.admin.archiving import archived_to
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.inquiring import inquire, inquire_queue_manager
from mqsc.store.catalog import KINDS, kinds_of
from mqsc.store.client.api import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.descriptor import MICROSECONDS
from mqsc.store.message import GetMessageOptions
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.rules.properties.delivery import STORED

# The parameters that a saved plan has fixed.
FIXED = frozenset(
    "prune out include exclude types only_defined settings setting_files no_subfolders "
    "skip_unsupported".split(),
)


@command()
@click.argument(
    "files",
    type=AnyPath(),
    nargs=-1,
    required=True,
    metavar="FILE|FOLDER|PATTERN|-...",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Also delete objects that the files do not define; none with messages.",
)
@click.option(
    "--plan",
    "only_plan",
    is_flag=True,
    help="Show what would be created, updated, deleted; change nothing.",
)
@click.option(
    "--out",
    type=FILE_PATH,
    metavar="PLAN",
    help="Change nothing; save the plan, for `mqsc apply PLAN`.",
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation, for CI and scripts.")
@click.option("--detailed-exitcode", is_flag=True, help="Exit with 2, not 0, after a change.")
@selection_options
@only_defined_option
@input_options
@skip_unsupported_option
def apply(
    choices: Choices,
    files: tuple[str, ...],
    prune: bool,
    only_plan: bool,
    out: Path | None,
    yes: bool,
    detailed_exitcode: bool,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    types: tuple[frozenset[str], ...],
    only_defined: bool,
    settings: tuple[str, ...],
    setting_files: tuple[Path, ...],
    no_subfolders: bool,
    skip_unsupported: bool,
) -> int:
    """Make the definitions of a queue manager match FILEs: plan, ask, then change all or nothing.

    DEFINE creates an object, or brings an existing one to the definition; objects that match are
    not touched. A plan that --out saved is carried out without a question, or refused if what it
    depends on has changed. Exit code 0 when it was done, or nothing had to change, 10 when a
    command would fail or you answered no, 20 when nothing could be planned. With --plan 2 when
    something would change, with --detailed-exitcode 2 when something was.
    """
    if yes and (only_plan or out):
        raise click.UsageError(
            "--yes makes the change, --plan and --out change nothing; leave one of them out",
        )
    if prune and only_defined:
        raise click.UsageError(
            "--prune deletes what the files do not define; leave --only-defined out",
        )
    if out:
        inputs.check_replaceable(out, path_of_file(choices), PLAN_MARK)
    sources = inputs_named_by(choices, files, subfolders=not no_subfolders)
    if len(sources) == 1 and (plan := plan_in(sources[0])):
        _refuse_fixed(click.get_current_context(), sources[0].name)
        how = ApplyOptions(only_plan=only_plan, detailed_exitcode=detailed_exitcode)
        return apply_saved(choices, saved_plan.decoded(plan, sources[0].name), how)
    variables = selecting.variables_of(settings, setting_files)
    how = ApplyOptions(
        prune=prune,
        only_plan=only_plan,
        yes=yes,
        detailed_exitcode=detailed_exitcode,
        skip_unsupported=skip_unsupported,
        selection=selecting.selection_of(
            include=include,
            exclude=exclude,
            types=types,
            only_defined=only_defined,
        ),
        out=out,
    )
    return apply_sources(choices, sources, variables, how)


def _refuse_fixed(context: click.Context, plan: str) -> None:
    """UsageError for an option whose value the saved plan has fixed."""
    for each in context.command.params:
        if each.name in FIXED and context.params[each.name]:
            raise click.UsageError(
                f"{plan} is a saved plan, for which {each.opts[0]} has no meaning",
            )


# `mqsc diff`: the differences between a queue manager and the definitions in files.

DIFFERENT = 2


@command(past=True)
@click.argument("files", type=AnyPath(), nargs=-1, metavar="[FILE|FOLDER|PATTERN|-...]")
@click.option(
    "--from",
    "earlier",
    type=EventOrMoment(),
    metavar="MOMENT|SEQ",
    help="Compare with the past, not FILEs.",
)
@click.option(
    "--to",
    "later",
    type=EventOrMoment(),
    metavar="MOMENT|SEQ",
    help="The end for --from (default: now).",
)
@selection_options
@only_defined_option
@input_options
def diff(
    choices: Choices,
    files: tuple[str, ...],
    earlier: When | None,
    later: When | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    types: tuple[frozenset[str], ...],
    only_defined: bool,
    settings: tuple[str, ...],
    setting_files: tuple[Path, ...],
    no_subfolders: bool,
) -> int:
    """Compare the definitions of a queue manager with those in FILEs, or with --from its
    definitions at two moments.

    With --from, prints MQSC that leads from the one state to the other. With FILEs, prints what
    `mqsc apply --prune` would do: CREATE, UPDATE with old -> new, and DELETE for objects that no
    file defines; also what it would not change: objects to keep, and those of a new queue manager
    that were changed by hand. Exit code 0 when there is no difference, 2 when there is one, 10 when
    a command in a file fails, 20 when nothing can be compared.
    """
    if bool(files) == (earlier is not None):
        raise click.UsageError(
            "give FILEs or --from" if not files else "--from compares two moments; leave FILEs out",
        )
    if later is not None and earlier is None:
        raise click.UsageError("--to is the end for --from")
    if earlier is not None and click.get_current_context().params["as_of"] is not None:
        raise click.UsageError("--as-of and --from cannot be used together; give --to")
    variables = selecting.variables_of(settings, setting_files)
    selection = selecting.selection_of(
        include=include,
        exclude=exclude,
        types=types,
        only_defined=only_defined,
    )
    if earlier is not None:
        return _between(choices, earlier, later, selection)
    sources = inputs_named_by(choices, files, subfolders=not no_subfolders)
    statements = declared_in(sources, variables, purpose="nothing was compared: diff")
    with opened_queue_manager(choices) as qmgr:
        plan = planning.plan_to_apply(running(qmgr), statements, prune=True, selection=selection)
    plan = replace(
        plan,
        rows=tuple(
            row for row in plan.rows if row.action not in (Action.UNCHANGED, Action.SKIPPED)
        ),
    )
    print_plan(choices, qmgr.name, plan, none="no difference")
    return FAILED if plan.has_errors else DIFFERENT if plan.is_different else 0


def _between(
    choices: Choices,
    earlier: When,
    later: When | None,
    selection: selecting.Selection,
) -> int:
    """Print MQSC that leads from the definitions at one moment to those at another, or now."""
    with past_queue_manager(choices, earlier, messages=False) as before, ExitStack() as stack:
        opened = (
            opened_queue_manager(choices)
            if later is None
            else past_queue_manager(choices, later, messages=False)
        )
        after = running(stack.enter_context(opened))
        commands = (
            *_changed_back(running(before), after),
            *export_commands(after, ExportSelection(True, selection)),
        )
        whole = "\n".join(script_lines(commands))
        statements = declared_in(
            [inputs.InputSource(text=whole)],
            None,
            purpose="nothing was compared: diff",
        )
        plan = planning.plan_to_apply(before, statements, prune=True, selection=selection)
        rows = [row for row in plan.rows if row.action not in (Action.UNCHANGED, Action.SKIPPED)]
        if choices.format in DATA_FORMATS:
            print_plan(choices, after.name, replace(plan, rows=tuple(rows)), none="no difference")
        else:
            # A record goes with its object, by the same command.
            for line in dict.fromkeys(
                line for row in rows for line in _leading_to(after, row, plan)
            ):
                print_line(line)
        if not rows:
            choices.inform("mqsc: no difference")
    return FAILED if plan.has_errors else DIFFERENT if rows else 0


def _changed_back(before: QueueManager, after: QueueManager) -> Iterator[ExportCommand]:
    """What an export does not have: SYSTEM objects that were changed back, and authorities that
    went.
    """
    for kind in (each for each in kinds_in_order() if each.keyword not in ("QMGR", "CHLAUTH")):
        pattern = "*" if kind.identity else f"{SYSTEM}*"
        was = {each.key: each for each in definitions(before, kind, pattern)}
        for now in definitions(after, kind, pattern):
            values = was[now.key].values if now.key in was else now.values
            changed = [word for word, value in now.values.items() if values.get(word) != value]
            if changed:
                yield (
                    ExportCommand("DELETE", now, {})
                    if kind.identity
                    else _command("ALTER", now, changed)
                )


def _command(verb: str, definition: Definition, words: Iterable[str]) -> ExportCommand:
    words = {*words, definition.kind.selector, *(["QSGDISP"] if definition.disposition else [])}
    return ExportCommand(
        verb,
        definition,
        {word: definition.values[word] for word in words & definition.values.keys()},
    )


def _leading_to(qmgr: QueueManager, row: Planned, plan: planning.ApplyPlan) -> Iterator[str]:
    """The commands that carry out a row of a plan, or a comment that says why there is nothing
    to do.
    """
    if row.action not in CHANGING:
        changes = (f" {word}: {was} -> {now}" for word, (was, now) in row.changes.items())
        yield from (f"* {row.type}({row.name}) {row.text}{';'.join(changes)}").splitlines()
        return
    kind = KINDS[row.type]
    if kind.identity:
        yield from (
            answered.command for answered, request in plan.steps if request.kinds[0] == kind
        )
        return
    same = (
        each
        for each in definitions(qmgr, kind, row.name)
        if (each.disposition, record_of(kind, each.values)) == (row.disposition, row.record)
    )
    found = next(same, None)
    if found is None or row.action is Action.DELETE:
        yield from row.command.splitlines()
        return
    command = _command("ALTER", found, row.changes)
    if row.action is Action.CREATE:
        # With what differs from the default object as it is then.
        command = next(
            each for each in export_commands(qmgr, ExportSelection()) if each.definition == found
        )
    yield from [*script_lines([command], one_line=True)][1:]


# `mqsc export`: the definitions of a queue manager, as commands or as data.


@command(common=WITHOUT_FORMAT, past=True)
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
        statements = declared_in(sources, variables, purpose="nothing was written: export")
        named = Declarations(
            [each.request for each in statements if each.request and each.is_definition],
        ).named
    wanted = format_ or choices.format or "mqsc"
    with opened_queue_manager(choices) as qmgr:
        found = export_commands(qmgr, ExportSelection(everything, selection, named))
        if print_data(wanted, rows(found)):
            return
        users = not files and selection.is_everything
        for line in (
            yaml_lines(rows(found)) if wanted == "yaml" else _script(qmgr, found, users=users)
        ):
            in_utf8(sys.stdout).write(f"{shown_on(sys.stdout, line)}\n")


def _script(qmgr: QueueManager, commands: Iterable[ExportCommand], *, users: bool) -> Iterator[str]:
    from mqsc.console.text.authority import user_commands

    yield from script_lines(commands)
    remarks = [f"* {each}" for each in user_commands(qmgr)] if users else []
    if remarks:
        yield ""
        yield (
            "* Users, groups and modes have no MQSC commands. These are for a shell, and ask for "
            "passwords:"
        )
        yield from remarks


def _export_messages(choices: Choices, queue: str) -> None:
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        handle = opened(connection, queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, "")
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


# `mqsc blame`: who set the attributes of an object.

_OBJECT = re.compile(r"\s*([A-Za-z]+)\s*(?:\(\s*('?)(.*?)\2\s*\))?\s*")


class ObjectText(TextType):
    """An object as MQSC writes it: QLOCAL(ORDERS), or QMGR; the type in full and the name."""

    name = "object"

    def read(self, text: str) -> tuple[str, str]:
        found = _OBJECT.fullmatch(text)
        noun = noun_of("DISPLAY", found[1].upper()) if found else None
        if found is None or noun is None or (noun != "QMGR" and not found[3]):
            raise ValueError(
                f"{text!r} is not an object; write QLOCAL(ORDERS), CHANNEL(TO.QM2) or QMGR",
            )
        if "*" in (found[3] or ""):
            raise ValueError(f"{found[3]} may be several objects; name one")
        if not kinds_of(noun) or any(kind.identity for kind in kinds_of(noun)):
            raise ValueError(
                f"{noun} has no attributes of its own to blame; `mqsc history --kind SET` shows "
                "records",
            )
        return noun, (found[3] or "") if found[2] else (found[3] or "").upper()


@command(past=True)
@click.argument("object_", type=ObjectText(), metavar="TYPE(NAME)|QMGR")
@click.argument("attributes", nargs=-1, metavar="[ATTRIBUTE]...")
@click.option("--all", "everything", is_flag=True, help="Also attributes that were never set.")
def blame(
    choices: Choices,
    object_: tuple[str, str],
    attributes: tuple[str, ...],
    everything: bool,
) -> None:
    """Show who set each attribute of an object, when, by which command and in which line of a
    script, and the values that it had before, newest first.

    TYPE(NAME) is written as in MQSC, in quotes for your shell: mqsc blame 'QLOCAL(ORDERS)'.
    """
    noun, name = object_
    wanted = {each.upper() for each in attributes}
    with opened_queue_manager(choices) as qmgr:
        kinds = kinds_of(noun)
        name = qmgr.name if noun == "QMGR" else name
        row = (
            inquire_queue_manager(qmgr)
            if noun == "QMGR"
            else next(inquire(qmgr, kinds, name), None)
        )
        if pruned := archived_to(qmgr.store)[1]:
            choices.inform(
                f"mqsc: events up to {pruned} were archived and removed: what they set is not "
                "shown",
            )
        types = {kind.keyword for kind in kinds}
        owners = {qmgr.name, qmgr.row().sharing_group}
        found = past_definitions.blame(
            event
            for event in events(qmgr.store, EventSelection(kinds=past_definitions.CHANGES))
            if event.queue == name and event.target in types and event.qmgr in owners
        )
    if row is None:
        raise CommandFailedError(_gone(noun, name, found))
    unknown = wanted - row.keys()
    if unknown:
        raise CommandFailedError(f"{noun} has no attribute {', '.join(sorted(unknown))}")
    rows = [
        each
        for each in past_definitions.blame_rows(found, row)
        if (each["attribute"] in wanted if wanted else everything or each["event"] is not None)
    ]
    cells = [*map(past_definitions.blame_cells, rows)]
    print_rows(
        choices.format,
        rows,
        tables.table_lines(past_definitions.HEADINGS, cells, columns()),
    )


def _gone(noun: str, name: str, found: past_definitions.Blame) -> str:
    if found.deleted is None:
        return f"there is no {noun}({name}), and the history has none"
    event = found.deleted
    place = event.detail.get("place") or f"event {event.seq}"
    return (
        f"{noun}({name}) was deleted {iso(event.at)[:19]}Z by {event.user or 'the queue manager'}, "
        f"{place}"
    )


# `mqsc undo`: changes of definitions are taken back.


@command()
@click.argument("which", type=EventOrMoment(), required=False, metavar="[SEQ|MOMENT]")
@click.option("--plan", "only_plan", is_flag=True, help="Show what would change; change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def undo(
    choices: Choices,
    which: EventNumber | int | Ago | None,
    only_plan: bool,
    yes: bool,
) -> int:
    """Undo a DEFINE, ALTER, DELETE or SET: the last one, the one with the number SEQ in the
    history, or all since MOMENT, an ISO time (UTC), a time such as 09:14, or a length of time
    before now such as 10m.

    Shows the plan as `mqsc apply` does, asks, and then changes all or nothing. What a later command
    has changed again is not undone. Messages that were deleted with their queue do not come back.
    """
    with opened_queue_manager(choices) as opened:
        qmgr = running(opened)
        bound = qmgr.store.bound().seq
        with failing(past_definitions.NotUndoneError):
            found = [*past_definitions.undoing(qmgr, _to_undo(qmgr, choices, which))]
        if not found:
            raise CommandFailedError("the history has no DEFINE, ALTER, DELETE or SET to undo")
        for each in found:
            choices.inform(
                f"mqsc: event {each.event.seq} of {iso(each.event.at)}: "
                f"{event_text.what_happened(each.event)}",
            )
            if each.secrets:
                choices.inform(
                    f"mqsc: {', '.join(each.secrets)}: not undone, the history has no secrets",
                )
        plan = planning.plan_in_order(
            qmgr,
            (command for each in found for command in each.commands),
            bound,
        )
        plan = replace(plan, rows=tuple(past_definitions.with_lost_messages(plan.rows, found)))
        return apply_in_order(choices, qmgr, plan, ApplyOptions(only_plan=only_plan, yes=yes))


def _to_undo(
    qmgr: QueueManager,
    choices: Choices,
    which: EventNumber | int | Ago | None,
) -> list[TracedEvent]:
    """The events to undo, newest first; CommandFailedError if the event that was named cannot be
    undone.
    """
    own = EventSelection(qmgr=qmgr.name, kinds=past_definitions.CHANGES)
    if isinstance(which, EventNumber):
        found = [*events(qmgr.store, own, first=which.seq, last=which.seq)]
        if not (found and past_definitions.is_undoable(found[0])):
            there = found or [
                *events(qmgr.store, EventSelection(), first=which.seq, last=which.seq),
            ]
            what = f"is: {event_text.what_happened(there[0])}" if there else "is not in the history"
            kinds = f"DEFINE, ALTER, DELETE and SET of {qmgr.name}"
            raise CommandFailedError(f"event {which.seq} {what}; undo is for {kinds}")
        at_once = _by_command(qmgr, own._replace(since=found[0].at, until=found[0].at + 1))
        return next(command for command in at_once if found[0] in command)
    if which is None:
        return next(_by_command(qmgr, own), [])
    since = output.moment(which, qmgr.store, choices)
    return [*chain.from_iterable(_by_command(qmgr, own._replace(since=since)))]


def _by_command(qmgr: QueueManager, selection: EventSelection) -> Iterator[list[TracedEvent]]:
    """The selected events that can be undone, newest first, those of a command together."""
    newest_first = [*filter(past_definitions.is_undoable, events(qmgr.store, selection))][::-1]
    # With an object its authority records are deleted, and one command can remove several records.
    together = groupby(
        newest_first,
        lambda each: (each.at, each.queue) if each.kind == "DELETE" else each.seq,
    )
    return ([*command] for _, command in together)
