"""`mqsc diff`: the differences between a queue manager and the definitions in files."""

import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from msgspec.structs import replace

from mqsc.console.elsewhere import Elsewhere
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.object_names import remember_names_elsewhere
from mqsc.console.options import Choices, command
from mqsc.console.parameters import AnyPath, EventOrMoment
from mqsc.console.past import When, past_queue_manager
from mqsc.console.shared_options import input_options
from mqsc.console.target import FAILED, NothingRunError, opened_queue_manager, path_of_file, running
from mqsc.console.terminal import print_line
from mqsc.plan import Action
from mqsc.scripts import planning, selection as selecting
from mqsc.scripts.apply_run import print_plan
from mqsc.scripts.beyond_catalog import plan_beyond_catalog, secret_sentences, uncomparable_secrets
from mqsc.scripts.declarations import DeclaredCommand, declared_in, inputs_named_by
from mqsc.scripts.export import definitions, kinds_in_order
from mqsc.scripts.leading_script import LeadingScript, leading_script
from mqsc.scripts.selection import only_defined_option, selection_options
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MissingStoreError
from mqsc.targets.on_target import on_target

DIFFERENT = 2


@command(past=True, reads=True)
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
    if elsewhere is None and len(files) == 2 and choices.store_is_missing():
        raise NothingRunError(_how_to_compare(choices, *files))
    with opened_queue_manager(choices) as qmgr:
        if not only_defined:
            # A queue with messages is kept, so that it is no difference.
            choices.bring_states(qmgr)
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
    if plan.has_errors:
        return FAILED
    return DIFFERENT if plan.is_different else 0


def _how_to_compare(choices: Choices, old: str, new: str) -> str:
    """The error for two files without a store: who names them may mean one against the other."""
    command = shlex.join(["mqsc", "diff", new, "--from-file", old, "-m", "QM1"])
    return (
        f"{MissingStoreError(path_of_file(choices))}, and all FILEs are compared with a queue "
        f"manager; to compare the two with each other: {command}"
    )


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
        if not selection.is_everything:
            remember_names_elsewhere(_names_in(running(before), after))
        script = leading_script(running(before), after, selection)
        if choices.format in DATA_FORMATS:
            print_plan(choices, after.name, _as_plan(script), none="no difference")
        else:
            for line in script.lines(one_line=True):
                print_line(line)
    if script.is_empty:
        choices.inform("mqsc: no difference")
    return 0 if script.is_empty else DIFFERENT


def _as_plan(script: LeadingScript) -> planning.ApplyPlan:
    return planning.ApplyPlan(script.rows, (), (), 0)


def _names_in(*managers: QueueManager) -> Iterator[str]:
    for qmgr in managers:
        for kind in kinds_in_order():
            yield from (each.name for each in definitions(qmgr, kind))
