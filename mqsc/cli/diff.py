"""`mqsc diff`: the differences between a queue manager and the definitions in files."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from msgspec.structs import replace

from mqsc.console import inputs
from mqsc.console.elsewhere import Elsewhere
from mqsc.console.options import Choices, command
from mqsc.console.parameters import AnyPath, EventOrMoment
from mqsc.console.past import When, past_queue_manager
from mqsc.console.shared_options import input_options
from mqsc.console.target import FAILED, opened_queue_manager, running
from mqsc.console.terminal import DATA_FORMATS, print_line
from mqsc.plan import CHANGING, Action, Planned
from mqsc.scripts import planning, selection as selecting
from mqsc.scripts.apply_run import print_plan
from mqsc.scripts.beyond_catalog import plan_beyond_catalog, secret_sentences, uncomparable_secrets
from mqsc.scripts.declarations import DeclaredCommand, declared_in, inputs_named_by, record_of
from mqsc.scripts.export import (
    SYSTEM,
    Definition,
    ExportCommand,
    ExportSelection,
    definitions,
    export_commands,
    kinds_in_order,
)
from mqsc.scripts.export_output import script_lines
from mqsc.scripts.selection import only_defined_option, selection_options
from mqsc.store.catalog import KINDS
from mqsc.store.client.api import QueueManager
from mqsc.targets.on_target import on_target

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
@on_target
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
    if earlier is not None and choices.elsewhere is not None:
        raise click.UsageError("--from compares the past of this store; leave --on out")
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
    elsewhere = choices.elsewhere
    statements = declared_in(
        sources,
        variables,
        purpose="nothing was compared: diff",
        elsewhere=elsewhere,
    )
    with opened_queue_manager(choices) as qmgr:
        plan = planning.plan_to_apply(running(qmgr), statements, prune=True, selection=selection)
        if elsewhere is not None:
            plan = plan_beyond_catalog(plan, statements, elsewhere, selection)
            plan = _checked_level(plan, statements, elsewhere, selection)
            for sentence in secret_sentences(uncomparable_secrets(qmgr, statements, selection)):
                choices.inform(f"mqsc: {sentence}")
    plan = replace(
        plan,
        rows=tuple(
            row for row in plan.rows if row.action not in (Action.UNCHANGED, Action.SKIPPED)
        ),
    )
    print_plan(choices, qmgr.name, plan, none="no difference")
    return FAILED if plan.has_errors else DIFFERENT if plan.is_different else 0


def _checked_level(
    plan: planning.ApplyPlan,
    statements: list[DeclaredCommand],
    elsewhere: Elsewhere,
    selection: selecting.Selection,
) -> planning.ApplyPlan:
    from mqsc.targets.levels import check_level
    from mqsc.targets.reading import TargetState

    assert isinstance(elsewhere, TargetState)
    return check_level(plan, statements, elsewhere, selection)


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


def _leading_to(qmgr: QueueManager, planned: Planned, plan: planning.ApplyPlan) -> Iterator[str]:
    """The commands that carry out a row of a plan, or a comment that says why there is nothing
    to do.
    """
    if planned.action not in CHANGING:
        changes = (f" {word}: {was} -> {now}" for word, (was, now) in planned.changes.items())
        yield from (
            f"* {planned.type}({planned.name}) {planned.text}{';'.join(changes)}"
        ).splitlines()
        return
    kind = KINDS[planned.type]
    if kind.identity:
        yield from (
            answered.command for answered, request in plan.steps if request.kinds[0] == kind
        )
        return
    same = (
        each
        for each in definitions(qmgr, kind, planned.name)
        if (each.disposition, record_of(kind, each.values)) == (planned.disposition, planned.record)
    )
    definition = next(same, None)
    if definition is None or planned.action is Action.DELETE:
        yield from planned.command.splitlines()
        return
    command = _command("ALTER", definition, planned.changes)
    if planned.action is Action.CREATE:
        # With what differs from the default object as it is then.
        command = next(
            each
            for each in export_commands(qmgr, ExportSelection())
            if each.definition == definition
        )
    yield from [*script_lines([command], one_line=True)][1:]
