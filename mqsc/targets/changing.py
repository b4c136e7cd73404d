"""`mqsc apply --on` and `run --on`: plan, ask, read again, and send (targets §5)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

import click
from msgspec.structs import replace

from mqsc.console.inputs import InputSource
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.options import Choices
from mqsc.console.target import FAILED, NothingRunError, opened_queue_manager, running
from mqsc.console.terminal import is_terminal, printable
from mqsc.console.text.reasons import counted
from mqsc.plan import Action, Planned
from mqsc.scripts.apply_run import CHANGED, ApplyOptions, print_plan, statements_of
from mqsc.scripts.declarations import selected_definitions
from mqsc.scripts.leading_script import leading_script
from mqsc.scripts.plan_output import print_rows
from mqsc.scripts.planning import ApplyPlan
from mqsc.scripts.run import print_error
from mqsc.scripts.selection import Variables
from mqsc.targets import one_at_a_time
from mqsc.targets.apply_script import (
    carried_out,
    check_ascii,
    check_prune_limit,
    given_in,
    plan_for,
    texts_of,
)
from mqsc.targets.reading import TargetState, read_target
from mqsc.targets.replies import Reply, first_sentence
from mqsc.targets.sending import (
    Change,
    Result,
    SendOptions,
    are_in_effect,
    requests_in,
    send,
    sent_commands,
)
from mqsc.targets.target import Target, TargetError

# How often to plan when another user changes the target between the plan and the answer.
ATTEMPTS = 4


def apply_on(
    choices: Choices,
    target: Target,
    sources: Sequence[InputSource],
    variables: Variables | None,
    options: ApplyOptions,
    sending: SendOptions,
) -> int:
    """Make a target match the inputs, as `apply_sources` does for a queue manager here; return the
    exit code. TargetError, with 20, if nothing could be planned or sent.
    """
    agreed: Sequence[Planned] | None = None
    for _ in range(ATTEMPTS):
        with at_the_target(choices, target, is_alone=options.yes or agreed is not None) as state:
            statements = statements_of(sources, variables, options, state)
            with opened_queue_manager(state.choices) as qmgr:
                plan = plan_for(running(qmgr), statements, options, state)
                check_prune_limit(plan, options)
                if plan.has_errors or options.only_plan or not plan.changes_something:
                    return _print_unsent(choices, target, plan, options)
                if not (options.yes or agreed == plan.rows):
                    if not is_agreed(choices, sources, target, plan, is_new=agreed is not None):
                        return FAILED
                    agreed = plan.rows
                    continue
                with carried_out(qmgr, plan) as after:
                    given = given_in(selected_definitions(statements, options.selection), state)
                    script = leading_script(qmgr, after, given=given)
                    check_ascii(qmgr, texts_of(script))
                    commands = sent_commands(script, state)
                    change = Change(target, state, qmgr, after, plan.rows, commands, given)
                    result = send(choices, change, sending)
                print_result(choices, change, result, details=options.yes)
                return result.exit_code(detailed=options.detailed_exitcode)
    print_error(f"nothing was changed: somebody else keeps changing {target.name}")
    return FAILED


@contextmanager
def at_the_target(choices: Choices, target: Target, *, is_alone: bool) -> Iterator[TargetState]:
    """The state of a target, for the block; with its lock if something may be sent."""
    with ExitStack() as held:
        if is_alone:
            held.enter_context(one_at_a_time.alone(target))
        state = held.enter_context(read_target(choices, target))
        if is_alone or not one_at_a_time.is_under_way(target):
            _say_what_was_left(choices, state)
        if is_alone:
            one_at_a_time.end(target)
        yield state


def _say_what_was_left(choices: Choices, state: TargetState) -> None:
    """Say how far a change came that was killed."""
    left = one_at_a_time.unfinished(state.target)
    if left is None:
        return
    there: list[bool] = []
    # A command may have attributes that no object there has any more.
    with suppress(TargetError), opened_queue_manager(state.choices) as qmgr:
        there = are_in_effect(qmgr, [*requests_in(left.commands, state)])
    for command, is_there in zip(left.commands, there, strict=False):
        choices.inform(f"mqsc: {'in effect' if is_there else 'not in effect'}: {command}")
    number = counted(len(left.commands), "command")
    took = f"of {number} {sum(there)} took effect" if there else f"{number} may have taken effect"
    undo = f"; {left.undo} undoes them all" if left.undo else ""
    print_error(
        f"the change of {state.target.name} by {left.user} at {left.at[:19]}Z was interrupted: "
        f"{took}{undo}",
    )


def _print_unsent(choices: Choices, target: Target, plan: ApplyPlan, options: ApplyOptions) -> int:
    only_plan, asked_for = options.only_plan, not options.yes
    return print_unsent_plan(choices, target, plan, only_plan=only_plan, asked_for=asked_for)


def print_unsent_plan(
    choices: Choices,
    target: Target,
    plan: ApplyPlan,
    *,
    only_plan: bool,
    asked_for: bool = True,
) -> int:
    """Print a plan that is not carried out, and return the exit code."""
    print_plan(choices, target.name, plan, asked_for=asked_for)
    if plan.has_errors:
        print_error("nothing was sent")
        return FAILED
    return CHANGED if plan.changes_something and only_plan else 0


def is_agreed(
    choices: Choices,
    sources: Sequence[InputSource],
    target: Target,
    plan: ApplyPlan,
    *,
    is_new: bool,
) -> bool:
    """Print the plan, and whether the user wants it; NothingRunError if there is no terminal to ask on.

    `is_new`: another plan was agreed to, and the target has changed since.
    """
    if choices.format in DATA_FORMATS:
        raise NothingRunError(
            f"--format {choices.format} cannot ask for confirmation; add --yes, or --plan",
        )
    if is_new:
        print_error(f"{target.name} was changed meanwhile: this is a new plan")
    print_plan(choices, target.name, plan)
    if not is_terminal(sys.stdin) or any(source.path == "-" for source in sources):
        raise NothingRunError(
            "nothing was sent: there is no terminal to ask for confirmation; add --yes",
        )
    where = printable(target.where())
    question = f"Change the queue manager {target.queue_manager} at {where}?"
    answer = click.confirm(question, err=True)
    if not answer:
        print_error("nothing was sent")
    return answer


def print_result(
    choices: Choices,
    change: Change,
    result: Result,
    *,
    with_rows: bool = True,
    details: bool = True,
) -> None:
    """Print what was done and what was not, how many commands that were, what is not as planned,
    and how to undo it.
    """
    rest = [replace(row, action=Action.DIFFERS, text="not as planned") for row in result.rest]
    rows = [*result.rows_done, *map(_row_of, result.left), *rest] if with_rows else rest
    # The replies were the data that was asked for.
    if with_rows or choices.format not in DATA_FORMATS:
        print_rows(choices, rows, done=True, details=details, asked_for=False)
    name, sent = change.target.name, counted(len(result.replies), "command")
    choices.inform(f"mqsc: {name}: {sent} sent, {len(result.done)} done")
    if result.unread:
        print_error(f"what is there now is not known: {result.unread}")
    elif rest:
        print_error(f"{name} is not as planned: {counted(len(rest), 'object')} differ")
    if result.undo is not None:
        choices.inform(f"mqsc: undo it with `mqsc run {result.undo.script} --on {name}`")


def _row_of(reply: Reply) -> Planned:
    """The row for a command that was not done."""
    message = first_sentence(reply)
    return Planned(None, 0, reply.command.text, Action.ERROR, text=message)
