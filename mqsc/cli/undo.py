"""`mqsc undo`: changes of definitions are taken back."""

from collections.abc import Iterator
from itertools import chain, groupby, islice

import click
from msgspec.structs import replace

from mqsc.console.options import Choices, command
from mqsc.console.parameters import Ago, EventNumber, EventRange, EventsOrMoment, iso
from mqsc.console.target import CommandFailedError, failing, opened_queue_manager, running
from mqsc.history import event_text, period
from mqsc.scripts import past_definitions, planning
from mqsc.scripts.apply_run import ApplyOptions, apply_in_order
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.rules.message_trace import TracedEvent

Which = EventNumber | EventRange | int | Ago


@command()
@click.argument("which", type=EventsOrMoment(), required=False, metavar="[SEQ|SEQ-SEQ|MOMENT]")
@click.option("--plan", "only_plan", is_flag=True, help="Show what would change; change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def undo(
    choices: Choices,
    which: Which | None,
    only_plan: bool,
    yes: bool,
) -> int:
    """Undo a DEFINE, ALTER, DELETE or SET: the last one that changed something, the one with the
    number SEQ in the history, all from one number to another such as 154-160, or all since MOMENT,
    an ISO time (UTC), a time such as 09:14, or a length of time before now such as 10m.

    Shows the plan as `mqsc apply` does, asks, and then changes all or nothing. What a later command
    has changed again is not undone. Messages that were deleted with their queue do not come back.
    Exit code 10 if there is nothing to undo.
    """
    with opened_queue_manager(choices) as opened:
        qmgr = running(opened)
        bound = qmgr.store.bound().seq
        with failing(past_definitions.NotUndoneError):
            undone = [*past_definitions.undoing(qmgr, _to_undo(qmgr, choices, which))]
        for undoing in undone:
            choices.inform(
                f"mqsc: event {undoing.event.seq} of {iso(undoing.event.at)}: "
                f"{event_text.what_happened(undoing.event)}",
            )
            if undoing.secrets:
                choices.inform(
                    f"mqsc: {', '.join(undoing.secrets)}: not undone, the history has no secrets",
                )
        if not any(each.commands for each in undone):
            raise CommandFailedError("nothing was undone: only secrets were changed")
        plan = planning.plan_in_order(
            qmgr,
            (mqsc_command for each in undone for mqsc_command in each.commands),
            bound,
        )
        plan = replace(plan, rows=tuple(past_definitions.with_lost_messages(plan.rows, undone)))
        return apply_in_order(choices, qmgr, plan, ApplyOptions(only_plan=only_plan, yes=yes))


def _to_undo(qmgr: QueueManager, choices: Choices, which: Which | None) -> list[TracedEvent]:
    """The events to undo, newest first. CommandFailedError if nothing can be undone: there is no
    such event, or SEQ is an event that undo is not for.
    """
    own = EventSelection(qmgr=qmgr.name, kinds=past_definitions.CHANGES)
    if isinstance(which, EventNumber):
        return _of_command(qmgr, own, which.seq)
    if isinstance(which, EventRange):
        found = [*_by_command(qmgr, own, which)]
        where = f"events {which.first} to {which.last} have"
    elif which is None:
        found = [*islice(_by_command(qmgr, own), 1)]
        where = "the history has"
    else:
        since = period.moment(which, qmgr.store, choices)
        found = [*_by_command(qmgr, own._replace(since=since))]
        where = "since then the history has"
    if not found:
        raise CommandFailedError(
            f"{where} no DEFINE, ALTER, DELETE or SET of {qmgr.name} that changed something",
        )
    return [*chain.from_iterable(found)]


def _of_command(qmgr: QueueManager, own: EventSelection, seq: int) -> list[TracedEvent]:
    """The event of that number, with the others of its command."""
    events_of_number = [*events(qmgr.store, own, first=seq, last=seq)]
    if not (events_of_number and past_definitions.is_undoable(events_of_number[0])):
        there = events_of_number or [
            *events(qmgr.store, EventSelection(), first=seq, last=seq),
        ]
        what = f"is: {event_text.what_happened(there[0])}" if there else "is not in the history"
        kinds = f"DEFINE, ALTER, DELETE and SET of {qmgr.name}"
        raise CommandFailedError(f"event {seq} {what}; undo is for {kinds}")
    event = events_of_number[0]
    if not past_definitions.changes_something(event):
        what = event_text.what_happened(event)
        raise CommandFailedError(
            f"event {seq} is: {what}; it set what was there already, so nothing can be undone",
        )
    at_once = _by_command(qmgr, own._replace(since=event.at, until=event.at + 1))
    return next(together for together in at_once if event in together)


def _by_command(
    qmgr: QueueManager,
    selection: EventSelection,
    numbers: EventRange | None = None,
) -> Iterator[list[TracedEvent]]:
    """The selected events that can be undone and changed something, newest first, those of a
    command together.
    """
    first, last = numbers or (1, None)
    found = events(qmgr.store, selection, first=first, last=last)
    newest_first = past_definitions.to_undo(found)[::-1]
    # With an object its authority records are deleted, and one command can remove several records.
    together = groupby(
        newest_first,
        lambda each: (each.at, each.queue) if each.kind == "DELETE" else each.seq,
    )
    return ([*grouped] for _, grouped in together)
