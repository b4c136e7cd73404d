"""`mqsc run`: scripted MQSC."""

from __future__ import annotations

import sys

import click

from mqsc.console.argument_order import InOrder, sources_of
from mqsc.console.inputs import Source, read_now
from mqsc.console.options import choices_of, common_options, is_terminal
from mqsc.scripts.session import How, run_sources
from mqsc.scripts.variable_options import check_variables, values_of

# Options that cannot be given together, by parameter name.
EXCLUSIVE = (("plan", "verify"), ("plan", "skip_if_running"), ("atomic", "verify"))


@click.command(cls=InOrder)
@click.argument("inputs", nargs=-1, metavar="[FILE|FOLDER|PATTERN|-]...")
@click.option("-c", "--command", multiple=True, metavar="TEXT", help="MQSC to run, in its place among the files.")
@click.option("-e", "--no-echo", is_flag=True, help="Do not print the commands themselves.")
@click.option("-v", "--verify", is_flag=True, help="Check the commands only; nothing is carried out.")
@click.option("--plan", is_flag=True, help="Show what would be created, updated and deleted; nothing is carried out.")
@click.option("--atomic", is_flag=True, help="Carry out all commands or none, whatever fails or crashes.")
@click.option("--stop-on-error", is_flag=True, help="Stop after the first command that fails.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="The value of ${NAME} in the commands; repeatable."
)
@click.option(
    "--skip-if-running",
    is_flag=True,
    help="For cron: do nothing, with a line and exit code 0, while another such job works on the queue manager.",
)
@common_options
@click.pass_context
def run(
    context: click.Context,
    inputs: tuple[str, ...],
    command: tuple[str, ...],
    no_echo: bool,
    verify: bool,
    plan: bool,
    atomic: bool,
    stop_on_error: bool,
    settings: tuple[str, ...],
    skip_if_running: bool,
) -> None:
    """Run MQSC from FILEs, from standard input (-) and from -c texts, in the order given, with one tally.

    A FOLDER stands for its files *.mqsc and a PATTERN for what it matches, in sorted order. With --quiet only the
    answers are printed, each with its moment. Exit code 0 when every command was carried out, 10 when one was not, 20
    when nothing could be run; of --plan 0 when nothing would change, 2 when something would, 10 when a command would
    fail.
    """
    for pair in EXCLUSIVE:
        if all(context.params[name] for name in pair):
            first, second = (f"--{name.replace('_', '-')}" for name in pair)
            raise click.UsageError(f"{first} and {second} do not go together")
    sources = sources_of(inputs) or _standard_input()
    values = None
    if settings:
        values = values_of(settings)
        sources = [read_now(source) for source in sources]
        check_variables(sources, values)
    how = How(not no_echo, verify, skip_if_running, stop_on_error, values)
    choices = choices_of(context)
    if plan:
        from mqsc.scripts.planning import plan_sources

        context.exit(plan_sources(choices, sources, how, atomic=atomic))
    if atomic:
        from mqsc.scripts.atomic import run_atomically

        context.exit(run_atomically(choices, sources, how))
    context.exit(run_sources(choices, sources, how))


def _standard_input() -> list[Source]:
    if is_terminal(sys.stdin):
        raise click.UsageError("nothing to run: give a FILE, - for standard input, or -c TEXT")
    return [Source(path="-")]
