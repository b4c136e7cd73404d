"""The message descriptor of a stored message."""

from __future__ import annotations

from typing import Any

from store.descriptor import FIELDS, NO_ID, NO_TOKEN, MessageDescriptor
from store.rules.expiry import elapsed_tenths
from store.sql.rows import StoredMessage

# A row holds the fields of the descriptor next to each other, in order (a test compares).
_FIRST = StoredMessage._fields.index(FIELDS[0])
DESCRIPTOR = slice(_FIRST, _FIRST + len(FIELDS))
_EXPIRY, _CORREL_ID, _ACCOUNTING_TOKEN, _GROUP_ID = map(
    FIELDS.index, ("expiry", "correl_id", "accounting_token", "group_id")
)


def descriptor_of(found: StoredMessage, now: int) -> MessageDescriptor:
    """The descriptor of a stored message at `now`: Expiry is the time that remains, at least 1, or -1."""
    row: tuple[Any, ...] = found
    fields = list(row[DESCRIPTOR])
    if found.expiry >= 0:
        fields[_EXPIRY] = max(1, found.expiry - elapsed_tenths(found.put_at, now))
    fields[_CORREL_ID] = fields[_CORREL_ID] or NO_ID
    fields[_ACCOUNTING_TOKEN] = fields[_ACCOUNTING_TOKEN] or NO_TOKEN
    fields[_GROUP_ID] = fields[_GROUP_ID] or NO_ID
    descriptor = MessageDescriptor(*fields)
    descriptor.put_at = found.put_at
    return descriptor
