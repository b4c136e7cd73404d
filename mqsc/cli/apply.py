"""`mqsc apply`: a queue manager becomes what files declare."""

from pathlib import Path

import click

from mqsc.console import inputs
from mqsc.console.options import Choices, command
from mqsc.console.parameters import FILE_PATH, AnyPath
from mqsc.console.shared_options import input_options, skip_unsupported_option
from mqsc.console.target import path_of_file
from mqsc.scripts import saved_plan, selection as selecting
from mqsc.scripts.apply_run import ApplyOptions, apply_saved, apply_sources
from mqsc.scripts.declarations import PLAN_MARK, inputs_named_by, plan_in
from mqsc.scripts.selection import only_defined_option, selection_options
from mqsc.targets.on_target import on_options, sending_options

# The parameters that a saved plan has fixed.
FIXED = frozenset(
    "prune out include exclude types only_defined settings setting_files no_subfolders "
    "skip_unsupported script".split(),
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
@click.option(
    "--script",
    is_flag=True,
    help="Print the MQSC that makes the change, to hand over; change nothing.",
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation, for CI and scripts.")
@click.option("--detailed-exitcode", is_flag=True, help="Exit with 2, not 0, after a change.")
@selection_options
@only_defined_option
@input_options
@skip_unsupported_option
@on_options
@click.option(
    "--prune-limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="With --on: the most objects that --prune may delete.",
)
@sending_options
def apply(
    choices: Choices,
    files: tuple[str, ...],
    prune: bool,
    only_plan: bool,
    out: Path | None,
    script: bool,
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
    on: str | None,
    from_file: Path | None,
    prune_limit: int,
    undo: Path,
    journal: str | None,
) -> int:
    """Make the definitions of a queue manager match FILEs: plan, ask, then change all or nothing.

    DEFINE creates an object, or brings an existing one to the definition; objects that match are
    not touched. A plan that --out saved is carried out without a question, or refused if what it
    depends on has changed. Exit code 0 when it was done, or nothing had to change, 10 when a
    command would fail or you answered no, 20 when nothing could be planned. With --plan 2 when
    something would change, with --detailed-exitcode 2 when something was.

    With --on the queue manager is one of IBM MQ elsewhere. Before anything is sent, the script runs
    on a copy, and a script that undoes it is written; afterwards the target is read once more.
    """
    if yes and (only_plan or out):
        raise click.UsageError(
            "--yes makes the change, --plan and --out change nothing; leave one of them out",
        )
    if script and (yes or only_plan or out):
        raise click.UsageError("--script changes nothing; leave --yes, --plan and --out out")
    if (on or from_file) and out:
        raise click.UsageError("--out saves plans for queue managers of the store; leave it out")
    if from_file and not (script or only_plan):
        raise click.UsageError("--from-file is a file, which cannot be changed; add --script")
    if prune and only_defined:
        raise click.UsageError(
            "--prune deletes what the files do not define; leave --only-defined out",
        )
    if out:
        inputs.check_replaceable(out, path_of_file(choices), PLAN_MARK)
    sources = inputs_named_by(choices, files, subfolders=not no_subfolders)
    is_elsewhere = bool(on or from_file)
    if not is_elsewhere and len(sources) == 1 and (plan := plan_in(sources[0])):
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
        prune_limit=prune_limit if is_elsewhere else None,
    )
    if not (is_elsewhere or script):
        return apply_sources(choices, sources, variables, how)
    from mqsc.targets.apply_script import print_plan_for, print_script

    if not is_elsewhere:
        return print_script(choices, sources, variables, how)
    from mqsc.targets.reading import read_target, target_of

    target = target_of(choices, on, from_file, files)
    if script or from_file:
        show = print_script if script else print_plan_for
        with read_target(choices, target, from_file) as state:
            return show(state.choices, sources, variables, how)
    from mqsc.targets.changing import apply_on
    from mqsc.targets.sending import SendOptions

    sending = SendOptions(undo, journal, "mqsc apply")
    return apply_on(choices, target, sources, variables, how, sending)


def _refuse_fixed(context: click.Context, plan: str) -> None:
    """UsageError for an option whose value the saved plan has fixed."""
    for each in context.command.params:
        if each.name in FIXED and context.params[each.name]:
            raise click.UsageError(
                f"{plan} is a saved plan, for which {each.opts[0]} has no meaning",
            )
