"""Messages are placed: their rows are written with as few values as tell them.

The driver takes longer over a value than SQLite over a column. What a column holds by default is left out, and what the
messages of one program have in common is put in its place once, as a form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from store.descriptor import NO_ID, NO_TOKEN, MessageDescriptor
from store.sql.schema import PUT, message
from store.sqlite.database import Transaction
from store.sqlite.statement import BoundStatement, insert_text

_NUMBERS = (
    "report",
    "msg_type",
    "feedback",
    "encoding",
    "coded_char_set_id",
    "priority",
    "persistence",
    "put_appl_type",
    "msg_flags",
)
_TEXTS = (
    "format",
    "reply_to_q",
    "reply_to_q_mgr",
    "user_identifier",
    "appl_identity_data",
    "put_appl_name",
    "appl_origin_data",
)
_NUMBERS_OF, _TEXTS_OF = attrgetter(*_NUMBERS), attrgetter(*_TEXTS, "given_put_date", "given_put_time")
_EACH = ("queue", "sequence", "rank", "put_at", "length", "expiry", "msg_id", "body")
_IN_UNIT, _EXPIRES, _CORRELATED, _GROUPED, _KEPT = (
    ("state", "unit"),
    ("expires_at",),
    ("correl_id",),
    ("group_id", "msg_seq_number", "offset", "original_length"),
    ("kept_at_backout",),
)
_IN_NO_GROUP = (NO_ID, 1, 0, -1)


class Slot(NamedTuple):
    """Where the messages of one call stand: on which queue, since when, and which unit of work holds them back, if any.

    `kept`: they stay when it is backed out.
    """

    queue: int
    now: int
    unit: int | None
    kept: bool


class InsertTemplate:
    """What messages have in common whose descriptors differ in ids, Expiry and place in a group alone."""

    __slots__ = ("_fixed", "_names", "_statements")

    def __init__(self, fixed: dict[str, Any]) -> None:
        self._names = tuple(fixed)
        self._fixed = tuple(fixed.values())
        # By the columns that some messages have beside those that all have.
        self._statements: dict[tuple[str, ...], str] = {}

    def row(
        self, d: MessageDescriptor, body: bytes, place: Slot, sequence: int, rank: int, expires_at: int | None
    ) -> BoundStatement:
        """The statement that writes a message, and its values; bytes as the driver takes them without a search.

        It was never backed out, whatever the descriptor says.
        """
        queue, now, unit, kept = place
        columns: tuple[str, ...] = ()
        values = [queue, sequence, rank, now, len(body), d.expiry, bytearray(d.msg_id), bytearray(body)]
        if unit is not None:
            columns += _IN_UNIT
            values += (PUT, unit)
        if expires_at is not None:
            columns += _EXPIRES
            values.append(expires_at)
        if d.correl_id != NO_ID:
            columns += _CORRELATED
            values.append(bytearray(d.correl_id))
        in_group = d.group_id, d.msg_seq_number, d.offset, d.original_length
        if in_group != _IN_NO_GROUP:
            columns += _GROUPED
            # No group is a NULL, which the driver is slow with; a segment of a message alone is rare.
            values += (None if in_group[0] == NO_ID else bytearray(in_group[0]), *in_group[1:])
        if kept:
            columns += _KEPT
            values.append(1)
        values += self._fixed
        return self._statements.get(columns) or self._statement(columns), values

    def _statement(self, columns: tuple[str, ...]) -> str:
        text = self._statements[columns] = _insert((*_EACH, *columns, *self._names))
        return text


# There are fewer choices of columns than of values.
@lru_cache(maxsize=512)
def _insert(columns: tuple[str, ...]) -> str:
    return insert_text(message, columns)


def template_of(descriptor: MessageDescriptor) -> InsertTemplate:
    """The form of a message; kept for those that follow."""
    token = descriptor.accounting_token
    return _form(_NUMBERS_OF(descriptor), _TEXTS_OF(descriptor), None if token == NO_TOKEN else bytes(token))


@lru_cache(maxsize=512)
def _form(numbers: tuple[int, ...], texts: tuple[str | None, ...], token: bytes | None) -> InsertTemplate:
    fixed: dict[str, Any] = dict(zip(_NUMBERS, map(int, numbers), strict=True))
    fixed.update(zip((*_TEXTS, "put_date", "put_time"), texts, strict=True))
    fixed["accounting_token"] = None if token is None else bytearray(token)
    return InsertTemplate({name: value for name, value in fixed.items() if value != _DEFAULTS[name]})


def _by_default(name: str) -> int | str | None:
    """What a column holds that is not written."""
    column = message.columns[name]
    if column.server_default is None:
        return None
    said = str(column.server_default.arg)  # type: ignore[attr-defined]
    return int(said) if column.type.python_type is int else said


_DEFAULTS = {name: _by_default(name) for name in (*_NUMBERS, *_TEXTS, "put_date", "put_time", "accounting_token")}


def insert(tx: Transaction, rows: Sequence[BoundStatement]) -> range:
    """Store messages; the row numbers they are given, in their order."""
    last = tx.insert_bound(rows)
    return range(last - len(rows) + 1, last + 1)
