"""What `mqsc whatif` plays: the recorded calls on a copy of the store, as they were or with changes,
some at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mqsc.console.target import CommandFailedError
from mqsc.dlq import rules_table
from mqsc.dlq.handler import HANDLER_OPEN_OPTIONS, Handler
from mqsc.script import run
from mqsc.store.admin import expiry, history, load, put_preview
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.past.calls import RecordedCall, changed_attributes, recorded_calls
from mqsc.store.past.clocks import Moment
from mqsc.store.past.replay import Departure, Intent, Replay, open_copy
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sql import past
from mqsc.store.sqlite.disk_map import DiskMap


class Changes(NamedTuple):
    """What is tried: MQSC commands, a rules table for the dead-letter queue, microseconds
    between two REFRESH.
    """

    commands: Sequence[str]
    rules: rules_table.RulesTable | None
    refresh: int | None


class Period(NamedTuple):
    """The calls of `store` after the moment `since`, up to `until`, and the queue manager that the
    changes are for.

    `owners`: the queue managers, and their groups, that have the same clock as that one.
    """

    store: Store
    since: Moment
    until: Moment
    qmgr: str
    owners: set[str]

    def calls(self) -> Iterator[RecordedCall]:
        """The calls, read anew each time: there may be more than memory has room for."""
        selection = EventSelection()
        first, last = self.since.seq + 1, self.until.seq
        return recorded_calls(events(self.store, selection, first=first, last=last))


class Owners(NamedTuple):
    """A queue manager, and its queue-sharing group, or blank."""

    qmgr: str
    group: str


class Trial:
    """A replay on a copy of the store in `file`, which may begin with changes.

    Without `intent` it finds out what programs asked for; with that of such a trial, they ask for
    the same.
    """

    def __init__(
        self,
        file: str,
        period: Period,
        changes: Changes,
        intent: Intent | None = None,
    ) -> None:
        self.copy = open_copy(file, period.since.at)
        self._period = period
        self.replay = Replay(period.store, self.copy, period.since.seq, intent)
        self.played = 0
        try:
            self._begin(changes)
        except BaseException:
            self.close()
            raise

    def _begin(self, changes: Changes) -> None:
        self.replay.prepare(self._period.calls())
        self._qmgr = self.copy.queue_manager(self._period.qmgr)
        with self.copy.database.one_transaction():
            self.replay.kept |= _changed(self._qmgr, changes.commands)
            self.depths = {each.name: each.depth for each in load.load(self._qmgr).queues}
            self.owners = Owners(self._qmgr.name, self._qmgr.row().sharing_group)
            self.shared = self._shared()
            self._work = Schedule(self.replay, self._qmgr, self._period, changes)
        self.first = self._seen = self.copy.bound().seq + 1

    def _shared(self) -> set[str]:
        """The names of the queues of the group."""
        group = self.owners.group
        return {name for owner, name, *_ in self.copy.read(past.local_queues) if owner == group}

    def play(self, calls: Iterable[RecordedCall]) -> None:
        """Play the next calls, and what is due before each."""
        with self.copy.database.one_transaction():
            for call in calls:
                self._work.before(call)
                if not self._work.replaces(call):
                    self.replay.play(call)
                    self._work.after()

    def finish(self) -> None:
        """Do what is due after the last call; expired messages that are still there are
        discarded.
        """
        until = self._period.until.at
        with self.copy.database.one_transaction():
            self._work.until(until)
            self.replay.at(until)
            if self._qmgr.is_running:
                expiry.refresh_expiry(self._qmgr)

    def new_events(self) -> Iterator[TracedEvent]:
        """The events that were made since the last time."""
        for event in events(self.copy, EventSelection(), first=self._seen):
            self._seen = event.seq + 1
            yield event

    def departures(self) -> list[Departure]:
        """Where programs would have gone on differently since the last time."""
        departed = self.replay.result.departures[:]
        self.replay.result.departures.clear()
        return departed

    def skipped(self) -> Counter[int]:
        """How many calls of each connection were not played since the last time."""
        counts = self.replay.result.skipped.copy()
        self.replay.result.skipped.clear()
        return counts

    def close(self) -> None:
        """Close the copy."""
        self.replay.close()
        self.copy.close()


def _changed(qmgr: QueueManager, commands: Iterable[str]) -> set[tuple[str, str, str]]:
    """Give the commands; the attributes that they changed."""
    first = qmgr.store.bound().seq + 1
    for command in commands:
        for reply in run(qmgr, command):
            if reply.completion:
                raise CommandFailedError(f"{command}: {reply.text}")
    change_events = events(qmgr.store, EventSelection(), first=first)
    return {
        (event.target or "", event.queue or "", word)
        for event in change_events
        for word in changed_attributes(event.detail)
    }


class Schedule:
    """What happens between the recorded calls if the changes say so: scans, and the dead-letter
    handler.
    """

    def __init__(
        self,
        replay: Replay,
        qmgr: QueueManager,
        period: Period,
        changes: Changes,
    ) -> None:
        self._replay = replay
        self._qmgr = qmgr
        self._owners = period.owners
        self._refresh = changes.refresh
        self._due = period.since.at + (changes.refresh or 0)
        self._scans = any(word == "EXPRYINT" for _, _, word in replay.kept)
        self._handler: Handler | None = None
        self._queue = qmgr.row().dead_letter_queue
        # Events that the handler knows, and units of work that put dead letters.
        self._seen, self._units = qmgr.store.bound().seq, set[int | None]()
        self._table = changes.rules
        self._others = DiskMap(bool)
        if changes.rules is not None:
            _note_handlers(period.calls(), self._others)

    def before(self, call: RecordedCall) -> None:
        """Do what is due before a call; the time of another clock says nothing."""
        if call.event.qmgr in self._owners:
            self.until(call.event.at)

    def until(self, at: int) -> None:
        """Scan when it is due, up to a time."""
        while self._refresh is not None and self._due <= at:
            self._replay.at(self._due)
            if self._qmgr.is_running:
                expiry.refresh_expiry(self._qmgr)
            self._due += self._refresh
        while self._scans and self._qmgr.is_running:
            due = expiry.timer(self._qmgr).due
            if due is None or due > at:
                return
            self._replay.at(due)
            expiry.scan(self._qmgr)

    def replaces(self, call: RecordedCall) -> bool:
        """Whether a call is left out, because something else happens instead."""
        if call.kind == "scan":
            return self._scans if call.event.cause == "interval" else self._refresh is not None
        return (call.event.connection,) in self._others

    def after(self) -> None:
        """Have the handler look when a dead letter has arrived: one that the history has, or
        that the changes made.
        """
        if self._table is None or not self._qmgr.is_running:
            return
        new_events = list(events(self._qmgr.store, EventSelection(), first=self._seen + 1))
        self._seen += len(new_events)
        self._units |= {
            each.unit for each in new_events if (each.kind, each.queue) == ("PUT", self._queue)
        }
        arrived = self._units & {None, *(each.unit for each in new_events if each.kind == "COMMIT")}
        self._units -= arrived
        self._units -= {each.unit for each in new_events if each.kind == "BACKOUT"}
        if self._handler is None:
            self._handler = self._opened(self._table)
        elif not arrived:
            return
        self._handler.run(lambda: True)

    def _opened(self, table: rules_table.RulesTable) -> Handler:
        """The handler of the dead-letter queue; its retries follow at once, because no time
        passes while it runs.
        """
        control = type(table.control)(self._queue, "", 0, 0, table.control.line)
        own = put_preview.leads_to(self._qmgr, self._queue)
        queue = self._qmgr.connect("runmqdlq").open(
            self._queue,
            int(HANDLER_OPEN_OPTIONS),
            dynamic_name=None,
        )
        return Handler(
            queue,
            rules_table.RulesTable(control, table.rules, table.file, table.wide),
            lambda _: None,
            leads_back=lambda *target: put_preview.leads_to(self._qmgr, *target) == own,
            times_moved=lambda descriptor, target: history.times_moved(
                self._qmgr,
                own,
                descriptor,
                target=target,
            ),
        )


def _note_handlers(calls: Iterable[RecordedCall], connections: DiskMap[bool]) -> None:
    """Note the connections of dead-letter handlers."""
    for call in calls:
        for event in (*call.events, *call.before):
            if event.cause == "handler" and event.connection is not None:
                connections[(event.connection,)] = True
