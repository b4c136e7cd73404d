"""`mqsc undo`: changes of definitions are taken back."""

from collections.abc import Iterator
from itertools import chain, groupby

import click
from msgspec.structs import replace

from mqsc.console.options import Choices, command
from mqsc.console.parameters import Ago, EventNumber, EventOrMoment, iso
from mqsc.console.target import CommandFailedError, failing, opened_queue_manager, running
from mqsc.history import event_text, period
from mqsc.scripts import past_definitions, planning
from mqsc.scripts.apply_run import ApplyOptions, apply_in_order
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.rules.message_trace import TracedEvent


@command()
@click.argument("which", type=EventOrMoment(), required=False, metavar="[SEQ|MOMENT]")
@click.option("--plan", "only_plan", is_flag=True, help="Show what would change; change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def undo(
    choices: Choices,
    which: EventNumber | int | Ago | None,
    only_plan: bool,
    yes: bool,
) -> int:
    """Undo a DEFINE, ALTER, DELETE or SET: the last one, the one with the number SEQ in the
    history, or all since MOMENT, an ISO time (UTC), a time such as 09:14, or a length of time
    before now such as 10m.

    Shows the plan as `mqsc apply` does, asks, and then changes all or nothing. What a later command
    has changed again is not undone. Messages that were deleted with their queue do not come back.
    """
    with opened_queue_manager(choices) as opened:
        qmgr = running(opened)
        bound = qmgr.store.bound().seq
        with failing(past_definitions.NotUndoneError):
            undone = [*past_definitions.undoing(qmgr, _to_undo(qmgr, choices, which))]
        if not undone:
            raise CommandFailedError("the history has no DEFINE, ALTER, DELETE or SET to undo")
        for undoing in undone:
            choices.inform(
                f"mqsc: event {undoing.event.seq} of {iso(undoing.event.at)}: "
                f"{event_text.what_happened(undoing.event)}",
            )
            if undoing.secrets:
                choices.inform(
                    f"mqsc: {', '.join(undoing.secrets)}: not undone, the history has no secrets",
                )
        plan = planning.plan_in_order(
            qmgr,
            (mqsc_command for each in undone for mqsc_command in each.commands),
            bound,
        )
        plan = replace(plan, rows=tuple(past_definitions.with_lost_messages(plan.rows, undone)))
        return apply_in_order(choices, qmgr, plan, ApplyOptions(only_plan=only_plan, yes=yes))


def _to_undo(
    qmgr: QueueManager,
    choices: Choices,
    which: EventNumber | int | Ago | None,
) -> list[TracedEvent]:
    """The events to undo, newest first; CommandFailedError if the event that was named cannot be
    undone.
    """
    own = EventSelection(qmgr=qmgr.name, kinds=past_definitions.CHANGES)
    if isinstance(which, EventNumber):
        events_of_number = [*events(qmgr.store, own, first=which.seq, last=which.seq)]
        if not (events_of_number and past_definitions.is_undoable(events_of_number[0])):
            there = events_of_number or [
                *events(qmgr.store, EventSelection(), first=which.seq, last=which.seq),
            ]
            what = f"is: {event_text.what_happened(there[0])}" if there else "is not in the history"
            kinds = f"DEFINE, ALTER, DELETE and SET of {qmgr.name}"
            raise CommandFailedError(f"event {which.seq} {what}; undo is for {kinds}")
        at_once = _by_command(
            qmgr, own._replace(since=events_of_number[0].at, until=events_of_number[0].at + 1)
        )
        return next(together for together in at_once if events_of_number[0] in together)
    if which is None:
        return next(_by_command(qmgr, own), [])
    since = period.moment(which, qmgr.store, choices)
    return [*chain.from_iterable(_by_command(qmgr, own._replace(since=since)))]


def _by_command(qmgr: QueueManager, selection: EventSelection) -> Iterator[list[TracedEvent]]:
    """The selected events that can be undone, newest first, those of a command together."""
    newest_first = [*filter(past_definitions.is_undoable, events(qmgr.store, selection))][::-1]
    # With an object its authority records are deleted, and one command can remove several records.
    together = groupby(
        newest_first,
        lambda each: (each.at, each.queue) if each.kind == "DELETE" else each.seq,
    )
    return ([*grouped] for _, grouped in together)
