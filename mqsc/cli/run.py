"""`mqsc run`: MQSC scripts."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from mqsc.console.agreement import is_agreed
from mqsc.console.inputs import InputSource, read_now
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.parameters import AnyPath
from mqsc.console.shared_options import input_options, skip_unsupported_option
from mqsc.console.target import FAILED, opened_queue_manager
from mqsc.console.terminal import is_terminal
from mqsc.scripts import removal
from mqsc.scripts.run import InOrder, RunOptions, check_variables, run_sources, sources_of
from mqsc.scripts.selection import selection_of, selection_options, values_of, variables_of
from mqsc.targets.on_target import sending_options, target_option

# Options that cannot be used together, by parameter name.
EXCLUSIVE = (
    *(("plan", "verify"), ("plan", "skip_if_running"), ("atomic", "verify")),
    *(("as_of", each) for each in ("plan", "atomic", "verify", "skip_if_running")),
)

# What runmqsc cannot do elsewhere.
NOT_ON_TARGETS = (
    *("no_echo", "verify", "atomic", "stop_on_error", "skip_if_running", "skip_unsupported"),
    *("include", "exclude", "types"),
)


@command(cls=InOrder, common=AS_USER, past=True)
@click.argument("inputs", type=AnyPath(), nargs=-1, metavar="[FILE|FOLDER|PATTERN|-]...")
@click.option(
    "-c",
    "--command",
    multiple=True,
    metavar="TEXT",
    help="MQSC to run; keeps its position among the FILEs.",
)
@click.option("-e", "--no-echo", is_flag=True, help="Do not echo the commands.")
@click.option("-v", "--verify", is_flag=True, help="Check the commands without running them.")
@click.option(
    "--plan",
    is_flag=True,
    help="Show what would be created, updated and deleted; run nothing.",
)
@click.option(
    "--atomic",
    is_flag=True,
    help="Run all commands or none, even after an error or a crash.",
)
@click.option("--stop-on-error", is_flag=True, help="Stop after the first command that fails.")
@click.option(
    "--yes",
    "-y",
    is_flag=True,
    help="Do not ask before a command of -c removes messages.",
)
@click.option(
    "--skip-if-running",
    is_flag=True,
    help=(
        "For cron: skip this run, with exit code 0, while another such job uses the queue manager."
    ),
)
@skip_unsupported_option
@input_options
@selection_options
@target_option
@sending_options
def run(
    choices: Choices,
    inputs: tuple[str, ...],
    command: tuple[str, ...],
    no_echo: bool,
    verify: bool,
    plan: bool,
    atomic: bool,
    stop_on_error: bool,
    yes: bool,
    skip_if_running: bool,
    skip_unsupported: bool,
    settings: tuple[str, ...],
    setting_files: tuple[Path, ...],
    no_subfolders: bool,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    types: tuple[frozenset[str], ...],
    on: str | None,
    undo: Path,
    journal: str | None,
) -> int:
    """Run MQSC from FILEs, from standard input (-) and from -c TEXT, in the order given, with one
    tally.

    A FOLDER means the *.mqsc files in it and its subfolders, a PATTERN the files that match it,
    both in sorted order. On a terminal, a question comes before a command after -c that removes
    messages. With --quiet only errors, warnings and the output of DISPLAY are printed, each with
    its time. Exit code 0 when every command succeeded, 10 when one failed, 20 when nothing could be
    run. With --as-of only DISPLAY works. With --plan: 0 when nothing would change, 2 when something
    would, 10 when a command would fail.

    With --on the commands are sent to a queue manager of IBM MQ elsewhere, as with `mqsc apply`:
    after a question, unless they only display, and with a script that undoes what they change.
    """
    params = click.get_current_context().params
    for pair in EXCLUSIVE:
        if all(params[name] for name in pair):
            first, second = (f"--{name.replace('_', '-')}" for name in pair)
            raise click.UsageError(f"{first} and {second} cannot be used together")
    selection = selection_of(include=include, exclude=exclude, types=types)
    variables = variables_of(settings, setting_files)
    if not (plan or selection.is_everything):
        raise click.UsageError(
            "--include, --exclude and --types select what --plan lists; a run carries out "
            "everything",
        )
    sources = sources_of(inputs, subfolders=not no_subfolders) or _standard_input()
    if on is not None:
        from mqsc.targets.reading import target_of
        from mqsc.targets.running import run_on
        from mqsc.targets.sending import SendOptions

        _refuse_on(params)
        target = target_of(choices, on, None, inputs)
        values = values_of(variables)
        sending = SendOptions(undo, journal, "mqsc run")
        return run_on(choices, target, sources, values, sending, only_plan=plan, yes=yes)
    if variables:
        sources = [read_now(source) for source in sources]
        check_variables(sources, variables)
    how = RunOptions(
        echo=not no_echo,
        values=values_of(variables),
        verify=verify,
        skip_if_running=skip_if_running,
        stop_on_error=stop_on_error,
        skip_unsupported=skip_unsupported,
        only_reads=bool(params["as_of"]),
        names_uses=choices.format not in DATA_FORMATS,
    )
    if not (yes or plan or how.verify or how.only_reads) and not _is_agreed(choices, sources, how):
        return FAILED
    if plan:
        from mqsc.scripts.atomic_run import plan_sources

        return plan_sources(choices, sources, how, atomic=atomic, selection=selection)
    if atomic:
        from mqsc.scripts.atomic_run import run_atomically

        return run_atomically(choices, sources, how)
    return run_sources(choices, sources, how)


def _refuse_on(params: Mapping[str, Any]) -> None:
    """UsageError for an option that has no meaning where runmqsc performs the commands."""
    for name in NOT_ON_TARGETS:
        if params[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} and --on cannot be used together")


def _is_agreed(choices: Choices, sources: Sequence[InputSource], how: RunOptions) -> bool:
    """On a terminal, ask before commands after -c remove messages; those of files are not asked
    about.
    """
    if not is_terminal(sys.stdin):
        return True
    removals = removal.removals_in(
        (source.text for source in sources if source.text is not None),
        how,
    )
    if not removals or choices.store_is_missing():
        return True
    with opened_queue_manager(choices, for_users=True) as qmgr:
        asked = [removal.question(each, removal.depth_of(qmgr, each.name)) for each in removals]
    return all(is_agreed(each, yes=False) for each in asked if each)


def _standard_input() -> list[InputSource]:
    if is_terminal(sys.stdin):
        raise click.UsageError("nothing to run: give a FILE, - for standard input, or -c TEXT")
    return [InputSource(path="-")]
