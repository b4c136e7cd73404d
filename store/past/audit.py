"""The audit of a store: its messages and queues in one state, then its events up to that state, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import NamedTuple

from store.admin import archiving, event_search
from store.engine.state import StoreState
from store.environment import Environment
from store.past import accounts, pages
from store.sql import maintenance, search
from store.sqlite.database import Reading

# Events in one read.
PAGE = 5_000
_FEW = 3
# The numbers of events are looked up for so many messages at most.
MOST_MESSAGES = 1_000


class AuditResult(NamedTuple):
    """What an audit found, the sums of queues, and which events it read."""

    findings: list[accounts.Finding]
    sums: list[accounts.QueueSums]
    first: int
    last: int


def audit(store: StoreState, since: int | None = None, until: int | None = None) -> AuditResult:
    """Compare the history with the messages that are there. `since`, `until`: the time that the sums are about.

    The whole history is read in any case; nothing is changed.
    """
    with nullcontext() if store.path is None else archiving.pruning_prevented(store.path):
        there = _state(store)
        begin, end = _numbers(store, since, until, there.last)
        end = max(end, there.pruned + 1)
        found = accounts.Audit(there)
        sums = None
        for first, last in _ranges(there.pruned + 1, there.last, begin, end):
            if first == begin:
                found.begin()
            if first == end:
                sums = found.sums()
            found.take(_page(store, first, last))
        if begin > there.last:
            found.begin()
        found.end()
        if sums is None:
            sums = found.sums(there.numbers() if end > there.last else None)
        wanted = list(dict.fromkeys(each.msg_id for each in found.findings if each.msg_id is not None))
        numbers = _events_of(store, wanted[:MOST_MESSAGES], there)
        findings = list(accounts.explained(found.findings, numbers, begin, end))
        return AuditResult(findings, sums, max(begin, there.pruned + 1), there.last)


def faults_of_history(path: str) -> list[str]:
    """Which events are missing or wrong by themselves, in words and a few of them, for an error that they explain."""
    found: list[str] = []
    with event_search.opened_to_read(path, Environment.system()) as store:
        archive = store.read(maintenance.archiving)
        for first, last in _ranges(archive.pruned + 1 if archive else 1, store.read(maintenance.history).last):
            calls, others = store.read(pages.page, first, last)
            if len(calls[0]) + len(others) <= last - first:
                found.append(f"of the events {first} to {last} some are missing")
            found += [f"event {event.seq}: {each}" for event in others for each in accounts.checked(event)[0]]
            if len(found) >= _FEW:
                break
    return found[:_FEW]


def _ranges(first: int, last: int, *bounds: int) -> Iterator[tuple[int, int]]:
    """Ranges of at most PAGE numbers, which end before these bounds."""
    while first <= last:
        end = min([first + PAGE - 1, last, *(each - 1 for each in bounds if each > first)])
        yield first, end
        first = end + 1


def _page(store: StoreState, first: int, last: int) -> accounts.Page:
    # No read transaction outlives a page.
    with Reading(store.database) as reading:
        calls, others = pages.page(reading, first, last)
    return accounts.Page(first, last, calls[0], zip(*calls, strict=True), others)


def _state(store: StoreState) -> accounts.StateThere:
    with Reading(store.database, one_state=True) as reading:
        history = maintenance.history(reading)
        archive = maintenance.archiving(reading)
        return accounts.StateThere(
            [accounts.MessageThere._make(row) for row in search.messages_there(reading)],
            [accounts.QueueThere._make(row) for row in search.queues_there(reading)],
            0 if archive is None else archive.pruned,
            history.last,
            history.counter,
        )


def _numbers(store: StoreState, since: int | None, until: int | None, last: int) -> tuple[int, int]:
    """The number of the first event at or after `since`, and of the one after the last event before `until`."""
    if since is None:
        first = 0
    else:
        before = event_search.newest(store, event_search.EventSelection(until=since), 1, last=last)
        first = before[-1].seq + 1 if before else 0
    if until is None:
        return first, 1 << 62
    found = event_search.newest(store, event_search.EventSelection(until=until), 1, last=last)
    return first, found[-1].seq + 1 if found else 1


def _events_of(
    store: StoreState, msg_ids: list[bytes], there: accounts.StateThere
) -> dict[bytes, list[tuple[int, str, str, str | None]]]:
    found: dict[bytes, list[tuple[int, str, str, str | None]]] = {}
    texts = [each.hex().upper() for each in msg_ids if isinstance(each, bytes)]
    for first in range(there.pruned + 1, there.last + 1, PAGE) if texts else ():
        with Reading(store.database) as reading:
            for msg_id, *event in search.events_of_messages(reading, texts, first, min(first + PAGE - 1, there.last)):
                found.setdefault(msg_id, []).append(tuple(event))
    return found
