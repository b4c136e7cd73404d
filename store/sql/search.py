"""Searching the history: events by queue, message or time, its index, the life and origin of messages, queue names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from store.published import EVENT_COLUMNS
from store.sql.core import *
from store.sql.rows import UNIT_BITS
from store.sql.statements import KnownStatement, change, column, exists, first_tuple, to_json, tuples
from store.sqlite.database import Queries

_e, _m, _q, _o, _u, _s = event.c, message.c, queue.c, object_.c, prepared_unit.c, event_segment.c
ALL_COLUMNS = tuple(column.name for column in EVENT_COLUMNS)


def _range(first: Any, last: Any) -> ColumnElement[bool]:
    return _e.seq.between(first, last)


def _connection_of_unit() -> ColumnElement[int]:
    return _e.unit.op(">>")(constant(UNIT_BITS))


def _original() -> ColumnElement[bytes]:
    """The MsgId of the message that a report or dead letter was made for."""
    return func.unhex(func.json_extract(_e.detail, constant("$.original")))


def _made_for() -> ColumnElement[bool]:
    return one_of(_e.kind, "REPORT", "REPORT_LOST", "DEAD_LETTER")


def _named(column: Column[Any]) -> ColumnElement[bool]:
    # A blank upper limit is none.
    return and_(column >= bindparam("low"), or_(column < bindparam("high"), bindparam("high") == BLANK))


def _about_queue() -> ColumnElement[bool]:
    # Events whose `target` is a queue, and those whose `queue` may be another object.
    to_queues = "TRIGGER", "TRIGGER_LOST", "DEAD_LETTER", "REQUEUE", "FORWARD", "REPORT", "REPORT_LOST", "MOVE"
    on_objects = map(constant, ("DEFINE", "ALTER", "SET", "DELETE"))
    on_queues = one_of(_e.target, "QLOCAL", "QALIAS", "QREMOTE", "QMODEL")
    return or_(
        _named(_e.queue) & or_(_e.kind.not_in(on_objects), on_queues), _named(_e.target) & one_of(_e.kind, *to_queues)
    )


_CONDITIONS: Mapping[str, Callable[[], ColumnElement[bool]]] = {
    "low": _about_queue,
    # An event of a shared queue has the group as its queue manager.
    "qmgr": lambda: or_(
        _e.qmgr == bindparam("qmgr"), func.json_extract(_e.detail, constant("$.member")) == bindparam("qmgr")
    ),
    "unit": lambda: _e.unit == bindparam("unit"),
    "connection": lambda: or_(
        _e.connection == bindparam("connection"), _connection_of_unit() == bindparam("connection")
    ),
    "since": lambda: _e.at >= bindparam("since"),
    "until": lambda: _e.at < bindparam("until"),
    "kinds": lambda: _e.kind.in_(values_of(bindparam("kinds"))),
    "causes": lambda: _e.cause.in_(values_of(bindparam("causes"))),
    "numbers": lambda: _e.seq.in_(values_of(bindparam("numbers"))),
}


@lru_cache(maxsize=16)
def _search(names: tuple[str, ...], newest_first: bool) -> KnownStatement:
    def build() -> ClauseElement:
        conditions = [_CONDITIONS[name]() for name in names if name in _CONDITIONS]
        chosen = select(*(_e[name] for name in ALL_COLUMNS)).where(
            _range(bindparam("first"), bindparam("last")), *conditions
        )
        return chosen.order_by(_e.seq.desc() if newest_first else _e.seq).limit(bindparam("most"))

    return KnownStatement(f"search {' '.join(names)} {newest_first}", build)


def usual_statements() -> Iterator[KnownStatement]:
    """Yield the searches for queues and units of work, and that for all events."""
    for names in ((), ("qmgr",), ("low", "high", "qmgr"), ("unit", "qmgr")):
        for newest_first in (False, True):
            yield _search(names, newest_first)


def search(
    tx: Queries, first: int, last: int, wanted: Mapping[str, Any], most: int, *, newest_first: bool = False
) -> list[tuple[Any, ...]]:
    """Return up to `most` events numbered `first` to `last`, in order, with the values of EVENT_COLUMNS.

    `wanted`: `low` and `high`, between which the name of a queue is; `qmgr`, `unit`, `connection`; `since`, and `until`
    before which it happened; lists of `kinds`, `causes` and `numbers`. A missing value matches anything. Every event in
    the range is read, so keep it short.
    """
    values = {name: to_json(value) if isinstance(value, list) else value for name, value in wanted.items()}
    return tx.all(_search(tuple(wanted), newest_first), {"first": first, "last": last, "most": most, **values})


@exists
def queue_is_defined(low: str, high: Any, qmgr: Any) -> ClauseElement:
    """Return whether there is such a queue now, of that owner, or of any if it is blank."""
    named = _q.name >= low, is_blank_or_above(high, _q.name)
    return select(ONE).select_from(queue).where(*named, or_(qmgr == BLANK, _q.owner == qmgr)).limit(ONE)


@column(str)
def names_of_queues(qmgr: Any) -> ClauseElement:
    """Return the names of all queues in the history, which is read from its beginning to its end.

    Those of one queue manager or, if that is blank, of all.
    """
    # These kinds are about objects of every type, which is the target.
    about_queues: ColumnElement[bool] = literal_column(
        "(kind NOT IN ('DEFINE', 'ALTER', 'SET', 'DELETE') OR target IN ('QLOCAL', 'QMODEL', 'QALIAS', 'QREMOTE'))"
    )
    mentioned = select(_e.queue).distinct().where(_e.queue.is_not(None), about_queues)
    return mentioned.where(or_(qmgr == BLANK, _e.qmgr == qmgr))


@first_tuple
def bounds() -> ClauseElement:
    """Return the numbers of the first and the last event that the store has; 1 and 0 if there is none."""
    # Each is the end of an index; together they would read the whole history.
    first, last = (select(end(_e.seq)).scalar_subquery() for end in (func.min, func.max))
    return select(func.coalesce(first, ONE), func.coalesce(last, ZERO))


@column(bytes)
def _ids(first: int, last: int) -> ClauseElement:
    return union(
        select(_e.msg_id).where(_range(first, last)),
        select(_e.correl_id).where(_range(first, last)),
        select(_original()).where(_range(first, last), _made_for()),
    )


def ids(tx: Queries, first: int, last: int) -> list[bytes]:
    """Return every MsgId and CorrelId of the events numbered `first` to `last`, and the MsgIds that reports are on."""
    return [id for id in _ids(tx, first, last) if id is not None]


@column(int)
def units(first: int, last: int) -> ClauseElement:
    """Return the units of work of these events."""
    return select(_e.unit).where(_range(first, last), _e.unit.is_not(None)).distinct()


@tuples
def facts(first: int, last: int) -> ClauseElement:
    """Return the different values of kind, cause, queue, target, connection, and connection of the unit of work."""
    columns = (_e.kind, _e.cause, _e.queue, _e.target, _e.connection, _connection_of_unit())
    return select(*columns).where(_range(first, last)).distinct()


@first_tuple
def times(first: int, last: int) -> ClauseElement:
    """Return the earliest and the latest time of these events; None without any."""
    return select(func.min(_e.at), func.max(_e.at)).where(_range(first, last))


@tuples
def entries(first: int, last: int) -> ClauseElement:
    """Return the entries of the segments numbered `first` to `last` that have one, in order.

    Each as segment, earliest and latest time (which may be None), and prints.
    """
    found = select(_s.segment, _s.earliest, _s.latest, _s.prints).where(_s.segment.between(first, last))
    return found.order_by(_s.segment)


@column(int)
def _known(first: int, last: int) -> ClauseElement:
    return select(_s.segment).where(_s.segment.between(first, last)).order_by(_s.segment)


def first_missing(tx: Queries, first: int, end: int) -> int | None:
    """Return the number of the first segment from `first` to before `end` that has no entry."""
    known = set(_known(tx, first, end - 1))
    return next((segment for segment in range(first, end) if segment not in known), None)


@change
def add_entry(segment: int, earliest: int | None, latest: int | None, prints: bytes) -> ClauseElement:
    """Add the entry of a segment, unless it is there: another program may have made the same one meanwhile."""
    values = {"segment": segment, "earliest": earliest, "latest": latest, "prints": prints}
    return insert(event_segment).prefix_with("OR IGNORE").values(values)


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
def _events(ids: int, units: int) -> KnownStatement:
    def build() -> ClauseElement:
        chosen = or_(
            _e.msg_id.in_(_parameters("id", ids)),
            _e.correl_id.in_(_parameters("id", ids)),
            # There are few of these events, and only the reader knows which of them matter.
            one_of(_e.kind, "CLEAR", "MOVE", "DELETE"),
            (_e.kind == constant("CHANNEL")) & one_of(_e.cause, "batch", "in-doubt", "resolved"),
            one_of(_e.kind, "COMMIT", "BACKOUT") & _e.unit.in_(_parameters("unit", units)),
            _made_for() & _original().in_(_parameters("id", ids)),
        )
        found = select(*(_e[name] for name in ALL_COLUMNS)).where(_range(bindparam("first"), bindparam("last")), chosen)
        return found.order_by(_e.seq)

    return KnownStatement(f"events {ids} {units}", build)


def events(tx: Queries, first: int, last: int, ids: Sequence[bytes], units: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return the events numbered `first` to `last`, with the values of ALL_COLUMNS, that may belong to a life.

    They have one of the identifiers as MsgId, as CorrelId or as the original of a report, or end one of the units of
    work, at most MOST_VALUES of each. All commands on queues and batches of channels are included. Every event in that
    range is read, so keep it short.
    """
    values = {"first": first, "last": last, **_filled("id", ids), **_filled("unit", units)}
    return tx.all(_events(_slots(len(ids)), _slots(len(units))), values)


@tuples
def _ids_of_events(first: int, last: int, low: bytes, high: bytes) -> ClauseElement:
    # The CorrelId of what the queue manager made, such as the messages of a transmission queue.
    made = case((_e.put_application == func.substr(_e.qmgr, constant(1), constant(28)), _e.correl_id))
    within = or_(_e.msg_id.between(low, high), _e.correl_id.between(low, high))
    return select(_e.msg_id, made).where(_range(first, last), within).distinct()


def ids_of_events(tx: Queries, first: int, last: int, low: bytes, high: bytes) -> set[bytes]:
    """Return the MsgIds from `low` to `high` in the events numbered `first` to `last`; keep that range short."""
    found = _ids_of_events(tx, first, last, low, high)
    return {each for row in found for each in row if each is not None and low <= each <= high}


@column(bytes)
def ids_of_messages(low: bytes, high: bytes, most: int) -> ClauseElement:
    """Return up to `most` MsgIds from `low` to `high` of messages that are available."""
    # One seek for each queue, in the index on MsgIds.
    found = select(_m.msg_id).select_from(queue.join(message, _m.queue == _q.id))
    return found.where(READY, _m.msg_id.between(low, high)).distinct().limit(most)


@tuples
def messages(id: bytes) -> ClauseElement:
    """Return the messages with that MsgId or CorrelId.

    Each as owner, queue, MsgId, CorrelId, state, times of put and expiry, PutApplName, and the name of the unit in
    doubt that holds it, or None.
    """
    columns = (_q.owner, _q.name, _m.msg_id, _m.correl_id, _m.state, _m.put_at, _m.expires_at, _m.put_appl_name)
    holder = select(_u.name).where(_u.number == _m.unit).scalar_subquery()
    placed: Select[Any] = select(*columns, holder).select_from(queue.join(message, _m.queue == _q.id))
    return union_all(
        placed.where(READY, _m.msg_id == id),
        placed.where(READY, READY & _m.correl_id.is_not(None), _m.correl_id == id, _m.msg_id != id),
        placed.where(IN_UNIT, or_(_m.msg_id == id, _m.correl_id == id)),
    )


@column(str)
def _addresses() -> ClauseElement:
    address = func.json_extract(_o.attributes, constant("$.CONNAME"))
    return select(address).where(_o.namespace == constant("channel")).distinct()


@column(str)
def _targets() -> ClauseElement:
    return select(channel_host.c.target)


def addresses(tx: Queries) -> list[str]:
    """Return the connection names of all channels, and the targets of the map of host names."""
    return [each for each in _targets(tx) + _addresses(tx) if each]


# The fields of `store.rules.message_origin.MovingEvent`.
MOVING_COLUMNS = "kind cause queue target msg_id correl_id put_at unit at application user detail".split()


@tuples
def moving_events(qmgr: str, queue_id: int, first: int, last: int) -> ClauseElement:
    """Return the events numbered `first` to `last` about messages with MsgIds that are on the queue, and all backouts.

    Each has the values of MOVING_COLUMNS. Every event in that range is read, so keep it short.
    """
    # With IN, SQLite would first collect the identifiers of the whole queue.
    waiting = select(_m.id).where(_m.queue == queue_id, READY, _m.msg_id == _e.msg_id).exists()
    moving = one_of(_e.kind, "PUT", "GET", "REQUEUE", "FORWARD", "DISCARD") & waiting
    found = select(*(_e[name] for name in MOVING_COLUMNS))
    found = found.where(_range(first, last), _e.qmgr == qmgr, or_(_e.kind == constant("BACKOUT"), moving))
    return found.order_by(_e.seq)


# For an audit of the history.

_FOLLOWED = "seq kind qmgr queue target msg_id unit put_at detail cause rule expires_at".split()


def _is_imported() -> ColumnElement[Any]:
    # A damaged store may have events without a queue manager.
    return func.coalesce(_e.qmgr.in_(select(imported_manager.c.name)), ZERO)


def is_call() -> ColumnElement[Any]:
    """Whether an event is an ordinary put, get or commit: without a cause or MQGMO_MARK_SKIP_BACKOUT, and complete."""
    # A text is less than any blob, which a damaged store may have instead.
    blob: ColumnElement[bytes] = literal_column("x''")
    of_message = one_of(_e.kind, "PUT", "GET"), _e.qmgr < blob, _e.queue < blob, _e.msg_id >= blob
    of_unit = one_of(_e.kind, "COMMIT"), _e.unit.is_not(None), _e.queue.is_(None), _e.msg_id.is_(None)
    is_whole = func.length(_e.msg_id) == constant(24)
    is_plain = or_(_e.detail.is_(None), func.instr(_e.detail, constant('"mark"')) == ZERO)
    own = _is_imported() == ZERO
    return and_(own, _e.cause.is_(None), is_plain, or_(and_(*of_message, is_whole), and_(*of_unit)))


def is_no_call() -> ColumnElement[bool]:
    """Whether an event is another one, or lacks something."""
    return func.coalesce(is_call(), ZERO) == ZERO


def _calls() -> Select[Any]:
    place = _e.qmgr.op("||")(constant(" ")).op("||")(_e.queue)
    # A damaged store may have other values than numbers, which JSON may not.
    put_at, unit = _e.put_at.op("+")(ZERO), _e.unit.op("+")(ZERO)
    arrays = map(func.json_group_array, (_e.seq, place, _e.kind == constant("PUT"), put_at, unit))
    # JSON has no bytes, and hexadecimal would take half of the time of the statement.
    msg_ids: ColumnElement[bytes] = literal_column("CAST(group_concat(coalesce(msg_id, zeroblob(24)), '') AS BLOB)")
    return select(*arrays, msg_ids).where(is_call())


@first_tuple
def calls(first: int, last: int) -> ClauseElement:
    """Return the ordinary puts, gets and commits with these numbers, as `store.past.pages` reads them.

    That is a JSON array for each value of `Call` but MsgId, and the MsgIds as one. Rows would take three times as long.
    """
    return _calls().where(_range(first, last))


@first_tuple
def calls_on(first: int, last: int, names: list[str]) -> ClauseElement:
    """Return in the same way those on queues with these names, and the commits."""
    return _calls().where(_range(first, last), or_(_e.queue.is_(None), _e.queue.in_(values_of(names))))


@tuples
def no_calls(first: int, last: int) -> ClauseElement:
    """Return the other events with these numbers, with the values of `store.past.messages.PastEvent`."""
    # What was imported happened elsewhere: it is counted only as a number without a gap.
    instead = {"kind": constant("LOG"), "cause": literal_column("NULL"), "detail": literal_column("NULL")}
    imported = _is_imported() == ONE
    columns = (case((imported, instead[name]), else_=_e[name]) if name in instead else _e[name] for name in _FOLLOWED)
    return select(*columns).where(_range(first, last), is_no_call()).order_by(_e.seq)


@tuples
def messages_there() -> ClauseElement:
    """Return owner, queue, MsgId, unit of work and state of every message."""
    return select(_q.owner, _q.name, _m.msg_id, _m.unit, _m.state).select_from(queue.join(message, _m.queue == _q.id))


@tuples
def reply_queues(qmgr: str) -> ClauseElement:
    """Return queue, Report, ReplyToQ and ReplyToQMgr of the messages on queues that name a reply queue, each once."""
    waiting = select(_q.name, _m.report, _m.reply_to_q, _m.reply_to_q_mgr)
    found = waiting.select_from(queue.join(message, _m.queue == _q.id)).where(_q.owner == qmgr, _m.reply_to_q != "")
    return found.distinct().order_by(*found.selected_columns)


@tuples
def queues_there() -> ClauseElement:
    """Return owner, name, depth, number of messages that are not got, and whether puts are recorded, of each queue."""
    there = select(func.count()).select_from(message).where(_m.queue == _q.id, ~GOT_IN_UNIT).scalar_subquery()
    return select(_q.owner, _q.name, _q.depth, there, _q.recorded)


@tuples
def events_of_messages(listed: list[str], first: int, last: int) -> ClauseElement:
    """Return MsgId, number, kind, queue manager and queue of the events of messages; the MsgIds are hexadecimal."""
    found = select(_e.msg_id, _e.seq, _e.kind, _e.qmgr, _e.queue).where(_range(first, last), _e.msg_id.is_not(None))
    ids = select(func.unhex(func.json_each(listed).table_valued("value").c.value))
    return found.where(_e.msg_id.in_(ids)).order_by(_e.seq)
