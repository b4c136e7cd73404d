"""The choice of the message that a get takes, by identifiers or place in a group; the wait of a
get for it.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from mqsc.store.descriptor import ID_LENGTH, NO_ID, MessageDescriptor, padded
from mqsc.store.engine.change_watch import LOOK_SECONDS, NEVER, Sleeper
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext, time_of, waiting_time_of
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import refuse_for, refuse_if
from mqsc.store.headers import mqmd
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi import selection_strings
from mqsc.store.mqi.selection_strings import Search
from mqsc.store.mqi.state import ConnectionState, HandleState, call_context
from mqsc.store.rules import getting, grouping, opening, putting, sharing
from mqsc.store.rules.grouping import NO_GROUP, GroupPosition
from mqsc.store.sql import connections, queues
from mqsc.store.sql.managers import RUNNING
from mqsc.store.sql.rows import ManagerRow, QueueRow, StoredMessage
from mqsc.store.sql.statistics import WaitPlace
from mqsc.store.sqlite.database import Reading

# The messages that a get may select, in order: match options, cursor, locks, marks (mqi-semantics
# §4.1, §4.2).

_UNLOCKED = frozenset(("unlocked",))


class Selection(Search, frozen=True):
    """A search of a get; `cause` is recorded for expired messages that are discarded on the way.

    `in_group`: the position in a message group selects; match options must agree with what is found
    there (2247).
    """

    cause: str
    in_group: bool = False

    def matches(self, options: GetMessageOptions, stored_message: StoredMessage) -> bool:
        """Whether the message of a group meets the match options, which did not select it."""
        _, values = _matching(options)
        return all(getattr(stored_message, name) == value for name, value in values.items())


# Without these a get takes the first message.
_CHOOSING = (
    getting.MSG_UNDER_CURSOR
    | getting.BROWSE_MSG_UNDER_CURSOR
    | getting.BROWSE_NEXT
    | getting.UNMARKED_BROWSE_MSG
    | getting.LOGICAL_ORDER
)


def selection(
    handle: HandleState,
    queue: int,
    options: GetMessageOptions,
    now: int,
) -> list[Selection]:
    """What to look for, in order: the first selection that has a message decides."""
    option_bits = int(options.options)
    values: dict[str, Any] = {"queue": queue, "handle": handle.number}
    cause = handle.connection.agent or ("browse" if option_bits & getting.BROWSE else "get")
    if not (option_bits & _CHOOSING or options.match_options):
        return [Selection(_UNLOCKED, values, cause)]
    if option_bits & (getting.MSG_UNDER_CURSOR | getting.BROWSE_MSG_UNDER_CURSOR):
        if handle.cursor is None:
            return []
        place: dict[str, Any] = {"id": handle.cursor.message, "sequence": handle.cursor.sequence}
        return [Selection(_UNLOCKED | {"id"}, {**values, **place}, cause)]
    conditions = _UNLOCKED
    if option_bits & getting.UNMARKED_BROWSE_MSG:
        # A co-operative mark is for the handles opened with MQOO_CO_OP only.
        conditions |= {"unmarked_here"} | (
            {"unmarked"} if handle.options & opening.CO_OP else set()
        )
        values = {**values, "now": now, "marked": json.dumps(sorted(handle.marked))}
    position = goes_on_from(handle, option_bits) if option_bits & getting.LOGICAL_ORDER else None
    if position is not None and position.is_open:
        group_id, msg_seq_number, offset = position.expected_next
        place = {"group_id": group_id, "msg_seq_number": msg_seq_number, "offset": offset}
        return [
            Selection(
                conditions | set(place),
                {**values, **place},
                cause,
                in_group=bool(options.match_options),
            ),
        ]
    if options.match_options:
        matched, matching = _matching(options)
        conditions, values = conditions | matched, values | matching
    if position is not None:
        if any(values.get(name, first) != first for name, first in _FIRST_OF_GROUP.items()):
            return []
        conditions, values = conditions | set(_FIRST_OF_GROUP), values | _FIRST_OF_GROUP
    return _behind_cursor(handle, option_bits, position, Selection(conditions, values, cause))


def check_index(handle: HandleState, queue: QueueRow, options: GetMessageOptions) -> None:
    """MQError 2206, 2207, 2247 or 2394 when the INDXTYPE of a shared queue has no index for the
    selection.
    """
    option_bits = int(options.match_options)

    def selects(bit: int, name: str) -> bool:
        return bool(option_bits & bit) and padded(getattr(options, name), ID_LENGTH, name) != NO_ID

    fault = sharing.selection_fault(
        queue.index_type,
        msg_id=selects(getting.MATCH_MSG_ID, "msg_id"),
        correl_id=selects(getting.MATCH_CORREL_ID, "correl_id"),
        group_id=selects(getting.MATCH_GROUP_ID, "group_id"),
        logical_order=bool(options.options & getting.LOGICAL_ORDER),
    )
    refuse_for(fault, handle.name)


# The place where a group, or a message outside any group, begins in logical order.
_FIRST_OF_GROUP = {"msg_seq_number": 1, "offset": 0}


def _behind_cursor(
    handle: HandleState,
    option_bits: int,
    position: GroupPosition | None,
    chosen: Selection,
) -> list[Selection]:
    """The same after the browse cursor; everything when not browsing, or from the first."""
    if not option_bits & getting.BROWSE_NEXT or handle.cursor is None:
        return [chosen]
    # In logical order browsing continues after the first message of a group, wherever its last one
    # is.
    place = handle.cursor if position is None or position is NO_GROUP else position
    values = {**chosen.values, "rank": place.rank, "sequence": place.sequence}
    return [
        replace(chosen, conditions=chosen.conditions | {"same_rank"}, values=values),
        replace(chosen, conditions=chosen.conditions | {"lower_rank"}, values=values),
    ]


def _matching(options: GetMessageOptions) -> tuple[frozenset[str], dict[str, Any]]:
    """MQMO options as conditions: a zero MsgId or CorrelId matches any, a zero GroupId is a
    value.
    """
    match_bits = int(options.match_options)
    conditions: set[str] = set()
    values: dict[str, Any] = {}
    for bit, name in ((getting.MATCH_MSG_ID, "msg_id"), (getting.MATCH_CORREL_ID, "correl_id")):
        wanted = padded(getattr(options, name), ID_LENGTH, name)
        if match_bits & bit and wanted != NO_ID:
            conditions.add(name)
            # The driver looks for an adapter for bytes, in vain, which takes as long as ten other
            # values.
            values[name] = bytearray(wanted)
    if match_bits & getting.MATCH_GROUP_ID:
        group = padded(options.group_id, ID_LENGTH, "group_id")
        conditions.add("no_group_id" if group == NO_ID else "group_id")
        values["group_id"] = group
    for bit, name in (
        (getting.MATCH_MSG_SEQ_NUMBER, "msg_seq_number"),
        (getting.MATCH_OFFSET, "offset"),
    ):
        if match_bits & bit:
            conditions.add(name)
            values[name] = getattr(options, name)
            unfit = mqmd.value_fault(name, values[name])
            if unfit:
                raise ValueError(unfit)
    return frozenset(conditions), values


# The position of a handle in a message group: puts and gets move it, a backout restores it.

PUTS = "puts"
GETS = "gets"
BROWSES = "browses"


def place(
    handle: HandleState,
    call: CallContext,
    position: GroupPosition,
    placed: MessageDescriptor,
    body: bytes,
    option_bits: int,
) -> tuple[GroupPosition, int]:
    """Assign a message its place in the group; the handle's next position, and a warning (2241,
    2242, 2185, 2245) or 0.

    MQError 2249 to 2253 for an invalid place; 2260, 2248 or 2141 for invalid MQ headers (a message
    with flags needs an MQMD version 2); in logical order also for what is a warning otherwise.
    """
    ordered = bool(option_bits & putting.LOGICAL_ORDER)
    in_unit = bool(option_bits & putting.SYNCPOINT)
    if not placed.msg_flags and position is NO_GROUP:
        placed.group_id, placed.msg_seq_number, placed.offset, placed.original_length = NO_PLACE
        return NO_GROUP, 0
    grouping.set_group_fields(
        placed,
        position,
        next(handle.connection.identifiers),
        ordered=ordered,
    )
    broken = grouping.put_sequence_fault(position, placed, in_unit=in_unit)
    fault = grouping.header_fault(placed, body) if placed.msg_flags else 0
    refuse_for(
        fault or grouping.group_fields_fault(placed, body) or (broken if ordered else 0),
        handle.name,
    )
    follows = grouping.position_after(placed, len(body), in_unit=in_unit, ordered=ordered)
    return follows if follows.is_open else NO_GROUP, broken if position.ordered else 0


NO_PLACE = (NO_ID, 1, 0, -1)


def move_to(handle: HandleState, kind: str, position: GroupPosition, *, in_unit: bool) -> None:
    """Move the handle to that position; a backout of the call's unit of work restores the
    present one.
    """
    if position is handle.positions.get(kind, NO_GROUP):
        return
    if in_unit:
        handle.connection.unit.positions_before.setdefault(
            (handle.number, kind),
            handle.positions.get(kind, NO_GROUP),
        )
    handle.positions[kind] = position


def restore(connection: ConnectionState) -> None:
    """Restore the positions that handles had when the unit of work began."""
    for (number, kind), position in connection.unit.positions_before.items():
        handle = connection.handles.get(number)
        if handle is not None:
            handle.positions[kind] = position


def browse_order_broken(handle: HandleState, option_bits: int) -> bool:
    """Whether a browse continues in another order than the get or browse before it (2259)."""
    if not option_bits & getting.BROWSE_NEXT or handle.in_logical_order is None:
        return False
    return handle.in_logical_order != bool(option_bits & getting.LOGICAL_ORDER)


def goes_on_from(handle: HandleState, option_bits: int) -> GroupPosition:
    """The position from which a get or browse in logical order continues; BROWSE_FIRST starts
    over.
    """
    if option_bits & getting.BROWSE:
        return (
            NO_GROUP
            if option_bits & getting.BROWSE_FIRST
            else handle.positions.get(BROWSES, NO_GROUP)
        )
    return handle.positions.get(GETS, NO_GROUP)


def order_broken(
    handle: HandleState,
    descriptor: MessageDescriptor,
    option_bits: int,
    *,
    in_unit: bool,
) -> int:
    """A warning (2242, 2241 or 2245) when the message does not continue the group that was begun in
    logical order.

    MQError 2245 when this get is in logical order too.
    """
    position = handle.positions.get(GETS, NO_GROUP)
    if position is NO_GROUP or not position.is_open:
        return 0
    broken = grouping.get_sequence_fault(position, descriptor, in_unit=in_unit)
    refuse_if(
        broken
        and option_bits & getting.LOGICAL_ORDER
        and not option_bits & getting.MSG_UNDER_CURSOR,
        broken,
        handle.name,
    )
    return broken if position.ordered else 0


def got(
    handle: HandleState, message: Message, length: int, option_bits: int, *, in_unit: bool
) -> None:
    """A message of that length was taken: move the handle."""
    ordered = bool(option_bits & getting.LOGICAL_ORDER)
    if not option_bits & getting.MSG_UNDER_CURSOR:
        handle.in_logical_order = ordered
    position = NO_GROUP
    if message.descriptor.msg_flags:
        after = grouping.position_after(
            message.descriptor,
            length,
            in_unit=in_unit,
            ordered=ordered,
        )
        position = after if after.is_open else NO_GROUP
    if position is not NO_GROUP or handle.positions:
        move_to(handle, GETS, position, in_unit=in_unit)


def browsed(
    handle: HandleState, message: Message, stored_message: StoredMessage, option_bits: int
) -> None:
    """A message was browsed: move the handle; a group keeps the place of its first message."""
    if option_bits & getting.BROWSE_MSG_UNDER_CURSOR:
        return
    ordered = handle.in_logical_order = bool(option_bits & getting.LOGICAL_ORDER)
    if not ordered:
        handle.positions.pop(BROWSES, None)
        return
    before = goes_on_from(handle, option_bits)
    rank, sequence = (
        (before.rank, before.sequence)
        if before.is_open
        else (stored_message.rank, stored_message.sequence)
    )
    position = grouping.position_after(
        message.descriptor,
        stored_message.length,
        in_unit=False,
        ordered=True,
    )
    handle.positions[BROWSES] = position._replace(rank=rank, sequence=sequence)


def back_to_the_start(handle: HandleState) -> None:
    """Put the browse cursor before the first message, where it is after MQOPEN; the next browse
    may take any order.
    """
    handle.cursor = None
    handle.in_logical_order = None
    handle.positions.pop(BROWSES, None)


def left_incomplete(handle: HandleState) -> int:
    """2242 or 2241, a warning, when a handle closes inside a group that it put or got in logical
    order, else 0.
    """
    left = [
        handle.positions[kind].incomplete
        for kind in (PUTS, GETS)
        if handle.positions.get(kind, NO_GROUP).ordered
    ]
    return max(left, default=0)


# A get that waits: time passes on the queue manager's clock; changes by other processes wake it.

# Once a second.
LOOKS_PER_LIVENESS_CHECK = 80
UNLIMITED = -1


class GetWait:
    """The wait of one get. Its time begins with the first look that found nothing."""

    def __init__(self, handle: HandleState, options: GetMessageOptions) -> None:
        """The wait lasts `wait_interval` milliseconds, or forever if it is -1; it may have
        begun at `waits_since`.
        """
        wait_interval = options.wait_interval
        self._handle = handle
        self._options = options
        self._left = None if wait_interval == UNLIMITED else wait_interval * 1000
        self._looks = 0
        self._now: int | None = None
        # What the watcher of the store wakes; a caller that waits in another way puts its own here.
        self.sleeper = Sleeper(self.is_concerned)
        self._clock_at: int | None = None
        self._qmgr: ManagerRow | None = None
        self._qmgr_version = 0
        self._is_cancelled = False

    def cancel(self) -> None:
        """End the wait as if its time were up; from any thread."""
        self._is_cancelled = True
        self.sleeper.wake()

    def goes_on(self, seen: int) -> bool:
        """Wait until the store has changed since `seen` or a dead process was recovered (True), or
        time is up (False).

        MQError 2009 when the queue manager ends meanwhile.
        """
        watch = self._handle.connection.store.change_watch
        self.prepare(seen)
        try:
            while (outcome := self.outcome()) is None:
                if watch.pause(self.sleeper, self.longest_pause(seen)) or seen == NEVER:
                    return True
            return outcome
        finally:
            watch.end(self.sleeper)

    def prepare(self, seen: int) -> None:
        """Before the first pause: the get has looked at the store as it was at version `seen`."""
        self.sleeper.seen = seen
        self.sleeper.places = self.places()

    def outcome(self) -> bool | None:
        """Whether the get looks again (True), or its time is up (False); None to pause once
        more. MQError 2009.
        """
        if self._is_cancelled:
            return False
        store = self._handle.connection.store
        if self._looks % LOOKS_PER_LIVENESS_CHECK == 0 and recover(store):
            return True
        self._looks += 1
        return recover(store) if self._is_over() else None

    def places(self) -> frozenset[WaitPlace]:
        """The queue, and the aliases that led to it."""
        destination = self._handle.destination
        assert destination is not None
        name = self._handle.connection.qmgr.name
        return frozenset((name, row.id) for row in destination.rows)

    def is_concerned(self) -> bool:
        """Whether the get must look again. Without the writer lock, so that a busy store is not
        held up.
        """
        handle = self._handle
        connection, destination = handle.connection, handle.destination
        assert destination is not None
        with Reading(connection.store.database) as reading:
            for row in destination.rows:
                hot = queues.read_hot_columns(reading, row.id, connection.qmgr.name)
                if hot is None:
                    return True
                version, _, _, _, qmgr_version, run, state, clock_at = hot
                if (
                    version != row.version
                    or run != connection.run
                    or state != RUNNING
                    or clock_at != self._clock_at
                ):
                    self._clock_at = clock_at
                    return True
                known = connection.manager
                # Breaking a connection raises the version of the queue manager's row.
                is_same = known is not None and known.version == qmgr_version
                if not is_same and connections.by_id(reading, connection.number) is None:
                    return True
            # The time matters for marks only, and a get that passes over marked messages looks
            # after each pause.
            chosen = selection(handle, destination.queue.id, self._options, now=0)
            return any(
                selection_strings.exists(reading, handle.selector, each, now=0) for each in chosen
            )

    def longest_pause(self, seen: int) -> float:
        """The most seconds that a pause may take."""
        if seen == NEVER:
            return LOOK_SECONDS
        return float("inf") if self._left is None else self._left / MICROSECONDS

    def _is_over(self) -> bool:
        """A manual clock that is set back never makes a wait longer."""
        if self._left is None and self._looks % LOOKS_PER_LIVENESS_CHECK != 1:
            return False
        qmgr, environment = self._manager(), self._handle.connection.store.environment
        was, self._now = self._now, waiting_time_of(qmgr, environment)
        if self._left is None:
            return False
        if was is not None:
            self._left -= max(0, self._now - was)
        elif self._options.waits_since is not None:
            self._left -= max(0, time_of(qmgr, environment) - self._options.waits_since)
        return self._left <= 0

    def _manager(self) -> ManagerRow:
        """The queue manager; its row is read again only when the store has changed."""
        connection = self._handle.connection
        version = connection.store.change_watch.version
        if self._qmgr is None or version != self._qmgr_version:
            self._qmgr = connection.store.read(call_context, connection).qmgr
            self._qmgr_version = version
        return self._qmgr
