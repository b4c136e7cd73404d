"""The tables have the columns that the row classes and the published history declare."""

from __future__ import annotations

import pytest
from msgspec.structs import fields
from sqlalchemy import Table

from store.published import EVENT_COLUMNS, PENDING_COLUMNS
from store.sql import schema
from store.sql.objects import ObjectRow
from store.sql.rows import (
    ChannelFaultRow,
    ChannelHostRow,
    ChannelStatusRow,
    ConnectionRow,
    EventRow,
    GroupRow,
    HandleRow,
    ManagerRow,
    MessageState,
    PreparedUnitRow,
    QueueColumns,
    QueueRow,
    StoredMessage,
)

TUPLES = [
    (schema.connection, ConnectionRow),
    (schema.handle, HandleRow),
    (schema.message, StoredMessage),
    (schema.object_, ObjectRow),
    (schema.prepared_unit, PreparedUnitRow),
    (schema.channel_status, ChannelStatusRow),
    (schema.channel_fault, ChannelFaultRow),
    (schema.channel_host, ChannelHostRow),
    (schema.sharing_group, GroupRow),
]


@pytest.mark.parametrize(("table", "row"), TUPLES, ids=[table.name for table, _ in TUPLES])
def test_rows_that_are_tuples_have_the_columns_of_their_table(table: Table, row: type) -> None:
    assert list(getattr(row, "_fields")) == [*table.c.keys()]  # noqa: B009


def test_rows_that_change_have_the_columns_of_their_table() -> None:
    assert [each.name for each in fields(ManagerRow)] == [*schema.queue_manager.c.keys()]
    assert [each.name for each in fields(QueueColumns)] == [*schema.queue.c.keys()]


def test_a_queue_row_ends_with_columns_of_the_queue_member() -> None:
    member = [each.name for each in fields(QueueRow)][len(fields(QueueColumns)) :]
    assert member == ["input_handles", "exclusive_handles", "output_handles", "last_trigger"]
    assert set(member) <= {*schema.queue_member.c.keys()}


def test_an_event_row_has_the_published_columns_except_its_number() -> None:
    types = {"int": "INTEGER", "str": "TEXT", "bytes": "BLOB"}
    declared = {name: types[kind.split(" | ")[0]] for name, kind in hints(EventRow).items()}
    assert {"seq": "INTEGER", **declared} == {each.name: each.type for each in EVENT_COLUMNS}
    assert ["seq", *EventRow._fields] == [each.name for each in EVENT_COLUMNS]


def hints(row: type) -> dict[str, str]:
    return {name: getattr(hint, "__name__", str(hint)) for name, hint in row.__annotations__.items()}


@pytest.mark.parametrize(
    ("column", "declaration"),
    [
        (schema.message.c.id, (True, False, None)),
        (schema.message.c.queue, (False, False, None)),
        (schema.message.c.rank, (False, False, "0")),
        (schema.message.c.unit, (False, True, None)),
        (schema.message.c.format, (False, False, "")),
        (schema.message.c.body, (False, False, None)),
        (schema.message.c.original_length, (False, False, "-1")),
        (schema.queue.c.max_depth, (False, False, "5000")),
        (schema.queue_manager.c.name, (True, False, None)),
    ],
    ids=str,
)
def test_key_null_and_default_follow_from_the_declaration(
    column: object, declaration: tuple[bool, bool, str | None]
) -> None:
    default = getattr(column, "server_default")  # noqa: B009
    found = getattr(column, "primary_key"), getattr(column, "nullable"), default and default.arg  # noqa: B009
    assert found == declaration


def test_the_view_of_pending_messages_names_every_state_and_column() -> None:
    view = schema.PENDING_VIEW
    assert [state.name in view for state in MessageState] == [True] * len(MessageState)
    assert [f" AS {each.name}" in view for each in PENDING_COLUMNS] == [True] * len(PENDING_COLUMNS)
