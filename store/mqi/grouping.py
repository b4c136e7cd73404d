"""Where a handle stands in a message group: what a put or a get makes of it, and what a backout restores."""

from __future__ import annotations

from store.descriptor import NO_ID, MessageDescriptor
from store.engine.call_context import CallContext
from store.error import MQError
from store.message import Message
from store.mqi.identity import new_identifier
from store.mqi.state import ConnectionState, HandleState
from store.rules import getting, grouping, putting
from store.rules.grouping import NOWHERE, GroupPosition
from store.sql.rows import StoredMessage

PUTS, GETS, BROWSES = "puts", "gets", "browses"
INCONSISTENT_BROWSE = 2259


def place(
    handle: HandleState,
    call: CallContext,
    standing: GroupPosition,
    placed: MessageDescriptor,
    body: bytes,
    asked: int,
) -> tuple[GroupPosition, int]:
    """Give a message its place in the group; where the handle then stands, and a warning (2241, 2242, 2185, 2245).

    MQError 2249 to 2253 for a place that is none, 2260, 2248 or 2141 for MQ headers that are none (a message with
    flags needs an MQMD version 2), and in logical order what is a warning otherwise.
    """
    ordered, in_unit = bool(asked & putting.LOGICAL_ORDER), bool(asked & putting.SYNCPOINT)
    if not placed.msg_flags and standing is NOWHERE:
        placed.group_id, placed.msg_seq_number, placed.offset, placed.original_length = NO_PLACE
        return NOWHERE, 0
    grouping.place(placed, standing, new_identifier(handle.connection, call), ordered=ordered)
    broken = grouping.breaks(standing, placed, in_unit=in_unit)
    fault = grouping.header_fault(placed, body) if placed.msg_flags else 0
    fault = fault or grouping.place_fault(placed, body) or (broken if ordered else 0)
    if fault:
        raise MQError(fault, handle.name)
    follows = grouping.after(placed, len(body), in_unit=in_unit, ordered=ordered)
    return follows if follows.is_open else NOWHERE, broken if standing.ordered else 0


NO_PLACE = (NO_ID, 1, 0, -1)


def move_to(handle: HandleState, kind: str, standing: GroupPosition, *, in_unit: bool) -> None:
    """The handle stands there now; a backout of the unit of work that the call was made in restores where it stood."""
    if standing is handle.positions.get(kind, NOWHERE):
        return
    if in_unit:
        handle.connection.unit.positions_before.setdefault((handle.number, kind), handle.positions.get(kind, NOWHERE))
    handle.positions[kind] = standing


def restore(connection: ConnectionState) -> None:
    """The unit of work is backed out: its handles stand where they stood when it began."""
    for (number, kind), standing in connection.unit.positions_before.items():
        handle = connection.handles.get(number)
        if handle is not None:
            handle.positions[kind] = standing


def browse_order_broken(handle: HandleState, asked: int) -> bool:
    """Whether a browse goes on in another order than the get or browse before (2259)."""
    if not asked & getting.BROWSE_NEXT or handle.in_logical_order is None:
        return False
    return handle.in_logical_order != bool(asked & getting.LOGICAL_ORDER)


def goes_on_from(handle: HandleState, asked: int) -> GroupPosition:
    """Where a get or browse in logical order goes on; browsing from the first begins anew."""
    if asked & getting.BROWSE:
        return NOWHERE if asked & getting.BROWSE_FIRST else handle.positions.get(BROWSES, NOWHERE)
    return handle.positions.get(GETS, NOWHERE)


def order_broken(handle: HandleState, found: MessageDescriptor, asked: int, *, in_unit: bool) -> int:
    """A warning when the message about to be taken does not go on in the group that was begun in logical order.

    2242, 2241 or 2245; MQError 2245 when this get is in logical order too.
    """
    standing = handle.positions.get(GETS, NOWHERE)
    if standing is NOWHERE or not standing.is_open:
        return 0
    broken = grouping.leaves(standing, found, in_unit=in_unit)
    if broken and asked & getting.LOGICAL_ORDER and not asked & getting.MSG_UNDER_CURSOR:
        raise MQError(broken, handle.name)
    return broken if standing.ordered else 0


def got(handle: HandleState, message: Message, length: int, asked: int, *, in_unit: bool) -> None:
    """A message that has so many bytes on the queue was taken: the handle stands there now."""
    ordered = bool(asked & getting.LOGICAL_ORDER)
    if not asked & getting.MSG_UNDER_CURSOR:
        handle.in_logical_order = ordered
    standing = NOWHERE
    if message.descriptor.msg_flags:
        after = grouping.after(message.descriptor, length, in_unit=in_unit, ordered=ordered)
        standing = after if after.is_open else NOWHERE
    move_to(handle, GETS, standing, in_unit=in_unit)


def browsed(handle: HandleState, message: Message, found: StoredMessage, asked: int) -> None:
    """A message was browsed: the handle stands there now, a group keeping the place of its first message."""
    if asked & getting.BROWSE_MSG_UNDER_CURSOR:
        return
    ordered = handle.in_logical_order = bool(asked & getting.LOGICAL_ORDER)
    if not ordered:
        handle.positions.pop(BROWSES, None)
        return
    before = goes_on_from(handle, asked)
    rank, sequence = (before.rank, before.sequence) if before.is_open else (found.rank, found.sequence)
    standing = grouping.after(message.descriptor, found.length, in_unit=False, ordered=True)
    handle.positions[BROWSES] = standing._replace(rank=rank, sequence=sequence)


def left_incomplete(handle: HandleState) -> int:
    """2242 or 2241, a warning, when a handle is closed inside a group that it put or got in logical order, else 0."""
    left = [handle.positions[kind].incomplete for kind in (PUTS, GETS) if handle.positions.get(kind, NOWHERE).ordered]
    return max(left, default=0)
