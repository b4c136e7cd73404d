"""Inserts messages with as few values as possible.

The driver takes longer to bind a value than SQLite to store a column. So default values are omitted, and values that
the messages of one program share are prepared once, as a template.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any

from store.descriptor import NO_ID, NO_TOKEN, MessageDescriptor
from store.sql.file_format import MessageState
from store.sql.rows import StoredMessage, declared_columns
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
# The driver binds an int faster than an enum.
_PUT = MessageState.PUT.value
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


# The queue of the messages of one call, when they were put, their unit of work, and whether they stay when it is backed
# out.
Slot = tuple[int, int, int | None, bool]


class InsertTemplate:
    """The values shared by messages whose descriptors differ only in ids, Expiry and position in a group."""

    __slots__ = ("_fixed", "_names", "_statements")

    def __init__(self, fixed: dict[str, Any]) -> None:
        self._names = tuple(fixed)
        self._fixed = tuple(fixed.values())
        # By the columns that a message has in addition to those that every message has.
        self._statements: dict[tuple[str, ...], str] = {}

    def row(
        self, d: MessageDescriptor, body: bytes, slot: Slot, sequence: int, rank: int, expires_at: int | None
    ) -> BoundStatement:
        """Return the INSERT of a message with its values. BackoutCount is 0 whatever the descriptor says."""
        queue, now, unit, kept = slot
        columns: tuple[str, ...] = ()
        values = [queue, sequence, rank, now, len(body), d.expiry, bytearray(d.msg_id), bytearray(body)]
        if unit is not None:
            columns += _IN_UNIT
            values += (_PUT, unit)
        if expires_at is not None:
            columns += _EXPIRES
            values.append(expires_at)
        if d.correl_id != NO_ID:
            columns += _CORRELATED
            values.append(bytearray(d.correl_id))
        in_group = d.group_id, d.msg_seq_number, d.offset, d.original_length
        if in_group != _IN_NO_GROUP:
            columns += _GROUPED
            # Binding a NULL is slow, but a segment of a message that is in no group is rare.
            values += (None if in_group[0] == NO_ID else bytearray(in_group[0]), *in_group[1:])
        if kept:
            columns += _KEPT
            values.append(1)
        values += self._fixed
        return self._statements.get(columns) or self._statement(columns), values

    def _statement(self, columns: tuple[str, ...]) -> str:
        text = self._statements[columns] = insert_text("message", (*_EACH, *columns, *self._names))
        return text


def template_of(descriptor: MessageDescriptor) -> InsertTemplate:
    """Return the template for a message like this one, from a cache."""
    token = descriptor.accounting_token
    return _template(_NUMBERS_OF(descriptor), _TEXTS_OF(descriptor), None if token == NO_TOKEN else bytes(token))


@lru_cache(maxsize=512)
def _template(numbers: tuple[int, ...], texts: tuple[str | None, ...], token: bytes | None) -> InsertTemplate:
    fixed: dict[str, Any] = dict(zip(_NUMBERS, map(int, numbers), strict=True))
    fixed.update(zip((*_TEXTS, "put_date", "put_time"), texts, strict=True))
    fixed["accounting_token"] = None if token is None else bytearray(token)
    return InsertTemplate({name: value for name, value in fixed.items() if value != _DEFAULTS[name]})


_DEFAULTS = {name: column.default for name, column in declared_columns(StoredMessage).items()}
