"""The position of a handle in a message group: puts and gets move it, a backout restores it."""

from __future__ import annotations

from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine.state import CallContext
from mqsc.store.error import refuse_for, refuse_if
from mqsc.store.message import Message
from mqsc.store.mqi.state import ConnectionState, HandleState
from mqsc.store.rules import getting, grouping, putting
from mqsc.store.rules.grouping import NO_GROUP, GroupPosition
from mqsc.store.sql.rows import StoredMessage

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
