"""`mqsc apply`: brings the definitions of a queue manager to what files say."""

from __future__ import annotations

import click

from mqsc.console.options import Choices, command, files_to_complete, skip_unsupported_option
from mqsc.scripts.apply_run import ApplyOptions, apply_sources
from mqsc.scripts.declared_inputs import check_subfolders, inputs_named_by


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
