"""Units of work: the messages that they hold, their end, and units in doubt, which are prepared but not ended yet."""

from __future__ import annotations

from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.rows import UNIT_BITS, MessageState, PreparedUnitRow, StoredMessage
from store.sql.statements import change, column, exists, find, first_tuple, removal, rows, value
from store.sqlite.database import Queries, Transaction

_m, _q, _c, _p, _d, _e = message.c, queue.c, connection.c, process.c, prepared_unit.c, event.c


@change
def _remove_got(unit: int) -> ClauseElement:
    return delete(message).where(_m.unit == unit, GOT_IN_UNIT, IN_UNIT)


@change
def _release_put(unit: int) -> ClauseElement:
    put = update(message).where(_m.unit == unit, PUT_IN_UNIT, IN_UNIT)
    return put.values(state=constant(MessageState.AVAILABLE), unit=literal_column("NULL"))


@change
def _remove_put(unit: int) -> ClauseElement:
    return delete(message).where(_m.unit == unit, PUT_IN_UNIT, IN_UNIT, _m.kept_at_backout == ZERO)


@change
def _release_got(unit: int, except_message: int) -> ClauseElement:
    got = update(message).where(_m.unit == unit, GOT_IN_UNIT, IN_UNIT, _m.id != except_message)
    return got.values(state=constant(MessageState.AVAILABLE), unit=None, backout_count=_m.backout_count + ONE)


def commit(tx: Transaction, unit: int) -> None:
    """Remove the messages that the unit has got and make those that it has put available."""
    _remove_got(tx, unit)
    _release_put(tx, unit)


def back_out(tx: Transaction, unit: int, except_message: int) -> None:
    """Remove the messages that the unit has put and make those that it has got available, raising BackoutCount.

    Trigger messages of type FIRST and DEPTH stay. `except_message`, the message marked to skip backout or 0, keeps its
    state.
    """
    _remove_put(tx, unit)
    _release_put(tx, unit)
    _release_got(tx, unit, except_message)


@change
def move_message(id: int, before: int, unit: int) -> ClauseElement:
    """Transfer a message that skips backout from the unit `before` to `unit`, unless it was deleted with its queue."""
    return update(message).where(_m.id == id, _m.unit == before).values(unit=unit)


class UnitShare(NamedTuple):
    """What a unit of work holds on one queue; kept trigger messages do not count as puts."""

    queue: int
    puts: int
    gets: int
    persistent: int
    earliest_expiry: int | None


@rows(UnitShare)
def shares(unit: int) -> ClauseElement:
    """Return what `unit` has put to and got from each queue."""
    found = select(
        _m.queue, func.sum(case((PUT_IN_UNIT & (_m.kept_at_backout == ZERO), ONE), else_=ZERO)),
        func.sum(case((GOT_IN_UNIT, ONE), else_=ZERO)), func.max(_m.persistence), func.min(_m.expires_at),
    )  # fmt: skip
    return found.where(_m.unit == unit, IN_UNIT).group_by(_m.queue)


@column(int)
def _between(low: int, high: int) -> ClauseElement:
    return select(_m.unit).where(_m.unit >= low, _m.unit < high, IN_UNIT, _m.unit.not_in(select(_d.number))).distinct()


def of_connection(tx: Queries, connection: int) -> list[int]:
    """Return the units of work in which a connection holds messages; those in doubt are no longer its own."""
    low = connection << UNIT_BITS
    return _between(tx, low, low + (1 << UNIT_BITS))


@rows(StoredMessage)
def got(unit: int) -> ClauseElement:
    """Return the messages that `unit` has got, with empty data."""
    return select(*WITHOUT_BODY).where(_m.unit == unit, GOT_IN_UNIT, IN_UNIT)


@value(int)
def uncommitted_on_queue(queue: int) -> ClauseElement:
    """Return how many messages of the queue open units of work have put or got."""
    return select(func.count()).select_from(message).where(_m.queue == queue, _m.unit.is_not(None), IN_UNIT)


@value(int)
def got_on_queue(queue: int) -> ClauseElement:
    """Return how many messages of the queue open units of work have got."""
    return select(func.count()).select_from(message).where(_m.queue == queue, GOT_IN_UNIT, IN_UNIT)


def add_prepared(tx: Transaction, row: PreparedUnitRow) -> None:
    """Store a unit in doubt."""
    tx.insert("prepared_unit", row._asdict())


# Return the unit that was prepared under that name and identifier, or None.
prepared = find(PreparedUnitRow, "prepared_unit", "qmgr", "name", "luwid")

remove_prepared = removal("prepared_unit", "number")


class UnitInDoubt(NamedTuple):
    """A unit of work in doubt: who prepared it and when (microseconds UTC), and how many messages it holds.

    `unit` is the number that its events have.
    """

    name: str
    luwid: str
    prepared_at: int
    puts: int
    gets: int
    application: str
    user: str
    unit: int


def _its_messages() -> ColumnElement[bool]:
    return and_(_m.unit == _d.number, _m.unit.is_not(None))


@rows(UnitInDoubt)
def in_doubt(qmgr: str) -> ClauseElement:
    """Return the units in doubt of a queue manager, oldest first."""
    found = select(
        _d.name, _d.luwid, _d.prepared_at, func.coalesce(func.sum(case((PUT_IN_UNIT, ONE), else_=ZERO)), ZERO),
        func.coalesce(func.sum(case((GOT_IN_UNIT, ONE), else_=ZERO)), ZERO), _d.application, _d.user, _d.number,
    )  # fmt: skip
    found = found.select_from(prepared_unit.outerjoin(message, _its_messages())).where(_d.qmgr == qmgr)
    return found.group_by(_d.number).order_by(_d.prepared_at, _d.number)


@exists
def in_doubt_hold_messages_of(queue: int) -> ClauseElement:
    """Return whether units in doubt have put messages on a queue, or got messages from it."""
    found = select(ONE).select_from(prepared_unit.join(message, _its_messages()))
    return found.where(_m.queue == queue).limit(ONE)


class GotMessage(NamedTuple):
    """A message that a unit in doubt has got, with the start of its data, None if it has none."""

    format: str
    encoding: int
    coded_char_set_id: int
    length: int
    body: bytes | None


@value(int)
def got_data(unit: int, header: int, other: int) -> ClauseElement:
    """Return the bytes of the messages that a unit got from all queues but one, less `header` bytes for each."""
    return select(func.coalesce(func.sum(func.max(_m.length - header, ZERO)), ZERO)).where(
        _m.unit == unit, in_state(MessageState.GOT), _m.queue != other
    )


@rows(GotMessage)
def got_messages(unit: int, queue: int, most: int, size: int) -> ClauseElement:
    """Return the first messages that a unit has got from a queue, each with so many bytes of its data."""
    found = select(*(_m[name] for name in GotMessage._fields[:-1]), func.substr(_m.body, ONE, size))
    found = found.where(_m.unit == unit, in_state(MessageState.GOT), _m.queue == queue)
    return found.order_by(_m.rank.desc(), _m.sequence).limit(most)


class Held(NamedTuple):
    """The messages of one queue and state that one unit of work holds, and the program that it belongs to.

    `first_put_at` is when the first of the messages was put, microseconds UTC. `kept`: they are trigger messages that
    stay when the unit is backed out. `file` is the liveness file of the process, blank for a store in memory.
    `in_doubt` is the name under which the unit was prepared, blank if it was not; it has no connection then.
    """

    unit: int
    queue: str
    state: int
    messages: int
    first_put_at: int
    kept: int
    connection: int
    application: str
    user: str
    file: str
    in_doubt: str


def _held() -> Select[Any]:
    holders: Join = (
        message.join(queue, _q.id == _m.queue)
        .outerjoin(prepared_unit, _d.number == _m.unit)
        .outerjoin(connection, (_c.id == _m.unit.op(">>")(constant(UNIT_BITS))) & _d.number.is_(None))
        .outerjoin(process, _p.id == _c.process)
    )
    found = select(
        _m.unit, _q.name, _m.state, func.count(), func.min(_m.put_at), func.max(_m.kept_at_backout),
        func.coalesce(_c.id, ZERO), func.coalesce(_c.application, _d.application), func.coalesce(_c.user, _d.user),
        func.coalesce(_p.file, BLANK), func.coalesce(_d.name, BLANK),
    )  # fmt: skip
    found = found.select_from(holders)
    found = found.where(_m.unit.is_not(None), IN_UNIT, or_(_c.id.is_not(None), _d.number.is_not(None)))
    return found.group_by(_m.unit, _q.name, _m.state).order_by(func.min(_m.put_at), _m.unit, _m.state)


@rows(Held)
def held_on_queue(queue: int, rank: int) -> ClauseElement:
    """Return what open units of work put on a queue or got from it, of at least that effective priority."""
    return _held().where(_m.queue == queue, _m.rank >= rank)


class StartOfData(NamedTuple):
    """How trigger messages for one queue begin, and their format; also as dead letters, behind a `header`."""

    start: bytes
    format: str
    header: int
    dead_letter_format: str


@rows(Held)
def _held_trigger_messages(
    owner: str, start: Any, format: str, header: Any, dead_letter_format: str, length: int
) -> ClauseElement:
    return _held().where(
        PUT_IN_UNIT,
        _q.owner == owner,
        or_(
            (_m.format == format) & (func.substr(_m.body, ONE, length) == start),
            (_m.format == dead_letter_format) & (func.substr(_m.body, header + ONE, length) == start),
        ),
    )


def held_trigger_messages(tx: Queries, owner: str, wanted: StartOfData) -> list[Held]:
    """Return the trigger messages that open units of work put on any queue of a queue manager."""
    return _held_trigger_messages(tx, owner, *wanted, len(wanted.start))


# How many events, from the end of the history, are searched for the gets of a unit of work.
REACH = 100_000


@first_tuple
def _gets(queue: str, unit: int) -> ClauseElement:
    return select(func.min(_e.at), func.count()).where(
        _e.seq > select(func.max(_e.seq)).scalar_subquery() - constant(REACH),
        _e.kind == constant("GET"),
        _e.queue == queue,
        _e.unit == unit,
    )


def first_get(tx: Queries, queue: str, unit: int, messages: int) -> int | None:
    """Return when a unit of work got the first of its `messages` from a queue, microseconds UTC.

    None when the end of the history does not have all of the gets.
    """
    at, found = _gets(tx, queue, unit)
    return at if found >= messages else None
