"""The puts that other events of a message lead back to, read from the history."""

from collections.abc import Callable, Iterator

from mqsc.store.admin.event_search import EventIndex, EventSelection, events, newest
from mqsc.store.engine.state import StoreState
from mqsc.store.rules import event_index
from mqsc.store.rules.message_trace import TracedEvent, event_of, is_same_put, subject_of, undone_by
from mqsc.store.sql import search

_PUT = frozenset({"PUT"})
_CALLS = frozenset({"PUT", "GET"})
# How far from the event of a trigger the put of its message is: one arrival may fire several, with
# copies and event messages between them.
_BESIDE = 64

_UNLIMITED = -1


def _forget(_: TracedEvent) -> None:
    pass


class MessagePuts:
    """Finds the PUT events that events of one store lead back to."""

    def __init__(self, store: StoreState) -> None:
        self._store = store

    def of(
        self,
        event: TracedEvent,
        learn: Callable[[TracedEvent], object] = _forget,
    ) -> TracedEvent | None:
        """The put of the message that an event is about, before it.

        Where the message was when the event happened, else the last one; None if the history has
        none. `learn` is called with every put that had to be read: nearby events most often lead
        back to them.
        """
        subject = subject_of(event)
        if subject is None:
            return None
        wanted = event_index.Wanted(([event_index.of_id(subject)],))
        ranges = EventIndex(self._store).ranges(wanted, last=event.seq - 1, newest_first=True)
        for first, last in ranges:
            values = {"kinds": sorted(_PUT)}
            puts = [
                event_of(row)
                for row in self._store.read(search.search, first, last, values, _UNLIMITED)
            ]
            for put in puts:
                learn(put)
            about = [each for each in puts if subject_of(each) == subject]
            there = [each for each in about if is_same_put(each, event)]
            if about:
                return (there or about)[-1]
        return None

    def publication(self, qmgr: str, number: int) -> TracedEvent | None:
        """The PUBLISH with that number; None if the history no longer has it."""
        values = {"kinds": ["PUBLISH"]}
        rows = self._store.read(search.search, number, number, values, 1)
        found = (each for each in map(event_of, rows) if each.qmgr == qmgr)
        return next(found, None)

    def firing(self, trigger: TracedEvent) -> TracedEvent | None:
        """The last put on the queue of a trigger event before it: by the connection that caused
        the trigger, if that put there.
        """
        selection = EventSelection(queue=trigger.queue, qmgr=trigger.qmgr, kinds=_PUT)
        if trigger.connection is not None:
            own = selection._replace(connection=trigger.connection)
            for put in newest(self._store, own, 1, last=trigger.seq - 1):
                return put
        return next(iter(newest(self._store, selection, 1, last=trigger.seq - 1)), None)

    def made_by(self, trigger: TracedEvent) -> TracedEvent | None:
        """The put of the trigger message that a trigger event is about, in the same transaction;
        None if it was not recorded.
        """
        first, last = trigger.seq - _BESIDE, trigger.seq + _BESIDE
        rows = self._store.read(search.events, first, last, [trigger.msg_id or b""], [])
        beside = (each for each in map(event_of, rows) if each.kind == "PUT")
        return next((each for each in beside if each.msg_id == trigger.msg_id), None)

    def fired_by(self, put: TracedEvent, last: int) -> Iterator[TracedEvent]:
        """The trigger events that a put fired, of those up to number `last`."""
        selection = EventSelection(
            queue=put.queue,
            qmgr=put.qmgr,
            kinds=frozenset({"TRIGGER", "TRIGGER_LOST"}),
        )
        for trigger in events(self._store, selection, first=put.seq + 1, last=last):
            if trigger.queue != put.queue:
                # A trigger message that came to this queue.
                continue
            if self.firing(trigger) != put:
                return
            yield trigger

    def undone_by(self, backout: TracedEvent) -> Iterator[TracedEvent]:
        """The puts and gets that the backout of a unit of work undid."""
        if backout.unit is None:
            return iter(())
        selection = EventSelection(unit=backout.unit, kinds=_CALLS)
        return undone_by(backout, events(self._store, selection, last=backout.seq - 1))
