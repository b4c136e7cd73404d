"""The audit of a store: its messages and queues in one state, then its events up to that state,
page by page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from mqsc.store.admin import archiving, event_search, read_only_store
from mqsc.store.engine.state import StoreState
from mqsc.store.environment import Environment
from mqsc.store.past import accounts, event_checks, explained_findings, pages, state_comparison
from mqsc.store.past.clocks import number_at, owners_by_clock
from mqsc.store.sql import maintenance, search
from mqsc.store.sqlite.database import Reading

# Events in one read.
PAGE = 5_000
_FEW = 3
# Later than every event.
_NEVER = 1 << 62
# The most messages for which the numbers of events are looked up.
MOST_MESSAGES = 1_000

# A time (microseconds UTC), or one for each queue manager.
Times = int | Mapping[str, int]


class AuditResult(NamedTuple):
    """What an audit found, the sums of queues, and which events it read."""

    findings: list[state_comparison.Finding]
    sums: list[accounts.QueueSums]
    first: int
    last: int


class Span(NamedTuple):
    """The events that the sums of some owners are about: those from number `begin` to before `end`.

    `owners` are queue managers and groups with one clock; None stands for all others.
    """

    owners: Collection[str] | None
    begin: int
    end: int


def audit(store: StoreState, since: Times | None = None, until: Times | None = None) -> AuditResult:
    """Compare the history with the messages that are there. `since`, `until`: the time that the
    sums are about.

    Each is one time for all clocks, or one for each queue manager by its own clock. The whole
    history is read in any case; nothing is changed.
    """
    with (
        nullcontext()
        if store.path is None or store.is_untouched
        else archiving.pruning_prevented(store.path)
    ):
        there = _state(store)
        spans = _spans(store, since, until, there)
        accounting = accounts.Audit(there)
        sums: list[accounts.QueueSums] = []
        for first, last in _ranges(
            there.pruned + 1,
            there.last,
            *(moment for span in spans for moment in span[1:]),
        ):
            sums += _bound(accounting, spans, first, there)
            accounting.take(_page(store, first, last))
        sums += _bound(accounting, spans, there.last + 1, there)
        accounting.end()
        wanted = list(
            dict.fromkeys(
                finding.msg_id for finding in accounting.findings if finding.msg_id is not None
            ),
        )
        numbers = _events_of(store, wanted[:MOST_MESSAGES], there)
        findings = list(
            explained_findings.explained(
                accounting.findings, numbers, lambda finding: _range_of(spans, finding)
            ),
        )
        begin = max(min(span.begin for span in spans), there.pruned + 1)
        return AuditResult(findings, sorted(sums, key=lambda total: total[:2]), begin, there.last)


def _bound(
    accounting: accounts.Audit,
    spans: Sequence[Span],
    seq: int,
    there: state_comparison.StateThere,
) -> Iterator[accounts.QueueSums]:
    """Begin the spans that begin with an event, and take the sums of those that end before it."""
    is_after_all = seq > there.last
    named = [name for span in spans for name in span.owners or ()]
    for span in spans:
        is_own = _membership(span, named)
        if span.begin == seq or (is_after_all and span.begin > seq):
            accounting.begin(is_own)
        if span.end == seq:
            yield from accounting.sums(is_own)
        elif is_after_all and span.end > seq:
            yield from accounting.sums(is_own, there.numbers())


def _membership(span: Span, named: Collection[str]) -> Callable[[str], bool]:
    owners = span.owners
    return (lambda owner: owner not in named) if owners is None else (lambda owner: owner in owners)


def _range_of(spans: Sequence[Span], finding: state_comparison.Finding) -> range:
    """The numbers of the events about which a finding is shown."""
    chosen = [span for span in spans if span.owners is not None and finding.qmgr in span.owners]
    chosen = chosen or [span for span in spans if span.owners is None or not finding.qmgr]
    return range(min(each.begin for each in chosen), max(each.end for each in chosen))


def faults_of_history(path: str) -> list[str]:
    """Which events are missing or wrong by themselves, in words and a few of them, for an error
    that they explain.
    """
    faults: list[str] = []
    untouched = read_only_store.can_be_read_as_it_is(path)
    opened = read_only_store.opened_to_read(path, Environment.system(), untouched=untouched)
    with opened as store:
        archive = store.read(maintenance.archiving)
        for first, last in _ranges(
            archive.pruned + 1 if archive else 1,
            store.read(maintenance.history).last,
        ):
            calls, others = store.read(pages.page, first, last)
            if len(calls[0]) + len(others) <= last - first:
                faults.append(f"of the events {first} to {last} some are missing")
            faults += [
                f"event {event.seq}: {each}"
                for event in others
                for each in event_checks.checked(event)[0]
            ]
            if len(faults) >= _FEW:
                break
    return faults[:_FEW]


def _ranges(first: int, last: int, *bounds: int) -> Iterator[tuple[int, int]]:
    """Ranges of at most PAGE numbers, which end before these bounds."""
    while first <= last:
        end = min([first + PAGE - 1, last, *(bound - 1 for bound in bounds if bound > first)])
        yield first, end
        first = end + 1


def _page(store: StoreState, first: int, last: int) -> accounts.Page:
    # No read transaction outlives a page.
    with Reading(store.database) as reading:
        calls, others = pages.page(reading, first, last)
    return accounts.Page(first, last, calls[0], zip(*calls, strict=True), others)


def _state(store: StoreState) -> state_comparison.StateThere:
    with Reading(store.database, one_state=True) as reading:
        history = maintenance.history(reading)
        archive = maintenance.archiving(reading)
        return state_comparison.StateThere(
            [state_comparison.MessageThere._make(row) for row in search.messages_there(reading)],
            [state_comparison.QueueThere._make(row) for row in search.queues_there(reading)],
            0 if archive is None else archive.pruned,
            history.last,
            history.counter,
        )


def _spans(
    store: StoreState,
    since: Times | None,
    until: Times | None,
    there: state_comparison.StateThere,
) -> list[Span]:
    """The spans between two times, which begin and end with other events for every clock."""
    clocks: list[set[str] | None] = [*owners_by_clock(store), None]
    spans = []
    for owners in clocks:
        begin, end = (_number_at(store, each, owners, there.last) for each in (since, until))
        first = 0 if begin is None else begin + 1
        spans.append(Span(owners, first, _NEVER if end is None else max(end, there.pruned) + 1))
    return spans


def _number_at(
    store: StoreState,
    at: Times | None,
    owners: set[str] | None,
    last: int,
) -> int | None:
    """The number of the last event of these owners before a time by their clock."""
    if at is None:
        return None
    if isinstance(at, int):
        time = at
    else:
        # Others are queue managers that were deleted, whose clocks are not known.
        time = next(
            (at[owner] for owner in sorted(owners or ()) if owner in at),
            max(at.values(), default=0),
        )
    if owners is not None:
        return min(number_at(store, time, owners), last)
    before = event_search.newest(store, event_search.EventSelection(until=time), 1, last=last)
    return before[-1].seq if before else 0


def _events_of(
    store: StoreState,
    msg_ids: list[bytes],
    there: state_comparison.StateThere,
) -> dict[bytes, list[tuple[int, str, str, str | None]]]:
    events: dict[bytes, list[tuple[int, str, str, str | None]]] = {}
    texts = [msg_id.hex().upper() for msg_id in msg_ids if isinstance(msg_id, bytes)]
    for first in range(there.pruned + 1, there.last + 1, PAGE) if texts else ():
        with Reading(store.database) as reading:
            for msg_id, *event in search.events_of_messages(
                reading,
                texts,
                first,
                min(first + PAGE - 1, there.last),
            ):
                events.setdefault(msg_id, []).append(tuple(event))
    return events
