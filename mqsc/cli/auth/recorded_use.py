"""`mqsc auth learn` and `mqsc auth unused`: the authorities that programs used, and those that none
did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import USER, ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import UNITS, Ago, PastMoment
from mqsc.console.removed import inform_about_removed
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.text.authority import mqsc_of
from mqsc.console.text.reasons import counted
from mqsc.history.period import moment
from mqsc.store.admin import authority_use
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.past.removed import missed
from mqsc.store.published import removed_events

if TYPE_CHECKING:
    from mqsc.store.admin.authority_explanation import Cure
    from mqsc.store.client.queue_manager import QueueManager


@command(reads=True)
@click.option("--since", type=PastMoment(), help="Only what happened since then.")
@click.option(
    "--user",
    "who",
    type=ObjectName(USER, is_filter=True),
    metavar="NAME",
    help="Only this user.",
)
def learn(choices: Choices, since: int | Ago | None, who: str | None) -> None:
    """Print the commands that grant exactly what was used while the queue manager was in mode
    warn.
    """
    with opened_queue_manager(choices) as qmgr:
        begin = moment(since, qmgr.store, choices) or 0
        inform_about_removed(
            choices,
            qmgr.store,
            "what was used before is not known",
            since=begin,
            qmgr=qmgr.name,
        )
        learnt = authority_use.learnt(qmgr, begin, who)
    print_rows(
        choices.format, (_record_row(each, "AUTHADD") for each in learnt), map(mqsc_of, learnt)
    )
    if not learnt:
        choices.inform("mqsc: nothing was recorded; use `mqsc auth mode warn` and run the programs")


def _record_row(record: Cure, change: str) -> dict[str, Any]:
    """A change of an authority record: what it is about, and the command."""
    kind, name = record.entity
    return {
        "type": record.type,
        "profile": record.profile,
        "entity_type": kind,
        "entity": name,
        "words": [*record.words],
        "command": mqsc_of(record, change),
    }


@command(reads=True)
@click.option(
    "--days",
    type=click.IntRange(min=1),
    metavar="N",
    default=30,
    show_default=True,
    help="How far back to look.",
)
def unused(choices: Choices, days: int) -> None:
    """Print the commands that take away authorities on queues that no program used: a hint, not a
    proof.

    Opens and puts count. What commands needed, such as DSP, is not recorded and never printed. Days
    of which events were archived and removed are refused: authorities used there would be printed.
    """
    with opened_queue_manager(choices) as qmgr:
        _require_events(qmgr, days)
        unused_records = authority_use.unused(qmgr, days)
    rows = (_record_row(each, "AUTHRMV") for each in unused_records)
    print_rows(choices.format, rows, (mqsc_of(each, "AUTHRMV") for each in unused_records))
    choices.inform(
        f"mqsc: in the last {days} days, these were not used"
        if unused_records
        else "mqsc: all of it was used",
    )


def _require_events(qmgr: QueueManager, days: int) -> None:
    """CommandFailedError, with what would be right, if events of the last days may be missing."""
    removed = missed(qmgr.store, qmgr.now() - days * UNITS["d"], qmgr.name)
    if not removed:
        return
    possible = _days_with_events(qmgr, removed)
    cure = (
        f"ask for what the history has: --days {possible}"
        if possible
        else "the history has less than one day; mqsc archive --keep DAYS keeps more"
    )
    raise CommandFailedError(
        f"{removed_events(removed)}: what was used in the last {counted(days, 'day')} is not "
        f"known; {cure}",
    )


def _days_with_events(qmgr: QueueManager, removed: int) -> int:
    """The number of whole days up to now of which all events are there."""
    kept = events(qmgr.store, EventSelection(qmgr=qmgr.name), first=removed + 1)
    first = next(iter(kept), None)
    return 0 if first is None else max(0, (qmgr.now() - first.at - 1) // UNITS["d"])
