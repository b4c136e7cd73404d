"""`mqsc run`: MQSC scripts."""

import sys
from typing import Any

import click

from mqsc.console.inputs import InputSource, read_now
from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.terminal import is_terminal
from mqsc.scripts.run import InOrder, RunOptions, check_variables, run_sources, sources_of
from mqsc.scripts.selection import taken_selection, taken_variables, values_of

# Options that cannot be used together, by parameter name.
EXCLUSIVE = (
    *(("plan", "verify"), ("plan", "skip_if_running"), ("atomic", "verify")),
    *(("as_of", each) for each in ("plan", "atomic", "verify", "skip_if_running")),
)


@command(cls=InOrder, common=AS_USER, past=True)
def run(
    choices: Choices, inputs: tuple[str, ...], no_echo: bool, atomic: bool, no_subfolders: bool, **given: Any
) -> int:
    """Run MQSC from FILEs, from standard input (-) and from -c TEXT, in the order given, with one tally.

    A FOLDER means the *.mqsc files in it and its subfolders, a PATTERN the files that match it, both in sorted order.
    With --quiet only errors, warnings and the output of DISPLAY are printed, each with its time. Exit code 0 when every
    command succeeded, 10 when one failed, 20 when nothing could be run. With --as-of only DISPLAY works. With --plan:
    0 when nothing would change, 2 when something would, 10 when a command would fail.
    """
    params = click.get_current_context().params
    for pair in EXCLUSIVE:
        if all(params[name] for name in pair):
            first, second = (f"--{name.replace('_', '-')}" for name in pair)
            raise click.UsageError(f"{first} and {second} cannot be used together")
    selection, variables, plan = taken_selection(given), taken_variables(given), given.pop("plan")
    if not (plan or selection.is_everything):
        raise click.UsageError(
            "--include, --exclude and --types select what --plan lists; a run carries out everything"
        )
    sources = sources_of(inputs, subfolders=not no_subfolders) or _standard_input()
    if variables:
        sources = [read_now(source) for source in sources]
        check_variables(sources, variables)
    del given["command"]
    how = RunOptions(echo=not no_echo, values=values_of(variables), only_reads=bool(params["as_of"]), **given)
    if plan:
        from mqsc.scripts.atomic_run import plan_sources

        return plan_sources(choices, sources, how, atomic=atomic, selection=selection)
    if atomic:
        from mqsc.scripts.atomic_run import run_atomically

        return run_atomically(choices, sources, how)
    return run_sources(choices, sources, how)


def _standard_input() -> list[InputSource]:
    if is_terminal(sys.stdin):
        raise click.UsageError("nothing to run: give a FILE, - for standard input, or -c TEXT")
    return [InputSource(path="-")]
