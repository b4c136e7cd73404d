"""`mqsc apply`: plans, shows the plan, asks, and carries it out in one transaction."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mqsc.apply.declarations import DeclaredCommand
from mqsc.apply.execution import OutdatedPlanError, carry_out
from mqsc.apply.planning import ApplyPlan, plan_to_apply
from mqsc.console.inputs import InputSource
from mqsc.console.json_output import JSON_FORMATS
from mqsc.console.options import Choices
from mqsc.console.target import NothingRunError, opened_queue_manager, reason_to_create, running
from mqsc.console.terminal import is_terminal
from mqsc.scripts.apply_output import print_rows, print_summary
from mqsc.scripts.declared_inputs import declared_in
from mqsc.scripts.planned_run import queue_manager_to_plan_for
from mqsc.scripts.script_run import print_error

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
                # Others change definitions all the time: now they wait from the plan to its execution.
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
