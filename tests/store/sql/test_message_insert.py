"""Messages are read as they were inserted."""

from __future__ import annotations

import os
from typing import NamedTuple

from hypothesis import given, settings, strategies as st

from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQENC, MQMT, MQPRI
from mqsc.store.descriptor import FIELDS, NO_ID, NO_TOKEN, MessageDescriptor
from mqsc.store.sql import messages
from mqsc.store.sql.message_insert import PutTogether, form_of, insert
from mqsc.store.sql.rows import MessageState, StoredMessage
from mqsc.store.sqlite.database import Reading, Transaction

EXAMPLES = int(os.environ.get("MQSC_PLACING_EXAMPLES", "100"))
# Values that are stored as NULL.
ABSENT = {"correl_id": NO_ID, "group_id": NO_ID, "accounting_token": NO_TOKEN}


class Placed(NamedTuple):
    """A message with all that an insert needs."""

    descriptor: MessageDescriptor
    body: bytes
    together: PutTogether
    sequence: int
    rank: int
    expires_at: int | None


def as_stored(placed: Placed, id: int) -> StoredMessage:
    """Return the expected row, column by column."""
    descriptor, body, together, sequence, rank, expires_at = placed
    fields = {name: getattr(descriptor, name) for name in FIELDS}
    fields |= {name: None for name, nothing in ABSENT.items() if fields[name] == nothing}
    fields |= {
        "put_date": descriptor.given_put_date,
        "put_time": descriptor.given_put_time,
        "backout_count": 0,
    }
    return StoredMessage(
        id=id,
        queue=together.queue,
        sequence=sequence,
        state=MessageState.AVAILABLE if together.unit is None else MessageState.PUT,
        unit=together.unit,
        rank=rank,
        kept_at_backout=int(together.kept),
        locked_by=None,
        marked_until=None,
        put_at=together.put_at,
        expires_at=expires_at,
        length=len(body),
        body=body,
        **fields,
    )


def read_back(store: Store, rows: list[Placed]) -> list[tuple[StoredMessage | None, StoredMessage]]:
    """Insert messages together; return each as read back, with the expected row."""
    with Transaction(store.database, durable=False) as tx:
        last = insert(tx, [form_of(each.descriptor).bind(*each) for each in rows])
    ids = range(last - len(rows) + 1, last + 1)
    with Reading(store.database) as reading:
        return [
            (messages.by_id(reading, id), as_stored(each, id))
            for each, id in zip(rows, ids, strict=True)
        ]


# Most values are defaults of a column or of a descriptor, so that all sets of columns occur.
_numbers = st.sampled_from([0, 1, -1, 2, 5, 8, 546, MQPRI.PRIORITY_AS_Q_DEF]) | st.integers(
    -(1 << 31),
    (1 << 31) - 1,
)
_texts = st.sampled_from(["", "MQSTR", " ", "Ä"]) | st.text(
    st.characters(codec="utf-8"),
    max_size=8,
)
_dates = st.none() | _texts
_ids = st.sampled_from([NO_ID, bytearray(NO_ID), b"\0" * 23 + b"\1"]) | st.binary(
    min_size=24,
    max_size=24,
)
_tokens = st.sampled_from([NO_TOKEN, bytearray(NO_TOKEN), bytearray(b"t" * 32)]) | st.binary(
    min_size=32,
    max_size=32,
)
_KINDS = {"put_date": _dates, "put_time": _dates, "accounting_token": _tokens}


def _kind(name: str, default: object) -> st.SearchStrategy[object]:
    if name in _KINDS:
        return _KINDS[name]
    if isinstance(default, bytes):
        return _ids
    return _numbers if isinstance(default, int) else _texts


@st.composite
def descriptors(draw: st.DrawFn) -> MessageDescriptor:
    """Draw a descriptor with some fields set and the others at their defaults."""
    descriptor = MessageDescriptor()
    for name in draw(st.lists(st.sampled_from(FIELDS), max_size=8, unique=True)):
        setattr(descriptor, name, draw(_kind(name, getattr(descriptor, name))))
    return descriptor


_placed = st.builds(
    Placed,
    descriptors(),
    st.binary(max_size=3),
    st.builds(
        PutTogether,
        st.integers(1, 3),
        st.integers(0, 1 << 50),
        st.none() | st.integers(1, (1 << 62)),
        st.booleans(),
    ),
    st.integers(0, 1 << 40),
    st.integers(0, 9),
    st.none() | st.integers(0, 1 << 52),
)


@settings(max_examples=EXAMPLES)
@given(st.lists(_placed, min_size=1, max_size=5))
def test_every_field_is_read_back_as_it_was_written(rows: list[Placed]) -> None:
    with open_store("sqlite://") as store:
        for found, stored in read_back(store, rows):
            assert found == stored


def test_enums_and_flags_are_stored_as_plain_numbers() -> None:
    named = MessageDescriptor(
        msg_type=MQMT.REQUEST,
        encoding=MQENC.NATIVE,
        persistence=True,
        put_appl_type=False,
    )
    named.expiry = MQPRI.PRIORITY_AS_Q_DEF
    plain = MessageDescriptor(msg_type=1, encoding=546, persistence=1)
    with open_store("sqlite://") as store:
        placed = [
            Placed(each, b"", PutTogether(1, 0, None, False), 0, 0, None) for each in (named, plain)
        ]
        (found, _), (same, _) = read_back(store, placed)
    assert found is not None
    assert found == same._replace(id=found.id)  # type: ignore[union-attr]
    assert {type(each) for each in found} == {int, str, bytes, type(None)}


def test_row_numbers_are_consecutive() -> None:
    together = PutTogether(1, 0, None, False)
    given = [
        Placed(MessageDescriptor(priority=each % 3), b"", together, each, 0, None)
        for each in range(7)
    ]
    with open_store("sqlite://") as store:
        assert [stored.id for _, stored in read_back(store, given)] == [1, 2, 3, 4, 5, 6, 7]
        assert [found == stored for found, stored in read_back(store, given[:1])] == [True]
