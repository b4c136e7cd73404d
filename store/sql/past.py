"""Statements that turn a copy of a store into its state after an earlier event (`store.past.as_of`)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from store.published import EVENT_COLUMNS
from store.sql.core import *
from store.sql.rows import UNIT_BITS, MessageState
from store.sql.search import is_no_call
from store.sql.statements import change, column, first_tuple, removal, rows, tuples, value
from store.sqlite.database import Transaction

_e, _m, _q = event.c, message.c, queue.c
# What programs that have the store open hold, and what the history does not know of the past.
HELD = "process", "connection", "handle", "handle_path", "waiter", "channel_status", "event_segment", "pending_refresh"


def _own() -> ColumnElement[bool]:
    """Return the condition that an event happened here, and was not imported from another queue manager."""
    return _e.qmgr.not_in(select(imported_manager.c.name))


@first_tuple
def event_at(seq: int) -> ClauseElement:
    """Return (seq, at) of the last event up to a number, or None."""
    return select(_e.seq, _e.at).where(_e.seq <= seq).order_by(_e.seq.desc()).limit(ONE)


@value(int)
def last_before(at: int, owners: list[str]) -> ClauseElement:
    """Return the number of the last event of these queue managers and groups that was not later than a time, or 0."""
    return select(func.max(_e.seq)).where(_e.at <= at, _e.qmgr.in_(values_of(owners)))


@first_tuple
def last_time(seq: int, owners: list[str]) -> ClauseElement:
    """Return (at,) of the last event up to a number that is of these queue managers and groups, or None."""
    return select(_e.at).where(_e.seq <= seq, _e.qmgr.in_(values_of(owners))).order_by(_e.seq.desc()).limit(ONE)


@tuples
def next_clock_changes(after: int) -> ClauseElement:
    """Return (qmgr, seq, kind, at, detail) of the first CLOCK or JOIN of each queue manager after an event."""
    found = select(_e.qmgr, func.min(_e.seq), _e.kind, _e.at, _e.detail)
    return found.where(_e.seq > after, one_of(_e.kind, "CLOCK", "JOIN"), _own()).group_by(_e.qmgr)


@value(str)
def model_of(owner: str, name: str, before: int) -> ClauseElement:
    """Return the model queue from which a dynamic queue was last made before an event, or blank."""
    made = select(_e.rule).where(
        _e.seq < before, one_of(_e.kind, "DEFINE"), one_of(_e.cause, "dynamic"), _e.qmgr == owner, _e.queue == name
    )
    return made.order_by(_e.seq.desc()).limit(ONE)


@tuples
def of_messages(first: int, last: int, kinds: list[str], names: list[str]) -> ClauseElement:
    """Return events that are no calls in order, as `store.past.messages` follows them.

    They are of these kinds, and on these queues or on none.
    """
    on_queues = or_(_e.queue.is_(None), _e.queue.in_(values_of(names)), one_of(_e.kind, "TRIGGER", "DEAD_LETTER"))
    return _about_messages(first, last, kinds).where(on_queues, is_no_call()).order_by(_e.seq)


def _about_messages(first: int, last: int, kinds: list[str]) -> Select[Any]:
    # The fields of `store.past.messages.PastEvent`, as far as they matter here.
    columns = _e.seq, _e.kind, _e.qmgr, _e.queue, _e.target, _e.msg_id, _e.unit, _e.put_at, _e.detail
    return select(*columns).where(_e.seq.between(first, last), _own(), _e.kind.in_(values_of(kinds)))


def _backwards(first: int, last: int, kinds: list[str]) -> Select[Any]:
    return _about_messages(first, last, kinds).order_by(_e.seq.desc())


@tuples
def of_connections(first: int, last: int, kinds: list[str], connections: list[int]) -> ClauseElement:
    """Return those in units of work of these connections, the last one first."""
    return _backwards(first, last, kinds).where(_e.unit.op(">>")(constant(UNIT_BITS)).in_(values_of(connections)))


@tuples
def of_msg_ids(first: int, last: int, kinds: list[str], listed: list[str]) -> ClauseElement:
    """Return those about messages with these MsgIds, in hexadecimal, and every BACKOUT and MOVE, the last one first."""
    ids = select(func.unhex(func.json_each(listed).table_valued("value").c.value))
    return _backwards(first, last, kinds).where(or_(one_of(_e.kind, "BACKOUT", "MOVE"), _e.msg_id.in_(ids)))


class ObjectEvent(NamedTuple):
    """An event about a definition or a queue manager."""

    seq: int
    at: int
    qmgr: str
    kind: str
    cause: str
    name: str
    type: str
    detail: str

    @property
    def told(self) -> dict[str, Any]:
        """Its detail as a JSON object."""
        return dict(json.loads(self.detail)) if self.detail else {}


@rows(ObjectEvent)
def of_objects(first: int, last: int, kinds: list[str]) -> ClauseElement:
    """Return the events of these kinds with numbers from `first` to `last`, in order."""
    texts = (func.coalesce(each, BLANK) for each in (_e.cause, _e.queue, _e.target, _e.detail))
    found = select(_e.seq, _e.at, _e.qmgr, _e.kind, *texts)
    return found.where(_e.seq.between(first, last), _own(), _e.kind.in_(values_of(kinds))).order_by(_e.seq)


@tuples
def puts(numbers: list[int]) -> ClauseElement:
    """Return what the events with these numbers say about the message that was put, in the order of PUT_COLUMNS."""
    columns = (
        _e.seq, _e.msg_id, _e.correl_id, _e.priority, _e.persistence, _e.length, _e.put_at, _e.expires_at,
        _e.put_application, _e.put_user,
    )  # fmt: skip
    return select(*columns).where(_e.seq.in_(values_of(numbers)))


PUT_COLUMNS = (
    "seq", "msg_id", "correl_id", "priority", "persistence", "length", "put_at", "expires_at", "put_appl_name",
    "user_identifier",
)  # fmt: skip


@tuples
def local_queues() -> ClauseElement:
    """Return (owner, name, id, fifo, recorded) of all local queues."""
    return select(_q.owner, _q.name, _q.id, _q.fifo, _q.recorded).where(_q.type == constant("QLOCAL"))


def _on(number: int) -> ColumnElement[bool]:
    """Whether a message is on a queue: by the indexes of the states, where one condition would read all messages."""
    states = ((READY,), (PUT_IN_UNIT,), (GOT_IN_UNIT, IN_UNIT))
    return _m.id.in_(union_all(*(select(_m.id).where(_m.queue == number, *state) for state in states)))


@tuples
def present(number: int) -> ClauseElement:
    """Return (id, msg_id, put_at, sequence, state, unit, backout_count) of the messages of a queue, in their order."""
    columns = _m.id, _m.msg_id, _m.put_at, _m.sequence, _m.state, _m.unit, _m.backout_count
    return select(*columns).where(_on(number)).order_by(_m.sequence)


@change
def remove_messages(numbers: list[int]) -> ClauseElement:
    """Remove messages by their row numbers."""
    return delete(message).where(_m.id.in_(values_of(numbers)))


@change
def place(id: int, sequence: int, state: int, unit: int | None, backouts: int) -> ClauseElement:
    """Place a message of the present where it was, in the state that it had."""
    values = {"sequence": sequence, "state": state, "unit": unit, "backout_count": backouts}
    return update(message).where(_m.id == id).values(**values, locked_by=None, marked_until=None)


@change
def count(number: int, next_sequence: int) -> ClauseElement:
    """Set the depth of a queue and what follows from its messages."""
    on_queue = select(func.count()).where(_on(number), _m.state != constant(MessageState.GOT))
    earliest = select(func.min(_m.expires_at)).where(_on(number))
    values = {"depth": on_queue.scalar_subquery(), "earliest_expiry": earliest.scalar_subquery()}
    return update(queue).where(_q.id == number).values(**values, next_sequence=next_sequence)


@tuples
def last_uses(first: int, last: int, names: list[str]) -> ClauseElement:
    """Return (qmgr, queue, kind, seq, at) of the last PUT, GET and DELETE of queues with these names in a range."""
    is_deletion = one_of(_e.kind, "DELETE") & one_of(_e.target, "QLOCAL")
    found = select(_e.qmgr, _e.queue, _e.kind, func.max(_e.seq), _e.at).where(
        _e.seq.between(first, last), _e.queue.in_(values_of(names)), or_(one_of(_e.kind, "PUT", "GET"), is_deletion)
    )
    return found.group_by(_e.qmgr, _e.queue, _e.kind)


@column(int)
def open_units() -> ClauseElement:
    """Return the numbers of the units of work that hold messages."""
    return select(_m.unit).where(_m.unit.is_not(None)).distinct()


@change
def ask_for_reports(msg_id: bytes, put_at: int, report: int, queue: str) -> ClauseElement:
    """Have a message that is gone since, of which no report options are known, ask for reports."""
    asking = update(message).where(_m.msg_id == msg_id, _m.put_at == put_at, _m.report == ZERO)
    return asking.values(report=report, reply_to_q=queue)


@change
def ask_when_moved(queue: int, msg_id: bytes, before: int, report: int, reply_to: str) -> ClauseElement:
    """Have a message of a queue ask for a report, after so many with its MsgId that do, unless it does already."""
    asks = _m.report.op("&")(report) != ZERO
    same = select(_m.id).where(_m.queue == queue, _m.msg_id == msg_id, READY)
    chosen = same.order_by(asks.desc(), _m.sequence).limit(ONE).offset(before).scalar_subquery()
    return update(message).where(_m.id == chosen, ~asks).values(report=_m.report.op("|")(report), reply_to_q=reply_to)


@change
def remove_events(after: int) -> ClauseElement:
    """Remove the events after a number."""
    return delete(event).where(_e.seq > after)


def return_events(tx: Transaction, rows: Iterable[tuple[Any, ...]]) -> None:
    """Add events that are no longer there, with the values of EVENT_COLUMNS."""
    names = [each.name for each in EVENT_COLUMNS]
    tx.connection.executemany(
        f"INSERT OR IGNORE INTO event ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", rows
    )


# Remove a definition.
remove_definition = removal("object", "owner", "namespace", "name")


@change
def rewrite_times(owner: str, namespace: str, name: str, created_at: int, altered_at: int) -> ClauseElement:
    """Set when an object was defined and altered."""
    _o = object_.c
    found = update(object_).where(_o.owner == owner, _o.namespace == namespace, _o.name == name)
    return found.values(created_at=created_at, altered_at=altered_at)


@change
def _empty_queues() -> ClauseElement:
    return update(queue).values(depth=ZERO, earliest_expiry=None)


@change
def close_handles() -> ClauseElement:
    return update(queue_member).values(input_handles=ZERO, exclusive_handles=ZERO, output_handles=ZERO)


def empty(tx: Transaction) -> None:
    """Remove all messages, and set the counts of open handles to zero."""
    tx.execute("DELETE FROM message", ())
    _empty_queues(tx)
    close_handles(tx)


def clear_held(tx: Transaction) -> None:
    """Forget what programs hold."""
    for name in HELD:
        tx.execute(f"DELETE FROM {name}", ())
