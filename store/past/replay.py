"""Plays the recorded calls of a history again, on a copy of the store as it was before them.

Time, users, programs and identifiers are those recorded. A message that the store still has is put
with its data, any other with as many zero bytes; one with a dead-letter header gets a header that
says the same. Names are those of the queues in the end, not of aliases.

A program whose call fails, or whose get receives another message, would have gone on differently:
from then on only its handles are closed when they were, and its units of work backed out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as with_values
from itertools import count
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.store.admin.event_search import EventSelection, events, newest
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.client import consumer
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQMO, MQPMO, MQRC
from mqsc.store.descriptor import NO_ID
from mqsc.store.engine import delivery, dequeue, effects, state
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError, StoreError
from mqsc.store.headers import mqdlh
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi import open, syncpoint
from mqsc.store.mqi.get import get
from mqsc.store.mqi.handles import OpenRequest
from mqsc.store.mqi.put import put
from mqsc.store.mqi.state import HandleState, call_context
from mqsc.store.past import commands, programs, put_again
from mqsc.store.past.calls import OF_HANDLES, RecordedCall, member_of, still_open
from mqsc.store.past.creators import find_creators
from mqsc.store.past.refused_copies import FAILS, RefusedCopy, fate_of, publication_of, withdraw
from mqsc.store.rules.expiry import TENTH, UNLIMITED, capped
from mqsc.store.rules.message_trace import PUBLICATION, TracedEvent
from mqsc.store.rules.opening import OUTPUT, SET_ALL_CONTEXT
from mqsc.store.sql import connections, expiry, maintenance, messages, past
from mqsc.store.sql.rows import UNIT_BITS
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.disk_map import DiskMap

# The kinds of events about messages that the queue manager made.
_CREATING_KINDS = frozenset(
    {"PUT", "TRIGGER", "TRIGGER_LOST", "REPORT", "REPORT_LOST", "DEAD_LETTER"}
)
_MANY = 1_000_000
# Connections for what is not recorded begin here.
_NEW_CONNECTIONS = 1 << 30
_NOBODY = {"run": 0, "process": 0, "application": "", "user": "", "connected_at": 0}
# Identifiers of messages that the queue manager made only this time begin here.
_NEW_IDENTIFIERS = 1 << 62
_NO_LONGER = frozenset({int(MQRC.Q_DELETED), int(MQRC.OBJECT_CHANGED), int(MQRC.HOBJ_ERROR)})


class Departure(NamedTuple):
    """Where a program, or a command, would have gone on differently: `event` is what is recorded of
    the call.

    `reason` is the MQRC with which it would have failed, or 0 for a get that would have received
    `received` instead: the same message if it was moved because it had been backed out too often,
    None if it would have been moved. `fate` is what would have become of a copy of a publication
    that its queue refuses for the reason; its publisher would have gone on as it did.
    """

    event: TracedEvent
    reason: int
    received: bytes | None = None
    fate: str = ""


class Intent(Struct):
    """What programs asked for, as far as a replay without changes shows it; by the numbers of the
    recorded events.

    `chosen`: gets that chose their message, because it was not the first one. `limited`: puts whose
    expiry is just what the queue allows, so that they may have asked for more. `refused`: puts of
    dead letters whose destination refuses them for the reason that they give.
    """

    chosen: set[int] = field(default_factory=set)
    limited: set[int] = field(default_factory=set)
    refused: set[int] = field(default_factory=set)

    def forget(self) -> None:
        """Forget the events that both replays have played."""
        self.chosen.clear()
        self.limited.clear()
        self.refused.clear()


class Replayed(Struct):
    """The result: where programs departed, and how many of the calls of each connection were not
    played after that.
    """

    departures: list[Departure] = field(default_factory=list)
    played: int = 0
    skipped: Counter[int] = field(default_factory=Counter)


class _Numbers:
    """The numbers in generated identifiers: those recorded for a call, then new ones."""

    def __init__(self) -> None:
        self.recorded: list[int] = []
        self._new = count(_NEW_IDENTIFIERS)

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        return self.recorded.pop(0) if self.recorded else next(self._new)


def open_copy(file: str, at: int) -> Store:
    """A copy of a store for a replay; its clocks show a time (microseconds UTC) until the replay
    moves them.
    """
    copy = Store(
        file,
        Environment(FrozenClock(at), "", "", message_numbers=_Numbers()),
        create=False,
    )
    # Who may read the store may try anything on the copy.
    copy.is_administrators = True
    return copy


class Replay:
    """Plays calls on `copy`, an open copy of `original` as it was after the event `seq`.

    Without `intent` it finds out what programs asked for; with that of such a replay, gets and puts
    ask for the same.
    """

    def __init__(
        self,
        original: state.StoreState,
        copy: Store,
        seq: int,
        intent: Intent | None = None,
    ) -> None:
        self.copy = copy
        self.result = Replayed()
        self.intent = intent or Intent()
        self._is_first = intent is None
        self._original = original
        self._seq = seq
        self._programs = programs.Programs(copy)
        self._numbers: _Numbers = copy.environment.message_numbers  # type: ignore[assignment]
        self._messages = put_again.MessagesPut(original, ())
        # The copies that were put of the publication whose copies were put last.
        self._copies: list[TracedEvent] = []
        # Attributes that recorded commands leave alone: kind, name, keyword.
        self.kept: set[tuple[str, str, str]] = set()
        # Messages that consumers moved because they had been backed out too often, by unit of work.
        self._moved = DiskMap(bool)
        # Whether the events of a queue manager were imported.
        self._imported: dict[str, bool] = {}

    # Before the first call: what was open then.

    def prepare(self, calls: Iterable[RecordedCall]) -> None:
        """Open what programs had open, and look which of the messages to put the store still
        has.

        Reads the calls once, and keeps none of them.
        """
        self._messages = put_again.MessagesPut(
            self._original,
            self._with_moves_noted(calls),
            put_again.keys_on_queues(self.copy),
        )
        of_handles = events(self._original, EventSelection(kinds=OF_HANDLES), last=self._seq)
        database = self.copy.database
        with database.one_transaction(), Transaction(database, durable=False) as tx:
            past.close_handles(tx)
            deleted = past.deleted_queues(tx)
            # Programs that had such a queue open open it again.
            past.forget_creators(tx)
            # Connections that are not recorded get greater numbers than those that are.
            connections.drop(
                tx,
                connections.add(tx, {"id": _NEW_CONNECTIONS, "qmgr": "", **_NOBODY}),
            )
            handles: dict[int, int] = {}
            for number, event in still_open(of_handles).items():
                reopened = self._programs.reopen(tx, number, event)
                if reopened is not None:
                    handles[number] = reopened
            find_creators(tx, self._original, self._seq, handles)
            past.mark_as_deleted(tx, [id for _, _, id in deleted])
            self._messages.ask_for_reports(tx)
            for unit in past.open_units(tx):
                newest_event = newest(
                    self._original,
                    EventSelection(connection=unit >> UNIT_BITS),
                    1,
                    last=self._seq,
                )
                if newest_event:
                    self._programs.rejoin(unit, newest_event[0])

    def _with_moves_noted(self, calls: Iterable[RecordedCall]) -> Iterator[RecordedCall]:
        for call in calls:
            if call.kind == "ending":
                for each in call.before:
                    if each.cause == "poison":
                        self._moved[each.unit, each.msg_id] = True
            yield call

    def close(self) -> None:
        """Remove what is on disk beside the copy."""
        self._messages.close()
        self._moved.close()
        self._programs.close()

    # The calls.

    def play(self, call: RecordedCall) -> bool:
        """Play a call; whether it was played, rather than skipped because its program is not
        followed.
        """
        event = call.event
        if not self._programs.follows(event.connection) and call.kind != "ending":
            self.result.skipped[event.connection or 0] += 1
            return False
        self._as_of(event, [*call.before, *call.caused])
        # An event message is not put by a call.
        self.result.played += call.kind != "event message"
        try:
            if self._is_imported(event):
                commands.note(self.copy, call)
            elif call.kind in commands.COMMANDS:
                commands.COMMANDS[call.kind](self.copy, call, self.kept)
            else:
                _PLAYS[call.kind](self, call)
        except (MQError, StoreError) as error:
            self._depart(
                event,
                int(error.reason) if isinstance(error, MQError) else int(MQRC.UNEXPECTED_ERROR),
            )
        if call.kind in ("start", "end"):
            self._programs.forget(event.qmgr)
        self._programs.put_idle_aside()
        return True

    def _is_imported(self, event: TracedEvent) -> bool:
        """Whether it happened at a queue manager elsewhere, and not by a call of this store."""
        if event.qmgr not in self._imported:
            imported = self._original.read(maintenance.is_imported, event.qmgr)
            self._imported[event.qmgr] = imported
        return self._imported[event.qmgr]

    def at(self, moment: int) -> None:
        """Set the clock."""
        self.copy.environment.clock.set(moment)

    def _as_of(self, event: TracedEvent, caused: Iterable[TracedEvent]) -> None:
        self.at(event.at)
        if event.connection is None:
            application, user = event.application or "", event.user or ""
            self.copy.environment = with_values(
                self.copy.environment,
                application=application,
                user=user,
            )
        own, prefix = event.msg_id, b"AMQ " + member_of(event)[:12].ljust(12).encode()
        ids = dict.fromkeys(
            effect.msg_id
            for effect in caused
            if effect.kind in _CREATING_KINDS and effect.msg_id and effect.cause != "stream"
        )
        self._numbers.recorded = [
            int.from_bytes(each[16:], "big")
            for each in ids
            if each != own and each.startswith(prefix)
        ]

    def _depart(self, event: TracedEvent, reason: int, received: bytes | None = None) -> None:
        self.result.departures.append(Departure(event, reason, received))
        program = self._programs.known(event.connection)
        if program is not None and event.connection is not None:
            program.is_followed = False

    def _qmgr(self, event: TracedEvent) -> state.QueueManagerState:
        return state.QueueManagerState(self.copy, member_of(event))

    def _open(self, call: RecordedCall) -> None:
        event, program = call.event, self._programs.of(call.event)
        model = next((event.rule for event in call.before if event.kind == "DEFINE"), None)
        name, options = event.queue or "", int(event.detail["options"])
        opened = open.open_object(
            program.state,
            OpenRequest(model or name, options, dynamic_name=name if model else None),
        )
        program.add(event.detail["handle"], opened)

    def _put(self, call: RecordedCall) -> None:
        event, program = call.event, self._programs.of(call.event)
        if (event.unit, event.msg_id) in program.dealt_with:
            return
        cured = [event for event in call.events if event.reason and self._is_cured(event)]
        if any(event.cause != PUBLICATION for event in cured):
            self._depart(cured[0], 0)
            return
        program.join(event.unit)
        flags = int(
            MQPMO.SET_ALL_CONTEXT | (MQPMO.NO_SYNCPOINT if event.unit is None else MQPMO.SYNCPOINT),
        )
        options = PutMessageOptions(flags)
        for copy in cured:
            self._put_on_destination(copy, options)
        others = [each for each in call.events if each not in cured]
        if others and event.cause == PUBLICATION:
            self._put_copies(others, program, options)
        elif others:
            self._put_all(others, program, options)

    def _put_all(
        self, events: Sequence[TracedEvent], program: programs.Program, options: PutMessageOptions
    ) -> None:
        """Put messages at once, or if that fails one after the other up to the one that is
        refused.
        """
        try:
            self._put_at_once(events, program, options)
        except MQError:
            if len(events) == 1:
                raise
            for event in events:
                try:
                    self._put_at_once([event], program, options)
                except MQError as error:
                    self._depart(event, int(error.reason))
                    return

    def _put_copies(
        self, copies: Sequence[TracedEvent], program: programs.Program, options: PutMessageOptions
    ) -> None:
        """Put copies of publications at once, or if that fails one after the other."""
        try:
            self._put_at_once(copies, program, options)
        except MQError as error:
            if len(copies) == 1:
                self._refuse_copy(copies[0], int(error.reason), program, options)
                return
            for copy in copies:
                if program.is_followed:
                    self._put_copies([copy], program, options)
        else:
            last = publication_of(copies[-1])
            of_last = (each for each in (*self._copies, *copies) if publication_of(each) == last)
            self._copies = list(of_last)

    def _refuse_copy(
        self, copy: TracedEvent, reason: int, program: programs.Program, options: PutMessageOptions
    ) -> None:
        """Do with a copy what becomes of one that its queue refuses for a reason."""
        descriptor, body = self._messages.message(copy)
        descriptor.expiry = _recorded_expiry(copy, copy.put_at or copy.at)
        refused = RefusedCopy(copy, reason, descriptor, body)
        fate = fate_of(self._original, program, refused, options)
        if fate == FAILS:
            self._depart(copy, int(MQRC.PUBLICATION_FAILURE))
            withdraw(self._copies, publication_of(copy), program)
        else:
            self.result.departures.append(Departure(copy, reason, fate=fate))

    def _put_at_once(
        self, events: Sequence[TracedEvent], program: programs.Program, options: PutMessageOptions
    ) -> None:
        """Put the messages of these events on their queue."""
        queue = events[0].queue or ""
        for again in (True, False):
            handle = program.puts.get(queue)
            if handle is None:
                handle = program.puts[queue] = program.unregistered(queue, OUTPUT | SET_ALL_CONTEXT)
            prepared = [self._message(event, handle) for event in events]
            try:
                put(handle, prepared, options, options.options)
            except MQError as error:
                if int(error.reason) not in _NO_LONGER or not again:
                    raise
                del program.puts[queue]
            else:
                return

    def _is_cured(self, event: TracedEvent) -> bool:
        """Whether a dead letter would be put on its destination, which refused it."""
        queue, qmgr = (
            str(event.detail.get(key) or "") for key in ("destination", "destination_queue_manager")
        )
        descriptor, body = self._messages.message(event)
        length = max(0, len(body) - mqdlh.MQDLH_LENGTH)
        reason = PutPreview(self._qmgr(event)).put(queue, qmgr, descriptor, length).failure
        if self._is_first and reason == event.reason:
            self.intent.refused.add(event.seq)
        return not reason and event.seq in self.intent.refused

    def _put_on_destination(self, copy: TracedEvent, options: PutMessageOptions) -> None:
        """Put a copy of a publication on the queue that refused it. Its publisher continues as it
        did.
        """
        self.result.departures.append(Departure(copy, 0))
        descriptor, body = self._messages.message(copy)
        descriptor.format = ""
        queue = str(copy.detail.get("destination") or "")
        handle = self._programs.of(copy).unregistered(queue, OUTPUT | SET_ALL_CONTEXT)
        descriptor.expiry = self._expiry(copy, copy.put_at or copy.at, handle)
        message = Message(body[mqdlh.MQDLH_LENGTH :], descriptor)
        put(handle, [message], options, options.options)

    def _message(self, event: TracedEvent, handle: HandleState) -> Message:
        descriptor, body = self._messages.message(event)
        descriptor.expiry = self._expiry(event, event.put_at or event.at, handle)
        return Message(body, descriptor)

    def _expiry(self, event: TracedEvent, put_at: int, handle: HandleState) -> int:
        lasting = _recorded_expiry(event, put_at)
        if lasting == UNLIMITED:
            return UNLIMITED
        caps = (
            handle.destination.expiry_caps
            if self._is_first and handle.destination is not None
            else ()
        )
        if caps and capped(UNLIMITED, caps) == lasting:
            self.intent.limited.add(event.seq)
        return UNLIMITED if event.seq in self.intent.limited else lasting

    def _get(self, call: RecordedCall) -> None:
        event, program = call.event, self._programs.of(call.event)
        handle = program.for_input(event.queue or "")
        program.join(event.unit)
        flags = MQGMO.NO_SYNCPOINT if event.unit is None else MQGMO.SYNCPOINT
        if event.detail.get("mark"):
            flags |= MQGMO.MARK_SKIP_BACKOUT
        options = self._choice(event, handle, int(flags))
        is_obeyed = event.unit is not None and event.queue in self._obeyed()
        if is_obeyed:
            # A consumer passes the context on.
            handle = program.unregistered(event.queue or "", int(consumer.OPEN_OPTIONS))
        message = get(handle, options)
        received = message.descriptor.msg_id
        if received != event.msg_id:
            self._depart(event, 0, received)
        elif is_obeyed and message.descriptor.backout_count:
            self._deal_with(event, program, handle, message)

    def _obeyed(self) -> set[str]:
        """The queues whose other BOTHRESH or BOQNAME programs obey."""
        return {name for _, name, word in self.kept if word in ("BOTHRESH", "BOQNAME")}

    def _deal_with(
        self,
        event: TracedEvent,
        program: programs.Program,
        handle: HandleState,
        message: Message,
    ) -> None:
        """Have a consumer decide about a message that was backed out before."""
        given = iter([message])

        def get_it(_: GetMessageOptions) -> Message:
            for each in given:
                return each
            raise MQError(MQRC.NO_MSG_AVAILABLE)

        moved = (
            consumer.Consumer(program.state, handle, get_it, lambda: None, wait=0).receive() is None
        )
        key = (event.unit, event.msg_id)
        program.dealt_with.add(key)
        if moved and key not in self._moved:
            syncpoint.commit(program.state)
            self._depart(event, 0)
        elif key in self._moved and not moved:
            self._depart(event, 0, event.msg_id)

    def _choice(self, event: TracedEvent, handle: HandleState, flags: int) -> GetMessageOptions:
        """The options of the get or browse that found a message: the first one, or that one."""
        if self._is_first and self._first(handle) != event.msg_id:
            self.intent.chosen.add(event.seq)
        options = GetMessageOptions(flags)
        if event.seq in self.intent.chosen:
            options.match_options, options.msg_id = int(MQMO.MATCH_MSG_ID), event.msg_id or NO_ID
        return options

    def _first(self, handle: HandleState) -> bytes | None:
        assert handle.destination is not None
        with Reading(self.copy.database) as reading:
            place = {"queue": handle.destination.queue.id, "handle": handle.number}
            first = messages.first(reading, frozenset({"unlocked"}), place)
        return None if first is None else first.msg_id

    def _look(self, call: RecordedCall) -> None:
        """A get or browse that met expired messages; what it received then is recorded by
        itself.
        """
        event, program = call.event, self._programs.of(call.event)
        with Transaction(self.copy.database, durable=False) as tx:
            queue = commands.queue_of(tx, event)
            context = call_context(tx, program.state)
            order = {(each.msg_id, each.put_at): place for place, each in enumerate(call.events)}
            expired_messages = expiry.discardable(tx, queue.id, context.now, _MANY) if queue else []
            expired = [each for each in expired_messages if (each.msg_id, each.put_at) in order]
            expired.sort(key=lambda each: order[each.msg_id, each.put_at])
            delivery.deliver(
                tx,
                context,
                dequeue.expire(tx, context, queue, expired, event.cause or ""),
            )

    # What happened outside the store, and what the queue manager was asked for.

    def _note(self, call: RecordedCall) -> None:
        """Of what happened outside the store, the event is all, and the event messages about it."""
        commands.note(self.copy, call)
        for event in call.caused:
            if event.kind == "PUT":
                self._deliver_event_message(event)

    def _event_message(self, call: RecordedCall) -> None:
        """An event message that a channel asked for by itself."""
        self._deliver_event_message(call.event)

    def _deliver_event_message(self, event: TracedEvent) -> None:
        with Transaction(self.copy.database, durable=False) as tx:
            context = self._qmgr(event).call_context(tx, running=False)
            data = self._messages.message(event)
            delivered = effects.Deliver(
                effects.EVENT,
                event.queue or "",
                "",
                *data,
                cause="",
                about="",
                dead_letter=False,
            )
            delivery.deliver(tx, context, [delivered])

    def _report(self, call: RecordedCall) -> None:
        """A report that an agent asked the queue manager for."""
        event, program = call.event, self._programs.of(call.event)
        program.join(event.unit)
        put_ = next((event for event in call.caused if event.kind == "PUT"), event)
        queue = str(put_.detail.get("destination", event.target))
        descriptor, body = self._messages.message(
            put_ if put_ is event or event.kind != "DEAD_LETTER" else event,
        )
        detail = {
            word: value for word, value in event.detail.items() if word in ("original", "data")
        }
        with Transaction(self.copy.database, durable=False) as tx:
            context = call_context(tx, program.state)
            unit = None if event.unit is None else program.state.unit.begin()
            delivered = effects.Deliver(
                effects.REPORT,
                queue,
                "",
                descriptor,
                body,
                cause=event.cause or "",
                about=event.queue or "",
                unit=unit,
                reason=0 if event.kind == "DEAD_LETTER" else event.reason or 0,
                detail=detail,
            )
            delivery.deliver(tx, context, [delivered])


def _recorded_expiry(event: TracedEvent, put_at: int) -> int:
    """The expiry that a message had when it was put, in tenths of a second."""
    if event.expires_at is None:
        return UNLIMITED
    return max(1, (event.expires_at - put_at) // TENTH)


_PLAYS: Mapping[str, Callable[[Replay, RecordedCall], None]] = {
    "open": Replay._open,
    "put": Replay._put,
    "get": Replay._get,
    "look": Replay._look,
    "ending": lambda replay, call: replay._programs.end(call),
    "note": Replay._note,
    "event message": Replay._event_message,
    "report": Replay._report,
}
