"""`mqsc apply`, `mqsc diff` and `mqsc export`."""

from __future__ import annotations

import sys

import click
from msgspec.structs import replace

from mqsc.console.options import WITHOUT_FORMAT, Choices, command, files_to_complete, skip_unsupported_option
from mqsc.console.target import opened_queue_manager, running
from mqsc.console.terminal import is_terminal, print_json, printable
from mqsc.plan import Action
from mqsc.scripts.apply_run import ApplyOptions, apply_sources, print_rows, print_summary
from mqsc.scripts.declarations import check_subfolders, declared_in, inputs_named_by
from mqsc.scripts.export import ExportSelection, export_commands
from mqsc.scripts.export_output import rows, script_lines, yaml_lines
from mqsc.scripts.planning import plan_to_apply


@command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|PATTERN|-...", shell_complete=files_to_complete)
@click.option("--prune", is_flag=True, help="Also delete objects that the files do not define; none with messages.")
@click.option("--plan", "only_plan", is_flag=True, help="Show what would be created, updated, deleted; change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation, for CI and scripts.")
@click.option("--detailed-exitcode", is_flag=True, help="Exit with 2, not 0, after a change.")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="Set ${NAME} in the files; repeatable.")
@click.option("--no-subfolders", is_flag=True, help="Folders have subfolders on purpose, whose scripts are not read.")
@skip_unsupported_option
def apply(choices: Choices, files: tuple[str, ...], given: tuple[str, ...], no_subfolders: bool, **how: bool) -> int:
    """Make the definitions of a queue manager match FILEs: plan, ask, then change all or nothing.

    DEFINE creates an object, or brings an existing one to the definition; objects that match are not touched. Exit code
    0 when it was done, or nothing had to change, 10 when a command would fail or you answered no, 20 when nothing could
    be planned. With --plan 2 when something would change, with --detailed-exitcode 2 when something was.
    """
    options = ApplyOptions(**how)
    if options.yes and options.only_plan:
        raise click.UsageError("--yes makes the change and --plan changes nothing; leave one of them out")
    sources = inputs_named_by(choices, files)
    if not no_subfolders:
        check_subfolders(files, sources, refuse=options.prune)
    return apply_sources(choices, sources, given, options)


# `mqsc diff`: the differences between a queue manager and the definitions in files.

FAILED = 10
DIFFERENT = 2


@command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|PATTERN|-...", shell_complete=files_to_complete)
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="Set ${NAME} in the files; repeatable.")
@click.option("--no-subfolders", is_flag=True, help="Do not warn of scripts in subfolders, which are not read.")
def diff(choices: Choices, files: tuple[str, ...], given: tuple[str, ...], no_subfolders: bool) -> int:
    """Compare the definitions of a queue manager with those in FILEs.

    Prints what `mqsc apply --prune` would do: CREATE, UPDATE with old -> new, and DELETE for objects that no file
    defines; also what it would not change: objects to keep, and those of a new queue manager that were changed by hand.
    Exit code 0 when there is no difference, 2 when there is one, 10 when a command in a file fails, 20 when nothing can
    be compared.
    """
    sources = inputs_named_by(choices, files)
    if not no_subfolders:
        check_subfolders(files, sources, refuse=False)
    statements = declared_in(sources, given, purpose="nothing was compared: diff")
    with opened_queue_manager(choices) as qmgr:
        plan = plan_to_apply(running(qmgr), statements, prune=True)
    plan = replace(plan, rows=tuple(row for row in plan.rows if row.action not in (Action.UNCHANGED, Action.SKIPPED)))
    print_rows(choices, plan.rows, done=False)
    print_summary(choices, qmgr.name, plan, done=False, none="no difference")
    return FAILED if plan.has_errors else DIFFERENT if plan.is_different else 0


# `mqsc export`: the definitions of a queue manager, as commands or as data.

FORMATS = ("mqsc", "text", "json", "jsonl", "yaml")


@command(common=WITHOUT_FORMAT)
@click.option("--all", "everything", is_flag=True, help="Include attributes at their default values.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Output format; text means mqsc.")
def export(choices: Choices, everything: bool, format_: str | None) -> None:
    """Write the definitions of a queue manager, as commands that recreate them on a new one or as data.

    Without --all, only attributes that differ from their defaults are written. SYSTEM objects are written only where
    they differ from those of a new queue manager. Secrets are left out; a comment names each of them.
    """
    wanted = format_ or choices.format or "mqsc"
    with opened_queue_manager(choices) as qmgr:
        found = export_commands(qmgr, ExportSelection(everything))
        if print_json(wanted, rows(found)):
            return
        for line in yaml_lines(rows(found)) if wanted == "yaml" else script_lines(found):
            sys.stdout.write(f"{printable(line) if is_terminal(sys.stdout) else line}\n")
