"""Units of work in doubt: prepared, and neither committed nor backed out yet."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.clauses import GOT_IN_UNIT, OF_QUEUE, ONE, PUT_IN_UNIT, ZERO, in_state
from store.sql.file_format import MessageState
from store.sql.rows import PreparedUnitRow
from store.sql.tables import message, prepared_unit
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import and_, bindparam, case, delete, func, insert, select
from store.sqlite.statement import Statement

_m, _p = message.c, prepared_unit.c

_ADD = Statement(insert(prepared_unit).values({name: bindparam(name) for name in PreparedUnitRow._fields}))
_FIND = Statement(
    select(prepared_unit).where(
        _p.qmgr == bindparam("qmgr"), _p.name == bindparam("name"), _p.luwid == bindparam("luwid")
    )
)
_REMOVE = Statement(delete(prepared_unit).where(_p.number == bindparam("number")))


def add(tx: Transaction, row: PreparedUnitRow) -> None:
    """Store a unit in doubt."""
    tx.run(_ADD, row._asdict())


def find(tx: Queries, qmgr: str, name: str, luwid: str) -> PreparedUnitRow | None:
    """Return the unit that was prepared under that name and identifier, or None."""
    row = tx.one(_FIND, {"qmgr": qmgr, "name": name, "luwid": luwid})
    return None if row is None else PreparedUnitRow._make(row)


def remove(tx: Transaction, number: int) -> None:
    tx.run(_REMOVE, {"number": number})


class UnitInDoubt(NamedTuple):
    """A unit of work in doubt: what prepared it and when (microseconds UTC), and how many messages it holds.

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


_OF_MANAGER = Statement(
    select(
        _p.name,
        _p.luwid,
        _p.prepared_at,
        func.coalesce(func.sum(case((PUT_IN_UNIT, ONE), else_=ZERO)), ZERO),
        func.coalesce(func.sum(case((GOT_IN_UNIT, ONE), else_=ZERO)), ZERO),
        _p.application,
        _p.user,
        _p.number,
    )
    .select_from(prepared_unit.outerjoin(message, and_(_m.unit == _p.number, _m.unit.is_not(None))))
    .where(_p.qmgr == bindparam("qmgr"))
    .group_by(_p.number)
    .order_by(_p.prepared_at, _p.number)
)
_HOLDS = Statement(
    select(ONE)
    .select_from(prepared_unit.join(message, and_(_m.unit == _p.number, _m.unit.is_not(None))))
    .where(OF_QUEUE)
    .limit(ONE)
)


def of_queue_manager(tx: Queries, qmgr: str) -> list[UnitInDoubt]:
    """Return the units in doubt of a queue manager, oldest first."""
    return [UnitInDoubt._make(row) for row in tx.all(_OF_MANAGER, {"qmgr": qmgr})]


def hold_messages_of(tx: Queries, queue: int) -> bool:
    """Return whether units in doubt have put messages on a queue, or got messages from it."""
    return tx.one(_HOLDS, {"queue": queue}) is not None


class GotMessage(NamedTuple):
    """A message that a unit in doubt has got, with the start of its data, None if it has none."""

    format: str
    encoding: int
    coded_char_set_id: int
    length: int
    body: bytes | None


_GOT = Statement(
    select(
        *(_m[name] for name in GotMessage._fields[:-1]),
        func.substr(_m.body, ONE, bindparam("size")),
    )
    .where(_m.unit == bindparam("unit"), in_state(MessageState.GOT), _m.queue == bindparam("queue"))
    .order_by(_m.rank.desc(), _m.sequence)
    .limit(bindparam("most"))
)

_GOT_DATA = Statement(
    select(func.coalesce(func.sum(func.max(_m.length - bindparam("header"), ZERO)), ZERO)).where(
        _m.unit == bindparam("unit"), in_state(MessageState.GOT), _m.queue != bindparam("other")
    )
)


def got_data(tx: Queries, unit: int, header: int, other: int) -> int:
    """Return the bytes of what a unit has got from all queues but one, less so many for the header of each message."""
    return int(tx.one(_GOT_DATA, {"unit": unit, "header": header, "other": other})[0])


def got_messages(tx: Queries, unit: int, queue: int, most: int, size: int) -> list[GotMessage]:
    """Return the first messages that a unit has got from a queue, each with so many bytes of its data."""
    values = {"unit": unit, "queue": queue, "most": most, "size": size}
    return [GotMessage._make(row) for row in tx.all(_GOT, values)]
