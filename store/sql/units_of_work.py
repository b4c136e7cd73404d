"""Units of work: the messages that they hold, their end, and units in doubt, which are prepared
but not ended yet.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_column, first_row, first_value
from mqsc.store.sql.rows import UNIT_BITS, PreparedUnitRow, StoredMessage
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def _remove_got(tx: Transaction, unit: int) -> int:
    return tx.execute(SQL["remove_got"], (unit,)).rowcount


def _release_put(tx: Transaction, unit: int) -> int:
    return tx.execute(SQL["release_put"], (unit,)).rowcount


def _remove_put(tx: Transaction, unit: int) -> int:
    return tx.execute(SQL["remove_put"], (unit,)).rowcount


def _release_got(tx: Transaction, unit: int, except_message: int) -> int:
    return tx.execute(SQL["release_got"], (unit, except_message)).rowcount


def commit(tx: Transaction, unit: int) -> None:
    """Remove the messages that the unit has got and make those that it has put available."""
    _remove_got(tx, unit)
    _release_put(tx, unit)


def back_out(tx: Transaction, unit: int, except_message: int) -> None:
    """Remove the messages that the unit has put and make those that it has got available, raising
    BackoutCount.

    Trigger messages of type FIRST and DEPTH stay. `except_message`, the message marked to skip
    backout or 0, keeps its state.
    """
    _remove_put(tx, unit)
    _release_put(tx, unit)
    _release_got(tx, unit, except_message)


def numbers_held(tx: Queries, unit: int, name: str) -> list[int]:
    """Return the numbers of the messages that the unit has put on queues of that name, or got
    there.
    """
    return first_column(tx.execute(SQL["numbers_held"], (unit, name)))


def move_message(tx: Transaction, id: int, before: int, unit: int) -> int:
    """Transfer a message that skips backout from the unit `before` to `unit`, unless it was
    deleted with its queue.
    """
    return tx.execute(SQL["move_message"], (id, before, unit)).rowcount


class UnitShare(NamedTuple):
    """What a unit of work holds on one queue; kept trigger messages do not count as puts."""

    queue: int
    puts: int
    gets: int
    persistent: int
    earliest_expiry: int | None


def shares(tx: Queries, unit: int) -> list[UnitShare]:
    """Return what `unit` has put to and got from each queue."""
    return every_row(UnitShare, tx.execute(SQL["shares"], (unit,)))


def _between(tx: Queries, low: int, high: int) -> list[int]:
    return first_column(tx.execute(SQL["between"], (low, high)))


def of_connection(tx: Queries, connection: int) -> list[int]:
    """Return the units of work in which a connection holds messages; those in doubt are no
    longer its own.
    """
    low = connection << UNIT_BITS
    return _between(tx, low, low + (1 << UNIT_BITS))


def got(tx: Queries, unit: int) -> list[StoredMessage]:
    """Return the messages that `unit` has got, with empty data."""
    return every_row(StoredMessage, tx.execute(SQL["got"], (unit,)))


def uncommitted_on_queue(tx: Queries, queue: int) -> int:
    """Return how many messages of the queue open units of work have put or got."""
    return first_value(int, tx.execute(SQL["uncommitted_on_queue"], (queue,)))


def got_on_queue(tx: Queries, queue: int) -> int:
    """Return how many messages of the queue open units of work have got."""
    return first_value(int, tx.execute(SQL["got_on_queue"], (queue,)))


def add_prepared(tx: Transaction, row: PreparedUnitRow) -> None:
    """Store a unit in doubt."""
    tx.insert("prepared_unit", row._asdict())


def prepared(tx: Queries, qmgr: str, name: str, luwid: str) -> PreparedUnitRow | None:
    """Return the unit that was prepared under that name and identifier, or None."""
    return first_row(PreparedUnitRow, tx.execute(SQL["prepared"], (qmgr, name, luwid)))


def remove_prepared(tx: Transaction, number: int) -> int:
    return tx.execute(SQL["remove_prepared"], (number,)).rowcount


class UnitInDoubt(NamedTuple):
    """A unit of work in doubt: who prepared it and when (microseconds UTC), and how many messages
    it holds.

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


def in_doubt(tx: Queries, qmgr: str) -> list[UnitInDoubt]:
    """Return the units in doubt of a queue manager, oldest first."""
    return every_row(UnitInDoubt, tx.execute(SQL["in_doubt"], (qmgr,)))


def in_doubt_hold_messages_of(tx: Queries, queue: int) -> bool:
    """Return whether units in doubt have put messages on a queue, or got messages from it."""
    return tx.execute(SQL["in_doubt_hold_messages_of"], (queue,)).fetchone() is not None


class GotMessage(NamedTuple):
    """A message that a unit in doubt has got, with the start of its data, None if it has none."""

    format: str
    encoding: int
    coded_char_set_id: int
    length: int
    body: bytes | None


def got_data(tx: Queries, unit: int, header: int, other: int) -> int:
    """Return the bytes of the messages that a unit got from all queues but one, less `header`
    bytes for each.
    """
    return first_value(int, tx.execute(SQL["got_data"], (unit, header, other)))


def got_messages(tx: Queries, unit: int, queue: int, most: int, size: int) -> list[GotMessage]:
    """Return the first messages that a unit has got from a queue, each with so many bytes of its
    data.
    """
    return every_row(GotMessage, tx.execute(SQL["got_messages"], (unit, queue, most, size)))


class Held(NamedTuple):
    """The messages of one queue and state that one unit of work holds, and the program that it
    belongs to.

    `first_put_at` is when the first of the messages was put, microseconds UTC. `kept`: they are
    trigger messages that stay when the unit is backed out. `file` is the liveness file of the
    process, blank for a store in memory. `in_doubt` is the name under which the unit was prepared,
    blank if it was not; it has no connection then.
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


def held_on_queue(tx: Queries, queue: int, rank: int) -> list[Held]:
    """Return what open units of work put on a queue or got from it, of at least that effective
    priority.
    """
    return every_row(Held, tx.execute(SQL["held_on_queue"], (queue, rank)))


class StartOfData(NamedTuple):
    """How trigger messages for one queue begin, and their format; also as dead letters, behind a
    `header`.
    """

    start: bytes
    format: str
    header: int
    dead_letter_format: str


def _held_trigger_messages(
    tx: Queries,
    owner: str,
    start: Any,
    format: str,
    header: Any,
    dead_letter_format: str,
    length: int,
) -> list[Held]:
    return every_row(
        Held,
        tx.execute(
            SQL["held_trigger_messages"],
            (owner, start, format, header, dead_letter_format, length),
        ),
    )


def held_trigger_messages(tx: Queries, owner: str, wanted: StartOfData) -> list[Held]:
    """Return the trigger messages that open units of work put on any queue of a queue manager."""
    return _held_trigger_messages(tx, owner, *wanted, len(wanted.start))


# How many events, from the end of the history, are searched for the gets of a unit of work.
REACH = 100_000


def _gets(tx: Queries, queue: str, unit: int) -> Any:
    return tx.execute(SQL["gets"], (queue, unit)).fetchone()


def first_get(tx: Queries, queue: str, unit: int, messages: int) -> int | None:
    """Return when a unit of work got the first of its `messages` from a queue, microseconds UTC.

    None when the end of the history does not have all of the gets.
    """
    at, found = _gets(tx, queue, unit)
    return at if found >= messages else None
