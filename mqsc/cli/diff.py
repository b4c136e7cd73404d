"""`mqsc diff`: the differences between a queue manager and the definitions in files."""

from __future__ import annotations

import click
from msgspec.structs import replace

from mqsc.apply.planning import plan_to_apply
from mqsc.console.options import Choices, command, files_to_complete
from mqsc.console.target import opened_queue_manager, running
from mqsc.plan import Action
from mqsc.scripts.apply_output import print_rows, print_summary
from mqsc.scripts.declared_inputs import check_subfolders, declared_in, inputs_named_by

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
