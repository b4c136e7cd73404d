"""`mqsc apply`: plan, ask, carry out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mqsc.console.inputs import InputSource
from mqsc.console.options import Choices
from mqsc.console.target import NothingRunError, opened_queue_manager, reason_to_create, running
from mqsc.console.terminal import JSON_FORMATS, columns, is_terminal, print_json, printable
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.plan import CHANGING, Action, Planned
from mqsc.script import Answered
from mqsc.scripts.atomic_run import as_row, lines_of, queue_manager_to_plan_for, shown
from mqsc.scripts.declarations import DeclaredCommand, declared_in
from mqsc.scripts.planning import ApplyPlan, plan_to_apply
from mqsc.scripts.run import print_error
from mqsc.verbs import perform

if TYPE_CHECKING:
    from store.client.api import QueueManager


CHANGED = 2
FAILED = 10
# How often to plan when definitions change between the plan and its execution.
ATTEMPTS = 4


class ApplyOptions(Struct, frozen=True):
    """How to apply files.

    `only_plan` changes nothing, `yes` does not ask. `detailed_exitcode` tells a change by the exit code,
    `skip_unsupported` leaves out commands for what does not exist here.
    """

    prune: bool = False
    only_plan: bool = False
    yes: bool = False
    detailed_exitcode: bool = False
    skip_unsupported: bool = False


def apply_sources(
    choices: Choices, sources: Sequence[InputSource], settings: Sequence[str], options: ApplyOptions
) -> int:
    """Apply the inputs, which must be in memory already, with the values of --set; return the exit code.

    0 if it was done or nothing had to change, 10 if a command would fail or the answer was no: nothing is changed then.
    2 if something would change, with `only_plan`, or was changed, with `detailed_exitcode`. NothingRunError if an input
    cannot be read, or there is no terminal to ask on.
    """
    statements = _statements_of(sources, settings, options)
    shown: ApplyPlan | None = None
    for attempt in range(ATTEMPTS):
        with ExitStack() as stack:
            qmgr, is_temporary = stack.enter_context(_queue_manager(choices, create=shown is not None))
            if options.yes and attempt == ATTEMPTS - 1:
                # Other programs keep changing definitions: now they wait from the plan to its execution.
                stack.enter_context(qmgr.store.database.one_transaction())
            plan = plan_to_apply(qmgr, statements, prune=options.prune, skip_unsupported=options.skip_unsupported)
            if plan.has_errors or options.only_plan or not plan.changes_something:
                return _print_plan(choices, qmgr.name, plan)
            if not options.yes and (shown is None or shown.rows != plan.rows):
                _check_that_somebody_can_be_asked(choices, sources, qmgr.name, plan)
                _show(choices, qmgr.name, plan)
                if not click.confirm(f"Change the queue manager {qmgr.name}?", err=True):
                    print_error("nothing was changed")
                    return FAILED
            shown = plan
            if is_temporary:
                continue
            try:
                carry_out(qmgr, plan)
            except OutdatedPlanError as outdated:
                print_error(f"{outdated}{'' if attempt == ATTEMPTS - 1 else '; planning again'}")
                continue
        print_rows(choices, plan.rows, done=True, details=options.yes)
        print_summary(choices, qmgr.name, plan, done=True)
        return CHANGED if options.detailed_exitcode else 0
    print_error("nothing was changed: the queue manager kept changing")
    return FAILED


def _statements_of(
    sources: Sequence[InputSource], settings: Sequence[str], options: ApplyOptions
) -> list[DeclaredCommand]:
    statements = declared_in(sources, settings, purpose="nothing was changed: apply")
    if options.prune and not any(each.is_definition or each.request is None for each in statements):
        raise NothingRunError("nothing was changed: the files define nothing, so --prune would delete everything")
    return statements


@contextmanager
def _queue_manager(choices: Choices, *, create: bool) -> Iterator[tuple[QueueManager, bool]]:
    """The chosen queue manager; if it is yet to be created, a temporary one, or with `create` the new one."""
    if create:
        with opened_queue_manager(choices, create=True) as qmgr:
            yield running(qmgr), False
        return
    is_temporary = reason_to_create(choices) is not None
    with queue_manager_to_plan_for(choices) as qmgr:
        yield running(qmgr), is_temporary


def _print_plan(choices: Choices, name: str, plan: ApplyPlan) -> int:
    """Print a plan that is not carried out, and return the exit code."""
    _show(choices, name, plan)
    if plan.has_errors:
        print_error("nothing was changed")
        return FAILED
    return CHANGED if plan.changes_something else 0


def _check_that_somebody_can_be_asked(
    choices: Choices, sources: Sequence[InputSource], name: str, plan: ApplyPlan
) -> None:
    if choices.format in JSON_FORMATS:
        raise NothingRunError(f"--format {choices.format} cannot ask for confirmation; add --yes, or --plan")
    if not is_terminal(sys.stdin) or any(source.path == "-" for source in sources):
        _show(choices, name, plan)
        raise NothingRunError("nothing was changed: there is no terminal to ask for confirmation; add --yes")


def _show(choices: Choices, name: str, plan: ApplyPlan) -> None:
    print_rows(choices, plan.rows, done=False)
    print_summary(choices, name, plan, done=False)


# The plan of `mqsc apply`, or its result, as text and as JSON.

_DONE = {Action.CREATE: "created", Action.UPDATE: "updated", Action.DELETE: "deleted"}
_PROBLEMS = frozenset({Action.ERROR, Action.KEPT, Action.DIFFERS})


def print_rows(choices: Choices, rows: Sequence[Planned], *, done: bool, details: bool = True) -> None:
    """Print a row for each object: the plan, or what was `done`. With --quiet only the problems."""
    if print_json(choices.format, (as_row(row, done=done) for row in rows)):
        return
    shown = [row for row in rows if row.action in _PROBLEMS] if choices.quiet else rows
    width, terminal = columns(), is_terminal(sys.stdout)
    for row in shown:
        for text in lines_of(row, done=done, details=details, width=width):
            for line in text.split("\n"):
                click.echo(printable(line) if terminal else line)


def print_summary(choices: Choices, qmgr: str, plan: ApplyPlan, *, done: bool, none: str = "") -> None:
    """How many objects are concerned, and the changed default objects that they start from, on stderr.

    `none` is the sentence for no rows: `mqsc diff` only reports differences.
    """
    counts = Counter(row.action for row in plan.rows)
    words = {action: _DONE.get(action, action.value) if done else action.value for action in Action}
    counted = [f"{counts[action]} {words[action]}" for action in Action if counts[action]]
    ending = "" if none or any(counts[action] for action in (*CHANGING, Action.ERROR)) else "; nothing to change"
    choices.inform(f"mqsc: {'' if none else f'{qmgr}: '}{', '.join(counted) or none or 'no definitions'}{ending}")
    for each in plan.changed_defaults:
        changes = ", ".join(f"{word} {shown(old)} -> {shown(new)}" for word, (old, new) in each.changes.items())
        choices.inform(
            f"mqsc: {qmgr}: definitions start from {each.kind}({each.name}), which was changed, by no file: {changes}"
        )


# Carries a plan out in one transaction, unless definitions changed after it was made.


class OutdatedPlanError(Exception):
    """The plan no longer fits the queue manager; the message says why. Nothing was changed."""


def carry_out(qmgr: QueueManager, plan: ApplyPlan) -> None:
    """Perform the requests of the plan; OutdatedPlanError rolls everything back."""
    from store.client.plan_copy import definitions_changed_since

    with qmgr.store.database.one_transaction():
        changed = definitions_changed_since(qmgr, plan.bound)
        if changed:
            raise OutdatedPlanError(f"{' and '.join(changed[:2])} changed after the plan was made")
        for answered, request in plan.steps:
            answer = perform(qmgr, request)
            if answer.completion == 2:
                raise OutdatedPlanError(_failure(answered, request, answer))


def _failure(answered: Answered, request: Request, answer: Answer) -> str:
    file = f"{answered.file}, " if answered.file else ""
    place = f"{file}line {answered.line}: " if answered.line else ""
    first, *_ = f"{answer.message_id}: {answer.text}".split("\n")
    return f"{place}{request.verb} {request.noun}({request.name}) failed after the plan succeeded: {first}"
