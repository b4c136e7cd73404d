"""`mqsc apply`: brings the definitions of a queue manager to what files say."""

from __future__ import annotations

import click

from mqsc.console.inputs import named_by, read_now
from mqsc.console.options import choices_of, common_options, files_to_complete
from mqsc.scripts.apply_run import ApplyOptions, apply_sources
from mqsc.scripts.variable_options import check_variables, values_of


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|PATTERN|-...", shell_complete=files_to_complete)
@click.option("--prune", is_flag=True, help="Also delete objects that the files do not define; none with messages.")
@click.option("--plan", is_flag=True, help="Show what would be created, updated and deleted; change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation, for CI and scripts.")
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="Set ${NAME} in the files; repeatable.")
@common_options
@click.pass_context
def apply(
    context: click.Context, /, files: tuple[str, ...], prune: bool, plan: bool, yes: bool, given: tuple[str, ...]
) -> None:
    """Make the definitions of a queue manager match FILEs: plan, ask, then change all or nothing.

    DEFINE creates an object, or brings an existing one to the definition; objects that match are not touched. Exit code
    0 when nothing had to change, 2 when something changed (with --plan: would change), 10 when a command would fail,
    20 when nothing could be planned.
    """
    sources = [read_now(source) for path in files for source in named_by(path)]
    values = None
    if given:
        values = values_of(given)
        check_variables(sources, values)
    context.exit(apply_sources(choices_of(context), sources, ApplyOptions(prune, plan, yes, values)))
