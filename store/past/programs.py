"""The programs of a replay (`store.past.replay`): their connections, handles and units of work, and how these end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from store.client.api import Store
from store.client.call_guard import GuardedConnection
from store.constants import MQRC
from store.engine import dequeue, name_resolution, units
from store.engine.delivery import deliver
from store.engine.dequeue import MessageOutcome
from store.engine.history import Effect
from store.engine.name_resolution import Unresolved
from store.engine.state import CallContext, QueueManagerState
from store.error import MQError, refuse_if
from store.mqi.state import HandleState, Opened, call_context
from store.past.calls import RecordedCall, member_of
from store.past.commands import row_of
from store.rules.message_trace import TracedEvent
from store.rules.opening import BROWSE, INPUT, INPUT_SHARED, uses
from store.sql import connections, history, queues, units_of_work
from store.sql.managers import ENDED
from store.sql.rows import UNIT_BITS
from store.sqlite.database import Reading, Transaction


class Program(Struct):
    """A connection: its handles by their recorded numbers, and those for puts by queue."""

    state: GuardedConnection
    handles: dict[int, HandleState] = field(default_factory=dict)
    puts: dict[str, HandleState] = field(default_factory=dict)
    # Messages that had been backed out before, with the unit of work in which a consumer decided about them.
    dealt_with: set[tuple[int | None, bytes | None]] = field(default_factory=set)
    is_followed: bool = True

    def join(self, unit: int | None) -> None:
        """Have the next call join the recorded unit of work."""
        work = self.state.unit
        if unit is not None and work.number != unit:
            work.reset()
            work.serial = unit - 1

    def add(self, number: int, opened: Opened) -> None:
        """Have a handle by its recorded number."""
        handle = HandleState(self.state, opened)
        self.handles[number] = self.state.handles[opened.number] = handle

    def unregistered(self, queue: str, options: int) -> HandleState:
        """A handle for one call, as MQPUT1 makes it; MQError if the name leads nowhere."""
        with Reading(self.state.qmgr.store.database) as reading:
            found = name_resolution.resolve(reading, call_context(reading, self.state).qmgr, queue, "")
        if isinstance(found, Unresolved):
            raise MQError(found.reason, queue)
        return HandleState(self.state, Opened(0, queue, options, found))

    def for_input(self, queue: str) -> HandleState:
        """The handle that it last opened to get from a queue, or one for one call."""
        for handle in reversed(self.handles.values()):
            opened = handle.destination
            if handle.is_open and opened is not None and opened.queue.name == queue and handle.options & INPUT:
                return handle
        return self.unregistered(queue, INPUT_SHARED | BROWSE)


class Programs:
    """The programs of an open copy of a store, by the recorded numbers of their connections."""

    def __init__(self, copy: Store) -> None:
        self._copy = copy
        self._known: dict[int, Program] = {}

    def known(self, number: int | None) -> Program | None:
        """The program with that connection, if it has connected."""
        return self._known.get(number or 0)

    def of(self, event: TracedEvent) -> Program:
        """The program of an event, connected when it is first needed; MQError if its queue manager has ended."""
        number = event.connection or 0
        program = self._known.get(number)
        if program is None:
            name = member_of(event)
            qmgr = QueueManagerState(self._copy, name)
            row = qmgr.row()
            refuse_if(row.state == ENDED, MQRC.Q_MGR_NOT_AVAILABLE, name)
            process = self._copy.register_process()
            with Transaction(self._copy.database, durable=False) as tx:
                who = {"application": event.application or "", "user": event.user or ""}
                of_run = {"qmgr": name, "run": row.run, "process": process, "connected_at": event.at}
                connections.add(tx, {"id": number, **of_run, **who})
            state = GuardedConnection(qmgr, number, row.run, who["application"], who["user"])
            program = self._known[number] = Program(state)
        return program

    def forget(self, qmgr: str) -> None:
        """The connections to a queue manager that ended are gone."""
        self._known = {number: each for number, each in self._known.items() if each.state.qmgr.name != qmgr}

    # What was open before the first call.

    def reopen(self, tx: Transaction, number: int, event: TracedEvent) -> None:
        """Open the handle again that an OPEN describes."""
        program = self.of(event)
        call = call_context(tx, program.state)
        found = name_resolution.resolve(tx, call.qmgr, event.queue or "", "")
        if isinstance(found, Unresolved):
            return
        options = int(event.detail["options"])
        by_default, shareable = bool(found.queue.default_exclusive), bool(found.queue.shareable)
        used = uses(options, default_exclusive=by_default, shareable=shareable)
        queues.count_handles(tx, found.queue.id, call.qmgr.name, used["input"], used["exclusive"], used["output"])
        about = {"object_name": event.queue, "object_type": found.opened.type, "queue": found.queue.id}
        owner = {"connection": event.connection, "qmgr": call.qmgr.name, "options": options, "opened_at": event.at}
        handle = connections.open_handle(tx, {**owner, **about, **used}, ())
        program.add(number, Opened(handle, event.queue or "", options, found))

    def rejoin(self, unit: int, event: TracedEvent) -> None:
        """Give an open unit of work back to its connection, of which this is an event."""
        work = self.of(event).state.unit
        work.serial = work.number = unit
        work.recorded = work.durable = True

    # Units of work end, and handles close.

    def end(self, call: RecordedCall) -> None:
        """Play the end of units of work and handles, with its effects."""
        program = self.of(call.event)
        with Transaction(self._copy.database, durable=False) as tx:
            context = call_context(tx, program.state)
            effects: list[Effect] = []
            for event in call.events:
                effects += _ENDINGS[event.kind](self, tx, context, event, call)
            deliver(tx, context, effects)

    def _recover(self, tx: Transaction, context: CallContext, _: TracedEvent, __: RecordedCall) -> list[Effect]:
        history.append(tx, context.event("RECOVER"))
        return []

    def _close(self, tx: Transaction, context: CallContext, event: TracedEvent, _: RecordedCall) -> list[Effect]:
        handle = self.of(event).handles.pop(event.detail["handle"], None)
        row = None if handle is None else connections.handle_by_id(tx, handle.number)
        if handle is None or row is None:
            return []
        handle.is_open = False
        handle.connection.handles.pop(handle.number, None)
        return units.close(tx, context, row)

    def _commit(self, tx: Transaction, context: CallContext, event: TracedEvent, call: RecordedCall) -> list[Effect]:
        unit, owner = event.unit or 0, self.known((event.unit or 0) >> UNIT_BITS)
        if owner is None or not owner.is_followed:
            return []
        got = {each.msg_id: each.id for each in units_of_work.got(tx, unit)}
        dequeue.account_for_some(tx, context, unit, owner.state.unit.outcomes)
        for each in call.before:
            if (each.unit, each.msg_id) in owner.dealt_with:
                continue
            if each.msg_id in got:
                dequeue.account_for_some(tx, context, unit, [(got[each.msg_id], _outcome(each))])
            else:
                history.append(tx, row_of(each))
        units.commit_unit(tx, context, unit, recorded=True, on_shared=bool(context.qmgr.sharing_group))
        _leave(owner, unit)
        return []

    def _back(self, tx: Transaction, context: CallContext, event: TracedEvent, _: RecordedCall) -> list[Effect]:
        # Another program may resolve it.
        unit, owner = event.unit or 0, self.known((event.unit or 0) >> UNIT_BITS)
        skipped = event.detail.get("skipped message") or {}
        marked = 0 if owner is None or not skipped else owner.state.unit.marked
        carried, kept = int(skipped.get("unit", 0)), event.detail.get("kept message")
        cause = event.cause or "application"
        units.back_out(tx, context, unit, cause, skipping=marked, carried_to=carried, kept=kept)
        if owner is not None:
            _leave(owner, unit)
            if marked:
                owner.state.unit.serial = carried - 1
                owner.state.unit.begin()
                owner.state.unit.count = 1
        return []


_ENDINGS: Mapping[str, Callable[..., list[Effect]]] = {
    "RECOVER": Programs._recover, "CLOSE": Programs._close, "COMMIT": Programs._commit, "BACKOUT": Programs._back,
}  # fmt: skip


def _leave(owner: Program, unit: int) -> None:
    if owner.state.unit.number == unit:
        owner.state.unit.reset()


def _outcome(event: TracedEvent) -> MessageOutcome:
    detail = {word: value for word, value in event.detail.items() if word != "member"}
    return MessageOutcome(event.kind, event.cause or "", event.target, event.reason, event.rule, detail or None)
