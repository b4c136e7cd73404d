"""Which messages a get may choose, in which order: match options, cursor, locks, marks (mqi-semantics §4.1, §4.2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from store.descriptor import NO_ID, GetMessageOptions
from store.rules import getting

if TYPE_CHECKING:
    from store.handle import ObjectHandle

_UNLOCKED = frozenset(("unlocked",))


class Selection(NamedTuple):
    """Conditions by name with their values; `cause` is what the history says of expired messages met here."""

    conditions: frozenset[str]
    values: dict[str, Any]
    cause: str


def selection(handle: ObjectHandle, queue: int, options: GetMessageOptions, now: int) -> list[Selection]:
    """What to look for, first to last: the first selection that has a message decides."""
    asked = int(options.options)
    values: dict[str, Any] = {"queue": queue, "handle": handle.number}
    cause = "browse" if asked & getting.BROWSE else "get"
    if asked & (getting.MSG_UNDER_CURSOR | getting.BROWSE_MSG_UNDER_CURSOR):
        if handle.cursor is None:
            return []
        return [
            Selection(
                _UNLOCKED | {"id"}, {**values, "id": handle.cursor.message, "sequence": handle.cursor.sequence}, cause
            )
        ]
    conditions = _UNLOCKED
    if options.match_options:
        matched, matching = _matching(options)
        conditions, values = conditions | matched, values | matching
    if asked & getting.UNMARKED_BROWSE_MSG:
        conditions |= {"unmarked", "unmarked_here"}
        values = {**values, "now": now, "marked": json.dumps(sorted(handle.marked))}
    if asked & getting.BROWSE_NEXT and handle.cursor is not None:
        place = {**values, "rank": handle.cursor.rank, "sequence": handle.cursor.sequence}
        return [
            Selection(conditions | {"same_rank"}, place, cause),
            Selection(conditions | {"lower_rank"}, place, cause),
        ]
    return [Selection(conditions, values, cause)]


def _matching(options: GetMessageOptions) -> tuple[frozenset[str], dict[str, Any]]:
    """MQMO options as conditions: a zero MsgId or CorrelId means any, a zero GroupId is a value."""
    asked = int(options.match_options)
    conditions, values = set(), {}
    for bit, name in ((getting.MATCH_MSG_ID, "msg_id"), (getting.MATCH_CORREL_ID, "correl_id")):
        wanted = getattr(options, name)
        if asked & bit and wanted != NO_ID:
            conditions.add(name)
            values[name] = wanted
    if asked & getting.MATCH_GROUP_ID:
        group = options.group_id
        conditions.add("no_group_id" if group == NO_ID else "group_id")
        values["group_id"] = group
    for bit, name in ((getting.MATCH_MSG_SEQ_NUMBER, "msg_seq_number"), (getting.MATCH_OFFSET, "offset")):
        if asked & bit:
            conditions.add(name)
            values[name] = getattr(options, name)
    return frozenset(conditions), values
