"""Statements that turn a copy of a store into its state after an earlier event (`store.past.as_of`)."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.core import *
from store.sql.rows import MessageState
from store.sql.statements import change, first_tuple, rows, tuples, value
from store.sqlite.database import Transaction

_e, _m, _q, _n, _g = event.c, message.c, queue.c, queue_member.c, queue_manager.c
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


@value(str)
def model_of(owner: str, name: str, before: int) -> ClauseElement:
    """Return the model queue from which a dynamic queue was last made before an event, or blank."""
    made = select(_e.rule).where(
        _e.seq < before, one_of(_e.kind, "DEFINE"), one_of(_e.cause, "dynamic"), _e.qmgr == owner, _e.queue == name
    )
    return made.order_by(_e.seq.desc()).limit(ONE)


@tuples
def of_messages(last: int, kinds: list[str]) -> ClauseElement:
    """Return the events of these kinds up to a number, in order, as `store.past.messages` follows them."""
    columns = _e.seq, _e.kind, _e.qmgr, _e.queue, _e.target, _e.msg_id, _e.unit, _e.put_at, _e.detail
    return select(*columns).where(_e.seq <= last, _own(), _e.kind.in_(values_of(kinds))).order_by(_e.seq)


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


@tuples
def present(number: int) -> ClauseElement:
    """Return (id, msg_id, put_at) of the messages of a queue, in their order."""
    return select(_m.id, _m.msg_id, _m.put_at).where(_m.queue == number).order_by(_m.sequence)


@change
def park(number: int) -> ClauseElement:
    """Take the messages of a queue out of the way of those that it had: to places with negative numbers."""
    return update(message).where(_m.queue == number).values(sequence=-_m.id)


@change
def remove_parked(number: int) -> ClauseElement:
    """Remove the messages of a queue that were not placed again."""
    return delete(message).where(_m.queue == number, _m.sequence < ZERO)


@change
def place(id: int, sequence: int, state: int, unit: int | None, backouts: int) -> ClauseElement:
    """Place a message of the present where it was, in the state that it had."""
    values = {"sequence": sequence, "state": state, "unit": unit, "backout_count": backouts}
    return update(message).where(_m.id == id).values(**values, locked_by=None, marked_until=None)


@change
def count(number: int, next_sequence: int) -> ClauseElement:
    """Set the depth of a queue and what follows from its messages."""
    on_queue = select(func.count()).where(_m.queue == number, _m.state != constant(MessageState.GOT))
    earliest = select(func.min(_m.expires_at)).where(_m.queue == number)
    values = {"depth": on_queue.scalar_subquery(), "earliest_expiry": earliest.scalar_subquery()}
    return update(queue).where(_q.id == number).values(**values, next_sequence=next_sequence)


@tuples
def last_uses(last: int) -> ClauseElement:
    """Return (qmgr, queue, kind, at) of the last put and the last get of each queue up to an event."""
    found = select(_e.qmgr, _e.queue, _e.kind, func.max(_e.at))
    return found.where(_e.seq <= last, one_of(_e.kind, "PUT", "GET")).group_by(_e.qmgr, _e.queue, _e.kind)


@change
def used(number: int, put_at: int | None, got_at: int | None) -> ClauseElement:
    """Set when a queue was last put on and got from."""
    return update(queue).where(_q.id == number).values(last_put_at=put_at, last_get_at=got_at)


@change
def close_handles() -> ClauseElement:
    """Set the counts of open handles of all queues to zero."""
    return update(queue_member).values(input_handles=ZERO, exclusive_handles=ZERO, output_handles=ZERO)


@change
def remove_events(after: int) -> ClauseElement:
    """Remove the events after a number."""
    return delete(event).where(_e.seq > after)


@change
def remove_definition(owner: str, namespace: str, name: str) -> ClauseElement:
    """Remove a definition."""
    _o = object_.c
    return delete(object_).where(_o.owner == owner, _o.namespace == namespace, _o.name == name)


@change
def rewrite_times(owner: str, namespace: str, name: str, created_at: int, altered_at: int) -> ClauseElement:
    """Set when an object was defined and altered."""
    _o = object_.c
    found = update(object_).where(_o.owner == owner, _o.namespace == namespace, _o.name == name)
    return found.values(created_at=created_at, altered_at=altered_at)


def clear_held(tx: Transaction) -> None:
    """Forget what programs hold."""
    for name in HELD:
        tx.execute(f"DELETE FROM {name}", ())
