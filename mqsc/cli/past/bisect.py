"""`mqsc bisect`: the event after which a DISPLAY first, or last, had an answer, found in states
of the past.
"""

from collections.abc import Iterator, Sequence

import click

from mqsc.cli.past.bisect_search import MOST_STATES, Owners, PastDisplay, Search
from mqsc.console.json_rows import print_data
from mqsc.console.object_names import remember_object_of
from mqsc.console.options import Choices, command
from mqsc.console.parameters import UNITS, Ago, PastMoment
from mqsc.console.target import CommandFailedError, failing, opened_queue_manager
from mqsc.console.terminal import columns, printable, wrapped
from mqsc.console.text.reasons import counted
from mqsc.history.event_text import row_of, what_happened
from mqsc.history.output import HistoryText
from mqsc.history.period import period
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.script import commands_in, read_request
from mqsc.store.admin.archiving import archived_to
from mqsc.store.admin.event_search import EventSelection, events, newest
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine.state import StoreState
from mqsc.store.past.clocks import number_at, owners_with_clock
from mqsc.store.rules.message_trace import TracedEvent

# How many of the events before it are shown.
_SHOWN = 20


@command(reads=True)
@click.argument("display", nargs=-1, required=True, metavar="DISPLAY")
@click.option(
    "--last",
    is_flag=True,
    help="The event after which it no longer had an answer, for the last time.",
)
@click.option("--since", type=PastMoment(), help="Only events at or after this time.")
@click.option("--until", type=PastMoment(), help="Only events before this time.")
def bisect(
    choices: Choices,
    display: tuple[str, ...],
    last: bool,
    since: int | Ago | None,
    until: int | Ago | None,
) -> None:
    """Find the event after which DISPLAY, such as "QLOCAL(ORDERS) WHERE(CURDEPTH GT 100)", first
    had an answer.

    Shows it with its program, unit of work and rule, and the minute before it. The DISPLAY is
    carried out on states of the past, as with --as-of. Definitions, and what WHERE(CURDEPTH ...)
    selects, are followed from event to event: the event found is the one. Otherwise it is found by
    halves, which assumes one change, and this is said. Exit code 10 if it never had an answer.
    """
    from mqsc.store.past.as_of import NoSuchMomentError

    request = _request(" ".join(display))
    remember_object_of(request)
    with opened_queue_manager(choices) as qmgr, failing(NoSuchMomentError):
        search = _search(qmgr, request, *period(since, until, qmgr.store, choices), for_last=last)
        if search.last <= search.first:
            gone = (
                f"; those up to {search.pruned} were archived and removed" if search.pruned else ""
            )
            raise CommandFailedError(f"the history has no event in that time{gone}")
        seq, certain = _event_of_change(search, qmgr.store)
        (event,) = events(qmgr.store, EventSelection(), first=seq, last=seq)
        minute = EventSelection(since=event.at - UNITS["m"])
        before = [
            each
            for each in newest(qmgr.store, minute, _SHOWN * 5, last=seq - 1)
            if search.is_own(each)
        ]
        shown = [*_lines(request, event, before, last=last)]
    states = len(search.display.known) - 1
    row = {
        "last": last,
        "certain": certain,
        "states": states,
        "what": what_happened(event),
        **row_of(event),
    }
    if print_data(choices.format, [{**row, "before": [*map(row_of, before)]}]):
        return
    for line in shown:
        click.echo(line)
    followed = (
        "every change was followed"
        if certain
        else "searched by halves: there may be others if it changed often"
    )
    choices.inform(f"mqsc: {counted(states, 'state')} of the past looked at; {followed}")


def _event_of_change(search: Search, store: StoreState) -> tuple[int, bool]:
    """The number of the event that is searched for, and whether it is certain."""
    changing_event = search.event_of_change(store)
    if changing_event is None:
        raise CommandFailedError(_nothing(search))
    if changing_event[0] <= search.first:
        raise CommandFailedError(
            f"{search.request.text} had an answer before the first of these events already",
        )
    return changing_event


def _request(display: str) -> Request:
    """The DISPLAY that was given, with or without that word; UsageError for anything else."""
    bare = display.strip().rstrip(";")
    text = bare if bare.upper().startswith(("DISPLAY ", "DIS ")) else f"DISPLAY {bare}"
    lines = [*commands_in([text])]
    if len(lines) != 1:
        raise click.UsageError(
            "give one DISPLAY, for example 'QLOCAL(ORDERS) WHERE(CURDEPTH GT 100)'",
        )
    request = read_request(lines[0])
    if isinstance(request, CommandRefusal):
        raise click.UsageError(request.answer(lines[0], None).text)
    return request


def _search(
    qmgr: QueueManager,
    request: Request,
    begin: int | None,
    end: int | None,
    *,
    for_last: bool,
) -> Search:
    store, group = qmgr.store, qmgr.row().sharing_group
    pruned = archived_to(store)[1]
    last = max(store.bound().seq, pruned)
    clock = owners_with_clock(store, qmgr.name)
    first = pruned if begin is None else max(pruned, number_at(store, begin, clock))
    last = last if end is None else number_at(store, end, clock)
    members = {
        each.name for each in store.queue_managers() if group and each.sharing_group == group
    }
    owners = Owners(qmgr.name, group, frozenset(members))
    return Search(PastDisplay(qmgr, request), request, owners, first, last, for_last, pruned)


def _nothing(search: Search) -> str:
    """Why there is no such event."""
    text, looked = search.request.text, len(search.display.known) - 1
    if search.for_last and search.display.has_answer(search.last):
        return f"{text} has an answer after the last of these events, {search.last}, too"
    between = f"between events {search.first} and {search.last}"
    if search.first == search.pruned > 0:
        between += ", where the history begins since events were archived"
    if looked > MOST_STATES:
        return (
            f"{text} had no answer in the {looked} states looked at {between}; --since and --until "
            "look closer"
        )
    return f"{text} never had an answer {between}"


def _lines(
    request: Request,
    event: TracedEvent,
    before: Sequence[TracedEvent],
    *,
    last: bool,
) -> Iterator[str]:
    width, how = columns(), "no longer had" if last else "first had"
    first = printable(f"{request.text} {how} an answer after event {event.seq}:")
    yield from wrapped(first, width, hanging="    ")
    yield from HistoryText(width).lines(event)
    if before:
        yield ""
        more = f", the last {_SHOWN} events" if len(before) > _SHOWN else ""
        yield f"The minute before it{more}:"
        text = HistoryText(width)
        for each in before[-_SHOWN:]:
            yield from text.lines(each)
