"""`mqsc apply --script`: the MQSC that carries a plan out, to hand over; nothing is changed. It works
for a queue manager here too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec import structs

from mqsc.console.elsewhere import Elsewhere
from mqsc.console.inputs import InputSource
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.options import Choices
from mqsc.console.target import FAILED, CommandFailedError, opened_queue_manager, running
from mqsc.console.terminal import in_utf8, shown_on
from mqsc.console.text.reasons import counted
from mqsc.language.request import Request
from mqsc.plan import Action, Planned
from mqsc.scripts.apply_run import CHANGED, ApplyOptions, print_plan, statements_of
from mqsc.scripts.beyond_catalog import plan_beyond_catalog, uncomparable_secrets, with_secrets
from mqsc.scripts.declarations import DeclaredCommand, keys_of, selected_definitions
from mqsc.scripts.export import DefinitionKey, can_be_altered
from mqsc.scripts.leading_script import NOTHING, Given, LeadingScript, leading_script
from mqsc.scripts.planning import MADE_ANEW, PRUNED, ApplyPlan, plan_to_apply
from mqsc.scripts.run import print_error
from mqsc.scripts.selection import Variables
from mqsc.store.admin.inquiring import inquire_queue_manager
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.targets.levels import check_level
from mqsc.targets.reading import TargetState
from mqsc.verbs import rehearse

# UTF-8: a queue manager with this CCSID takes any text.
_UTF_8 = 1208


def print_script(
    choices: Choices,
    sources: Sequence[InputSource],
    variables: Variables | None,
    options: ApplyOptions,
) -> int:
    """Print the MQSC that makes the queue manager match the inputs; return the exit code.

    0, or with `detailed_exitcode` 2 if there is something to change; 10 and no script if a command
    would fail, or if MQSC in ASCII cannot say a value.
    """
    statements = statements_of(sources, variables, options, choices.elsewhere)
    with opened_queue_manager(choices) as qmgr:
        plan = plan_for(running(qmgr), statements, options, choices.elsewhere)
        check_prune_limit(plan, options)
        if plan.has_errors:
            print_plan(choices, qmgr.name, plan)
            print_error("no script was written")
            return FAILED
        with carried_out(qmgr, plan) as after:
            given = given_in(selected_definitions(statements, options.selection), choices.elsewhere)
            script = leading_script(qmgr, after, given=given)
        check_ascii(qmgr, texts_of(script))
        if choices.format in DATA_FORMATS:
            print_plan(choices, qmgr.name, plan)
        else:
            for line in script.lines():
                in_utf8(sys.stdout).write(f"{shown_on(sys.stdout, line)}\n")
        if script.is_empty:
            choices.inform(f"mqsc: {qmgr.name}: nothing to change")
    return CHANGED if options.detailed_exitcode and not script.is_empty else 0


def print_plan_for(
    choices: Choices,
    sources: Sequence[InputSource],
    variables: Variables | None,
    options: ApplyOptions,
) -> int:
    """Print the plan for a copy of a queue manager elsewhere; return the exit code, as of
    `apply_sources` with `only_plan`.
    """
    statements = statements_of(sources, variables, options, choices.elsewhere)
    with opened_queue_manager(choices) as qmgr:
        plan = plan_for(running(qmgr), statements, options, choices.elsewhere)
    print_plan(choices, qmgr.name, plan)
    if plan.has_errors:
        return FAILED
    return CHANGED if plan.changes_something else 0


def plan_for(
    qmgr: QueueManager,
    statements: Sequence[DeclaredCommand],
    options: ApplyOptions,
    elsewhere: Elsewhere | None,
) -> ApplyPlan:
    """The plan, with what only a queue manager elsewhere knows, if this is a copy of one."""
    if elsewhere is not None:
        # A queue with messages is kept, one in use cannot be changed in all ways.
        elsewhere.bring_states(qmgr)
    selection = options.selection
    plan = plan_to_apply(
        qmgr,
        statements,
        prune=options.prune,
        skip_unsupported=options.skip_unsupported,
        selection=selection,
    )
    if elsewhere is None:
        return plan
    assert isinstance(elsewhere, TargetState)
    plan = plan_beyond_catalog(plan, statements, elsewhere, selection)
    plan = with_secrets(plan, uncomparable_secrets(qmgr, statements, selection))
    plan = structs.replace(plan, rows=tuple(map(_with_recreation, plan.rows)))
    return check_level(plan, statements, elsewhere, selection)


def check_prune_limit(plan: ApplyPlan, options: ApplyOptions) -> None:
    """CommandFailedError if --prune would delete more than its limit."""
    pruned = sum(row.file == PRUNED and row.action is Action.DELETE for row in plan.rows)
    if options.prune_limit is not None and pruned > options.prune_limit:
        raise CommandFailedError(
            f"nothing was changed: --prune would delete {counted(pruned, 'object')}, more than "
            f"{options.prune_limit}; --prune-limit {pruned} allows it",
        )


@contextmanager
def carried_out(qmgr: QueueManager, plan: ApplyPlan) -> Iterator[QueueManager]:
    """A copy of the queue manager as the plan leaves it, for the block."""
    with tried_out(qmgr) as after:
        for _, request in plan.steps:
            rehearse(after, request)
        yield after


def given_in(requests: Iterable[Request], elsewhere: Elsewhere | None) -> Given:
    """What definitions say that the state of a queue manager elsewhere does not show: secrets, and
    attributes that the catalog does not know. Of a queue manager here the plan knows all.
    """
    if elsewhere is None:
        return NOTHING
    unknown = {key: dict(texts) for key, texts in elsewhere.unknown.items()}
    secrets: dict[DefinitionKey, dict[str, Stored]] = {}
    for request in requests:
        attributes = request.kinds[0].attributes
        secret = {
            word: value
            for word, value in request.attributes.items()
            if word in attributes and attributes[word].secret
        }
        for key in keys_of(request):
            if secret:
                secrets.setdefault(key, {}).update(secret)
            if request.unknown:
                unknown.setdefault(key, {}).update(request.unknown)
    return Given(secrets, elsewhere.unknown, unknown)


def _with_recreation(row: Planned) -> Planned:
    """The row, with a warning if the object is deleted and defined anew, because no ALTER sets
    what changes.
    """
    kind = KINDS.get(row.type)
    if row.action is not Action.UPDATE or kind is None or kind.identity:
        return row
    known = row.changes.keys() & kind.attributes.keys()
    if can_be_altered(kind, known):
        return row
    return structs.replace(row, warnings=(*row.warnings, MADE_ANEW))


def check_ascii(qmgr: QueueManager, texts: Iterable[tuple[str, str]]) -> None:
    """CommandFailedError if one of the texts, each behind what it is, is not ASCII, for a queue
    manager that is not one of UTF-8: what such bytes mean there is not known.
    """
    if inquire_queue_manager(qmgr)["CCSID"] == _UTF_8:
        return
    for what, text in texts:
        if not text.isascii():
            raise CommandFailedError(
                f"{what} is not ASCII, and the CCSID of {qmgr.name} is not {_UTF_8}: MQSC cannot "
                "say it there",
            )


def texts_of(script: LeadingScript) -> Iterator[tuple[str, str]]:
    """The values in a script, each behind what it is."""
    for command in script.commands:
        for word, value in {**command.values, **command.unknown}.items():
            yield f"{word} of {command.definition.title}", str(value)
