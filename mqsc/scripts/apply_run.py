"""`mqsc apply`: plan, ask, carry out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
from msgspec import Struct

from mqsc.console import target
from mqsc.console.elsewhere import Elsewhere
from mqsc.console.inputs import InputSource
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.options import Choices
from mqsc.console.parameters import EventRange
from mqsc.console.replaced_file import write_whole
from mqsc.console.terminal import is_terminal
from mqsc.console.text.reasons import counted
from mqsc.language.hidden_secrets import gives_secret
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.script import Answered
from mqsc.scripts import past_definitions
from mqsc.scripts.atomic_run import queue_manager_to_plan_for
from mqsc.scripts.declarations import DeclaredCommand, declared_in, is_selected
from mqsc.scripts.plan_output import print_rows, print_summary
from mqsc.scripts.planning import ApplyPlan, plan_to_apply
from mqsc.scripts.run import print_error
from mqsc.scripts.saved_plan import SavedPlan, changed_since, encoded, saved_plan
from mqsc.scripts.selection import EVERYTHING, Selection, Variables
from mqsc.store.admin.event_search import EventSelection, events, last_event
from mqsc.store.client.plan_copy import definitions_changed_since
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs import perform_request

CHANGED = 2
# How often to plan when definitions change between the plan and its execution.
ATTEMPTS = 4


class ApplyOptions(Struct, frozen=True):
    """How to apply files.

    `only_plan` changes nothing, and neither does `out`, a file for the plan; `yes` does not ask.
    `detailed_exitcode` tells a change by the exit code, `skip_unsupported` leaves out commands for
    what does not exist here. `prune` may delete at most `prune_limit` objects.
    """

    prune: bool = False
    only_plan: bool = False
    yes: bool = False
    detailed_exitcode: bool = False
    skip_unsupported: bool = False
    selection: Selection = EVERYTHING
    out: Path | None = None
    prune_limit: int | None = None


def apply_sources(
    choices: Choices,
    sources: Sequence[InputSource],
    variables: Variables | None,
    options: ApplyOptions,
) -> int:
    """Apply the inputs, which must be in memory already; return the exit code.

    0 if it was done or nothing had to change, 10 if a command would fail or the answer was no:
    nothing is changed then. 2 if something would change, with `only_plan`, or was changed, with
    `detailed_exitcode`. NothingRunError if an input cannot be read, or there is no terminal to ask
    on.
    """
    statements = statements_of(sources, variables, options)
    shown: ApplyPlan | None = None
    prune, skip = options.prune, options.skip_unsupported
    for attempt in range(ATTEMPTS):
        with ExitStack() as stack:
            qmgr, is_temporary = stack.enter_context(
                _queue_manager(choices, create=shown is not None),
            )
            if options.yes and attempt == ATTEMPTS - 1:
                # Other programs keep changing definitions: now they wait from the plan to its
                # execution.
                stack.enter_context(qmgr.store.database.one_transaction())
            plan = plan_to_apply(
                qmgr,
                statements,
                prune=prune,
                skip_unsupported=skip,
                selection=options.selection,
            )
            if plan.has_errors or options.only_plan or options.out or not plan.changes_something:
                if options.out and not plan.has_errors and not _save(options, qmgr, plan):
                    continue
                return _print_plan(choices, qmgr.name, plan, options)
            is_known = shown is not None and shown.rows == plan.rows
            if not (options.yes or is_known or _is_agreed(choices, sources, qmgr.name, plan)):
                return target.FAILED
            shown = plan
            if is_temporary:
                continue
            try:
                done = carry_out(qmgr, plan)
            except OutdatedPlanError as outdated:
                print_error(f"{outdated}{'' if attempt == ATTEMPTS - 1 else '; planning again'}")
                continue
            undo = how_to_undo(qmgr, done, _named(choices))
        print_plan(choices, qmgr.name, plan, done=True, details=options.yes, asked_for=False)
        if undo:
            choices.inform(undo)
        return CHANGED if options.detailed_exitcode else 0
    print_error("nothing was changed: the queue manager kept changing")
    return target.FAILED


def statements_of(
    sources: Sequence[InputSource],
    variables: Variables | None,
    options: ApplyOptions,
    elsewhere: Elsewhere | None = None,
) -> list[DeclaredCommand]:
    """The commands of the inputs; NothingRunError if --prune would delete everything."""
    statements = declared_in(
        sources,
        variables,
        purpose="nothing was changed: apply",
        elsewhere=elsewhere,
    )
    if options.prune and not any(
        each.request is None
        or (each.is_definition and is_selected(options.selection, each.request))
        for each in statements
    ):
        part = "" if options.selection.is_everything else " of the selection"
        raise target.NothingRunError(
            f"nothing was changed: the files define nothing{part}, so --prune would delete "
            f"everything{part}",
        )
    return statements


@contextmanager
def _queue_manager(choices: Choices, *, create: bool) -> Iterator[tuple[QueueManager, bool]]:
    """The chosen queue manager; if it is yet to be created, a temporary one, or with `create`
    the new one.
    """
    if create:
        with target.opened_queue_manager(choices, create=True, for_users=True) as qmgr:
            yield target.running(qmgr), False
        return
    is_temporary = target.reason_to_create(choices) is not None
    with queue_manager_to_plan_for(choices) as qmgr:
        yield target.running(qmgr), is_temporary


def _print_plan(choices: Choices, name: str, plan: ApplyPlan, options: ApplyOptions) -> int:
    """Print a plan that is not carried out, and return the exit code."""
    print_plan(choices, name, plan, asked_for=not options.yes)
    if plan.has_errors:
        print_error("nothing was changed")
        return target.FAILED
    if options.out:
        choices.inform(
            f"mqsc: the plan is in {options.out}; carry it out with `mqsc apply {options.out}`",
        )
    return (
        CHANGED
        if plan.changes_something and (options.only_plan or options.detailed_exitcode)
        else 0
    )


def _save(options: ApplyOptions, qmgr: QueueManager, plan: ApplyPlan) -> bool:
    """Write the plan to its file; False if definitions changed while its state was read."""
    assert options.out is not None
    for answered, request in plan.steps:
        if gives_secret(request.text):
            place = (
                f"{answered.file}, line {answered.line}"
                if answered.file
                else f"line {answered.line}"
            )
            raise target.NothingRunError(
                f"{place} has a secret, which no file gets: apply the definitions without --out",
            )
    saved = saved_plan(qmgr, plan, options.selection if options.prune else None)
    if definitions_changed_since(qmgr, plan.bound):
        return False
    write_whole(options.out, encoded(saved), mode=0o600)
    return True


def _is_agreed(
    choices: Choices,
    sources: Sequence[InputSource],
    name: str,
    plan: ApplyPlan,
) -> bool:
    """Print the plan, and whether the user wants it; NothingRunError if there is no terminal to ask on."""
    if choices.format in DATA_FORMATS:
        raise target.NothingRunError(
            f"--format {choices.format} cannot ask for confirmation; add --yes, or --plan",
        )
    if not is_terminal(sys.stdin) or any(source.path == "-" for source in sources):
        print_plan(choices, name, plan)
        raise target.NothingRunError(
            "nothing was changed: there is no terminal to ask for confirmation; add --yes",
        )
    print_plan(choices, name, plan)
    is_agreed = click.confirm(f"Change the queue manager {name}?", err=True)
    if not is_agreed:
        print_error("nothing was changed")
    return is_agreed


def print_plan(
    choices: Choices,
    name: str,
    plan: ApplyPlan,
    none: str = "no definitions",
    *,
    done: bool = False,
    details: bool = True,
    asked_for: bool = True,
) -> None:
    """Print the rows of a plan, as `print_rows` does, and their number; `none` is the sentence for
    no rows.
    """
    counts = print_rows(choices, plan.rows, done=done, details=details, asked_for=asked_for)
    print_summary(choices, name, counts, plan.changed_defaults, none)
    if plan.left_out:
        choices.inform(f"mqsc: {counted(plan.left_out, 'definition')} in the files not selected")


# Carries a plan out in one transaction, unless definitions changed after it was made.


class OutdatedPlanError(Exception):
    """The plan no longer fits the queue manager; the message says why. Nothing was changed."""


def carry_out(qmgr: QueueManager, plan: ApplyPlan) -> EventRange:
    """Perform the requests of the plan and return the numbers of their events; OutdatedPlanError
    rolls everything back.
    """
    with qmgr.store.database.one_transaction():
        changed = definitions_changed_since(qmgr, plan.bound)
        if changed:
            raise OutdatedPlanError(f"{' and '.join(changed[:2])} changed after the plan was made")
        return _perform_requests(qmgr, plan.steps)


def _perform_requests(
    qmgr: QueueManager,
    steps: Iterable[tuple[Answered, Request]],
) -> EventRange:
    """Perform the requests in the transaction that is open; the numbers of its events since."""
    before = last_event(qmgr.store)
    for answered, request in steps:
        answer = perform_request(qmgr, request)
        if answer.completion == 2:
            raise OutdatedPlanError(_failure(answered, request, answer))
    return EventRange(before + 1, last_event(qmgr.store))


def how_to_undo(qmgr: QueueManager, done: EventRange, named: str) -> str:
    """The line that says how to undo exactly the changes among these events; blank if there are
    none, or the user may not. `named` are the options that name the store and the queue manager.

    Numbers, because other changes can have the same time.
    """
    if not qmgr.is_owners:
        return ""
    selection = EventSelection(qmgr=qmgr.name, kinds=past_definitions.CHANGES)
    found = events(qmgr.store, selection, first=done.first, last=done.last)
    changes = past_definitions.to_undo(found)
    if not changes:
        return ""
    first, last = changes[0], changes[-1]
    # `undo SEQ` takes a DELETE for a part of a command, with others of the same time.
    is_one = first is last and first.kind != "DELETE"
    which = first.seq if is_one else f"{first.seq}-{last.seq}"
    return f"mqsc: undo it with `mqsc undo{named} {which}`"


def _named(choices: Choices) -> str:
    """The options that name the store and the queue manager, as the command was given them."""
    options = (("--store", choices.store), ("-m", choices.qmgr))
    return "".join(f" {option} {shlex.quote(value)}" for option, value in options if value)


def _failure(answered: Answered, request: Request, answer: Answer) -> str:
    file = f"{answered.file}, " if answered.file else ""
    place = f"{file}line {answered.line}: " if answered.line else ""
    first, *_ = f"{answer.message_id}: {answer.text}".split("\n")
    return (
        f"{place}{request.verb} {request.noun}({request.name}) failed after the plan succeeded: "
        f"{first}"
    )


def apply_in_order(
    choices: Choices,
    qmgr: QueueManager,
    plan: ApplyPlan,
    options: ApplyOptions,
) -> int:
    """Show a plan of `plan_in_order`, ask, and carry it out; return the exit code, as of
    `apply_sources`.
    """
    if plan.has_errors or options.only_plan or not plan.changes_something:
        return _print_plan(choices, qmgr.name, plan, options)
    if not (options.yes or _is_agreed(choices, (), qmgr.name, plan)):
        return target.FAILED
    try:
        carry_out(qmgr, plan)
    except OutdatedPlanError as outdated:
        print_error(f"nothing was changed: {outdated}")
        return target.FAILED
    print_plan(choices, qmgr.name, plan, done=True, details=options.yes, asked_for=False)
    return 0


def apply_saved(choices: Choices, plan: SavedPlan, options: ApplyOptions) -> int:
    """Carry out a plan from a file, without a question; return the exit code.

    If a definition that it depends on is not as it was, nothing is changed, and 10 is returned.
    With `only_plan` the plan is only compared and printed.
    """
    chosen = choices.qmgr_name()
    if chosen not in (None, plan.queue_manager):
        raise target.NothingRunError(
            f"the plan is for the queue manager {plan.queue_manager}, not for {chosen}",
        )
    rows = plan.planned
    named = _named(choices)
    done: EventRange | None = None
    if plan.queue_manager != target.FIRST_QUEUE_MANAGER or target.reason_to_create(choices) is None:
        choices = choices._replace(qmgr=plan.queue_manager)
    with _queue_manager(choices, create=choices.qmgr is None and not options.only_plan) as (
        qmgr,
        _,
    ):
        try:
            with qmgr.store.database.one_transaction():
                changed = [*changed_since(qmgr, plan)]
                if not (changed or options.only_plan):
                    done = _perform_requests(qmgr, plan.performable())
        except OutdatedPlanError as outdated:
            print_error(f"nothing was changed: {outdated}")
            return target.FAILED
        undo = how_to_undo(qmgr, done, named) if done else ""
    if changed:
        print_rows(choices, changed)
        print_error(
            f"nothing was changed: {plan.queue_manager} is not as it was when the plan was made; "
            "plan again",
        )
        return target.FAILED
    counts = print_rows(choices, rows, done=not options.only_plan, asked_for=options.only_plan)
    print_summary(choices, plan.queue_manager, counts)
    if undo:
        choices.inform(undo)
    return counts.exit_code if options.only_plan or options.detailed_exitcode else 0
