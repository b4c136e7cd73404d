"""The events of the life of a message, and the messages with certain identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from store.published import EVENT_COLUMNS
from store.sql.clauses import IN_UNIT, READY, literal
from store.sql.tables import channel_host, event, message, object_, prepared_unit, queue
from store.sqlite.database import Queries
from store.sqlite.expressions import BindParameter, Select, bindparam, case, func, or_, select, union_all
from store.sqlite.statement import Statement

_e, _m, _q, _o, _u = event.c, message.c, queue.c, object_.c, prepared_unit.c
# The fields of `store.rules.message_trace.TracedEvent`.
COLUMNS = tuple(column.name for column in EVENT_COLUMNS)
_RANGE = _e.seq.between(bindparam("first"), bindparam("last"))
# There are few of these events, and only the reader knows which of them matter.
_ALWAYS = or_(
    _e.kind.in_(map(literal, ("CLEAR", "MOVE", "DELETE"))),
    (_e.kind == literal("CHANNEL")) & _e.cause.in_(map(literal, ("batch", "in-doubt", "resolved"))),
)
_MADE_FOR = _e.kind.in_(map(literal, ("REPORT", "REPORT_LOST", "DEAD_LETTER")))
_ENDS = _e.kind.in_(map(literal, ("COMMIT", "BACKOUT")))
# Statements are compiled for so many identifiers; a shorter list is filled up with its first.
_SLOTS = (8, 64, 512, 4_096)
MOST_VALUES = _SLOTS[-1]


def _slots(number: int) -> int:
    return next(size for size in _SLOTS if number <= size)


def _parameters(name: str, size: int) -> list[BindParameter[Any]]:
    return [bindparam(f"{name}{number}") for number in range(size)]


def _filled(name: str, values: Sequence[Any]) -> dict[str, Any]:
    size = _slots(len(values))
    padded = [*values, *([values[0] if values else None] * (size - len(values)))]
    return {f"{name}{number}": value for number, value in enumerate(padded)}


@lru_cache(maxsize=16)
def _events(ids: int, units: int) -> Statement:
    chosen = or_(
        _e.msg_id.in_(_parameters("id", ids)),
        _e.correl_id.in_(_parameters("id", ids)),
        _ALWAYS,
        _ENDS & _e.unit.in_(_parameters("unit", units)),
        _MADE_FOR & func.unhex(func.json_extract(_e.detail, literal("$.original"))).in_(_parameters("id", ids)),
    )
    return Statement(select(*(_e[name] for name in COLUMNS)).where(_RANGE, chosen).order_by(_e.seq))


def events(tx: Queries, first: int, last: int, ids: Sequence[bytes], units: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return the events numbered `first` to `last`, with the values of COLUMNS, that may belong to a life.

    They have one of the identifiers as MsgId, as CorrelId or as the original of a report, or end one of the units of
    work, at most MOST_VALUES of each. All commands on queues and batches of channels are included. Every event in that
    range is read, so keep it short.
    """
    values = {
        "first": first,
        "last": last,
        **_filled("id", ids),
        **_filled("unit", units),
    }
    return tx.all(_events(_slots(len(ids)), _slots(len(units))), values)


_LOW: BindParameter[Any] = bindparam("low")
_HIGH: BindParameter[Any] = bindparam("high")
_IDS_OF_EVENTS = Statement(
    select(
        _e.msg_id,
        # The CorrelId of what the queue manager made, such as the messages of a transmission queue.
        case((_e.put_application == func.substr(_e.qmgr, literal(1), literal(28)), _e.correl_id)),
    )
    .where(_RANGE, or_(_e.msg_id.between(_LOW, _HIGH), _e.correl_id.between(_LOW, _HIGH)))
    .distinct()
)


def ids_of_events(tx: Queries, first: int, last: int, low: bytes, high: bytes) -> set[bytes]:
    """Return the MsgIds from `low` to `high` in the events numbered `first` to `last`; keep that range short."""
    rows = tx.all(_IDS_OF_EVENTS, {"first": first, "last": last, "low": low, "high": high})
    return {each for row in rows for each in row if each is not None and low <= each <= high}


# One seek for each queue, in the index on MsgIds.
_IDS_OF_MESSAGES = Statement(
    select(_m.msg_id)
    .select_from(queue.join(message, _m.queue == _q.id))
    .where(READY, _m.msg_id.between(_LOW, _HIGH))
    .distinct()
    .limit(bindparam("most"))
)


def ids_of_messages(tx: Queries, low: bytes, high: bytes, most: int) -> list[bytes]:
    """Return up to `most` MsgIds from `low` to `high` of messages that are available."""
    return [row[0] for row in tx.all(_IDS_OF_MESSAGES, {"low": low, "high": high, "most": most})]


def _placed(*conditions: Any) -> Select[Any]:
    columns = (_q.owner, _q.name, _m.msg_id, _m.correl_id, _m.state, _m.put_at, _m.expires_at, _m.put_appl_name)
    holder = select(_u.name).where(_u.number == _m.unit).scalar_subquery()
    return select(*columns, holder).select_from(queue.join(message, _m.queue == _q.id)).where(*conditions)


_WITH_CORREL_ID = READY & _m.correl_id.is_not(None)
_ID: BindParameter[Any] = bindparam("id")
_MESSAGES = Statement(
    union_all(
        _placed(READY, _m.msg_id == _ID),
        _placed(READY, _WITH_CORREL_ID, _m.correl_id == _ID, _m.msg_id != _ID),
        _placed(IN_UNIT, or_(_m.msg_id == _ID, _m.correl_id == _ID)),
    )
)


def messages(tx: Queries, id: bytes) -> list[tuple[Any, ...]]:
    """Return the messages with that MsgId or CorrelId.

    Each as owner, queue, MsgId, CorrelId, state, times of put and expiry, PutApplName, and the name of the unit in
    doubt that holds it, or None.
    """
    return tx.all(_MESSAGES, {"id": id})


_ADDRESSES = Statement(
    select(func.json_extract(_o.attributes, literal("$.CONNAME"))).where(_o.namespace == literal("channel")).distinct()
)
_TARGETS = Statement(select(channel_host.c.target))


def addresses(tx: Queries) -> list[str]:
    """Return the connection names of all channels, and the targets of the map of host names."""
    return [row[0] for statement in (_TARGETS, _ADDRESSES) for row in tx.all(statement, {}) if row[0]]
