"""The messages that a get may select, in order: match options, cursor, locks, marks (mqi-semantics
§4.1, §4.2).
"""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from mqsc.store.descriptor import ID_LENGTH, NO_ID, padded
from mqsc.store.error import refuse_for
from mqsc.store.headers import mqmd
from mqsc.store.message import GetMessageOptions
from mqsc.store.mqi.group_position import goes_on_from
from mqsc.store.mqi.selection_strings import Search
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules import getting, opening, sharing
from mqsc.store.rules.grouping import NO_GROUP, GroupPosition
from mqsc.store.sql.rows import QueueRow, StoredMessage

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
