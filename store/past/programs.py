"""The programs of an open copy of a store, by their recorded numbers (`store.past.replay`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.store.client.call_guard import GuardedConnection
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC
from mqsc.store.engine import closing, message_outcomes, name_resolution, queue_removal, units
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.dynamic_queues import DEFINITION_TYPES
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.engine.name_resolution import Unresolved
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.mqi.state import HandleState, Opened, call_context
from mqsc.store.past.calls import RecordedCall, member_of
from mqsc.store.past.commands import queue_of, row_of
from mqsc.store.rules.message_trace import TracedEvent, skip_of
from mqsc.store.rules.opening import BROWSE, INPUT, INPUT_SHARED, handle_use
from mqsc.store.sql import connections, history, queues, units_of_work
from mqsc.store.sql.managers import ENDED
from mqsc.store.sql.rows import UNIT_BITS, ConnectionRow
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.disk_map import DiskMap

# So many programs are kept in memory, even if they have nothing open.
MOST_PROGRAMS = 200


class Program(Struct):
    """A connection: its handles by their recorded numbers, and those for puts by queue."""

    state: GuardedConnection
    handles: dict[int, HandleState] = field(default_factory=dict)
    puts: dict[str, HandleState] = field(default_factory=dict)
    # Messages that had been backed out before, with the unit of work in which a consumer decided
    # about them.
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
            resolved = name_resolution.resolve(
                reading,
                call_context(reading, self.state).qmgr,
                queue,
                "",
            )
        if isinstance(resolved, Unresolved):
            raise MQError(resolved.reason, queue)
        return HandleState(self.state, Opened(0, queue, options, resolved))

    def for_input(self, queue: str) -> HandleState:
        """The handle that it last opened to get from a queue, or one for one call."""
        for handle in reversed(self.handles.values()):
            opened = handle.destination
            if (
                handle.is_open
                and opened is not None
                and opened.queue.name == queue
                and handle.options & INPUT
            ):
                return handle
        return self.unregistered(queue, INPUT_SHARED | BROWSE)

    @property
    def is_idle(self) -> bool:
        """Whether it has nothing open that must be remembered."""
        return not self.handles and not self.dealt_with and not self.state.unit.is_open


class IdleProgram(NamedTuple):
    """A connection that has nothing open: what must be known to go on with it."""

    qmgr: str
    run: int
    application: str
    user: str
    connected_at: int
    is_followed: bool


class Programs:
    """The programs of an open copy of a store, by the recorded numbers of their connections.

    The history does not say when a program disconnects. So of many that have nothing open, what is
    known of them is on disk.
    """

    def __init__(self, copy: Store) -> None:
        self._copy = copy
        self._known: dict[int, Program] = {}
        self._idle = DiskMap(IdleProgram)
        self._most = MOST_PROGRAMS

    def close(self) -> None:
        """Remove what is on disk."""
        self._idle.close()

    def known(self, number: int | None) -> Program | None:
        """The program with that connection, if it has connected."""
        found = self._known.get(number or 0)
        return self._back_from_disk(number or 0) if found is None else found

    def follows(self, number: int | None) -> bool:
        """Whether the program with that connection is followed, as a new one is."""
        program = self._known.get(number or 0)
        if program is not None:
            return program.is_followed
        idle = self._idle.get((number or 0,))
        return idle is None or idle.is_followed

    def _back_from_disk(self, number: int) -> Program | None:
        idle = self._idle.pop((number,))
        if idle is None:
            return None
        program = self._connected(number, idle)
        program.is_followed = idle.is_followed
        return program

    def _connected(self, number: int, who: IdleProgram) -> Program:
        qmgr = QueueManagerState(self._copy, who.qmgr)
        of_run = {
            "qmgr": who.qmgr,
            "run": who.run,
            "process": self._copy.register_process(),
            "connected_at": who.connected_at,
        }
        with Transaction(self._copy.database, durable=False) as tx:
            named = {"application": who.application, "user": who.user}
            connections.add(tx, {"id": number, **of_run, **named})
        state = GuardedConnection(qmgr, number, who.run, who.application, who.user)
        # Recorded events end it. The number may come back in another object.
        state.stay_when_collected()
        program = self._known[number] = Program(state)
        return program

    def put_idle_aside(self) -> None:
        """Keep on disk what is known of programs that have nothing open, if there are many."""
        if len(self._known) <= self._most:
            return
        idle = [number for number, each in self._known.items() if each.is_idle]
        with Transaction(self._copy.database, durable=False) as tx:
            for number in idle:
                row = connections.by_id(tx, number)
                if row is not None:
                    self._idle[(number,)] = _idle(self._known.pop(number), row)
                    connections.drop(tx, number)
        self._most = max(MOST_PROGRAMS, 2 * len(self._known))

    def of(self, event: TracedEvent) -> Program:
        """The program of an event, connected when it is first needed; MQError if its queue
        manager has ended.
        """
        number = event.connection or 0
        program = self.known(number)
        if program is not None:
            return program
        name = member_of(event)
        row = QueueManagerState(self._copy, name).row()
        refuse_if(row.state == ENDED, MQRC.Q_MGR_NOT_AVAILABLE, name)
        application, user = event.application or "", event.user or ""
        who = IdleProgram(name, row.run, application, user, event.at, is_followed=True)
        return self._connected(number, who)

    def forget(self, qmgr: str) -> None:
        """The connections to a queue manager that ended are gone."""
        self._known = {
            number: each for number, each in self._known.items() if each.state.qmgr.name != qmgr
        }
        self._idle.remove_where(lambda each: each.qmgr == qmgr)

    # What was open before the first call.

    def reopen(self, tx: Transaction, number: int, event: TracedEvent) -> int | None:
        """Open the handle again that an OPEN describes; its number in the copy, None if the name
        leads nowhere.
        """
        program = self.of(event)
        call = call_context(tx, program.state)
        resolved = name_resolution.resolve(tx, call.qmgr, event.queue or "", "")
        if isinstance(resolved, Unresolved):
            return None
        options = int(event.detail["options"])
        by_default = bool(resolved.queue.default_exclusive)
        shareable = bool(resolved.queue.shareable)
        use = handle_use(options, default_exclusive=by_default, shareable=shareable)
        queues.count_handles(
            tx,
            resolved.queue.id,
            call.qmgr.name,
            use.input,
            use.exclusive,
            use.output,
        )
        about = {
            "object_name": event.queue,
            "object_type": resolved.opened.type,
            "queue": resolved.queue.id,
        }
        owner = {
            "connection": event.connection,
            "qmgr": call.qmgr.name,
            "options": options,
            "opened_at": event.at,
        }
        handle = connections.open_handle(tx, {**owner, **about, **use._asdict()}, ())
        program.add(number, Opened(handle, event.queue or "", options, resolved))
        return handle

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

    def _recover(
        self,
        tx: Transaction,
        context: CallContext,
        _: TracedEvent,
        __: RecordedCall,
    ) -> list[Effect]:
        history.append(tx, context.event("RECOVER"))
        return []

    def _close(
        self,
        tx: Transaction,
        context: CallContext,
        event: TracedEvent,
        call: RecordedCall,
    ) -> list[Effect]:
        handle = self.of(event).handles.pop(event.detail["handle"], None)
        row = None if handle is None else connections.handle_by_id(tx, handle.number)
        if handle is None or row is None:
            return []
        handle.is_open = False
        handle.connection.handles.pop(handle.number, None)
        effects = closing.close(tx, context, row, deletes=closing.DELETES in event.detail)
        queue = queue_of(tx, event) if _deletes(call, event) else None
        if queue is None or queue.definition_type not in DEFINITION_TYPES.values():
            return effects
        queue_removal.delete_dynamic(tx, context, queue)
        return []

    def _commit(
        self,
        tx: Transaction,
        context: CallContext,
        event: TracedEvent,
        call: RecordedCall,
    ) -> list[Effect]:
        unit, owner = event.unit or 0, self.known((event.unit or 0) >> UNIT_BITS)
        if owner is None or not owner.is_followed:
            return []
        got = {message.msg_id: message.id for message in units_of_work.got(tx, unit)}
        message_outcomes.account_for_some(tx, context, unit, owner.state.unit.outcomes)
        for earlier in call.before:
            if (earlier.unit, earlier.msg_id) in owner.dealt_with:
                continue
            if earlier.msg_id in got:
                message_outcomes.account_for_some(
                    tx, context, unit, [(got[earlier.msg_id], _outcome(earlier))]
                )
            else:
                history.append(tx, row_of(earlier))
        units.commit_unit(
            tx,
            context,
            unit,
            recorded=True,
            on_shared=bool(context.qmgr.sharing_group),
        )
        _leave(owner, unit)
        return []

    def _back(
        self,
        tx: Transaction,
        context: CallContext,
        event: TracedEvent,
        _: RecordedCall,
    ) -> list[Effect]:
        # Another program may resolve it.
        unit, owner = event.unit or 0, self.known((event.unit or 0) >> UNIT_BITS)
        skip, kept = skip_of(event.detail), event.detail.get("kept message")
        marked = 0 if owner is None or not skip else owner.state.unit.marked
        carried = skip.unit if skip else 0
        cause = event.cause or "application"
        units.back_out(tx, context, unit, cause, skipping=marked, carried_to=carried, kept=kept)
        if owner is not None:
            _leave(owner, unit)
            if marked:
                owner.state.unit.serial = carried - 1
                owner.state.unit.begin()
                owner.state.unit.count = 1
        return []


def _idle(program: Program, row: ConnectionRow) -> IdleProgram:
    return IdleProgram(
        row.qmgr,
        row.run,
        row.application,
        row.user,
        row.connected_at,
        program.is_followed,
    )


_ENDINGS: Mapping[str, Callable[..., list[Effect]]] = {
    "RECOVER": Programs._recover,
    "CLOSE": Programs._close,
    "COMMIT": Programs._commit,
    "BACKOUT": Programs._back,
}


def _deletes(call: RecordedCall, event: TracedEvent) -> bool:
    """Whether a CLOSE deleted its dynamic queue: because its program asked for that, or an earlier
    close did that left the queue to those who had it open.
    """
    key = event.qmgr, event.queue
    closes = [each for each in call.events if (each.qmgr, each.queue) == key]
    return closes[-1] is event and any(
        each.kind == "DELETE" and (each.qmgr, each.queue) == key for each in call.caused
    )


def _leave(owner: Program, unit: int) -> None:
    if owner.dealt_with:
        owner.dealt_with = {each for each in owner.dealt_with if each[0] != unit}
    if owner.state.unit.number == unit:
        owner.state.unit.reset()


def _outcome(event: TracedEvent) -> MessageOutcome:
    detail = {word: value for word, value in event.detail.items() if word != "member"}
    return MessageOutcome(
        event.kind,
        event.cause or "",
        event.target,
        event.reason,
        event.rule,
        detail or None,
    )
