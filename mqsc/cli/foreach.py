"""`mqsc foreach`: a command of MQSC for each object that a condition selects."""

import sys

import click

from mqsc.console.answer_layout import answer_lines
from mqsc.console.config import value
from mqsc.console.inputs import InputSource
from mqsc.console.object_names import remember_object_of
from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.target import FAILED, NothingRunError, opened_queue_manager
from mqsc.console.terminal import is_terminal, notice
from mqsc.console.text.reasons import counted
from mqsc.language.command_table import READING
from mqsc.scripts import for_each
from mqsc.scripts.one_command import is_command, request_of
from mqsc.scripts.run import RunOptions, run_sources
from mqsc.scripts.selection import EVERYTHING
from mqsc.verbs import perform_request


@command(common=AS_USER)
@click.option("--plan", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask before the commands are run.")
@click.argument("text", nargs=-1, required=True, metavar="'OBJECT(NAME) [WHERE(...)] DO COMMAND'")
def foreach(choices: Choices, text: tuple[str, ...], plan: bool, yes: bool) -> int:
    """Run the MQSC COMMAND for each object that DISPLAY finds, with its name for {}.

    A question with the list of the commands comes first, unless COMMAND only reads; without a
    terminal, --yes must be given. A command that fails does not stop the others. Exit code 0 when
    every command succeeded, 10 when one failed, 20 when nothing could be run. With --plan: 0 when
    nothing would change, 2 when something would, 10 when a command would fail.
    """
    try:
        selection, repeated = for_each.split_foreach(" ".join((for_each.FOREACH, *text)))
    except for_each.ForEachError as error:
        raise click.UsageError(str(error)) from error
    if repeated.endswith("?") or not is_command(for_each.with_name(repeated, "A")):
        raise click.UsageError(f"not a command of MQSC after DO: {repeated}")
    commands = _commands(choices, selection, repeated)
    if commands is None:
        return FAILED
    if not commands:
        choices.inform("mqsc: no object was found: nothing to do")
        return 0
    source = InputSource(text="\n".join(commands))
    if plan:
        from mqsc.scripts.atomic_run import plan_sources

        options = RunOptions(create=False)
        return plan_sources(choices, [source], options, atomic=False, selection=EVERYTHING)
    if not (yes or _only_reads(repeated) or _is_agreed(commands)):
        return FAILED
    return run_sources(choices, [source], RunOptions(create=False))


def _commands(choices: Choices, selection: str, repeated: str) -> list[str] | None:
    """The command for each object; None if the DISPLAY fails, which stderr says."""
    request = request_of(selection)
    remember_object_of(request)
    reading = choices._replace(only_reads=True)
    with opened_queue_manager(reading, for_users=True) as qmgr:
        answer = perform_request(qmgr, request)
        if not answer.shows_rows:
            notice("\n".join(answer_lines(answer)))
            return [] if answer.completion < 2 else None
        if value("hide_system"):
            answer, _ = for_each.without_system(answer, request)
        return for_each.commands_for(repeated, answer)


def _only_reads(repeated: str) -> bool:
    return request_of(for_each.with_name(repeated, "A")).verb in READING


def _is_agreed(commands: list[str]) -> bool:
    """Whether the user wants the commands; NothingRunError if there is no terminal to ask on."""
    if not is_terminal(sys.stdin):
        raise NothingRunError(
            "nothing was run: there is no terminal to ask for confirmation; add --yes, or --plan",
        )
    for line in for_each.listed(commands):
        notice(line)
    if click.confirm(f"Run {counted(len(commands), 'command')}?", err=True):
        return True
    notice("mqsc: nothing was run")
    return False
