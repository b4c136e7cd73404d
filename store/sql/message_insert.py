"""Inserts messages with as few values as possible.

The driver takes longer to bind a value than SQLite to store a default, most of all for NULL and
bytes. So defaults are omitted, and values that similar messages share are prepared once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.store.descriptor import ID_LENGTH, NO_ID, NO_TOKEN, MessageDescriptor
from mqsc.store.sql.rows import MessageState
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.statement import insert_text

# The text of an INSERT, and its values.
BoundInsert = tuple[str, list[Any]]
# The columns whose values differ from message to message; those of the next two lines only some
# messages have.
_PLACE = ("queue", "sequence")
_PER_MESSAGE = (*_PLACE, "rank", "put_at", "length", "expiry", "msg_id", "body")
_IN_UNIT = ("state", "unit")
_EXPIRING = ("expires_at",)
_CORRELATED = ("correl_id",)
_KEPT = ("kept_at_backout",)
_TIMES = ("put_date", "put_time")
_GROUPED = ("group_id", "msg_seq_number", "offset", "original_length")
_IN_NO_GROUP = (NO_ID, 1, 0, -1)
# The driver binds an int faster than an enum.
_PUT = MessageState.PUT.value
# The columns that messages share, all with a default of zero or blank.
_NUMBERS = (
    "report msg_type feedback encoding coded_char_set_id priority persistence put_appl_type "
    "msg_flags"
).split()
_TEXTS = (
    "format reply_to_q reply_to_q_mgr user_identifier appl_identity_data put_appl_name "
    "appl_origin_data"
).split()
_numbers_of, _texts_of = attrgetter(*_NUMBERS), attrgetter(*_TEXTS)


class PutTogether(Struct, frozen=True):
    """What the messages of one call have in common: the number of their queue, when they were put,
    their unit of work, and whether they stay when it is backed out.
    """

    queue: int
    put_at: int
    unit: int | None
    kept: bool


class InsertForm:
    """The INSERT of messages whose descriptors differ only in ids, times, Expiry and position in
    a group.
    """

    __slots__ = ("_texts", "has_times", "names", "values")

    def __init__(self, shared: dict[str, Any], *, has_times: bool) -> None:
        # The columns that all of them have, and the values of these.
        self.names = tuple(shared)
        self.values = tuple(shared.values())
        # Whether they have a date or time that a program set.
        self.has_times = has_times
        # By the columns that a message has besides those of every message.
        self._texts: dict[tuple[str, ...], str] = {}

    def bind(
        self,
        descriptor: MessageDescriptor,
        data: bytes | bytearray,
        together: PutTogether,
        sequence: int,
        rank: int,
        expires_at: int | None,
    ) -> BoundInsert:
        """Return the INSERT of a message. BackoutCount is 0 whatever the descriptor says. A
        bytearray is bound faster than bytes, without a search for its adapter.
        """
        msg_id = bytearray(descriptor.msg_id)
        values = [
            together.queue,
            sequence,
            rank,
            together.put_at,
            len(data),
            descriptor.expiry,
            msg_id,
            data,
            *self.values,
        ]
        columns: tuple[str, ...] = ()
        if together.unit is not None:
            columns += _IN_UNIT
            values += (_PUT, together.unit)
        if expires_at is not None:
            columns += _EXPIRING
            values.append(expires_at)
        if descriptor.correl_id != NO_ID:
            columns += _CORRELATED
            values.append(bytearray(descriptor.correl_id))
        in_group = (
            descriptor.group_id,
            descriptor.msg_seq_number,
            descriptor.offset,
            descriptor.original_length,
        )
        if in_group != _IN_NO_GROUP:
            columns += _GROUPED
            # A segment may be in no group.
            values += (None if in_group[0] == NO_ID else bytearray(in_group[0]), *in_group[1:])
        if together.kept:
            columns += _KEPT
            values.append(1)
        if self.has_times:
            columns += _TIMES
            values += (descriptor.given_put_date, descriptor.given_put_time)
        return self._texts.get(columns) or self._text(columns), values

    def _text(self, columns: tuple[str, ...]) -> str:
        text = self._texts[columns] = insert_text("message", (*_PER_MESSAGE, *self.names, *columns))
        return text


class Alike(NamedTuple):
    """What messages have in common that one statement inserts: their fixed values, their rank,
    their Expiry, when they were put, and in which unit of work.
    """

    form: InsertForm
    rank: int
    expiry: int
    put_at: int
    unit: int | None


class Places(NamedTuple):
    """Where the messages of one statement go: the numbers of their queues as a JSON list; how far
    the first is behind the end of its queue, and each of the others behind the one before it: 0 if
    each goes to another queue.
    """

    queues: str
    first: int
    step: int


class Identifiers(NamedTuple):
    """The MsgIds of several messages, one after the other, and their CorrelIds, blank for none."""

    msg_ids: bytes
    correl_ids: bytes


def insert_alike(
    tx: Transaction, alike: Alike, places: Places, identifiers: Identifiers, data: bytearray
) -> int:
    """Insert messages that differ only in their places and identifiers; return the row number of
    the last. They have no times of their own, are in no group and do not expire.
    """
    return _insert_alike(tx, _many_text, places, alike, identifiers, data)


def insert_one_alike(
    tx: Transaction,
    alike: Alike,
    queue: int,
    sequence: int,
    identifiers: Identifiers,
    data: bytearray,
) -> int:
    """Insert one such message, for which a list would take three times as long as all else."""
    return _insert_alike(tx, _one_text, (queue, sequence), alike, identifiers, data)


def _insert_alike(
    tx: Transaction,
    text: Callable[[tuple[str, ...]], str],
    places: tuple[Any, ...],
    alike: Alike,
    identifiers: Identifiers,
    data: bytearray,
) -> int:
    form, rank, expiry, put_at, unit = alike
    msg_ids, correl_ids = identifiers
    columns = _OF_ALIKE + form.names
    values = [*places, rank, put_at, len(data), expiry, bytearray(msg_ids), data, *form.values]
    if correl_ids:
        columns += _CORRELATED
        values.append(bytearray(correl_ids))
    if unit is not None:
        columns += _IN_UNIT
        values += (_PUT, unit)
    return tx.execute(text(columns), values).lastrowid


# The columns of every message but its place.
_OF_ALIKE = _PER_MESSAGE[len(_PLACE) :]
_OF_EACH = ("msg_id", "correl_id")


@lru_cache(maxsize=512)
def _one_text(columns: tuple[str, ...]) -> str:
    return insert_text("message", (*_PLACE, *columns))


@lru_cache(maxsize=512)
def _many_text(columns: tuple[str, ...]) -> str:
    values = [_value(name, f"?{number}") for number, name in enumerate(columns, 4)]
    quoted = ", ".join([f'"{name}"' for name in (*_PLACE, *columns)])
    return (
        f"INSERT INTO message ({quoted}) "
        f"SELECT copy.value, queue.next_sequence + ?2 + ?3 * copy.key, {', '.join(values)} "
        "FROM json_each(?1) AS copy CROSS JOIN queue ON queue.id = copy.value"
    )


def _value(column: str, parameter: str) -> str:
    """The value of a column: a part of its parameter if that has the values of all messages."""
    if column in _OF_EACH:
        return f"substr({parameter}, {ID_LENGTH} * copy.key + 1, {ID_LENGTH})"
    return parameter


def form_of(descriptor: MessageDescriptor) -> InsertForm:
    """Return the form of a message like this one, from a cache."""
    has_times = descriptor.given_put_date is not None or descriptor.given_put_time is not None
    return _form(
        _numbers_of(descriptor),
        _texts_of(descriptor),
        has_times,
        bytes(descriptor.accounting_token),
    )


@lru_cache(maxsize=512)
def _form(
    numbers: tuple[int, ...],
    texts: tuple[str, ...],
    has_times: bool,
    token: bytes,
) -> InsertForm:
    shared: dict[str, Any] = {
        name: value for name, value in zip(_TEXTS, texts, strict=True) if value
    }
    shared |= {name: int(value) for name, value in zip(_NUMBERS, numbers, strict=True) if value}
    if token != NO_TOKEN:
        shared["accounting_token"] = bytearray(token)
    return InsertForm(shared, has_times=has_times)


def insert(tx: Transaction, bound: Sequence[BoundInsert]) -> int:
    """Insert messages in order; return the row number of the last. The others have the numbers
    before it.
    """
    if len(bound) == 1:
        return tx.execute(*bound[0]).lastrowid
    for text, alike in groupby(bound, itemgetter(0)):
        tx.execute_for_each(text, [values for _, values in alike])
    return int(tx.execute("SELECT last_insert_rowid()", ()).fetchone()[0])
